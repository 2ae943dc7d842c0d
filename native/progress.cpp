#include "progress.h"

#include "annotated_graph.h"
#include "branching.h"
#include "predicates.h"
#include "recurrence.h"
#include "renamings.h"
#include "temporal.h"

namespace asset {

bool is_well_formed(const GraphRequirement &required) {
    const auto is_about = [&](std::size_t predicates, std::size_t sets) {
        return required.predicates.size() == predicates && required.commands.size() == sets;
    };
    switch (static_cast<Rule>(required.rule)) {
    case Rule::may_progress:
    case Rule::must_progress:
        return is_about(1, 0);
    case Rule::recurrence:
        return is_about(0, 2);
    case Rule::termination:
        return is_about(0, 0);
    case Rule::temporal:
        return required.automaton.modes > 0;
    case Rule::branching:
        return !required.formula.empty();
    }
    return false;
}

GraphChecks::GraphChecks(const Space &space, const Graph &graph, bool lassos)
    : space_(space), graph_(graph), lassos_(lassos),
      idle_(space, graph, !std::ranges::all_of(space.options.on_graph, &GraphRequirement::idle_steps)) {}

std::optional<Lost> GraphChecks::first_lost(std::size_t &next) const {
    while (next < space_.options.on_graph.size())
        if (std::optional<Lost> lost = first_lost_of(space_.options.on_graph[next++]))
            return lost;
    return std::nullopt;
}

std::optional<Lost> GraphChecks::first_lost_of(const GraphRequirement &required) const {
    switch (static_cast<Rule>(required.rule)) {
    case Rule::must_progress:
        return lost_progress(required, Settles::by_all);
    case Rule::recurrence:
        return lost_recurrence(required);
    case Rule::temporal:
    case Rule::branching: {
        const Followed *renamed = followed(required);
        if (!renamed)
            return lost_formula(required, nullptr);
        const AnnotatedGraph annotated(space_, graph_, required, *renamed);
        std::optional<Lost> lost = lost_formula(required, &annotated);
        if (lost)
            annotated.restore(*lost);
        return lost;
    }
    default: // of termination, only terminal states are good
        return lost_progress(required, Settles::by_some);
    }
}

// Decided on the graph, or on the one that is annotated with what symmetries make of the formula.
std::optional<Lost> GraphChecks::lost_formula(const GraphRequirement &required, const AnnotatedGraph *annotated) const {
    const Graph &graph = annotated ? annotated->graph() : graph_;
    if (static_cast<Rule>(required.rule) == Rule::branching)
        return BranchingCheck(space_, graph, required, annotated).first_lost(lassos_);
    ReadGraph read(space_, graph, required, annotated);
    return violation(space_, graph, read, required, lassos_);
}

const Followed *GraphChecks::followed(const GraphRequirement &required) const {
    const auto found = std::ranges::find(space_.options.followed, required.requirement, &Followed::requirement);
    return found == space_.options.followed.end() ? nullptr : &*found;
}

std::optional<Lost> GraphChecks::lost_progress(const GraphRequirement &required, Settles rule) const {
    if (const Followed *renamed = followed(required))
        return lost_progress(required, rule, *renamed);
    return required.idle_steps || !idle_.any() ? lost_progress_by(required, rule, OneMode())
                                               : lost_progress_by(required, rule, idle_);
}

template <class Steps>
std::optional<Lost> GraphChecks::lost_progress_by(const GraphRequirement &required, Settles rule,
                                                  const Steps &steps) const {
    const Product product(graph_, steps, space_.budget, space_.interrupted);
    VertexSet<true> unsettled = product.nothing();
    if (std::optional<Lost> faulty = find_bad(required, unsettled))
        return faulty;
    Settling(product, unsettled, rule).run();
    const Id first = unsettled.next(0);
    if (first == unsettled.states())
        return std::nullopt;
    const Finding finding{.requirement = required.requirement};
    return Lost{finding, first, lassos_ ? LassoSearch(product, unsettled).from({first}) : Lasso{}};
}

bool GraphChecks::ends_well(const GraphRequirement &required, Id id) const {
    if (!required.terminal_counts)
        return false;
    return required.idle_steps || !idle_.any() ? graph_.terminal(id) : idle_.all_of(id);
}

std::optional<Lost> GraphChecks::find_bad(const GraphRequirement &required, VertexSet<true> &bad) const {
    constexpr std::size_t many = 1024;
    const bool asked = !required.predicates.empty();
    const std::uint32_t predicate = asked ? required.predicates[0] : 0;
    Predicates predicates(space_.model, required.predicates);
    std::optional<Lost> faulty;
    for_each_batch(space_.arena, many, [&](Range states) {
        space_.heed_interrupt();
        if (faulty)
            return;
        const auto fault = asked ? predicates.evaluate(space_.states(states), states.count) : std::nullopt;
        if (fault) {
            const Finding finding{.during = During::predicate, .predicate = fault->number};
            faulty = Lost{finding, states.first + static_cast<Id>(fault->state)};
            return;
        }
        for (Id i = 0; i < states.count; ++i) {
            const bool accepted = asked && predicates.holds(i, predicate);
            if (!accepted && !ends_well(required, states.first + i))
                bad.add(states.first + i, 1);
        }
    });
    return faulty;
}

// The vertices of the product with the renamings stand for the states of the full space (asset.checks.soundness). Of
// those that violate, or where evaluating the predicate is a model error, the first one breadth-first is shown.
std::optional<Lost> GraphChecks::lost_progress(const GraphRequirement &required, Settles rule,
                                               const Followed &followed) const {
    const Renamings renamings(space_, graph_, followed, required.idle_steps ? nullptr : &idle_);
    const Product product(graph_, renamings, space_.budget, space_.interrupted);
    VertexSet<false> unsettled = product.nothing();
    std::optional<VertexSet<false>> faulty;
    find_bad(required, followed, product.reachable_from(renamings.starts()), unsettled, faulty);
    if (!faulty)
        Settling(product, unsettled, rule).run();
    const VertexSet<false> &wanted = faulty ? *faulty : unsettled;
    const Id some = wanted.next(0);
    if (some == wanted.states())
        return std::nullopt;
    const Finding finding = faulty ? Finding{.during = During::predicate, .predicate = required.predicates[0]}
                                   : Finding{.requirement = required.requirement};
    if (!lassos_)
        return Lost{finding, some};
    Breadth ways(product);
    ways.search(
        renamings.starts(), [](const auto &) { return true; }, [&](const auto &vertex) { return wanted.has(vertex); });
    const std::size_t last = ways.size() - 1;
    Lasso lasso = faulty ? Lasso{} : LassoSearch(product, unsettled).from(ways[last]);
    return Lost{finding, ways[last].state, std::move(lasso), ways.path_to(last)};
}

void GraphChecks::find_bad(const GraphRequirement &required, const Followed &followed, const VertexSet<false> &reached,
                           VertexSet<false> &bad, std::optional<VertexSet<false>> &faulty) const {
    for (Id id = reached.next(0); id < reached.states(); id = reached.next(id + 1)) {
        space_.heed_interrupt();
        const bool ended = ends_well(required, id);
        for (Modes left = reached[id]; left; left &= left - 1) {
            const auto meaning = static_cast<std::uint32_t>(std::countr_zero(left));
            const std::int32_t holds = space_.model.holds(space_.state(id), followed.first + meaning);
            if (holds < 0 && !faulty)
                faulty.emplace(space_.budget, graph_.ids());
            if (holds < 0)
                faulty->add(id, Modes{1} << meaning);
            else if (!holds && !ended)
                bad.add(id, Modes{1} << meaning);
        }
    }
}

std::optional<Lost> GraphChecks::lost_recurrence(const GraphRequirement &required) const {
    RecurrenceCheck check(space_, graph_, required);
    const std::optional<Id> state = check.first_lost();
    if (!state)
        return std::nullopt;
    return Lost{{.requirement = required.requirement}, *state, lassos_ ? check.cycle_through(*state) : Lasso{}};
}

} // namespace asset
