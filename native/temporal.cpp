#include "temporal.h"

namespace asset {

std::optional<Lost> TemporalCheck::first_lost(bool lassos) {
    if (acceptor_.faulty())
        return acceptor_.faulty();
    const Finding finding{.requirement = required_.requirement};
    if (!find_accepting())
        return std::nullopt;
    const auto wanted = [&](const Vertex &vertex) { return accepting_.has(vertex) || acceptor_.accepts_end(vertex); };
    Breadth ways(product_);
    ways.search(acceptor_.starts(), [](const Vertex &) { return true; }, wanted);
    const std::size_t last = ways.size() - 1;
    const Vertex vertex = ways[last];
    const bool ends = acceptor_.accepts_end(vertex);
    return Lost{finding, vertex.state, lassos && !ends ? cycle_through(vertex) : Lasso{}, ways.path_to(last)};
}

bool TemporalCheck::find_accepting() {
    Vertices alive = product_.reachable_from(acceptor_.starts());
    const bool ends = acceptor_.accepts_end_of(alive);
    for (Id id = alive.next(0); id < alive.states(); id = alive.next(id + 1))
        alive.remove(id, ~acceptor_.promising());
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
        const std::uint64_t unfair = marks.enabled & ~marks.taken;
        for (const Vertex &member : members)
            if (!unfair)
                accepting_.add(member.state, member.as_set());
            else if (!(acceptor_.enabled(product_.graph().first_edge(member.state)) & unfair))
                left.add(member.state, member.as_set());
        found |= !unfair;
        lost |= unfair != 0;
    };
    for (Id id = alive.next(0); id < alive.states(); id = alive.next(id + 1))
        for (Modes modes = alive[id]; modes; modes &= modes - 1) {
            const Vertex root{id, static_cast<std::uint8_t>(std::countr_zero(modes))};
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
    for (const Vertex &member : members)
        product_.visit(member, [&](Edge edge, const Vertex &next) {
            if (alive.has(next) && components.together(member, next)) {
                cyclic = true;
                all |= acceptor_.marks(edge, member.mode, next.mode);
            }
            return false;
        });
    return all;
}

// From the start by a shortest way to an edge with something that the cycle lacks, again and again, and back at last.
Lasso TemporalCheck::cycle_through(const Vertex &start) const {
    const auto among = [&](const Vertex &vertex) {
        return accepting_.has(vertex) && components_->together(vertex, start);
    };
    Breadth ways(product_);
    ways.search({&start, 1}, among, [](const Vertex &) { return false; });
    Marks lacks = acceptor_.wanted();
    for (std::size_t i = 0; i < ways.size(); ++i)
        lacks.taken |= acceptor_.enabled(product_.graph().first_edge(ways[i].state));
    Lasso lasso{{}, 0};
    for (Vertex vertex = start; lacks.any() || lasso.edges.empty() || vertex != start;) {
        ways.clear();
        ways.meet(vertex);
        for (std::size_t i = 0; i < ways.size(); ++i) {
            product_.heed_interrupt();
            const Vertex from = ways[i];
            Edge by = 0;
            const bool found = product_.visit(from, [&](Edge edge, const Vertex &next) {
                if (!among(next))
                    return false;
                const bool helps =
                    lacks.any() ? lacks.meets(acceptor_.marks(edge, from.mode, next.mode)) : next == start;
                if (!helps) {
                    ways.meet(next, i, edge);
                    return false;
                }
                by = edge;
                vertex = next;
                return true;
            });
            if (!found)
                continue;
            const std::vector<Edge> path = ways.path_to(i);
            lasso.edges.insert(lasso.edges.end(), path.begin(), path.end());
            lasso.edges.push_back(by);
            lacks -= acceptor_.marks(by, from.mode, vertex.mode);
            break;
        }
    }
    return lasso;
}

} // namespace asset
