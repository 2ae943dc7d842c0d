// Whether a product has a fair run that is accepted: Couvreur's algorithm on transition-based generalised acceptance.
// asset/engine/on_the_fly.py is the specification.
//
// Depth-first, with the chain of components that the vertices on the way belong to, as far as their edges were looked
// at. An edge back into the chain makes one component of all from there on; as soon as one has an edge of each
// acceptance set inside, there is an accepted run. Nothing need be known of states before they are visited.
//
// Passed vertices. The product has images in which what it does is seen roughly: the automaton alone, or together with
// the letters that follow each other (ReadGraph::find_prospects). A cycle of the product goes into one component of the
// image. Kept are the vertices whose component there has a cycle and all acceptance sets; all others are only passed:
// marked as visited, and in no component. That loses nothing:
//
//   1. The vertices of a cycle that is accepted are kept: what it visits is visited in its image.
//   2. No cycle has kept and passed vertices, as its image is in one component.
//   3. What is pending in a passed vertex belongs to the last frame before it. Where a kept vertex is entered from a
//      passed one, an edge back into the chain as it was then would close a cycle with both. So there is none, and a
//      component has no way through passed vertices inside.
//
// If the automaton may wait in a mode that is only passed, all states are reached while it waits, as all that are found
// are reachable. Its edges out of there are looked at in the order of the states.
//
// Runs is the space as the automaton reads it:
//
//   prefetch(state), prefetch_edges(state)
//                    bring where its edges are closer, and then these
//   expand(state)    finds out its edges
//   expanded(state)  whether that was done
//   states(), is_state(id)
//                    one more than the largest id so far; whether an id is one of a state, as some may be skipped
//   terminal(state)  whether nothing is enabled there: then it has one edge, to itself
//   edges(state)     its edges (ReadEdges), until they are asked of another state
//   prospect(state, mode), hopeless()
//                    what can be expected of a run that comes to the vertex, and whether that is nothing everywhere
#pragma once

#include <tuple>
#include <type_traits>

#include "fair_cycle.h"
#include "prospects.h"
#include "vertex_numbers.h"

namespace asset {

// If nothing is asked of fairness, Seen is Acceptance.
template <class Runs, class Seen = Marks> class EmptinessCheck {
  public:
    using Vertex = asset::Vertex<false>;

    EmptinessCheck(const Space &space, Runs &runs, const Letters &letters)
        : space_(space), runs_(runs), letters_(letters), numbers_(space.budget, letters.modes()), frames_(space.budget),
          pending_(space.budget), chain_(space.budget), live_(space.budget), left_(space.budget) {}

    // Searches from these states on, up to the first accepting component.
    bool finds_accepting(std::span<const Id> starts) {
        starts_ = {starts.begin(), starts.end()};
        if (runs_.hopeless())
            return false;
        if (letters_.waits())
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
        Id state;
        std::uint32_t letter;
        std::uint32_t step; // of the automaton
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
        Seen inside;
        Seen before;
    };

    // The number of a vertex whose component is complete and not accepting, or is only passed. Those of others are
    // their places in live_.
    static constexpr std::uint32_t dead = ~std::uint32_t{0};

    // From each state in which the automaton may stop to wait. Every state is reachable, and by staying in its initial
    // mode the automaton comes to it in that mode. So the vertices with other modes that are reachable are those that
    // are reachable from where it leaves that mode, and no cycle that is accepted has a vertex with the initial mode.
    bool finds_after_waiting() {
        for (Id state = 0; state < runs_.states(); ++state) {
            space_.heed_interrupt();
            if (!runs_.is_state(state))
                continue;
            runs_.expand(state);
            numbers_.make_room(runs_.states());
            if (stops_waiting(state))
                return true;
        }
        return false;
    }

    // What the automaton comes to if it waited until now and stops.
    bool stops_waiting(Id state) {
        const auto edges = runs_.edges(state);
        ++vertices_;
        std::span<const Letters::Step> steps = letters_.steps(edges.letter(0), letters_.initial());
        if (!edges.differ && std::ranges::all_of(steps, [&](const auto &step) { return waits(step); })) {
            edges_ += edges.count * steps.size();
            return false;
        }
        for (std::uint32_t edge = 0; edge < edges.count; ++edge)
            numbers_.prefetch(edges.target(edge));
        for (std::uint32_t edge = edges.count; edge-- > 0;) {
            if (edges.differ)
                steps = letters_.steps(edges.letter(edge), letters_.initial());
            edges_ += steps.size();
            for (std::size_t i = steps.size(); i-- > 0;)
                if (!waits(steps[i]) && !numbers_[Vertex{edges.target(edge), steps[i].target}])
                    pending_.push_back({edges.target(edge), edges.letter(edge), letters_.number_of(steps[i])});
        }
        return search_pending(0, 0);
    }

    bool waits(const Letters::Step &step) const { return step.target == letters_.initial(); }

    // Vertices that are passed have no frame: what is pending there belongs to the one before.
    bool search_from(const Vertex &root) {
        const std::size_t base = frames_.size(), bottom = pending_.size();
        return visit(root, {}) || search_pending(base, bottom);
    }

    // Goes on until the way has so many frames and so many edges are pending.
    bool search_pending(std::size_t base, std::size_t bottom) {
        for (bool found = false; !found;) {
            const bool on_way = frames_.size() > base;
            if (pending_.size() == (on_way ? frames_.back().pending : bottom)) {
                if (!on_way)
                    return false;
                found = leave();
                continue;
            }
            const Pending next = pending_.back();
            pending_.pop_back();
            const Letters::Step &step = letters_.step(next.step);
            const Vertex target{next.state, step.target};
            const std::uint32_t number = numbers_[target];
            if (number == 0)
                found = visit(target, marks_of(next.letter, step));
            else if (number != dead)
                found = merge(number, marks_of(next.letter, step));
        }
        return true;
    }

    Seen marks_of(std::uint32_t letter, const Letters::Step &step) const {
        Seen marks;
        if constexpr (std::is_same_v<Seen, Marks>)
            marks = letters_.fairness(letter);
        marks.accepting = step.marks;
        return marks;
    }

    bool visit(const Vertex &vertex, const Seen &before) {
        space_.heed_interrupt();
        const Prospect prospect = runs_.prospect(vertex.state, vertex.mode);
        if (prospect == Prospect::here)
            enter(vertex, before);
        else
            numbers_.set(vertex, dead);
        return prospect != Prospect::none && look_at_edges(vertex);
    }

    // The vertex is a component by itself, as far as is known.
    void enter(const Vertex &vertex, const Seen &before) {
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
        const std::size_t before = pending_.size();
        std::span<const Letters::Step> steps = letters_.steps(edges.letter(0), vertex.mode);
        for (std::uint32_t edge = edges.count; edge-- > 0;) {
            if (edges.differ)
                steps = letters_.steps(edges.letter(edge), vertex.mode);
            edges_ += steps.size();
            found = found || look_at(edges.target(edge), edges.letter(edge), steps);
        }
        for (std::size_t i = pending_.size(); i-- > before;)
            runs_.prefetch_edges(pending_[i].state);
        return found;
    }

    // The edges under the letter to a state.
    bool look_at(Id state, std::uint32_t letter, std::span<const Letters::Step> steps) {
        for (std::size_t i = steps.size(); i-- > 0;) {
            const Vertex target{state, steps[i].target};
            const std::uint32_t number = numbers_[target];
            if (number == 0) {
                runs_.prefetch(state);
                pending_.push_back({state, letter, letters_.number_of(steps[i])});
            } else if (number != dead && merge(number, marks_of(letter, steps[i]))) {
                return true;
            }
        }
        return false;
    }

    // An edge with the marks leads back to the vertex with the number: all from its component on are one. Whether that
    // is accepting.
    bool merge(std::uint32_t number, Seen marks) {
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

    Seen wanted() const {
        if constexpr (std::is_same_v<Seen, Marks>)
            return letters_.wanted();
        else
            return {letters_.wanted().accepting};
    }

    bool has_wanted(const Link &link) const {
        Seen lacks = wanted();
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
            space_.heed_interrupt();
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
        void heed_interrupt() const { check.space_.heed_interrupt(); }

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

// What `use` says of a check of the kind that the letters need.
template <class Runs, class Use>
auto with_emptiness_check(const Space &space, Runs &runs, const Letters &letters, const Use &use) {
    if (letters.fair()) {
        EmptinessCheck<Runs, Marks> check(space, runs, letters);
        return use(check);
    }
    EmptinessCheck<Runs, Acceptance> check(space, runs, letters);
    return use(check);
}

} // namespace asset
