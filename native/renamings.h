// What the edges of a quotient by symmetries make of a requirement that these rename: an automaton.
//
// Its modes are the meanings of the requirement (asset.ir.groups.Meanings). An edge leads from a state to the
// representative of a successor, and the way to that makes of each meaning another one: the edge's action.
#pragma once

#include <string>
#include <unordered_map>
#include <vector>

#include "product.h"
#include "progress.h"

namespace asset {

class Renamings {
  public:
    static constexpr bool single = false;

    // Of the edges of the whole graph; those that are idle, if these are given, lead nowhere. Throws Interrupted.
    Renamings(const Space &space, const Graph &graph, const Followed &followed, const IdleEdges *idle);

    // The representative of each start state, with what the requirement, as it is written, becomes on the way to it.
    std::span<const Vertex<false>> starts() const { return starts_; }

    Modes after(Edge edge, unsigned meaning) const {
        return idle_ && idle_->has(edge) ? 0 : Modes{1} << action(edge)[meaning];
    }

    Modes before(Edge edge, Modes meanings) const {
        meanings &= idle_ && idle_->has(edge) ? 0 : all_;
        if (meanings == 0 || meanings == all_)
            return meanings;
        const std::uint8_t *images = action(edge);
        Modes result = 0;
        for (unsigned meaning = 0; meaning < meanings_; ++meaning)
            result |= (meanings >> images[meaning] & 1) << meaning;
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
    const IdleEdges *idle_;
    const unsigned meanings_;
    const Modes all_;
    Sequence<std::uint32_t> of_edges_;  // the number of each edge's action
    std::vector<std::uint8_t> actions_; // for each action, what each meaning becomes; the first changes nothing
    std::unordered_map<std::string, std::uint32_t> numbers_;
    std::vector<std::uint32_t> single_; // the action of each step by itself
    std::vector<std::uint32_t> steps_;
    std::vector<Vertex<false>> starts_;
};

} // namespace asset
