#include "temporal.h"

#include "emptiness.h"

namespace asset {

// Most formulas hold, and one search depth-first says so. If it finds a violation, that is not the one to show, which
// is near: but with many modes it must do.
std::optional<Lost> violation(const Space &space, const Graph &graph, ReadGraph &read, const GraphRequirement &required,
                              bool lassos) {
    if (read.faulty())
        return read.faulty();
    const bool few_modes = required.automaton.modes <= Acceptor::most_modes;
    std::optional<Lost> lost = with_emptiness_check(space, read, read.letters(), [&](auto &check) {
        if (!check.finds_accepting(read.starts()))
            return std::optional<Lost>();
        return std::optional(lassos && !few_modes ? check.lost(required.requirement)
                                                  : Lost{{.requirement = required.requirement}, 0});
    });
    return lost && lassos && few_modes ? TemporalCheck(space, graph, read, required.requirement).first_lost() : lost;
}

std::vector<Vertex<false>> TemporalCheck::starts() const {
    std::vector<Vertex> result;
    for (const Id state : read_.starts())
        result.push_back({state, read_.letters().initial()});
    return result;
}

std::optional<Lost> TemporalCheck::first_lost() {
    const Finding finding{.requirement = requirement_};
    if (!find_accepting())
        return std::nullopt;
    const auto wanted = [&](const Vertex &vertex) { return accepting_.has(vertex) || acceptor_.accepts_end(vertex); };
    Breadth ways(product_);
    ways.search(starts(), [](const Vertex &) { return true; }, wanted);
    const std::size_t last = ways.size() - 1;
    const Vertex vertex = ways[last];
    const bool ends = acceptor_.accepts_end(vertex);
    return Lost{finding, vertex.state, !ends ? cycle_through(vertex) : Lasso{}, ways.path_to(last)};
}

bool TemporalCheck::find_accepting() {
    Vertices alive = product_.reachable_from(starts());
    const bool ends = acceptor_.accepts_end_of(alive);
    for (Id id = alive.next(0); id < alive.states(); id = alive.next(id + 1)) {
        product_.heed_interrupt();
        alive.remove(id, ~acceptor_.promising());
    }
    do
        components_.emplace(product_, Numbers<false>(product_.budget(), alive));
    while (refine(alive, *components_));
    return ends || accepting_.next(0) < accepting_.states();
}

// True if components have lost vertices and none was accepting.
bool TemporalCheck::refine(Vertices &alive, Components<Graphs> &components) {
    bool found = false, lost = false;
    Vertices left = product_.nothing();
    const auto among = [&](const Vertex &vertex) { return alive.has(vertex); };
    const auto visit = [&](std::span<const Vertex> members) {
        bool cyclic = false;
        const Marks marks = inside(members, alive, components, cyclic);
        Marks lacks = acceptor_.wanted();
        lacks -= marks;
        if (!cyclic || lacks.any())
            return;
        const std::uint64_t unfair = marks.denied();
        for (const Vertex &member : members)
            if (!unfair)
                accepting_.add(member.state, member.as_set());
            else if (!(enabled(member) & unfair))
                left.add(member.state, member.as_set());
        found |= !unfair;
        lost |= unfair != 0;
    };
    for (Id id = alive.next(0); id < alive.states(); id = alive.next(id + 1))
        for (Modes modes = alive[id]; modes; modes &= modes - 1) {
            const Vertex root{id, static_cast<std::uint32_t>(std::countr_zero(modes))};
            if (!components.visited(root))
                components.search_from(root, among, visit);
        }
    if (found || !lost)
        return false;
    alive = std::move(left);
    return true;
}

Marks TemporalCheck::inside(std::span<const Vertex> members, const Vertices &alive,
                            const Components<Graphs> &components, bool &cyclic) const {
    Marks all;
    for (const Vertex &member : members) {
        product_.heed_interrupt();
        product_.visit(member, [&](Edge edge, const Vertex &next) {
            if (alive.has(next) && components.together(member, next)) {
                cyclic = true;
                all |= acceptor_.marks(edge, member.mode, next.mode);
            }
            return false;
        });
    }
    return all;
}

Lasso TemporalCheck::cycle_through(const Vertex &start) const {
    return fair_cycle(
        product_, start, acceptor_.wanted(),
        [&](const Vertex &vertex) { return accepting_.has(vertex) && components_->together(vertex, start); },
        [&](Edge edge, const Vertex &from, const Vertex &to) { return acceptor_.marks(edge, from.mode, to.mode); },
        [&](const Vertex &vertex) { return enabled(vertex); });
}

} // namespace asset
