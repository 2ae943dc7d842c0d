// Visible commands that a cycle of states leaves out: what must be widened so that none does (condition L).
// asset/engine/postponing.py is the specification.
#pragma once

#include "ignoring.h"

namespace asset {

class Postponing {
  public:
    Postponing(const Space &space, const WidenedGraph &graph)
        : space_(space), graph_(graph), leaves_out_(space.budget) {}

    // What to widen, in the order of states, so that fewer cycles leave visible commands out; nothing if none does.
    // All states are below `ids`.
    std::vector<Widening> look(Id ids);

    // As above, after these states were widened.
    std::vector<Widening> look(std::span<const Id> widened, Id ids);

    // Every state was expanded, so none has a model error.
    static std::optional<Ignoring::Faulty> faulty() { return std::nullopt; }

  private:
    using Member = WidenedGraph::Vertex;

    void read(Id ids);
    void decide(std::span<const Member> members, std::vector<Widening> &found);
    Widening widening(Id state);

    const Space &space_;
    const WidenedGraph &graph_;
    Sequence<std::uint8_t>
        leaves_out_; // by state: its set leaves visible commands out, and it may be on a cycle of such
};

} // namespace asset
