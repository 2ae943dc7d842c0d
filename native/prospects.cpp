#include "prospects.h"

#include <algorithm>
#include <cstddef>
#include <iterator>

namespace asset {
namespace {

// Which vertices are reached from which by one arrow or more (Warshall), a bit for each.
class Reached {
  public:
    Reached(std::uint32_t vertices, std::span<const Arrow> arrows)
        : words_((vertices + 63) / 64), bits_(std::size_t{vertices} * words_) {
        for (const Arrow &arrow : arrows)
            row(arrow.source)[arrow.target / 64] |= std::uint64_t{1} << arrow.target % 64;
        for (std::uint32_t over = 0; over < vertices; ++over)
            for (std::uint32_t from = 0; from < vertices; ++from)
                for (std::size_t word = 0; (*this)(from, over) && word < words_; ++word)
                    row(from)[word] |= row(over)[word];
    }

    bool operator()(std::uint32_t from, std::uint32_t to) const {
        return bits_[from * words_ + to / 64] >> to % 64 & 1;
    }

  private:
    std::uint64_t *row(std::uint32_t vertex) { return &bits_[vertex * words_]; }

    const std::size_t words_;
    std::vector<std::uint64_t> bits_;
};

} // namespace

std::vector<Prospect> prospects(std::uint32_t vertices, std::span<const Arrow> arrows, std::uint64_t wanted) {
    const Reached reached(vertices, arrows);
    std::vector<std::uint32_t> component(vertices); // its first vertex
    std::vector<std::uint64_t> inside(vertices);    // of a component
    for (std::uint32_t vertex = 0; vertex < vertices; ++vertex)
        while (component[vertex] < vertex &&
               !(reached(vertex, component[vertex]) && reached(component[vertex], vertex)))
            ++component[vertex];
    for (const Arrow &arrow : arrows)
        if (component[arrow.source] == component[arrow.target])
            inside[component[arrow.source]] |= arrow.marks;
    std::vector<Prospect> result(vertices, Prospect::none);
    for (std::uint32_t vertex = 0; vertex < vertices; ++vertex)
        if (reached(vertex, vertex) && inside[component[vertex]] == wanted)
            result[vertex] = Prospect::here;
    for (std::uint32_t vertex = 0; vertex < vertices; ++vertex)
        for (std::uint32_t next = 0; result[vertex] == Prospect::none && next < vertices; ++next)
            if (result[next] == Prospect::here && reached(vertex, next))
                result[vertex] = Prospect::elsewhere;
    return result;
}

std::vector<Arrow> reachable(std::span<const Arrow> arrows, std::uint32_t vertices,
                             std::span<const std::uint32_t> starts) {
    const Reached reached(vertices, arrows);
    const auto met = [&](const Arrow &arrow) {
        return std::ranges::any_of(
            starts, [&](std::uint32_t start) { return start == arrow.source || reached(start, arrow.source); });
    };
    std::vector<Arrow> result;
    std::ranges::copy_if(arrows, std::back_inserter(result), met);
    return result;
}

} // namespace asset
