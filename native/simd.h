// Looking through one cache line at once, with SSE2 if there is it (all of x86-64), else in portable code.
//
// Other threads may write to the line meanwhile. C++ has no atomic load of 16 bytes, and any other load would be a data
// race; so the load is an instruction of the processor, which the compiler can neither split nor repeat. The processor
// reads each aligned number of 32 bits as it was at one moment. ThreadSanitizer does not see such a load, so it is
// given the portable code, whose loads are relaxed atomics of the same numbers.
#pragma once

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>

#if defined(__SSE2__) && !defined(__SANITIZE_THREAD__)
#define ASSET_SSE2
#include <emmintrin.h>
#endif
#if defined(__x86_64__)
#include <cpuid.h>
#endif

// ASSET_V3 marks a function that is compiled for processors with AVX2 and BMI2, to be called only if has_v3(). What
// it calls is compiled so too if it is inlined, which ASSET_INLINE demands.
#if defined(__x86_64__)
#define ASSET_V3 [[gnu::target("avx2,bmi,bmi2,lzcnt,popcnt")]]
#else
#define ASSET_V3
#endif
// Sanitized builds, which need not be fast, compile in half the time if nothing is demanded.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define ASSET_INLINE inline
#define ASSET_INLINED
#else
#define ASSET_INLINE [[gnu::always_inline]] inline
#define ASSET_INLINED __attribute__((always_inline)) // of a lambda
#endif

namespace asset {

#if defined(__x86_64__)
// Whether the system keeps the registers of AVX when it switches threads.
inline bool keeps_wide_registers() {
    unsigned low = 0;
    unsigned high = 0;
    asm volatile("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
    return (low & 6) == 6;
}

// Asked of the processor itself: what compilers offer for it needs a part of their run-time library, which not every
// one of them links.
inline bool asked_for_v3() {
    constexpr unsigned popcnt = 1u << 23, osxsave = 1u << 27;         // leaf 1, ECX
    constexpr unsigned bmi = 1u << 3, avx2 = 1u << 5, bmi2 = 1u << 8; // leaf 7, EBX
    constexpr unsigned lzcnt = 1u << 5;                               // leaf 0x80000001, ECX
    const auto all = [](unsigned has, unsigned wanted) { return (has & wanted) == wanted; };
    unsigned a, b, c, d;
    return __get_cpuid(1, &a, &b, &c, &d) && all(c, popcnt | osxsave) && keeps_wide_registers() &&
           __get_cpuid_count(7, 0, &a, &b, &c, &d) && all(b, bmi | avx2 | bmi2) &&
           __get_cpuid(0x80000001, &a, &b, &c, &d) && all(c, lzcnt);
}

inline bool has_v3() {
    static const bool has = asked_for_v3(); // asking takes long in a virtual machine
    return has;
}
#else
inline bool has_v3() { return false; }
#endif

// What was in a cache line of 16 numbers of 32 bits at one moment for each of them. All questions are answered from
// that one look: with other threads writing, asking the memory twice might give answers that do not fit together.
class Line {
  public:
#if defined(ASSET_SSE2)
    ASSET_INLINE explicit Line(const void *address) {
        const auto *quarters = static_cast<const __m128i *>(address);
        for (int i = 0; i < 4; ++i)
            asm volatile("movdqa %1, %0" : "=x"(quarters_[i]) : "m"(quarters[i]));
    }

    // Bit i is set if number i is the value.
    ASSET_INLINE std::uint32_t matches(std::uint32_t value) const {
        const __m128i wanted = _mm_set1_epi32(static_cast<int>(value));
        __m128i equal[4];
        for (int i = 0; i < 4; ++i)
            equal[i] = _mm_cmpeq_epi32(quarters_[i], wanted);
        const __m128i low = _mm_packs_epi32(equal[0], equal[1]);
        const __m128i high = _mm_packs_epi32(equal[2], equal[3]);
        return static_cast<std::uint32_t>(_mm_movemask_epi8(_mm_packs_epi16(low, high)));
    }

    // Bit i is set if byte i of the last quarter is the value.
    ASSET_INLINE std::uint32_t matches_in_last_quarter(std::uint8_t value) const {
        return static_cast<std::uint32_t>(
            _mm_movemask_epi8(_mm_cmpeq_epi8(quarters_[3], _mm_set1_epi8(static_cast<char>(value)))));
    }

  private:
    __m128i quarters_[4];
#else
    explicit Line(const void *address) {
        auto *numbers = static_cast<std::uint32_t *>(const_cast<void *>(address));
        for (int i = 0; i < 16; ++i)
            numbers_[i] = std::atomic_ref(numbers[i]).load(std::memory_order_relaxed);
    }

    std::uint32_t matches(std::uint32_t value) const {
        std::uint32_t mask = 0;
        for (int i = 0; i < 16; ++i)
            mask |= std::uint32_t{numbers_[i] == value} << i;
        return mask;
    }

    std::uint32_t matches_in_last_quarter(std::uint8_t value) const {
        std::uint8_t bytes[16];
        std::memcpy(bytes, numbers_ + 12, sizeof bytes);
        std::uint32_t mask = 0;
        for (int i = 0; i < 16; ++i)
            mask |= std::uint32_t{bytes[i] == value} << i;
        return mask;
    }

  private:
    std::uint32_t numbers_[16];
#endif
};

// Bit i is set if the halves i of two rows differ; a word has two halves of 32 bits, the lower one first. For 32 words
// at most. Without branches: what differs cannot be foreseen.
ASSET_INLINE std::uint64_t differing_halves(const std::uint64_t *a, const std::uint64_t *b, std::size_t words) {
    std::uint64_t equal = 0;
    std::size_t i = 0;
#if defined(ASSET_SSE2)
    const auto two_words = [&](std::size_t from) ASSET_INLINED {
        const __m128i left = _mm_loadu_si128(reinterpret_cast<const __m128i *>(a + from));
        const __m128i right = _mm_loadu_si128(reinterpret_cast<const __m128i *>(b + from));
        return _mm_cmpeq_epi32(left, right);
    };
    for (; i + 4 <= words; i += 4) {
        const __m128i same = _mm_packs_epi32(two_words(i), two_words(i + 2));
        const int bits = _mm_movemask_epi8(_mm_packs_epi16(same, _mm_setzero_si128()));
        equal |= static_cast<std::uint64_t>(bits) << (2 * i);
    }
#endif
    for (; i < words; ++i) {
        const std::uint64_t difference = a[i] ^ b[i];
        const std::uint64_t low = static_cast<std::uint32_t>(difference) == 0, high = difference >> 32 == 0;
        equal |= (low | high << 1) << (2 * i);
    }
    return ~equal & (words < 32 ? (std::uint64_t{1} << (2 * words)) - 1 : ~std::uint64_t{0});
}

// Calls `use` with the number of each word in which two states differ.
template <class Use>
ASSET_INLINE void for_each_differing(const std::uint64_t *a, const std::uint64_t *b, std::size_t words,
                                     const Use &use) {
    constexpr std::size_t block = 32;
    constexpr std::uint64_t lower_halves = 0x5555555555555555u;
    for (std::size_t from = 0; from < words; from += block) {
        const std::uint64_t halves = differing_halves(a + from, b + from, std::min(block, words - from));
        for (std::uint64_t left = (halves | halves >> 1) & lower_halves; left; left &= left - 1)
            use(from + static_cast<std::size_t>(std::countr_zero(left)) / 2);
    }
}

// What two states differ by, and what is in the second, gathered in a word each: 0 if they are equal, or if it is 0
// throughout. Two words at a time, which the compiler makes of no loop over words.
struct Gathered {
    std::uint64_t difference = 0, any = 0;
};

ASSET_INLINE Gathered gathered(const std::uint64_t *a, const std::uint64_t *b, std::size_t words) {
    Gathered result;
    std::size_t i = 0;
#if defined(ASSET_SSE2)
    __m128i difference = _mm_setzero_si128(), any = _mm_setzero_si128();
    for (; i + 2 <= words; i += 2) {
        const __m128i left = _mm_loadu_si128(reinterpret_cast<const __m128i *>(a + i));
        const __m128i right = _mm_loadu_si128(reinterpret_cast<const __m128i *>(b + i));
        difference = _mm_or_si128(difference, _mm_xor_si128(left, right));
        any = _mm_or_si128(any, right);
    }
    const auto folded = [](__m128i both) ASSET_INLINED {
        return static_cast<std::uint64_t>(_mm_cvtsi128_si64(_mm_or_si128(both, _mm_unpackhi_epi64(both, both))));
    };
    result = {folded(difference), folded(any)};
#endif
    for (; i < words; ++i) {
        result.difference |= a[i] ^ b[i];
        result.any |= b[i];
    }
    return result;
}

// Four words at a time: the compiler makes one instruction of that, and none of a loop of unknown length.
ASSET_INLINE void copy_words(const std::uint64_t *from, std::uint64_t *to, std::size_t words) {
    std::size_t i = 0;
    for (; i + 4 <= words; i += 4)
        std::memcpy(to + i, from + i, 4 * sizeof *to);
    for (; i < words; ++i)
        to[i] = from[i];
}

} // namespace asset
