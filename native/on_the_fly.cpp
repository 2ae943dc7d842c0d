#include "on_the_fly.h"

#include "emptiness.h"
#include "path.h"

namespace asset {

SpaceOnDemand::SpaceOnDemand(const Space &space, Expand expand)
    : space_(space), expand_(std::move(expand)), first_(space.budget), records_(space.budget) {
    for (const GraphRequirement &required : space.options.on_graph) {
        auto letters = std::make_unique<Letters>(space, required);
        const bool differ = letters->differ();
        read_.push_back({std::move(letters), differ, Sequence<std::uint32_t>(space.budget)});
    }
    know_found();
    for (Id state = 0; state < states(); ++state)
        starts_.push_back(state);
}

// Room for what is known of each state that was found.
void SpaceOnDemand::know_found() {
    const std::size_t more = space_.arena.end() - first_.size();
    first_.make_room(more);
    first_.extend(more);
}

void SpaceOnDemand::expand_together(Id first) {
    const bool few = nr_expanded_ > most_for_one * nr_asked_;
    const Id most = std::min(few ? few_together : many_together, states() - first);
    Range left{first, 1};
    while (left.count < most && !expanded(first + left.count))
        ++left.count;
    nr_expanded_ += left.count;
    while (left.count) {
        const Id at_once = std::min(space_.arena.contiguous(left.first), static_cast<Id>(space_.successors.capacity()));
        const Id count = std::min(left.count, at_once);
        expand({left.first, count});
        left = {left.first + count, left.count - count};
    }
}

void SpaceOnDemand::expand(Range sources) {
    space_.heed_interrupt();
    const Expanded done = expand_(sources);
    if (done.event) {
        const Event &event = *done.event;
        Ended ended{event.stop, event.finding, sources.first + static_cast<Id>(event.source)};
        if (event.in_successor)
            ended.edge = static_cast<std::uint32_t>(event.edges - 1 - space_.successors.first_edge(event.source));
        throw ended;
    }
    keep_edges(sources, done.targets);
    know_found();
    for (std::size_t formula = 0; formula < read_.size(); ++formula)
        read(sources, formula);
}

void SpaceOnDemand::keep_edges(Range sources, std::span<const Id> targets) {
    const std::size_t before = records_.size();
    records_.make_room(targets.size() + (read_.size() + 2) * sources.count);
    std::uint32_t *next = records_.end();
    const Id *target = targets.data();
    for (Id i = 0; i < sources.count; ++i) {
        const std::uint32_t degree = space_.successors.degree(i);
        next += read_.size(); // letters
        *next++ = degree;
        first_[sources.first + i] = before + static_cast<std::size_t>(next - records_.end());
        for (std::uint32_t edge = 0; edge < degree; ++edge)
            *next++ = *target++;
        if (degree == 0)
            *next++ = sources.first + i;
    }
    records_.extend(static_cast<std::size_t>(next - records_.end()));
}

void SpaceOnDemand::read(Range sources, std::size_t formula) {
    Read &read = read_[formula];
    if (read.differ) {
        read.of_edges.make_room(records_.size() - read.of_edges.size());
        read.of_edges.extend(records_.size() - read.of_edges.size());
    }
    std::size_t next = first_[sources.first];
    Id last = sources.first;
    const auto use = [&](Id state, std::uint32_t letter) {
        if (state != last)
            next = first_[last = state];
        if (read.differ)
            read.of_edges[next++] = letter;
        else
            records_[next - 2 - formula] = letter;
    };
    const auto degree = [&](Id state) { return terminal(state) ? 0 : this->degree(state); };
    if (auto unreadable = read.letters->read(sources, degree, use))
        throw Ended{Stop::finding, std::move(unreadable->finding), unreadable->state};
}

// The states as a graph, as far as they were expanded, for a search breadth-first.
namespace {

struct KnownGraph {
    static constexpr bool single = true;
    using Vertex = asset::Vertex<true>;
    using Set = VertexSet<true>;

    const SpaceOnDemand &space;
    Budget &memory;

    Budget &budget() const { return memory; }
    Set nothing() const { return Set(memory, space.states()); }
    void heed_interrupt() const {}

    template <class Use> bool visit(const Vertex &vertex, const Use &use) const {
        const std::uint32_t degree = space.expanded(vertex.state) ? space.degree(vertex.state) : 0;
        for (std::uint32_t number = 0; number < degree; ++number) {
            const Edge edge = space.edge(vertex.state, number);
            if (use(edge, Vertex{space.target(edge)}))
                return true;
        }
        return false;
    }
};

// The space as the automaton of one formula reads it.
class Runs {
  public:
    Runs(SpaceOnDemand &space, std::size_t formula) : space_(space), formula_(formula) {}

    void expand(Id state) { space_.expand(state); }
    ASSET_INLINE void prefetch(Id state) const { space_.prefetch(state); }
    ASSET_INLINE void prefetch_edges(Id state) const { space_.prefetch_edges(state); }
    Prospect prospect(Id, std::uint32_t mode) const {
        return space_.letters(formula_).promising(mode) ? Prospect::here : Prospect::elsewhere;
    }
    bool hopeless() const { return false; }
    Id states() const { return space_.states(); }
    bool is_state(Id) const { return true; }
    bool expanded(Id state) const { return space_.expanded(state); }
    bool terminal(Id state) const { return space_.terminal(state); }
    ReadEdges edges(Id state) const { return space_.edges(formula_, state); }

  private:
    SpaceOnDemand &space_;
    const std::size_t formula_;
};

} // namespace

// An interrupted search does not wait for it: then it is that of the first states.
std::size_t SpaceOnDemand::depth() const {
    constexpr std::size_t ahead = 16, few = 1 << 20;
    const std::size_t most = space_.interrupted.load(std::memory_order_relaxed) ? few : ~std::size_t{0};
    Bits seen(space_.budget, states());
    Sequence<Id> met(space_.budget);
    for (const Id start : starts_) {
        met.push_back(start);
        seen.set(start);
    }
    std::size_t depth = 0;
    for (std::size_t at = 0, level = met.size(); at < std::min(met.size(), most); ++at) {
        if (at == level) {
            ++depth;
            level = met.size();
        }
        if (at + ahead < met.size())
            prefetch(met[at + ahead]);
        if (at + ahead / 2 < met.size())
            prefetch_edges(met[at + ahead / 2]);
        const Id state = met[at];
        for (std::uint32_t number = 0; expanded(state) && number < degree(state); ++number)
            if (const Id next = target(edge(state, number)); !seen[next]) {
                seen.set(next);
                met.push_back(next);
            }
    }
    return depth;
}

std::pair<Id, std::vector<Edge>> SpaceOnDemand::way_to(Id state) const {
    const KnownGraph graph{*this, space_.budget};
    std::vector<Vertex<true>> starts;
    for (const Id start : starts_)
        starts.push_back({start});
    Breadth ways(graph);
    ways.search(starts, [](const auto &) { return true; }, [&](const auto &vertex) { return vertex.state == state; });
    const std::size_t last = ways.size() - 1;
    return {ways.begin_of(last).state, ways.path_to(last)};
}

Stop OnTheFly::run() {
    try {
        for (std::size_t formula = 0; formula < space_.options.on_graph.size(); ++formula)
            if (is_violated(formula))
                return Stop::finding;
        for (Id state = 0; state < explored_.states(); ++state)
            explored_.expand(state);
        return Stop::complete;
    } catch (const SpaceOnDemand::Ended &ended) {
        if (ended.stop == Stop::finding)
            show(ended);
        return ended.stop;
    } catch (const Interrupted &) {
        return Stop::interrupted;
    } catch (const std::bad_alloc &) {
        return Stop::max_memory;
    }
}

bool OnTheFly::is_violated(std::size_t formula) {
    Runs runs(explored_, formula);
    return with_emptiness_check(space_, runs, explored_.letters(formula),
                                [&](auto &check) { return finds_violation(check, formula); });
}

template <class Check> bool OnTheFly::finds_violation(Check &check, std::size_t formula) {
    const auto count = [&] {
        vertices_ += check.vertices();
        edges_ += check.edges();
    };
    bool found = false;
    try {
        found = check.finds_accepting(explored_.starts());
    } catch (...) {
        count();
        throw;
    }
    count();
    if (found)
        show(check.lost(space_.options.on_graph[formula].requirement));
    return found;
}

// The run to the state where nothing can be saved any more, and on by the lasso.
void OnTheFly::show(const Lost &lost) {
    finding_ = lost.finding;
    Tracer(space_.model, space_.arena, space_.successors, levels_).trace(0, space_.state(lost.begin), *finding_);
    follow(lost.begin, *lost.way);
    finding_->progress_lost_at = static_cast<std::int64_t>(finding_->commands.size() - 1);
    if (lost.lasso.cycle)
        finding_->cycle_starts_at = finding_->progress_lost_at + static_cast<std::int64_t>(*lost.lasso.cycle);
    follow(lost.state, lost.lasso.edges);
}

// The run to the state in which something else is wrong.
void OnTheFly::show(const SpaceOnDemand::Ended &ended) {
    finding_ = ended.finding;
    const auto [start, way] = explored_.way_to(ended.state);
    Tracer tracer(space_.model, space_.arena, space_.successors, levels_);
    tracer.trace(0, space_.state(start), *finding_);
    follow(start, way);
    if (ended.edge)
        tracer.append(ended.state, *ended.edge, *finding_);
}

void OnTheFly::follow(Id from, std::span<const Edge> edges) {
    Tracer tracer(space_.model, space_.arena, space_.successors, levels_);
    for (const Edge edge : edges) {
        tracer.append(from, edge - explored_.edge(from, 0), *finding_);
        from = explored_.target(edge);
    }
}

} // namespace asset
