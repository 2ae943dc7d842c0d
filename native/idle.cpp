#include "idle.h"

namespace asset {

namespace {

bool has_loops(const Space &space, const Graph &graph) {
    for (Id id = 0; id < graph.ids(); ++id) {
        space.heed_interrupt(id);
        if (std::ranges::find(graph.successors(id), id) != graph.successors(id).end())
            return true;
    }
    return false;
}

} // namespace

IdleEdges::IdleEdges(const Space &space, const Graph &graph, bool wanted)
    : graph_(graph),
      idle_(space.budget, wanted && (space.options.symmetry || has_loops(space, graph)) ? graph.edges() : 0) {
    if (idle_.size() == 0)
        return;
    if (space.options.symmetry)
        find_by_firing(space);
    else
        find_loops(space);
}

void IdleEdges::find_loops(const Space &space) {
    for (Id id = 0; id < graph_.ids(); ++id) {
        space.heed_interrupt(id);
        for (Edge edge = graph_.first_edge(id); edge < graph_.end_edge(id); ++edge)
            if (graph_.target(edge) == id)
                add(edge);
    }
}

// A loop of a quotient may lead to a symmetric state, and what changes nothing may lead to another representative.
void IdleEdges::find_by_firing(const Space &space) {
    Successors &successors = space.successors;
    std::vector<Word> after(space.model.state_words);
    Edge edge = 0;
    for_each_batch(space.arena, successors.capacity(), [&](Range sources) {
        space.heed_interrupt();
        successors.expand(space.arena, sources);
        const std::uint32_t *command = successors.commands(successors.edges());
        for (std::size_t i = 0; i < sources.count; ++i)
            for (const std::uint32_t *end = command + successors.degree(i); command < end; ++command, ++edge) {
                std::copy_n(successors.source(i), after.size(), after.data());
                space.model.fire(after.data(), *command);
                if (std::equal(after.begin(), after.end(), successors.source(i)))
                    add(edge);
            }
    });
}

} // namespace asset
