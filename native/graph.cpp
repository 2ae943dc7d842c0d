#include "graph.h"

namespace asset {

Graph::Graph(Budget &budget, Id ids, std::uint64_t edges) : ids_(ids) {
    const std::size_t blocks = std::size_t{ids} / block_states + 1;
    const std::size_t offsets = std::size_t{ids} + 1;
    region_ = Region(budget, blocks * sizeof(Edge) + offsets * sizeof(std::uint32_t) + edges * sizeof(Id));
    blocks_ = region_.as<Edge>();
    within_ = reinterpret_cast<std::uint32_t *>(blocks_ + blocks);
    targets_ = within_ + offsets;
}

void Graph::begin(Id id) {
    for (; begun_ <= id; ++begun_) {
        if (begun_ % block_states == 0)
            blocks_[begun_ / block_states] = written_;
        within_[begun_] = static_cast<std::uint32_t>(written_ - blocks_[begun_ / block_states]);
    }
}

Id Graph::source(Edge edge) const {
    Id first = 0;
    for (Id count = ids_; count > 1;) { // the state is one of `count` from `first` on
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
