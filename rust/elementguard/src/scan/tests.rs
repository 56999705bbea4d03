//! Every kernel says of every byte at every place what the naive reading says, whatever stands before and behind.

use super::oracle::{hold_every_kernel as hold, naive};

/// A byte of each kind: of every class and of none, odd ones, special ones.
const FILLERS: [u8; 7] = [b'a', b' ', b'/', b'-', b'~', 0x7F, 0xE2];

/// The bytes at which a kernel could be wrong: all that differ from a neighbour in some class, and the halves' ends.
fn telling() -> Vec<u8> {
    let kinds = |byte: u8| naive(&[byte]);
    let differs =
        |b: u8| kinds(b) != kinds(b.wrapping_sub(1)) || kinds(b) != kinds(b.wrapping_add(1));
    (0..=255).filter(|&b| matches!(b, 0x7F | 0x80) || differs(b)).collect()
}

#[test]
fn every_byte_at_every_place() {
    for length in [1, 7, 16, 17, 33, 64, 130] {
        for filler in [b'a', b' ', 0xE2] {
            let mut bytes = vec![filler; length];
            for place in 0..length {
                for byte in 0..=255 {
                    bytes[place] = byte;
                    hold(&bytes);
                }
                bytes[place] = filler;
            }
        }
    }
}

/// What stands before and behind the slice belongs to no run.
#[test]
fn every_length_at_every_alignment() {
    let mut around = [b'"'; 300];
    for length in 0..=200 {
        for start in 0..64 {
            for filler in FILLERS {
                around[start..start + length].fill(filler);
                hold(&around[start..start + length]);
            }
            around[start..start + length].fill(b'"');
        }
    }
}

/// Two telling bytes in a run longer than four vectors of any kernel: the first one ends it.
#[test]
fn first_of_two() {
    let telling = telling();
    for filler in [b'a', b' ', 0xE2] {
        let mut bytes = vec![filler; 700];
        for place in (0..690).step_by(7) {
            for (turn, &byte) in telling.iter().enumerate() {
                let behind = place + 1 + (turn * 5) % 9;
                bytes[place] = byte;
                bytes[behind] = telling[(turn * 3 + place) % telling.len()];
                hold(&bytes);
                (bytes[place], bytes[behind]) = (filler, filler);
            }
        }
    }
}

#[cfg(unix)]
mod guarded {
    //! Memory that ends where a page begins that must not be touched: a kernel that reads a byte too many ends the process.

    use super::{FILLERS, hold};

    struct Guarded {
        start: *mut libc::c_void,
        page: usize,
    }

    impl Guarded {
        fn new() -> Self {
            // SAFETY: it asks for a number.
            let page = usize::try_from(unsafe { libc::sysconf(libc::_SC_PAGESIZE) }).unwrap();
            let (read_write, kind) =
                (libc::PROT_READ | libc::PROT_WRITE, libc::MAP_PRIVATE | libc::MAP_ANONYMOUS);
            // SAFETY: three fresh pages, wherever the system likes.
            let start =
                unsafe { libc::mmap(std::ptr::null_mut(), 3 * page, read_write, kind, -1, 0) };
            assert_ne!(start, libc::MAP_FAILED);
            for guard in [0, 2] {
                // SAFETY: the first and the last of the three pages, to which nothing refers.
                let done =
                    unsafe { libc::mprotect(start.byte_add(guard * page), page, libc::PROT_NONE) };
                assert_eq!(done, 0);
            }
            Self { start, page }
        }

        /// The page between the two.
        fn bytes(&mut self) -> &mut [u8] {
            // SAFETY: the page can be read and written, holds zeros or what was written, and is lent by one owner.
            unsafe {
                std::slice::from_raw_parts_mut(self.start.byte_add(self.page).cast(), self.page)
            }
        }
    }

    impl Drop for Guarded {
        fn drop(&mut self) {
            // SAFETY: the pages are this value's, and it is at its end.
            unsafe { libc::munmap(self.start, 3 * self.page) };
        }
    }

    #[test]
    fn at_both_ends() {
        let mut guarded = Guarded::new();
        let page = guarded.page;
        for filler in FILLERS {
            guarded.bytes().fill(filler);
            for length in 0..=300 {
                let bytes = guarded.bytes();
                hold(&bytes[page - length..]);
                hold(&bytes[..length]);
            }
            let last = guarded.bytes();
            for place in 0..300 {
                last[page - 300 + place] = b'"';
                hold(&last[page - 300..]);
                last[page - 300 + place] = filler;
            }
        }
    }
}

#[test]
fn what_the_processor_always_has_is_there() {
    let there: Vec<_> = super::kernels().collect();
    assert_eq!(there.first(), Some(&"portable"));
    if cfg!(target_arch = "x86_64") {
        assert!(there.contains(&"sse2"));
    }
    if cfg!(target_arch = "aarch64") {
        assert!(there.contains(&"neon"));
    }
}
