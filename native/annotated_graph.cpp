#include "annotated_graph.h"

#include "lasso.h"

namespace asset {

AnnotatedGraph::AnnotatedGraph(const Space &space, const Graph &quotient, const GraphRequirement &required,
                               const Followed &followed)
    : space_(space), quotient_(quotient), required_(required), followed_(followed), graph_(space.budget),
      first_region_(space.budget, (std::size_t{quotient.ids()} + 1) * sizeof(Id)), first_(first_region_.as<Id>()),
      states_(space.budget), meanings_(space.budget) {
    const Renamings renamings(space, quotient, followed, nullptr);
    const Product product(quotient, renamings, space.budget, space.interrupted);
    number(product.reachable_from(renamings.starts()));
    add_edges(renamings);
    for (const Vertex<false> &start : renamings.starts())
        starts_.push_back(vertex(start.state, start.mode));
}

void AnnotatedGraph::number(const VertexSet<false> &vertices) {
    for (Id state = 0; state < quotient_.ids(); ++state) {
        first_[state] = static_cast<Id>(states_.size());
        for (Modes left = vertices[state]; left; left &= left - 1) {
            states_.push_back(state);
            meanings_.push_back(static_cast<std::uint8_t>(std::countr_zero(left)));
        }
        if (states_.size() >= ~Id{0})
            throw std::bad_alloc();
    }
    first_[quotient_.ids()] = static_cast<Id>(states_.size());
}

void AnnotatedGraph::add_edges(const Renamings &renamings) {
    for (Id id = 0; id < states_.size(); ++id) {
        space_.heed_interrupt();
        const std::span<const Id> targets = quotient_.successors(states_[id]);
        graph_.make_room(1, targets.size());
        for (std::size_t i = 0; i < targets.size(); ++i) {
            const Modes after = renamings.after(quotient_.first_edge(states_[id]) + i, meanings_[id]);
            graph_.targets()[i] = vertex(targets[i], static_cast<unsigned>(std::countr_zero(after)));
        }
        graph_.add(id, static_cast<std::uint32_t>(targets.size()));
    }
    graph_.finish(static_cast<Id>(states_.size()));
}

Id AnnotatedGraph::vertex(Id state, unsigned meaning) const {
    const Range vertices = of(state);
    const std::uint8_t *first = &meanings_[vertices.first];
    return vertices.first + static_cast<Id>(std::lower_bound(first, first + vertices.count, meaning) - first);
}

std::int32_t AnnotatedGraph::holds(Id vertex, std::uint32_t predicate) const {
    const auto place = std::ranges::find(required_.predicates, predicate) - required_.predicates.begin();
    const std::uint32_t first = followed_.first + static_cast<std::uint32_t>(place) * followed_.meanings;
    return space_.model.holds(space_.state(states_[vertex]), first + meanings_[vertex]);
}

Lost AnnotatedGraph::first_of(const std::unordered_map<Id, Finding> &faulty) const {
    const OneMode plain;
    const Product product(graph_, plain, space_.budget, space_.interrupted);
    Breadth ways(product);
    std::vector<Vertex<true>> starts;
    for (const Id start : starts_)
        starts.push_back({start});
    ways.search(starts, [](const auto &) { return true; }, [&](const auto &v) { return faulty.contains(v.state); });
    const std::size_t last = ways.size() - 1;
    return {faulty.at(ways[last].state), ways[last].state, {}, ways.path_to(last)};
}

void AnnotatedGraph::restore(Lost &lost) const {
    const auto restored = [&](Edge &edge) {
        const Id source = graph_.source(edge);
        edge = quotient_.first_edge(states_[source]) + (edge - graph_.first_edge(source));
    };
    if (lost.way)
        std::ranges::for_each(*lost.way, restored);
    std::ranges::for_each(lost.lasso.edges, restored);
    lost.state = states_[lost.state];
    lost.begin = states_[lost.begin];
}

} // namespace asset
