// Putting some bits of a word side by side, and choosing one of those that are set: with instructions of the processor
// where it has quick ones.
#pragma once

#include <bit>
#include <cstdint>

#include "simd.h"

namespace asset {

#if defined(__x86_64__)
// AMD's processors before Zen 3 have these instructions, too, but take a hundred cycles for one.
inline bool asked_to_gather() {
    unsigned a, b, c, d;
    if (!has_v3() || !__get_cpuid(0, &a, &b, &c, &d))
        return false;
    const bool amd = b == signature_AMD_ebx && c == signature_AMD_ecx && d == signature_AMD_edx;
    if (!amd || !__get_cpuid(1, &a, &b, &c, &d))
        return !amd;
    const unsigned family = (a >> 8 & 15) + (a >> 20 & 255);
    return family >= 0x19;
}

inline bool gathers_fast() {
    static const bool fast = asked_to_gather();
    return fast;
}

// The bits of the mask, side by side; to be called only if gathers_fast().
ASSET_INLINE std::uint64_t gathered(std::uint64_t bits, std::uint64_t mask) {
    std::uint64_t result;
    asm("pext %2, %1, %0" : "=r"(result) : "r"(bits), "r"(mask));
    return result;
}
#else
inline bool gathers_fast() { return false; }
inline std::uint64_t gathered(std::uint64_t bits, std::uint64_t) { return bits; }
#endif

// The place of a bit that is set: of that which has so many others below it.
template <bool gathers> ASSET_INLINE unsigned place_of_bit(std::uint64_t bits, std::uint32_t below) {
#if defined(__x86_64__)
    if constexpr (gathers) {
        std::uint64_t one = std::uint64_t{1} << below;
        asm("pdep %1, %0, %0" : "+r"(one) : "r"(bits));
        return static_cast<unsigned>(std::countr_zero(one));
    }
#endif
    for (; below > 0; --below)
        bits &= bits - 1;
    return static_cast<unsigned>(std::countr_zero(bits));
}

} // namespace asset
