#include "graph.h"

namespace asset {

void Graph::make_room(std::size_t states, std::size_t edges) {
    blocks_.make_room(states / block_states + 2);
    within_.make_room(states + 1);
    targets_.make_room(edges);
}

Id Graph::source(Edge edge) const {
    Id first = 0;
    for (Id count = ids(); count > 1;) { // the state is one of `count` from `first` on
        const Id half = count / 2;
        if (first_edge(first + half) <= edge) {
            first += half;
            count -= half;
        } else {
            count = half;
        }
    }
    return first;
}

Components::Components(Budget &budget, const Graph &graph, const std::atomic<bool> &interrupted)
    : graph_(graph), interrupted_(interrupted), region_(budget, std::size_t{graph.ids()} * sizeof(std::uint32_t)),
      numbers_(region_.as<std::uint32_t>()), next_component_(graph.ids()), frames_(budget), members_(budget) {}

void Components::enter(Id state) {
    if (interrupted_.load(std::memory_order_relaxed))
        throw Interrupted();
    frames_.push_back({state, 0, next_number_});
    numbers_[state] = next_number_++;
}

std::size_t Components::leave() {
    const Frame done = frames_.back();
    frames_.pop_back();
    members_.push_back(done.state);
    if (numbers_[done.state] != done.number)
        return not_complete;
    std::size_t first = members_.size() - 1;
    while (first > 0 && numbers_[members_[first - 1]] >= done.number)
        --first;
    for (const Id member : members_.from(first))
        numbers_[member] = next_component_;
    next_number_ -= static_cast<std::uint32_t>(members_.size() - first);
    --next_component_;
    return first;
}

} // namespace asset
