// Hashes wide states by the words in which they differ from one another.
#pragma once

#include <vector>

#include "indexed_store.h"

namespace asset {

// The hashes of StateHash<0>. It takes a nanosecond to mix a word, and a fraction of that to see that it is the word of
// the state before: of 12 words half the time is saved, of 64 words three quarters. Each thread has its own.
class IncrementalHash {
  public:
    explicit IncrementalHash(std::size_t words) : words_(words), mixed_(words) {}

    // The states that are hashed next probably have most words of this one, which stays where it is meanwhile.
    ASSET_INLINE void begin(const Word *source) {
        source_ = source;
        sum_ = 0;
        for (std::size_t i = 0; i < words_; ++i)
            sum_ += mixed_[i] = StateHash<0>::mixed(source[i], i);
    }

    ASSET_INLINE std::uint64_t operator()(const Word *state) const {
        std::uint64_t sum = sum_;
        for_each_differing(source_, state, words_,
                           [&](std::size_t i) ASSET_INLINED { sum += StateHash<0>::mixed(state[i], i) - mixed_[i]; });
        return StateHash<0>::finished(sum);
    }

  private:
    std::size_t words_;
    const Word *source_ = nullptr;
    std::uint64_t sum_ = 0;            // of the source's mixed words
    std::vector<std::uint64_t> mixed_; // the source's words
};

} // namespace asset
