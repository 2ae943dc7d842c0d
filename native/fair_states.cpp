#include "fair_states.h"

#include "fair_cycle.h"

namespace asset {

void FairStates::find(const Bits &among, Bits &fair) const {
    Vertices alive = product_.nothing();
    for (Id id = static_cast<Id>(among.next_set(0)); id < alive.states();
         id = static_cast<Id>(among.next_set(id + 1))) {
        product_.heed_interrupt();
        if (acceptor_.accepts_end({id, 0}))
            fair.set(id);
        alive.add(id, 1);
    }
    while (alive.next(0) < alive.states())
        refine(alive, fair);
}

void FairStates::refine(Vertices &alive, Bits &fair) const {
    Vertices left = product_.nothing();
    Components<Graphs> components(product_, Numbers<false>(product_.budget(), alive));
    const auto among = [&](const Vertex &vertex) { return alive.has(vertex); };
    const auto visit = [&](std::span<const Vertex> members) {
        bool cyclic = false;
        const Marks marks = inside(members, alive, components, cyclic);
        Marks lacks = acceptor_.wanted();
        lacks -= marks;
        if (!cyclic || lacks.any())
            return;
        for (const Vertex &member : members)
            if (!marks.denied())
                fair.set(member.state);
            else if (!(enabled(member) & marks.denied()))
                left.add(member.state, 1);
    };
    for (Id id = alive.next(0); id < alive.states(); id = alive.next(id + 1))
        if (!components.visited({id, 0}))
            components.search_from({id, 0}, among, visit);
    alive = std::move(left);
}

Marks FairStates::inside(std::span<const Vertex> members, const Vertices &alive, const Components<Graphs> &components,
                         bool &cyclic) const {
    Marks all;
    for (const Vertex &member : members) {
        product_.heed_interrupt();
        product_.visit(member, [&](Edge edge, const Vertex &next) {
            if (alive.has(next) && components.together(member, next)) {
                cyclic = true;
                all |= acceptor_.marks(edge, 0, 0);
            }
            return false;
        });
    }
    return all;
}

Lasso FairStates::run_through(const Bits &among, Id state) const {
    Bits fair(product_.budget(), product_.graph().ids());
    find(among, fair);
    const Vertex start{state, 0};
    const auto is_fair = [&](const Vertex &vertex) { return fair[vertex.state]; };
    Breadth ways(product_);
    ways.search({&start, 1}, [&](const Vertex &vertex) { return among[vertex.state]; }, is_fair);
    const std::size_t last = ways.size() - 1;
    Lasso lasso{ways.path_to(last), std::nullopt};
    const Vertex end = ways[last];
    if (product_.graph().terminal(end.state))
        return lasso;
    // Fair parts that lead to each other are one.
    Vertices parts = product_.nothing();
    for (Id id = static_cast<Id>(fair.next_set(0)); id < parts.states(); id = static_cast<Id>(fair.next_set(id + 1))) {
        product_.heed_interrupt();
        parts.add(id, 1);
    }
    Components<Graphs> components(product_, Numbers<false>(product_.budget(), parts));
    components.search_from(end, is_fair, [](std::span<const Vertex>) {});
    const auto together = [&](const Vertex &vertex) { return is_fair(vertex) && components.together(vertex, end); };
    const Lasso cycle = fair_cycle(
        product_, end, acceptor_.wanted(), together,
        [&](Edge edge, const Vertex &, const Vertex &) { return acceptor_.marks(edge, 0, 0); },
        [&](const Vertex &vertex) { return enabled(vertex); });
    lasso.cycle = lasso.edges.size();
    lasso.edges.insert(lasso.edges.end(), cycle.edges.begin(), cycle.edges.end());
    return lasso;
}

} // namespace asset
