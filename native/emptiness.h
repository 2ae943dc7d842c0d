// Whether a product has a fair run that is accepted: Couvreur's algorithm on transition-based generalised acceptance.
// asset/engine/on_the_fly.py is the specification.
//
// Depth-first, with the chain of components that the vertices on the way belong to, as far as their edges were looked
// at. An edge back into the chain makes one component of all from there on; as soon as one has an edge of each
// acceptance set inside, there is an accepted run. Nothing need be known of states before they are visited.
//
// Runs is the space as the automaton reads it (ReadGraph has all that it must offer).
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
          chain_(space.budget), live_(space.budget), left_(space.budget) {}

    // Searches from these states on, up to the first accepting component.
    bool finds_accepting(std::span<const Id> starts) {
        starts_ = {starts.begin(), starts.end()};
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
                [&](const Vertex &each) { return letters_.fairness(runs_.letter(each.state, 0)).enabled; });
        return lost;
    }

  private:
    // A vertex on the way, and its edge that is looked at next: that of the state, and the automaton's.
    struct Frame {
        Vertex vertex;
        std::uint32_t number;
        std::uint32_t edge;
        std::uint32_t step;
    };

    // A component in the chain: the number of its first vertex, what its edges have, and what the edge to it has.
    struct Link {
        std::uint32_t first;
        bool cyclic;
        Marks inside;
        Marks before;
    };

    // The number of a vertex whose component is complete and not accepting. Those of others are their places in live_.
    static constexpr std::uint32_t dead = ~std::uint32_t{0};

    bool search_from(const Vertex &root) {
        const std::size_t base = frames_.size();
        enter(root, {});
        while (frames_.size() > base) {
            switch (advance()) {
            case Advanced::entered:
                break;
            case Advanced::accepted:
                return true;
            case Advanced::done:
                if (leave())
                    return true;
            }
        }
        return false;
    }

    void enter(const Vertex &vertex, const Marks &before) {
        if (space_.interrupted.load(std::memory_order_relaxed))
            throw Interrupted();
        if (live_.size() + 1 == dead)
            throw std::bad_alloc();
        live_.push_back(vertex);
        const auto number = static_cast<std::uint32_t>(live_.size());
        numbers_.set(vertex, number);
        chain_.push_back({number, false, {}, before});
        frames_.push_back({vertex, number, 0, 0});
        ++vertices_;
        runs_.expand(vertex.state);
        numbers_.make_room(runs_.states());
        const std::uint32_t degree = runs_.degree(vertex.state);
        for (std::uint32_t edge = 0; edge < degree; ++edge)
            numbers_.prefetch(runs_.target(vertex.state, edge));
    }

    enum class Advanced { entered, accepted, done };

    // Looks at the edges of the last vertex, until one leads to a vertex that was not entered or closes the component.
    Advanced advance() {
        Frame &last = frames_.back();
        Frame at = last;
        const std::uint32_t degree = runs_.degree(at.vertex.state);
        for (; at.edge < degree; ++at.edge, at.step = 0) {
            const std::uint32_t letter = runs_.letter(at.vertex.state, at.edge);
            const std::span<const Letters::Step> steps = letters_.steps(letter, at.vertex.mode);
            while (at.step < steps.size()) {
                const Letters::Step &step = steps[at.step++];
                const Vertex next{runs_.target(at.vertex.state, at.edge), step.target};
                ++edges_;
                const std::uint32_t number = numbers_[next];
                if (number == dead)
                    continue;
                Marks marks = letters_.fairness(letter);
                marks.accepting = step.marks;
                if (number == 0) {
                    last = at;
                    enter(next, marks);
                    return Advanced::entered;
                }
                if (merge(number, marks))
                    return Advanced::accepted;
            }
        }
        return Advanced::done;
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
            const bool stays = denied && !(letters_.fairness(runs_.letter(member.state, 0)).enabled & denied);
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

    Marks marks(Edge edge, const Vertex &from, const Vertex &to) const {
        const auto number = static_cast<std::uint32_t>(edge - runs_.edge(from.state, 0));
        const std::uint32_t letter = runs_.letter(from.state, number);
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
        void heed_interrupt() const {
            if (check.space_.interrupted.load(std::memory_order_relaxed))
                throw Interrupted();
        }

        template <class Use> bool visit(const Vertex &vertex, const Use &use) const {
            const Runs &runs = check.runs_;
            const std::uint32_t degree = runs.expanded(vertex.state) ? runs.degree(vertex.state) : 0;
            for (std::uint32_t edge = 0; edge < degree; ++edge)
                for (const Letters::Step &step : check.letters_.steps(runs.letter(vertex.state, edge), vertex.mode))
                    if (use(runs.edge(vertex.state, edge), Vertex{runs.target(vertex.state, edge), step.target}))
                        return true;
            return false;
        }
    };

    const Space &space_;
    Runs &runs_;
    const Letters &letters_;
    VertexNumbers numbers_;
    Sequence<Frame> frames_; // the way
    Sequence<Link> chain_;
    Sequence<Vertex> live_; // the vertices of the chain, in the order of their numbers
    Sequence<Vertex> left_; // of components that are searched again
    std::vector<Id> starts_;
    std::uint64_t vertices_ = 0, edges_ = 0;
};

} // namespace asset
