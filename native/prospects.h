// Which vertices of a small graph are on cycles that have all marks, and which lead to one.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace asset {

// What can be expected of a run that comes to a vertex: nothing, that it is accepted elsewhere, or there.
enum class Prospect : std::uint8_t { none, elsewhere, here };

struct Arrow {
    std::uint32_t source, target;
    std::uint64_t marks;
};

// Of each vertex. A vertex is on such a cycle if those that reach each other with it have all marks between them.
std::vector<Prospect> prospects(std::uint32_t vertices, std::span<const Arrow> arrows, std::uint64_t wanted);

// Those of the arrows that can be come to from these vertices.
std::vector<Arrow> reachable(std::span<const Arrow> arrows, std::uint32_t vertices,
                             std::span<const std::uint32_t> starts);

} // namespace asset
