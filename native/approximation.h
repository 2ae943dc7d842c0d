// Which stores may take a state for one that they have (approximate_stores.h), and how large their tables are.
#pragma once

#include <cstdint>

namespace asset {

struct Approximation {
    enum class Kind : std::uint32_t { none, bitstate, compact };
    Kind kind = Kind::none;
    std::uint32_t parameter = 0; // bitstate: addresses of a state; compact: cells in a word of 64 bits
    std::uint64_t bytes = 0;     // of the table
    std::uint64_t seed = 0;      // of the hash functions
};

} // namespace asset
