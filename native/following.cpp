#include "following.h"

namespace asset {
namespace {

// The sources of the edges that lead to a state: the graph the other way round.
class Sources {
  public:
    Sources(Budget &budget, const Graph &graph)
        : firsts_(budget, (std::size_t{graph.ids()} + 2) * sizeof(Edge)), sources_(budget, graph.edges() * sizeof(Id)) {
        Edge *const next = firsts_.as<Edge>() + 1; // where the next source of each state goes
        for (Edge edge = 0; edge < graph.edges(); ++edge)
            ++next[graph.target(edge) + 1];
        for (Id id = 0; id < graph.ids(); ++id)
            next[id + 1] += next[id];
        for (Id id = 0; id < graph.ids(); ++id)
            for (const Id target : graph.successors(id))
                sources_.as<Id>()[next[target]++] = id;
    }

    std::span<const Id> operator[](Id id) const {
        const Edge *first = firsts_.as<Edge>() + id;
        return {sources_.as<Id>() + first[0], sources_.as<Id>() + first[1]};
    }

  private:
    Region firsts_;
    Region sources_;
};

// Nodes around the start of a lasso are looked at, so many at first; so many times as many where that is too few.
constexpr std::size_t nearby = std::size_t{1} << 20;
constexpr std::size_t farther = 16;

} // namespace

Following::Following(const Space &space, const Graph &graph, const Followed &followed,
                     const ProgressRequirement &required)
    : space_(space), graph_(graph), followed_(followed), required_(required), edges_(space, graph, followed), reached_(space.budget, graph), settled_(space.budget, graph),
      faulty_(space.budget, graph) {}

std::optional<Lost> Following::first_lost(bool lassos) {
    reach_all();
    evaluate_all();
    Finding finding{.requirement = required_.requirement};
    if (any_faulty_)
        finding = {.during = During::predicate, .predicate = required_.predicate};
    else
        settle_all();
    const Sets violating = unsettled();
    const Sets &wanted = any_faulty_ ? faulty_ : violating;
    Id some = 0;
    while (some < graph_.ids() && !wanted[some])
        ++some;
    if (some == graph_.ids())
        return std::nullopt;
    if (!lassos)
        return Lost{finding, some, {}, {}};
    Node first{};
    std::vector<Edge> way = way_to_first_of(wanted, first);
    Lasso lasso = any_faulty_ ? Lasso{} : lasso_from(first, violating);
    return Lost{finding, first.state, std::move(lasso), std::move(way)};
}

// States are dealt with in the order of their ids, over and over: most edges lead to states found later, so most of the
// nodes of a state are reached by the time that it is dealt with, and go on together.
void Following::reach_all() {
    Sets fresh(space_.budget, graph_); // those whose successors have not been reached yet
    Bits pending(space_.budget, graph_.ids());
    for (const auto &[state, meaning] : edges_.starts()) {
        reached_[state] = fresh[state] |= std::uint64_t{1} << meaning;
        pending.set(state);
    }
    for (std::uint64_t next; (next = pending.next_set(0)) < pending.size();)
        for (; next < pending.size(); next = pending.next_set(next + 1)) {
            heed_interrupt();
            const Id id = static_cast<Id>(next);
            pending.reset(id);
            const std::uint64_t meanings = std::exchange(fresh[id], 0);
            for (Edge edge = graph_.first_edge(id); edge < graph_.end_edge(id); ++edge) {
                const Id target = graph_.target(edge);
                if (const std::uint64_t more = edges_.after(edge, meanings) & ~reached_[target]) {
                    reached_[target] |= more;
                    fresh[target] |= more;
                    pending.set(target);
                }
            }
        }
}

void Following::evaluate_all() {
    for (Id id = 0; id < graph_.ids(); ++id) {
        heed_interrupt();
        for (std::uint64_t left = reached_[id]; left; left &= left - 1) {
            const auto meaning = static_cast<std::uint32_t>(std::countr_zero(left));
            const std::int32_t holds = space_.model.holds(space_.arena[id], followed_.first + meaning);
            if (holds < 0) {
                faulty_[id] |= std::uint64_t{1} << meaning;
                any_faulty_ = true;
            } else {
                settled_[id] |= static_cast<std::uint64_t>(holds) << meaning;
            }
        }
        if (required_.terminal_counts && graph_.terminal(id))
            settled_[id] = reached_[id];
    }
}

// A least fixed point: a state is looked at again where some successor has more nodes settled; the last first.
void Following::settle_all() {
    const Sources sources(space_.budget, graph_);
    Bits pending(space_.budget, graph_.ids());
    for (Id id = 0; id < graph_.ids(); ++id)
        if (reached_[id] != settled_[id])
            pending.set(id);
    for (std::uint64_t end; (end = pending.end_of_set(pending.size()));)
        for (; end; end = pending.end_of_set(end - 1)) {
            heed_interrupt();
            const Id id = static_cast<Id>(end - 1);
            pending.reset(id);
            const std::uint64_t more = settled_by_successors(id);
            settled_[id] |= more;
            if (more)
                for (const Id source : sources[id])
                    if (reached_[source] != settled_[source])
                        pending.set(source);
        }
}

// The nodes of a state that are settled now and were not.
std::uint64_t Following::settled_by_successors(Id id) const {
    const std::uint64_t open = reached_[id] & ~settled_[id];
    std::uint64_t by_all = graph_.terminal(id) ? 0 : open, by_some = 0;
    for (Edge edge = graph_.first_edge(id); edge < graph_.end_edge(id); ++edge) {
        const std::uint64_t settled = edges_.before(edge, settled_[graph_.target(edge)]);
        by_all &= settled;
        by_some |= settled;
    }
    return required_.by_all ? by_all : by_some & open;
}

Following::Sets Following::unsettled() const {
    Sets result(space_.budget, graph_);
    for (Id id = 0; id < graph_.ids(); ++id)
        result[id] = reached_[id] & ~settled_[id];
    return result;
}

std::vector<Edge> Following::way_to_first_of(const Sets &wanted, Node &first) const {
    struct Met {
        Node node;
        std::uint64_t from;
        Edge edge;
    };
    constexpr std::uint64_t beginning = ~std::uint64_t{0};
    Sets seen(space_.budget, graph_);
    Sequence<Met> met(space_.budget);
    const auto meet = [&](const Node &node, std::uint64_t from, Edge edge) {
        if (!seen.has(node))
            met.push_back({node, from, edge});
        seen[node.state] |= node.bit();
        return wanted.has(node);
    };
    const auto found = [&] {
        for (const auto &[state, meaning] : edges_.starts())
            if (meet({state, meaning}, beginning, 0))
                return;
        for (std::uint64_t i = 0;; ++i) {
            heed_interrupt();
            const Node node = met[i].node;
            for (Edge edge = graph_.first_edge(node.state); edge < graph_.end_edge(node.state); ++edge)
                if (meet(after(node, edge), i, edge))
                    return;
        }
    };
    found();
    first = met.back().node;
    std::vector<Edge> way;
    for (std::uint64_t last = met.size() - 1; met[last].from != beginning; last = met[last].from)
        way.push_back(met[last].edge);
    std::reverse(way.begin(), way.end());
    return way;
}

Lasso Following::lasso_from(Node start, const Sets &violating) const {
    for (std::size_t most = nearby;; most *= farther)
        if (std::optional<Lasso> found = lasso_nearby(start, violating, most))
            return *found;
}

// A lasso among the violating nodes that are met first from the start, so many of them; none where there is none.
std::optional<Lasso> Following::lasso_nearby(Node start, const Sets &violating, std::size_t most) const {
    std::unordered_map<std::uint64_t, Id> numbers;
    std::vector<Node> nodes;
    const auto number = [&](const Node &node) {
        const std::uint64_t key = std::uint64_t{node.state} << 6 | node.meaning;
        const auto [known, added] = numbers.try_emplace(key, static_cast<Id>(nodes.size()));
        if (added)
            nodes.push_back(node);
        return known->second;
    };
    Graph region(space_.budget);
    Sequence<Edge> edges(space_.budget); // of the quotient, for each of the region
    number(start);
    for (std::size_t i = 0; i < std::min(most, nodes.size()); ++i) {
        heed_interrupt();
        const Node node = nodes[i];
        const std::size_t before = edges.size();
        region.make_room(1, graph_.successors(node.state).size());
        for (Edge edge = graph_.first_edge(node.state); edge < graph_.end_edge(node.state); ++edge)
            if (const Node target = after(node, edge); violating.has(target)) {
                region.targets()[edges.size() - before] = number(target);
                edges.push_back(edge);
            }
        region.add(static_cast<Id>(i), static_cast<std::uint32_t>(edges.size() - before));
    }
    region.make_room(nodes.size(), 0);
    region.finish(static_cast<Id>(nodes.size()));
    Bits left_out(space_.budget, nodes.size()); // those not looked at, and those that lead only to such
    for (std::size_t i = most; i < nodes.size(); ++i)
        left_out.set(i);
    if (most < nodes.size())
        settle(left_out, Settles::by_all, space_.budget, region, space_.interrupted);
    if (left_out[0])
        return std::nullopt;
    Lasso found = LassoSearch(space_.budget, region, left_out, space_.interrupted).from(0);
    for (Edge &edge : found.edges)
        edge = edges[edge];
    return found;
}

void Following::heed_interrupt() const {
    if (space_.interrupted.load(std::memory_order_relaxed))
        throw Interrupted();
}

} // namespace asset
