//! parsed: what the ride asks of a parsed object, and of who walks over it.
//!
//! In: nothing. Out: two traits. Who implements them answers for it that nothing changes while a ride lasts: what was seen once may
//! be looked at again.

/// A value of a parsed object.
pub trait Parsed<'a>: Copy {
    /// The members of an object that are still to come, in order: names and values.
    type Members: Iterator<Item = (Self, Self)> + Clone;

    /// The items of an array that are still to come.
    type Items: Iterator<Item = Self>;

    /// What keeps a value where it is, also when the ride is over.
    type Held;

    /// A number that no other value has meanwhile, nor while this one is held; a multiple of 4.
    fn identity(self) -> usize;

    /// Keeps it.
    fn hold(self) -> Self::Held;

    /// The text of a string, as UTF-8; nothing of what has no UTF-8 or is no plain string.
    fn string(self) -> Option<&'a [u8]>;

    /// Whether it is `true` or `false`.
    fn boolean(self) -> Option<bool>;

    /// The members of a plain object.
    fn object(self) -> Option<Self::Members>;

    /// The items of a plain array.
    fn array(self) -> Option<Self::Items>;

    /// What it is, whatever that is.
    fn look(self) -> Look<'a, Self>;
}

/// What a value is.
#[derive(Clone, Copy, Debug)]
pub enum Look<'a, P: Parsed<'a>> {
    /// A string.
    String(&'a [u8]),
    /// An integer.
    Integer(i64),
    /// A number that JSON writes with a point or an exponent: how many bytes it takes for it.
    Real(u64),
    /// `true` or `false`.
    Boolean(bool),
    /// `null`.
    Null,
    /// An object.
    Object(P::Members),
    /// An array.
    Array(P::Items),
    /// Anything else: it is left to the walk.
    Other,
}

/// Who walks over a parsed object: knows the objects and arrays that are open, and what comes next in the innermost one.
pub trait Source<'a> {
    /// A value of the object.
    type Value: Parsed<'a>;

    /// The members of the innermost object that are still to come.
    fn members(&mut self) -> Option<<Self::Value as Parsed<'a>>::Members>;

    /// Only these of them are still to come.
    fn leave_at(&mut self, members: <Self::Value as Parsed<'a>>::Members);

    /// Takes the next item of the innermost array.
    fn item(&mut self) -> Option<Self::Value>;

    /// The item that was taken last is still to come.
    fn step_back(&mut self);

    /// Opens a plain object; not one that is open already.
    fn open_object(&mut self, value: Self::Value) -> bool;

    /// Opens a plain array; not one that is open already.
    fn open_array(&mut self, value: Self::Value) -> bool;

    /// Closes the innermost object or array, if it was opened in this ride.
    fn close(&mut self) -> bool;
}
