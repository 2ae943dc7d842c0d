// States that were met moments ago. In most state spaces the orders of independent transitions lead to the same states
// soon after each other, so more than half of all successors end here, in the processor's cache, not in the table.
#pragma once

#include <algorithm>
#include <bit>

#include "arena.h"
#include "simd.h"

namespace asset {

// Words is the width of the states if it is known at compile time, else 0. Each thread has its own.
template <std::size_t Words> class Recent {
  public:
    Recent(Budget &budget, std::size_t words)
        : words_(words), places_(std::bit_floor(std::max<std::size_t>(cache_bytes / (words * sizeof(Word)), 2))),
          shift_(static_cast<unsigned>(std::countl_zero(places_)) + 1), region_(budget, words * sizeof(Word) * places_),
          states_(region_.as<Word>()) {}

    // Whether the state, which has this hash, was met lately and not displaced by another since; it is met now.
    ASSET_INLINE bool meet(std::uint64_t hash, const Word *state) const {
        Word *place = states_ + (hash >> shift_) * width();
        const bool met = is_at(place, state);
        std::copy_n(state, width(), place);
        return met;
    }

  private:
    static constexpr std::size_t cache_bytes = std::size_t{1} << 17;

    // A place without a state is all zeros, so the state that is all zeros is never found.
    ASSET_INLINE bool is_at(const Word *place, const Word *state) const {
        Word difference = 0, any = 0;
        for (std::size_t i = 0; i < width(); ++i) {
            difference |= place[i] ^ state[i];
            any |= state[i];
        }
        return (difference == 0) & (any != 0); // not &&: what cannot be foreseen should not be a branch
    }

    std::size_t width() const { return Words ? Words : words_; }

    const std::size_t words_;
    const std::size_t places_; // a power of two
    const unsigned shift_;     // leaves the hash as many upper bits as there are places
    Region region_;
    Word *const states_;
};

} // namespace asset
