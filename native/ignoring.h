// Commands that stubborn sets leave out for ever: what must be widened so that none is (condition S).
// asset/engine/ignoring.py is the specification, and says why it suffices to look at terminal strong components.
#pragma once

#include "components.h"
#include "progress.h"
#include "widened.h"

namespace asset {

// The edges of an explored space, some of whose states were widened since they were written down.
class WidenedGraph {
  public:
    static constexpr bool single = true;
    using Vertex = asset::Vertex<true>;
    using Cursor = asset::Cursor<true>;

    WidenedGraph(const Space &space, const Graph &graph) : space_(space), graph_(graph) {}

    void replace(Id id, std::span<const Id> targets) { replaced_[id].assign(targets.begin(), targets.end()); }
    bool as_written() const { return replaced_.empty(); }

    std::span<const Id> successors(Id id) const {
        if (!replaced_.empty())
            if (const auto found = replaced_.find(id); found != replaced_.end())
                return found->second;
        return graph_.successors(id);
    }

    // All edges in one piece.
    Graph written() const;

    Budget &budget() const { return space_.budget; }
    void heed_interrupt() const {
        if (space_.interrupted.load(std::memory_order_relaxed))
            throw Interrupted();
    }
    template <class Use> bool visit(Vertex vertex, Cursor &cursor, const Use &use) const {
        const std::span<const Id> targets = successors(vertex.state);
        for (; cursor.edge < targets.size(); ++cursor.edge)
            if (use(Edge{cursor.edge}, Vertex{targets[cursor.edge]}))
                return true;
        return false;
    }

  private:
    const Space &space_;
    const Graph &graph_;
    std::unordered_map<Id, std::vector<Id>> replaced_;
};

class Ignoring {
  public:
    // A model error in a state, in which everything had to be fired.
    struct Faulty {
        Id state;
        Fault fault;
    };

    Ignoring(const Space &space, const WidenedGraph &graph)
        : space_(space), graph_(graph), settled_(space.budget), fired_(space.model.nr_commands) {}

    // What to widen, in the order of states, so that terminal components ignore less; nothing if they ignore nothing.
    // Only what is reachable from the roots is looked at. All states are below `ids`.
    std::vector<Widening> look(std::span<const Id> roots, Id ids);

    // As above, with all states as roots.
    std::vector<Widening> look(Id ids);

    const std::optional<Faulty> &faulty() const { return faulty_; }

  private:
    using Member = WidenedGraph::Vertex;
    using Search = Components<WidenedGraph>;

    void begin(Id ids);
    void sweep(Id ids);
    void look_from(Id root, Search &components, std::vector<Widening> &found);
    void decide(std::span<const Member> members, const Search &components, std::vector<Widening> &found);
    std::optional<Widening> ignored(std::span<const Member> members);
    std::optional<Widening> least_left_out(std::span<const Id> members);
    std::vector<std::uint32_t> left_out(Id state);
    void note_fired(Id state);

    const Space &space_;
    const WidenedGraph &graph_;
    Sequence<std::uint8_t> settled_; // by state: a terminal component that is fine can be reached
    std::vector<bool> fired_;        // commands
    std::optional<Faulty> faulty_;
};

} // namespace asset
