//! The conformance vectors against the core, without Python.
