// Whether a product has a fair run that is accepted: Couvreur's algorithm on transition-based generalised acceptance.
// asset/engine/on_the_fly.py is the specification.
//
// Depth-first, with the chain of components that the vertices on the way belong to, as far as their edges were looked
// at. An edge back into the chain makes one component of all from there on; as soon as one has an edge of each
// acceptance set inside, there is an accepted run. Nothing need be known of states before they are visited.
//
// A mode that is on no accepting cycle of the automaton is only passed through: its vertices belong to no component
// that matters, so they are marked as visited and not kept. If the whole graph is known and the automaton may wait in
// such a mode, all states are reached while it waits, and its edges out of there are looked at in the order of the
// states.
//
// Runs is the space as the automaton reads it:
//
//   complete         whether all states are known, and reachable
//   prefetch(state)  brings what is known of it closer
//   expand(state)    finds out its edges
//   expanded(state)  whether that was done
//   states()         one more than the largest id so far
//   terminal(state)  whether nothing is enabled there: then it has one edge, to itself
//   edges(state)     its edges (ReadEdges), until they are asked of another state
#pragma once

#include <tuple>

#include "fair_cycle.h"
#include "vertex_numbers.h"

namespace asset {

template <class Runs> class EmptinessCheck {
  public:
    using Vertex = asset::Vertex<false>;

    EmptinessCheck(const Space &space, Runs &runs, const Letters &letters)
        : space_(space), runs_(runs), letters_(letters), numbers_(space.budget, letters.modes()), frames_(space.budget),
          pending_(space.budget), chain_(space.budget), live_(space.budget), left_(space.budget) {}

    // Searches from these states on, up to the first accepting component.
    bool finds_accepting(std::span<const Id> starts) {
        starts_ = {starts.begin(), starts.end()};
        if (Runs::complete && letters_.waits())
            return finds_after_waiting();
        for (const Id start : starts) {
            numbers_.make_room(runs_.states());
            if (const Vertex vertex{start, letters_.initial()}; !numbers_[vertex] && search_from(vertex))
                return true;
        }
        return false;
    }

    // What was looked at.
    std::uint64_t vertices() const { return vertices_; }
    std::uint64_t edges() const { return edges_; }

    // After an accepting component was found: a run to it and round in it, by shortest ways among what was looked at.
    // Staying in a terminal state is no step of it.
    Lost lost(std::int32_t requirement) const {
        const Explored explored{*this};
        const auto among = [&](const Vertex &vertex) { return in_last_component(vertex); };
        std::vector<Vertex> starts;
        for (const Id start : starts_)
            starts.push_back({start, letters_.initial()});
        Breadth ways(explored);
        ways.search(starts, [](const Vertex &) { return true; }, among);
        std::size_t last = ways.size() - 1;
        const Vertex vertex = ways[last];
        const bool ends = runs_.terminal(vertex.state);
        while (ends && !ways.is_first(last) && ways[ways.before(last)].state == vertex.state)
            last = ways.before(last);
        Lost lost{{.requirement = requirement}, vertex.state, {}, ways.path_to(last), ways.begin_of(last).state};
        if (!ends)
            lost.lasso = fair_cycle(
                explored, vertex, letters_.wanted(), among,
                [&](Edge edge, const Vertex &from, const Vertex &to) { return marks(edge, from, to); },
                [&](const Vertex &each) { return enabled(each); });
        return lost;
    }

  private:
    // An edge to a vertex that was not visited when the one that it leaves was.
    struct Pending {
        Vertex target;
        std::uint32_t letter;
        std::uint64_t accepting;
    };

    // A vertex on the way, by its number, and how many edges were pending before its own.
    struct Frame {
        std::uint32_t number;
        std::uint32_t pending;
    };

    // A component in the chain: the number of its first vertex, what its edges have, and what the edge to it has.
    struct Link {
        std::uint32_t first;
        bool cyclic;
        Marks inside;
        Marks before;
    };

    // The number of a vertex whose component is complete and not accepting, or is only passed. Those of others are
    // their places in live_.
    static constexpr std::uint32_t dead = ~std::uint32_t{0};

    // From each state in which the automaton may stop to wait.
    bool finds_after_waiting() {
        const Id states = runs_.states();
        numbers_.make_room(states);
        vertices_ += states;
        for (Id state = 0; state < states; ++state) {
            heed_interrupt();
            const auto edges = runs_.edges(state);
            for (std::uint32_t edge = 0; edge < edges.count; ++edge)
                for (const Letters::Step &step : letters_.steps(edges.letter(edge), letters_.initial())) {
                    ++edges_;
                    const Vertex vertex{edges.target(edge), step.target};
                    if (step.target != letters_.initial() && !numbers_[vertex] && search_from(vertex))
                        return true;
                }
        }
        return false;
    }

    // Vertices that are passed have no frame: what is pending there belongs to the one before.
    bool search_from(const Vertex &root) {
        const std::size_t base = frames_.size(), bottom = pending_.size();
        bool found = visit(root, {});
        while (!found) {
            const bool on_way = frames_.size() > base;
            if (pending_.size() == (on_way ? frames_.back().pending : bottom)) {
                if (!on_way)
                    return false;
                found = leave();
                continue;
            }
            const Pending next = pending_.back();
            pending_.pop_back();
            const std::uint32_t number = numbers_[next.target];
            if (number == 0)
                found = visit(next.target, marks_of(next));
            else if (number != dead)
                found = merge(number, marks_of(next));
        }
        return found;
    }

    Marks marks_of(const Pending &edge) const {
        Marks marks = letters_.fairness(edge.letter);
        marks.accepting = edge.accepting;
        return marks;
    }

    void heed_interrupt() const {
        if (space_.interrupted.load(std::memory_order_relaxed))
            throw Interrupted();
    }

    bool visit(const Vertex &vertex, const Marks &before) {
        heed_interrupt();
        if (letters_.promising(vertex.mode))
            enter(vertex, before);
        else
            numbers_.set(vertex, dead);
        return look_at_edges(vertex);
    }

    // The vertex is a component by itself, as far as is known.
    void enter(const Vertex &vertex, const Marks &before) {
        if (live_.size() + 1 >= dead || pending_.size() >= dead)
            throw std::bad_alloc();
        live_.push_back(vertex);
        const auto number = static_cast<std::uint32_t>(live_.size());
        numbers_.set(vertex, number);
        chain_.push_back({number, false, {}, before});
        frames_.push_back({number, static_cast<std::uint32_t>(pending_.size())});
    }

    // All edges of a vertex at once, so that what they lead to is fetched from memory at the same time. Those into the
    // chain may close an accepting component. Those to vertices that were not visited are pending, the first one on
    // top.
    bool look_at_edges(const Vertex &vertex) {
        runs_.expand(vertex.state);
        numbers_.make_room(runs_.states());
        ++vertices_;
        const auto edges = runs_.edges(vertex.state);
        for (std::uint32_t edge = 0; edge < edges.count; ++edge)
            numbers_.prefetch(edges.target(edge));
        bool found = false;
        std::span<const Letters::Step> steps = letters_.steps(edges.letter(0), vertex.mode);
        for (std::uint32_t edge = edges.count; edge-- > 0;) {
            if (edges.differ)
                steps = letters_.steps(edges.letter(edge), vertex.mode);
            edges_ += steps.size();
            found = found || look_at(edges.target(edge), edges.letter(edge), steps);
        }
        return found;
    }

    // The edges under the letter to a state.
    bool look_at(Id state, std::uint32_t letter, std::span<const Letters::Step> steps) {
        for (std::size_t i = steps.size(); i-- > 0;) {
            const Pending edge{{state, steps[i].target}, letter, steps[i].marks};
            const std::uint32_t number = numbers_[edge.target];
            if (number == 0) {
                runs_.prefetch(state);
                pending_.push_back(edge);
            } else if (number != dead && merge(number, marks_of(edge))) {
                return true;
            }
        }
        return false;
    }

    // An edge with the marks leads back to the vertex with the number: all from its component on are one. Whether that
    // is accepting.
    bool merge(std::uint32_t number, Marks marks) {
        while (chain_.back().first > number) {
            marks |= chain_.back().inside;
            marks |= chain_.back().before;
            chain_.pop_back();
        }
        Link &merged = chain_.back();
        merged.inside |= marks;
        merged.cyclic = true;
        return has_wanted(merged) && !merged.inside.denied();
    }

    bool has_wanted(const Link &link) const {
        Marks lacks = letters_.wanted();
        lacks -= link.inside;
        return link.cyclic && !lacks.any();
    }

    // All edges of the last vertex were looked at. If its component is complete, it is not accepting; but if all that
    // keeps it from that is strong fairness, a part of it may be.
    bool leave() {
        const Frame done = frames_.back();
        frames_.pop_back();
        const Link link = chain_.back();
        if (link.first != done.number)
            return false;
        chain_.pop_back();
        const std::uint64_t denied = has_wanted(link) ? link.inside.denied() : 0;
        const std::size_t first = left_.size();
        for (const Vertex &member : live_.from(link.first - 1)) {
            const bool stays = denied && !(enabled(member) & denied);
            numbers_.set(member, stays ? 0 : dead);
            if (stays)
                left_.push_back(member);
        }
        live_.shrink(link.first - 1);
        return search_left(first);
    }

    // Searches what is left of a component; it was counted before.
    bool search_left(std::size_t first) {
        const auto counted = std::pair(vertices_, edges_);
        bool found = false;
        for (std::size_t i = first; i < left_.size() && !found; ++i)
            if (const Vertex vertex = left_[i]; !numbers_[vertex])
                found = search_from(vertex);
        std::tie(vertices_, edges_) = counted;
        left_.shrink(first);
        return found;
    }

    // Of the component that is accepting, which is the last in the chain.
    bool in_last_component(const Vertex &vertex) const {
        const std::uint32_t number = numbers_[vertex];
        return number != dead && number >= chain_[chain_.size() - 1].first;
    }

    // The strong conditions that are enabled in the vertex.
    std::uint64_t enabled(const Vertex &vertex) const {
        return letters_.fairness(runs_.edges(vertex.state).letter(0)).enabled;
    }

    Marks marks(Edge edge, const Vertex &from, const Vertex &to) const {
        const auto edges = runs_.edges(from.state);
        const std::uint32_t letter = edges.letter(static_cast<std::uint32_t>(edge - edges.first));
        Marks result = letters_.fairness(letter);
        for (const Letters::Step &step : letters_.steps(letter, from.mode))
            if (step.target == to.mode)
                result.accepting |= step.marks;
        return result;
    }

    // The product as far as it is known, for searches breadth-first.
    struct Explored {
        static constexpr bool single = false;
        using Vertex = EmptinessCheck::Vertex;

        class Set {
          public:
            Set(Budget &budget, std::uint32_t modes, Id states) : numbers_(budget, modes) {
                numbers_.make_room(states);
            }
            bool has(const Vertex &vertex) const { return numbers_[vertex]; }
            void add(const Vertex &vertex) { numbers_.set(vertex, 1); }
            void remove(const Vertex &vertex) { numbers_.set(vertex, 0); }

          private:
            VertexNumbers numbers_;
        };

        const EmptinessCheck &check;

        Budget &budget() const { return check.space_.budget; }
        Set nothing() const { return Set(budget(), check.letters_.modes(), check.runs_.states()); }
        void heed_interrupt() const { check.heed_interrupt(); }

        template <class Use> bool visit(const Vertex &vertex, const Use &use) const {
            if (!check.runs_.expanded(vertex.state))
                return false;
            const auto edges = check.runs_.edges(vertex.state);
            for (std::uint32_t edge = 0; edge < edges.count; ++edge)
                for (const Letters::Step &step : check.letters_.steps(edges.letter(edge), vertex.mode))
                    if (use(edges.first + edge, Vertex{edges.target(edge), step.target}))
                        return true;
            return false;
        }
    };

    const Space &space_;
    Runs &runs_;
    const Letters &letters_;
    VertexNumbers numbers_;
    Sequence<Frame> frames_; // the way
    Sequence<Pending> pending_;
    Sequence<Link> chain_;
    Sequence<Vertex> live_; // the vertices of the chain, in the order of their numbers
    Sequence<Vertex> left_; // of components that are searched again
    std::vector<Id> starts_;
    std::uint64_t vertices_ = 0, edges_ = 0;
};

} // namespace asset
