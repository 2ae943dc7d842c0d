#include "losing.h"

namespace asset {
namespace {

// The finding's path goes to the state where progress is lost and on by the lasso.
void complete_path(const Space &space, const Graph &graph, const Levels &levels, Lost &lost) {
    Finding &finding = lost.finding;
    Tracer tracer(space.model, space.arena, space.successors, levels);
    const auto follow = [&](std::span<const Edge> edges) {
        for (const Edge edge : edges) {
            const Id source = graph.source(edge);
            tracer.append(source, edge - graph.first_edge(source), finding);
        }
    };
    if (lost.way) {
        const Id start = lost.way->empty() ? lost.state : graph.source(lost.way->front());
        tracer.trace(0, space.state(start), finding);
        follow(*lost.way);
    } else {
        tracer.trace(levels.level_of(lost.state), space.state(lost.state), finding);
    }
    if (finding.requirement == none)
        return;
    finding.progress_lost_at = static_cast<std::int64_t>(finding.commands.size() - 1);
    if (lost.lasso.cycle)
        finding.cycle_starts_at = finding.progress_lost_at + static_cast<std::int64_t>(*lost.lasso.cycle);
    follow(lost.lasso.edges);
}

} // namespace

std::optional<Lost> lost_alone(const Space &space, const Graph &graph, std::size_t &next) {
    std::optional<Lost> lost = GraphChecks(space, graph, false).first_lost(next);
    if (lost)
        lost->finding.is_only(space.state(lost->state), space.model.state_words);
    return lost;
}

std::optional<Lost> lost_with_run(const Space &space, const Graph &graph, const Levels &levels, std::size_t &next) {
    std::optional<Lost> lost = GraphChecks(space, graph, true).first_lost(next);
    if (lost)
        complete_path(space, graph, levels, *lost);
    return lost;
}

std::optional<Lost> lost_perhaps_with_run(const Space &space, const Graph &graph, const Levels &levels,
                                          std::size_t &next) {
    const std::size_t first = next;
    try {
        return lost_with_run(space, graph, levels, next);
    } catch (const std::bad_alloc &) {
        next = first;
        return lost_alone(space, graph, next);
    }
}

} // namespace asset
