// The product of a state space with a small automaton.
//
// The automaton watches the edges of the graph. Its own states are called modes here. Along an edge it goes from a mode
// to some modes, perhaps to none: a relation. A vertex of the product is a state with a mode. The plain graph is the
// product with an automaton that has one mode.
//
// What every automaton offers:
//
//   single               (static constexpr bool) whether 0 is its only mode; else it has at most 64
//   after(edge, mode)    the modes that it goes to from this one along the edge
//   before(edge, modes)  the modes from which it goes to one of these along the edge
//
// A set of modes is a word, so all vertices of a state can be dealt with at once.
#pragma once

#include <bit>
#include <utility>

#include "graph.h"

namespace asset {

using Modes = std::uint64_t;

inline constexpr Modes every_mode = ~Modes{0};

// The automaton of the plain graph.
struct OneMode {
    static constexpr bool single = true;
    static Modes after(Edge, unsigned) { return 1; }
    static Modes before(Edge, Modes modes) { return modes; }
};

template <bool Single> struct Vertex {
    Id state;
    std::uint32_t mode;
    Modes as_set() const { return Modes{1} << mode; } // if there are at most 64
    bool operator==(const Vertex &) const = default;
};

template <> struct Vertex<true> {
    Id state;
    static constexpr std::uint32_t mode = 0;
    static constexpr Modes as_set() { return 1; }
    bool operator==(const Vertex &) const = default;
};

// A place among the successors of a vertex: the number of an edge among those of the state, and a mode.
template <bool Single> struct Cursor {
    std::uint32_t edge = 0;
    std::uint32_t mode = 0;
};

template <> struct Cursor<true> {
    std::uint32_t edge = 0;
};

// A set of vertices: a word for each state; a bit if there is one mode.
template <bool Single> class VertexSet {
  public:
    VertexSet(Budget &budget, Id states)
        : states_(states), region_(budget, std::size_t{states} * sizeof(Modes)), modes_(region_.as<Modes>()) {}

    Id states() const { return states_; }
    Modes operator[](Id state) const { return modes_[state]; }
    bool has(const Vertex<Single> &vertex) const { return modes_[vertex.state] & vertex.as_set(); }
    void add(Id state, Modes modes) { modes_[state] |= modes; }
    void add(const Vertex<Single> &vertex) { add(vertex.state, vertex.as_set()); }
    void remove(Id state, Modes modes) { modes_[state] &= ~modes; }
    void remove(const Vertex<Single> &vertex) { remove(vertex.state, vertex.as_set()); }

    // The first state from this one on that is in a vertex of the set, or the number of states.
    Id next(Id state) const {
        while (state < states_ && !modes_[state])
            ++state;
        return state;
    }

  private:
    Id states_;
    Region region_;
    Modes *modes_;
};

template <> class VertexSet<true> {
  public:
    VertexSet(Budget &budget, Id states) : bits_(budget, states) {}

    Id states() const { return static_cast<Id>(bits_.size()); }
    Modes operator[](Id state) const { return bits_[state]; }
    bool has(const Vertex<true> &vertex) const { return bits_[vertex.state]; }
    void add(Id state, Modes) { bits_.set(state); }
    void add(const Vertex<true> &vertex) { bits_.set(vertex.state); }
    void remove(Id state, Modes) { bits_.reset(state); }
    void remove(const Vertex<true> &vertex) { bits_.reset(vertex.state); }
    Id next(Id state) const { return static_cast<Id>(bits_.next_set(state)); }

  private:
    Bits bits_;
};

template <class Automaton> class Product {
  public:
    static constexpr bool single = Automaton::single;
    using Vertex = asset::Vertex<single>;
    using Set = VertexSet<single>;
    using Cursor = asset::Cursor<single>;

    Product(const Graph &graph, const Automaton &automaton, Budget &budget, const std::atomic<bool> &interrupted)
        : graph_(graph), automaton_(automaton), budget_(budget), interrupted_(interrupted) {}

    const Graph &graph() const { return graph_; }
    Budget &budget() const { return budget_; }
    Set nothing() const { return Set(budget_, graph_.ids()); }

    void heed_interrupt() const {
        budget_.heed_pages();
        if (interrupted_.load(std::memory_order_relaxed))
            throw Interrupted();
    }

    Modes before(Edge edge, Modes modes) const { return automaton_.before(edge, modes); }

    // Calls use(edge, successor) for the successors of the vertex, from the cursor on, until it returns true. Then the
    // cursor is still at this successor, and the answer is true.
    template <class Use> bool visit(Vertex vertex, Cursor &cursor, const Use &use) const {
        const std::span<const Id> targets = graph_.successors(vertex.state);
        const Edge first = graph_.first_edge(vertex.state);
        for (; cursor.edge < targets.size(); ++cursor.edge) {
            const Edge edge = first + cursor.edge;
            const Modes modes = automaton_.after(edge, vertex.mode);
            if constexpr (single) {
                if (modes && use(edge, Vertex{targets[cursor.edge]}))
                    return true;
            } else {
                for (Modes left = modes & every_mode << cursor.mode; left; left &= left - 1) {
                    cursor.mode = static_cast<std::uint32_t>(std::countr_zero(left));
                    if (use(edge, Vertex{targets[cursor.edge], cursor.mode}))
                        return true;
                }
                cursor.mode = 0;
            }
        }
        return false;
    }

    template <class Use> bool visit(Vertex vertex, const Use &use) const {
        Cursor cursor;
        return visit(vertex, cursor, use);
    }

    bool terminal(Vertex vertex) const {
        return !visit(vertex, [](Edge, const Vertex &) { return true; });
    }

    // The vertices that are reachable from these. States are dealt with in the order of their ids, over and over: most
    // edges lead to states found later, so most vertices of a state are known when it is dealt with, and go on
    // together.
    Set reachable_from(std::span<const Vertex> starts) const {
        Set reached = nothing();
        Set fresh = nothing(); // those whose successors have not been reached yet
        for (const Vertex &start : starts) {
            reached.add(start.state, start.as_set());
            fresh.add(start.state, start.as_set());
        }
        for (Id id; (id = fresh.next(0)) < fresh.states();)
            for (; id < fresh.states(); id = fresh.next(id + 1)) {
                heed_interrupt();
                const Modes modes = fresh[id];
                fresh.remove(id, modes);
                for (Edge edge = graph_.first_edge(id); edge < graph_.end_edge(id); ++edge) {
                    const Id target = graph_.target(edge);
                    if (const Modes more = after(edge, modes) & ~reached[target]) {
                        reached.add(target, more);
                        fresh.add(target, more);
                    }
                }
            }
        return reached;
    }

  private:
    Modes after(Edge edge, Modes modes) const {
        Modes result = 0;
        for (; modes; modes &= modes - 1)
            result |= automaton_.after(edge, static_cast<unsigned>(std::countr_zero(modes)));
        return result;
    }

    const Graph &graph_;
    const Automaton &automaton_;
    Budget &budget_;
    const std::atomic<bool> &interrupted_;
};

} // namespace asset
