#include "read_graph.h"

#include <map>

namespace asset {

ReadGraph::ReadGraph(const Space &space, const Graph &graph, const GraphRequirement &required)
    : graph_(graph), letters_(space, required), of_edges_(space.budget),
      states_region_(space.budget, (std::size_t{graph.ids()} + 1) * sizeof(std::uint32_t)),
      of_states_(states_region_.as<std::uint32_t>()) {
    find_starts(space);
    if (letters_.differ())
        of_edges_.make_room(graph.edges());
    read(space);
}

// The start states, or their representatives, are the first states that were found, in their order.
void ReadGraph::find_starts(const Space &space) {
    std::map<std::vector<Word>, Id> ids;
    const std::vector<Word> &starts = space.options.starts;
    for (auto start = starts.begin(); start != starts.end(); start += space.model.state_words) {
        std::vector<Word> state(start, start + space.model.state_words);
        asset_fault fault{};
        if (space.options.symmetry && space.model.representatives)
            space.model.representatives(state.data(), 1, &fault);
        const auto [known, added] = ids.try_emplace(std::move(state), static_cast<Id>(ids.size()));
        if (added)
            starts_.push_back(known->second);
    }
}

void ReadGraph::read(const Space &space) {
    const auto degree = [&](Id state) { return graph_.end_edge(state) - graph_.first_edge(state); };
    const auto use = [&](Id state, std::uint32_t letter) {
        if (letters_.differ() && !terminal(state))
            of_edges_.push_back(letter);
        else
            of_states_[state] = letter;
    };
    for_each_batch(space.arena, space.successors.capacity(), [&](Range sources) {
        if (space.interrupted.load(std::memory_order_relaxed))
            throw Interrupted();
        if (faulty_)
            return;
        if (letters_.differ())
            space.successors.expand(space.arena, sources);
        if (const auto unreadable = letters_.read(sources, degree, use))
            faulty_ = Lost{unreadable->finding, unreadable->state};
    });
}

void ReadGraph::spread() {
    if (letters_.differ())
        return;
    of_edges_.make_room(graph_.edges());
    for (Id state = 0; state < graph_.ids(); ++state)
        for (Edge edge = graph_.first_edge(state); edge < graph_.end_edge(state); ++edge)
            of_edges_.push_back(of_states_[state]);
}

} // namespace asset
