//! Asking for memory before it is needed.

/// Has the cache line of `item` fetched, without waiting for it.
// A load would do so too, but is waited for in its turn. Breadth-first searches of ten million states take some 5 % less
// time with this.
#[inline(always)]
#[allow(unsafe_code)]
pub(super) fn fetch<T>(item: &T) {
    #[cfg(target_arch = "x86_64")]
    {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        // SAFETY: the instruction is part of every x86-64. It changes nothing but the cache, and never faults.
        unsafe { _mm_prefetch::<_MM_HINT_T0>(std::ptr::from_ref(item).cast()) };
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = item;
}
