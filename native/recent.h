// States that were met moments ago. In most state spaces the orders of independent transitions lead to the same states
// soon after each other, so more than half of all successors end here, in the processor's cache, not in the table.
#pragma once

#include <algorithm>
#include <array>
#include <bit>

#include "arena.h"
#include "simd.h"

namespace asset {

// Words is the width of the states if it is known at compile time, else 0. Each thread has its own.
template <std::size_t Words> class Recent {
  public:
    Recent(Budget &budget, std::size_t words) : Recent(budget, words, usual_bytes(budget, words)) {}

    // `bytes` is how large it is, at most.
    Recent(Budget &budget, std::size_t words, std::size_t bytes)
        : words_(words), places_(std::bit_floor(std::max<std::size_t>(bytes / (words * sizeof(Word)), 2))),
          shift_(static_cast<unsigned>(std::countl_zero(places_)) + 1),
          region_(budget, (words + (Words == 0)) * sizeof(Word) * places_), states_(region_.as<Word>()),
          hashes_(states_ + words * places_), ids_region_(budget, sizeof(Id) * places_), ids_(ids_region_.as<Id>()) {}

    // Whether the state, which has this hash, was met lately and not displaced by another since; it is met now. Known
    // is its width if that is known where this is called, else 0.
    template <std::size_t Known = Words> ASSET_INLINE bool meet(std::uint64_t hash, const Word *state) const {
        const std::size_t number = hash >> shift_;
        if constexpr (Known == 0) {
            Word *place = states_ + number * words_;
            if (hashes_[number] == hash && is_at<0>(place, state))
                return true;
            hashes_[number] = hash;
            copy_words(state, place, words_);
            return false;
        } else {
            Word *place = states_ + number * Known;
            const bool met = is_at<Known>(place, state);
            copy_words(state, place, Known);
            return met;
        }
    }

    // Of so many states, those that were not met lately, with their hashes; how many they are. All are met now. Without
    // branches: which ones they are cannot be foreseen.
    template <class Hasher, class StateOf>
    ASSET_INLINE std::size_t choose(std::size_t count, const Hasher &hasher, const StateOf &state_of,
                                    const Word **states, std::uint64_t *hashes) const {
        std::array<std::uint64_t, fetched_together> some_hashes;
        std::size_t chosen = 0;
        for (std::size_t first = 0; first < count; first += fetched_together) {
            const std::size_t some = std::min(fetched_together, count - first);
            for (std::size_t i = 0; i < some; ++i)
                prefetch(some_hashes[i] = hasher(state_of(first + i)));
            for (std::size_t i = 0; i < some; ++i) {
                states[chosen] = state_of(first + i);
                hashes[chosen] = some_hashes[i];
                chosen += !meet(some_hashes[i], states[chosen]);
            }
        }
        return chosen;
    }

    // Where a state with the hash is, and the id of the one that is there, to be told by who looks it up.
    ASSET_INLINE std::size_t place(std::uint64_t hash) const { return hash >> shift_; }
    ASSET_INLINE Id &id_at(std::size_t place) const { return ids_[place]; }

    // Brings the place where the state is, if it was met, closer.
    template <std::size_t Known = Words> ASSET_INLINE void prefetch(std::uint64_t hash) const {
        const std::size_t width = Known ? Known : words_;
        const Word *place = states_ + (hash >> shift_) * width;
        for (std::size_t word = 0; word < width; word += line_words)
            __builtin_prefetch(place + word, 1);
    }

  private:
    static constexpr std::size_t line_words = 64 / sizeof(Word);
    static constexpr std::size_t fetched_together = 16; // places

    // As large as the processor's cache. Wide states are slow to look up, so that its slower part is worth it for them.
    static std::size_t usual_bytes(const Budget &budget, std::size_t words) {
        constexpr std::size_t kib = 1024, most_places = 32 * kib;
        return Words ? 128 * kib
                     : std::min(std::clamp(budget.limit() / 256, 256 * kib, 4096 * kib),
                                most_places * words * sizeof(Word));
    }

    // A place without a state is all zeros, so the state that is all zeros is never found.
    template <std::size_t Known> ASSET_INLINE bool is_at(const Word *place, const Word *state) const {
        const auto [difference, any] = gathered(place, state, Known ? Known : words_);
        return (difference == 0) & (any != 0); // not &&: what cannot be foreseen should not be a branch
    }

    const std::size_t words_;
    const std::size_t places_; // a power of two
    const unsigned shift_;     // leaves the hash as many upper bits as there are places
    Region region_;
    Word *const states_;
    Word *const hashes_; // of states of unknown width, by place: what is compared first
    Region ids_region_;
    Id *const ids_;
};

} // namespace asset
