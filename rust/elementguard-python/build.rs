//! Says to the compiler what interpreter the binding is built for, so that `cfg(Py_GIL_DISABLED)` means something here.

fn main() {
    pyo3_build_config::use_pyo3_cfgs();
}
