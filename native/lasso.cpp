#include "lasso.h"

namespace asset {
namespace {

constexpr std::size_t no_length = ~std::size_t{0};

// In search of a shorter lasso so many edges are looked at, or the whole graph so many times, whichever is more.
constexpr std::uint64_t affordable_edges = std::uint64_t{1} << 22;
constexpr std::uint64_t affordable_times = 2;

} // namespace

Breadth::Breadth(Budget &budget, const Graph &graph, unsigned layers)
    : graph_(graph), region_(budget, std::size_t{graph.ids()} * layers * sizeof(std::uint64_t)),
      via_(region_.as<std::uint64_t>()), met_(budget) {}

void Breadth::begin(Id state) {
    for (const Node node : met_.from(0))
        via(node) = 0;
    met_.shrink(0);
    met_.push_back({state});
    via({state}) = beginning;
}

bool Breadth::meet(Edge edge, bool from, bool to) {
    const Node node{graph_.target(edge), to};
    if (via(node))
        return false;
    via(node) = 1 + from + 2 * edge;
    met_.push_back(node);
    return true;
}

std::vector<Edge> Breadth::path_to(Node last) const {
    std::vector<Edge> path;
    while (via(last) != beginning) {
        const std::uint64_t way = via(last) - 1;
        path.push_back(way / 2);
        last = {graph_.source(way / 2), way % 2 == 1};
    }
    std::reverse(path.begin(), path.end());
    return path;
}

LassoSearch::LassoSearch(Budget &budget, const Graph &graph, const Bits &settled,
                         const std::atomic<bool> &interrupted)
    : graph_(graph), settled_(settled), interrupted_(interrupted),
      affordable_(std::max(affordable_edges, affordable_times * graph.edges())),
      components_(budget, graph, interrupted),
      cyclic_(budget, graph.ids()), reached_(budget, graph, 1), cycle_(budget, graph, 1) {}

Lasso LassoSearch::from(Id start) {
    length_ = no_length;
    reach_all(start);
    find_cyclic(start);
    for (std::size_t distance = 0; distance + 1 < std::min(length_, nearer_.size()); ++distance)
        for (std::size_t i = nearer_[distance]; i < nearer_[distance + 1] && distance + 1 < length_; ++i)
            if (cyclic_[reached_.node(i).state] && !shorten(reached_.node(i).state, distance))
                return best_;
    return best_;
}

// Meets every state, or those up to the first terminal one: that is the best end so far.
void LassoSearch::reach_all(Id start) {
    reached_.begin(start);
    nearer_ = {0};
    for (std::size_t i = 0; i < reached_.size(); ++i) {
        heed_interrupt();
        const Id state = reached_.node(i).state;
        if (i == nearer_.back())
            nearer_.push_back(reached_.size());
        if (graph_.terminal(state)) {
            best_ = {reached_.path_to({state}), std::nullopt};
            length_ = best_.edges.size();
            return;
        }
        for (Edge edge = graph_.first_edge(state); edge < graph_.end_edge(state); ++edge)
            if (!settled_[graph_.target(edge)])
                reached_.meet(edge, false, false);
    }
}

void LassoSearch::find_cyclic(Id start) {
    const auto among = [&](Id id) { return !settled_[id]; };
    const auto through = [](Edge) { return true; };
    components_.search_from(start, among, through, [&](std::span<const Id> members) {
        const std::span<const Id> successors = graph_.successors(members[0]);
        if (members.size() > 1 || std::find(successors.begin(), successors.end(), members[0]) != successors.end())
            for (const Id member : members)
                cyclic_.set(member);
    });
}

// The best is at most as long as one whose cycle begins in the state, which is so many steps away. False where there is
// no time for trying another.
bool LassoSearch::shorten(Id state, std::size_t distance) {
    cycle_.begin(state);
    std::size_t length = distance + 1; // with the next edge
    std::size_t level_end = 1;
    for (std::size_t i = 0; i < cycle_.size() && length < length_; ++i) {
        heed_interrupt();
        const Id from = cycle_.node(i).state;
        for (Edge edge = graph_.first_edge(from); edge < graph_.end_edge(from); ++edge, ++looked_at_) {
            const Id target = graph_.target(edge);
            if (target == state) {
                close(state, from, edge);
                return looked_at_ < affordable_;
            }
            if (!settled_[target] && components_.together(target, state))
                cycle_.meet(edge, false, false);
        }
        if (i + 1 == level_end) {
            level_end = cycle_.size();
            ++length;
        }
    }
    return looked_at_ < affordable_;
}

// The best goes to the state, on to `last`, and back by the edge.
void LassoSearch::close(Id state, Id last, Edge back) {
    best_.edges = reached_.path_to({state});
    best_.cycle = best_.edges.size();
    const std::vector<Edge> cycle = cycle_.path_to({last});
    best_.edges.insert(best_.edges.end(), cycle.begin(), cycle.end());
    best_.edges.push_back(back);
    length_ = best_.edges.size();
}

void LassoSearch::heed_interrupt() const {
    if (interrupted_.load(std::memory_order_relaxed))
        throw Interrupted();
}

} // namespace asset
