// The annotated quotient: what the edges of a quotient by symmetries make of a property that these rename.
//
// The meanings of a property (asset.ir.symmetric.Meanings) are numbered; a set of them is a word. An edge leads from a
// state to the representative of a successor, and the way to that makes of each meaning another one: the edge's action.
#pragma once

#include <string>
#include <unordered_map>
#include <vector>

#include "graph.h"
#include "progress.h"

namespace asset {

class Annotations {
  public:
    // Of the edges of the whole graph. Throws Interrupted.
    Annotations(const Space &space, const Graph &graph, const Followed &followed);

    unsigned meanings() const { return meanings_; }

    // The representative of each start state, and what the property, as it is written, becomes on the way to it.
    std::span<const std::pair<Id, unsigned>> starts() const { return starts_; }

    unsigned becomes(Edge edge, unsigned meaning) const { return action(edge)[meaning]; }

    // What the meanings in the set become.
    std::uint64_t after(Edge edge, std::uint64_t set) const {
        std::uint64_t result = 0;
        for (; set; set &= set - 1)
            result |= std::uint64_t{1} << action(edge)[std::countr_zero(set)];
        return result;
    }

    // The meanings that become one in the set.
    std::uint64_t before(Edge edge, std::uint64_t set) const {
        if (set == 0 || set == all_)
            return set;
        const std::uint8_t *images = action(edge);
        std::uint64_t result = 0;
        for (unsigned meaning = 0; meaning < meanings_; ++meaning)
            result |= (set >> images[meaning] & 1) << meaning;
        return result;
    }

  private:
    const std::uint8_t *action(Edge edge) const { return &actions_[std::size_t{of_edges_[edge]} * meanings_]; }

    void find_starts(const Space &space);
    void annotate(const Space &space, Edge edges);
    std::uint32_t action_to_representative(const Word *state);
    std::uint32_t composed(std::span<const std::uint32_t> steps);
    std::uint32_t number(const std::string &action);

    const asset_model &model_;
    const Followed &followed_;
    const unsigned meanings_;
    const std::uint64_t all_;
    Sequence<std::uint32_t> of_edges_;  // the number of each edge's action
    std::vector<std::uint8_t> actions_; // for each action, what each meaning becomes; the first changes nothing
    std::unordered_map<std::string, std::uint32_t> numbers_;
    std::vector<std::uint32_t> single_; // the action of each step by itself
    std::vector<std::uint32_t> steps_;
    std::vector<std::pair<Id, unsigned>> starts_;
};

} // namespace asset
