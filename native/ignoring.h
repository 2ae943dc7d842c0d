// Commands that stubborn sets leave out for ever: what must be widened so that none is (condition S).
// asset/engine/ignoring.py is the specification, and says why it suffices to look at terminal strong components.
#pragma once

#include "components.h"
#include "progress.h"
#include "widened.h"

namespace asset {

// A graph of states, made of their `successors`, as strong components are found in it.
template <class Steps> class StateGraph {
  public:
    static constexpr bool single = true;
    using Vertex = asset::Vertex<true>;
    using Cursor = asset::Cursor<true>;

    explicit StateGraph(const Space &space) : space_(space) {}

    Budget &budget() const { return space_.budget; }
    void heed_interrupt() const { space_.heed_interrupt(); }
    template <class Use> bool visit(Vertex vertex, Cursor &cursor, const Use &use) const {
        const std::span<const Id> targets = static_cast<const Steps &>(*this).successors(vertex.state);
        for (; cursor.edge < targets.size(); ++cursor.edge)
            if (use(Edge{cursor.edge}, Vertex{targets[cursor.edge]}))
                return true;
        return false;
    }

  protected:
    const Space &space_;
};

// The edges of an explored space, some of whose states were widened since they were written down.
class WidenedGraph : public StateGraph<WidenedGraph> {
  public:
    WidenedGraph(const Space &space, const Graph &graph) : StateGraph(space), graph_(graph) {}

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

  private:
    const Graph &graph_;
    std::unordered_map<Id, std::vector<Id>> replaced_;
};

// The steps by keys of stubborn sets. Which these are is not stored: if sets may be weak, a state is expanded again
// when its steps are asked for.
class KeySteps : public StateGraph<KeySteps> {
  public:
    KeySteps(const Space &space, const WidenedGraph &graph)
        : StateGraph(space), graph_(graph), weak_(space.options.derived && !space.options.derived->keys.empty()),
          known_(space.budget) {}

    // All states are below `ids`.
    void begin(Id ids);

    std::span<const Id> successors(Id id) const {
        if (!weak_ || known_[id] == Known::all)
            return graph_.successors(id);
        return known_[id] == Known::some ? std::span<const Id>(some_.find(id)->second) : looked_up(id);
    }

    // The state's set was widened.
    void forget(Id id) {
        if (weak_)
            known_[id] = Known::nothing;
    }

  private:
    enum class Known : std::uint8_t { nothing, all, some };

    std::span<const Id> looked_up(Id id) const;

    const WidenedGraph &graph_;
    const bool weak_;
    mutable Sequence<Known> known_; // by state: which of its steps are key steps
    mutable std::unordered_map<Id, std::vector<Id>> some_;
};

class Ignoring {
  public:
    // A model error in a state, in which everything had to be fired.
    struct Faulty {
        Id state;
        Fault fault;
    };

    Ignoring(const Space &space, const WidenedGraph &graph)
        : space_(space), graph_(graph), steps_(space, graph), settled_(space.budget), fired_(space.model.nr_commands) {}

    // What to widen, in the order of states, so that terminal components ignore less; nothing if they ignore nothing.
    // All states are below `ids`.
    std::vector<Widening> look(Id ids);

    // As above, after these states were widened: what is reachable from them or new is looked at.
    std::vector<Widening> look(std::span<const Id> widened, Id ids);

    const std::optional<Faulty> &faulty() const { return faulty_; }

  private:
    using Member = KeySteps::Vertex;
    using Search = Components<KeySteps>;

    void begin(Id ids);
    void sweep(Id ids);
    bool settles(Id id) const;
    void look_from(Id root, Search &components, std::vector<Widening> &found);
    void decide(std::span<const Member> members, const Search &components, std::vector<Widening> &found);
    std::optional<Widening> ignored(std::span<const Member> members);
    std::optional<Widening> least_left_out(std::span<const Id> members);
    std::vector<std::uint32_t> left_out(Id state);
    void note_fired(Id state);

    const Space &space_;
    const WidenedGraph &graph_;
    KeySteps steps_;
    Sequence<std::uint8_t> settled_; // by state: a terminal component that is fine can be reached
    std::vector<bool> fired_;        // commands
    std::optional<Faulty> faulty_;
};

} // namespace asset
