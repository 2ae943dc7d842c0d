#include "branching.h"

#include <set>

#include "predicates.h"

namespace asset {

using Op = BranchingPart::Op;

BranchingCheck::Predecessors::Predecessors(const Space &space, const Graph &graph)
    : ends_region_(space.budget, (std::size_t{graph.ids()} + 1) * sizeof(Edge)),
      sources_region_(space.budget, (graph.edges() + 1) * sizeof(Id)), ends_(ends_region_.as<Edge>()),
      sources_(sources_region_.as<Id>()) {
    const Id ids = graph.ids();
    for (Edge edge = 0; edge < graph.edges(); ++edge) {
        space.heed_interrupt(edge);
        if (graph.target(edge) + 1 < ids)
            ++ends_[graph.target(edge) + 1];
    }
    for (Id id = 1; id < ids; ++id) {
        space.heed_interrupt(id);
        ends_[id] += ends_[id - 1]; // where those of the state begin
    }
    for (Id id = 0; id < ids; ++id) {
        space.heed_interrupt(id);
        for (const Id target : graph.successors(id))
            sources_[ends_[target]++] = id; // where they end, at last
    }
}

BranchingCheck::BranchingCheck(const Space &space, const Graph &graph, const GraphRequirement &required,
                               const AnnotatedGraph *annotated)
    : space_(space), graph_(graph), required_(required), annotated_(annotated) {
    for (std::size_t i = 0; i < required.automaton.observations.size(); ++i)
        observed_.emplace_back(space.budget, graph.ids());
}

std::optional<Lost> BranchingCheck::first_lost(bool lassos) {
    if (std::optional<Lost> faulty = annotated_ ? observe_annotated() : observe())
        return faulty;
    observe_commands();
    if (std::optional<Lost> faulty = assume())
        return faulty;
    for (const BranchingPart &part : required_.formula) {
        truths_.emplace_back(space_.budget, graph_.ids());
        evaluate(part, truths_.back());
    }
    const std::uint32_t whole = static_cast<std::uint32_t>(truths_.size()) - 1;
    const Id starts = annotated_ ? static_cast<Id>(annotated_->starts().size()) : nr_starts();
    const auto state = [&](Id number) { return annotated_ ? annotated_->starts()[number] : number; };
    Id first = 0;
    while (first < starts && holds(whole, state(first)))
        ++first;
    if (first == starts)
        return std::nullopt;
    const Id start = state(first);
    Lost lost{{.requirement = required_.requirement}, start, {}, std::vector<Edge>{}};
    if (lassos)
        show(whole, false, start, lost.lasso);
    return lost;
}

// Finds the states in which fair runs begin, if anything is assumed of runs.
std::optional<Lost> BranchingCheck::assume() {
    if (!FairStates::assumes(required_.automaton))
        return std::nullopt;
    read_.emplace(space_, graph_, required_, annotated_);
    if (read_->faulty())
        return read_->faulty();
    fair_.emplace(space_, graph_, *read_);
    Bits everything(space_.budget, graph_.ids());
    everything.set_all();
    Bits live(space_.budget, graph_.ids());
    some_fair(everything, live);
    live_ = std::move(live);
    return std::nullopt;
}

Id BranchingCheck::nr_starts() const {
    std::set<std::vector<Word>> states;
    const std::vector<Word> &starts = space_.options.starts;
    for (auto start = starts.begin(); start != starts.end(); start += space_.model.state_words) {
        std::vector<Word> state(start, start + space_.model.state_words);
        represent(space_.model, space_.options, state.data());
        states.insert(std::move(state));
    }
    return static_cast<Id>(states.size());
}

std::optional<Lost> BranchingCheck::observe() {
    constexpr std::size_t many = 1024;
    Predicates predicates(space_.model, required_.predicates);
    std::optional<Lost> faulty;
    for_each_batch(space_.arena, many, [&](Range states) {
        space_.heed_interrupt();
        if (faulty || required_.predicates.empty())
            return;
        if (const auto fault = predicates.evaluate(space_.states(states), states.count)) {
            const Finding finding{.during = During::predicate, .predicate = fault->number};
            faulty = Lost{finding, states.first + static_cast<Id>(fault->state)};
            return;
        }
        for (std::size_t k = 0; k < observed_.size(); ++k)
            if (const Observation &each = required_.automaton.observations[k]; each.kind == Observation::Kind::holds)
                for (Id i = 0; i < states.count; ++i)
                    if (predicates.holds(i, each.number))
                        observed_[k].set(states.first + i);
    });
    return faulty;
}

std::optional<Lost> BranchingCheck::observe_annotated() {
    std::unordered_map<Id, Finding> faulty;
    for (Id vertex = 0; vertex < graph_.ids(); ++vertex) {
        space_.heed_interrupt();
        for (std::size_t k = 0; k < observed_.size() && !faulty.contains(vertex); ++k) {
            const Observation &each = required_.automaton.observations[k];
            if (each.kind != Observation::Kind::holds)
                continue;
            const std::int32_t holds = annotated_->holds(vertex, each.number);
            if (holds < 0)
                faulty.emplace(vertex, Finding{.during = During::predicate, .predicate = each.number});
            else if (holds)
                observed_[k].set(vertex);
        }
    }
    return faulty.empty() ? std::nullopt : std::optional(annotated_->first_of(faulty));
}

void BranchingCheck::observe_commands() {
    std::vector<std::vector<std::size_t>> of_commands(space_.model.nr_commands);
    bool any = false;
    for (std::size_t k = 0; k < observed_.size(); ++k)
        if (const Observation &each = required_.automaton.observations[k]; each.kind == Observation::Kind::enabled)
            for (const std::uint32_t command : required_.commands[each.number]) {
                of_commands[command].push_back(k);
                any = true;
            }
    if (!any)
        return;
    Successors &successors = space_.successors;
    for_each_batch(space_.arena, successors.capacity(), [&](Range sources) {
        space_.heed_interrupt();
        successors.expand(space_.arena, sources);
        const std::uint32_t *command = successors.commands(successors.edges());
        for (Id i = 0; i < sources.count; ++i) {
            const Range vertices = annotated_ ? annotated_->of(sources.first + i) : Range{sources.first + i, 1};
            for (const std::uint32_t *end = command + successors.degree(i); command != end; ++command)
                for (Id vertex = vertices.first; vertex < vertices.first + vertices.count; ++vertex)
                    for (const std::size_t k : of_commands[annotated_ ? annotated_->fired(vertex, *command) : *command])
                        observed_[k].set(vertex);
        }
    });
}

void BranchingCheck::evaluate(const BranchingPart &part, Bits &result) {
    space_.heed_interrupt();
    switch (part.op) {
    case Op::some_next:
        return some_next(truths_[part.left], result);
    case Op::some_until:
        return some_until(truths_[part.left], truths_[part.right], result);
    case Op::some_always:
        return fair_ ? some_fair(truths_[part.left], result) : some_always(truths_[part.left], result);
    default:
        break;
    }
    for (Id id = 0; id < graph_.ids(); ++id) {
        space_.heed_interrupt(id);
        bool value = false;
        switch (part.op) {
        case Op::constant:
            value = part.left;
            break;
        case Op::observed:
            value = observed_[part.left][id];
            break;
        case Op::negated:
            value = !holds(part.left, id);
            break;
        case Op::both:
            value = holds(part.left, id) && holds(part.right, id);
            break;
        default:
            value = holds(part.left, id) || holds(part.right, id);
        }
        if (value)
            result.set(id);
    }
}

// In a terminal state, the next state is the same.
void BranchingCheck::some_next(const Bits &operand, Bits &result) const {
    for (Id id = 0; id < graph_.ids(); ++id) {
        space_.heed_interrupt(id);
        const std::span<const Id> targets = graph_.successors(id);
        const auto holds = [&](Id target) { return operand[target] && begins_fair(target); };
        if (targets.empty() ? holds(id) : std::ranges::any_of(targets, holds))
            result.set(id);
    }
}

void BranchingCheck::some_until(const Bits &left, const Bits &right, Bits &result) {
    Bits ends(space_.budget, graph_.ids());
    for (Id id = static_cast<Id>(right.next_set(0)); id < graph_.ids(); id = static_cast<Id>(right.next_set(id + 1))) {
        space_.heed_interrupt();
        if (begins_fair(id))
            ends.set(id);
    }
    reach(left, ends, result);
}

// Backwards from the ends, through states in which the left one holds.
void BranchingCheck::reach(const Bits &left, const Bits &ends, Bits &result) {
    Sequence<Id> pending(space_.budget);
    for (Id id = static_cast<Id>(ends.next_set(0)); id < graph_.ids(); id = static_cast<Id>(ends.next_set(id + 1))) {
        space_.heed_interrupt();
        result.set(id);
        pending.push_back(id);
    }
    while (!pending.empty()) {
        space_.heed_interrupt();
        const Id target = pending.back();
        pending.pop_back();
        for (const Id source : predecessors()[target])
            if (left[source] && !result[source]) {
                result.set(source);
                pending.push_back(source);
            }
    }
}

// States without a successor that is left are taken away, until all have one. A terminal state is its own successor.
void BranchingCheck::some_always(const Bits &operand, Bits &result) {
    Region region(space_.budget, std::size_t{graph_.ids()} * sizeof(std::uint32_t));
    std::uint32_t *left = region.as<std::uint32_t>();
    Sequence<Id> pending(space_.budget);
    for (Id id = 0; id < graph_.ids(); ++id) {
        space_.heed_interrupt(id);
        if (!operand[id])
            continue;
        result.set(id);
        for (const Id target : graph_.successors(id))
            left[id] += operand[target];
        if (!left[id] && !graph_.terminal(id))
            pending.push_back(id);
    }
    while (!pending.empty()) {
        space_.heed_interrupt();
        const Id gone = pending.back();
        pending.pop_back();
        result.reset(gone);
        for (const Id source : predecessors()[gone])
            if (result[source] && --left[source] == 0)
                pending.push_back(source);
    }
}

// Backwards from parts in which there are fair runs, through states in which the operand holds.
void BranchingCheck::some_fair(const Bits &operand, Bits &result) {
    Bits fair(space_.budget, graph_.ids());
    fair_->find(operand, fair);
    reach(operand, fair, result);
}

void BranchingCheck::show(std::uint32_t number, bool value, Id state, Lasso &run) const {
    const BranchingPart &part = required_.formula[number];
    switch (part.op) {
    case Op::negated:
        return show(part.left, !value, state, run);
    case Op::both:
    case Op::either:
        return show_combined(part, value, state, run);
    case Op::some_next: {
        const std::span<const Id> targets = graph_.successors(state);
        const auto found = std::ranges::find_if(targets, [&](Id target) { return holds_fairly(part.left, target); });
        if (!value || found == targets.end())
            return;
        run.edges.push_back(graph_.first_edge(state) + static_cast<Edge>(found - targets.begin()));
        return show(part.left, true, *found, run);
    }
    case Op::some_until:
        if (value)
            show_until(part, state, run);
        return;
    case Op::some_always: {
        if (!value)
            return;
        const Lasso lasso = run_through(number, state);
        if (lasso.cycle)
            run.cycle = run.edges.size() + *lasso.cycle;
        run.edges.insert(run.edges.end(), lasso.edges.begin(), lasso.edges.end());
        return;
    }
    default:
        return;
    }
}

// A run for ever through states in which the part holds.
Lasso BranchingCheck::run_through(std::uint32_t number, Id state) const {
    if (fair_)
        return fair_->run_through(truths_[number], state);
    const OneMode plain;
    const Product product(graph_, plain, space_.budget, space_.interrupted);
    VertexSet<true> among = product.nothing();
    for (Id id = static_cast<Id>(truths_[number].next_set(0)); id < graph_.ids();
         id = static_cast<Id>(truths_[number].next_set(id + 1))) {
        space_.heed_interrupt();
        among.add(id, 1);
    }
    return LassoSearch(product, among).from({state});
}

// One operand is enough if it decides; else the first that a run can show more of.
void BranchingCheck::show_combined(const BranchingPart &part, bool value, Id state, Lasso &run) const {
    const bool left_decides = holds(part.left, state) == value, right_decides = holds(part.right, state) == value;
    const std::size_t before = run.edges.size();
    if (left_decides)
        show(part.left, value, state, run);
    if (right_decides && run.edges.size() == before && !run.cycle)
        show(part.right, value, state, run);
}

void BranchingCheck::show_until(const BranchingPart &part, Id state, Lasso &run) const {
    const OneMode plain;
    const Product product(graph_, plain, space_.budget, space_.interrupted);
    Breadth ways(product);
    const Vertex<true> start{state};
    const auto wanted = [&](const Vertex<true> &v) { return holds_fairly(part.right, v.state); };
    const auto among = [&](const Vertex<true> &v) { return holds(part.left, v.state) || wanted(v); };
    ways.search({&start, 1}, among, wanted);
    const std::vector<Edge> path = ways.path_to(ways.size() - 1);
    run.edges.insert(run.edges.end(), path.begin(), path.end());
    show(part.right, true, ways[ways.size() - 1].state, run);
}

const BranchingCheck::Predecessors &BranchingCheck::predecessors() {
    if (!predecessors_)
        predecessors_.emplace(space_, graph_);
    return *predecessors_;
}

} // namespace asset
