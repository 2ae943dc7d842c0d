// What a search does with one kind of store. Each kind is compiled in a file of its own (search_*.cpp), as they take
// long.
#pragma once

#include <utility>

#include "edges.h"
#include "explorer.h"
#include "ignoring.h"
#include "losing.h"
#include "postponing.h"
#include "stopwatch.h"

namespace asset {

// The edges of a complete search: as they were kept, or built now. If they are built `again` when memory ends
// meanwhile, the table stays until they are there.
template <class Explorer>
Graph &edges_of(Explorer &explorer, const Space &space, std::uint64_t states, bool again = false) {
    std::optional<Graph> &edges = explorer.kept();
    if (!edges) {
        Graph graph(space.budget);
        const auto build = [&](const auto &table) {
            EdgeBuilder(table, space.arena, space.successors, explorer.keys()).build(graph, space);
        };
        bool built = false;
        if constexpr (Explorer::knows_ids)
            if ((built = again || space.options.repairs())) // then the table is needed for more
                build(explorer.store().table());
        if (!built || !space.options.repairs()) {
            const auto numbered = explorer.store().numbered(states); // has no other use, so it ends here
            if (!built)
                build(numbered.table());
        }
        edges = std::move(graph);
    }
    edges->finish(space.arena.end());
    return *edges;
}

template <class Store, bool Parallel> void Search::explore_with() {
    reset(progress_);
    explored_ = false;
    findings_.clear();
    Options options = options_;
    options.between_calls = [this] { take_better_code(); };
    options.at_level = [this](const Levels &levels) { stand(levels); };
    options.threads = Parallel ? options_.threads : 1;
    if constexpr (!Store::knows_ids)
        options.keeping = keeping();
    if (options.approximation.kind != Approximation::Kind::none)
        options.few_bytes = 0; // memory is for the table
    options.overflow = overflow_ ? &*overflow_ : nullptr;
    options.tree_shape = tree_shape_;
    options.cutting = cutting_;
    options.few_bytes = std::min<std::uint64_t>(options.few_bytes, budget_.limit() / 16);
    try {
        Explorer<Store, Parallel> explorer(model_, options, budget_, progress_, interrupted_);
        if constexpr (!Parallel)
            if (options_.on_the_fly)
                return explore_on_the_fly(explorer);
        stop_ = explorer.run(&checkpoints_);
        findings_ = explorer.findings();
        if constexpr (requires { typename Store::AsTrees; })
            nodes_ = explorer.store().forest().count;
        if (stop_ == Stop::complete && options_.repairs()) {
            const Stopwatch stopwatch(repair_seconds_);
            repair<Parallel>(explorer);
            findings_ = explorer.findings();
        }
        levels_ = explorer.levels().sizes();
        explored_ = stop_ == Stop::complete && !leaving_out_;
        if (stop_ == Stop::complete && !leaving_out_ && !options_.on_graph.empty()) {
            const Working working(options_.profile.get(), Work::graph);
            check_graph<Parallel>(explorer);
        }
    } catch (const std::bad_alloc &) {
        stop_ = Stop::max_memory;
    } catch (const Interrupted &) {
        stop_ = Stop::interrupted;
    }
}

template <class Explorer> void Search::explore_on_the_fly(Explorer &explorer) {
    explorer.begin();
    stop_ = explorer.stop();
    findings_ = explorer.findings();
    if (stop_ != Stop::complete)
        return;
    const Space space{model_,         options_, budget_, interrupted_, explorer.arena(), explorer.successors(),
                      explorer.room()};
    OnTheFly on_the_fly(space, explorer.levels(), [&](Range sources) { return explorer.expand_now(sources); });
    stop_ = on_the_fly.run();
    if (on_the_fly.finding())
        findings_.assign(1, *on_the_fly.finding());
    product_vertices_ = on_the_fly.vertices();
    product_edges_ = on_the_fly.edges();
    progress_.depth = on_the_fly.depth();
}

// Widens stubborn sets until nothing is ignored, if that is asked for, and no visible command is postponed. Either may
// make new cycles or components, so both are looked for until there are none.
template <bool Parallel, class Explorer> void Search::repair(Explorer &explorer) {
    const Space space{model_,         options_, budget_, interrupted_, explorer.arena(), explorer.successors(),
                      explorer.room()};
    WidenedGraph graph(space, edges_of(explorer, space, progress_.states));
    const auto go_on = [&] { return stop_ == Stop::complete && !leaving_out_; };
    leaving_out_ = false;
    bool again = true;
    while (again) {
        if (options_.repair)
            widen<Parallel, Ignoring>(explorer, space, graph);
        again = go_on() && !options_.visible.empty() && widen<Parallel, Postponing>(explorer, space, graph) &&
                options_.repair && go_on();
    }
    if (!Parallel && go_on() && !graph.as_written())
        explorer.kept() = graph.written();
}

// Widens sets until nothing is left out for ever that is looked for; whether anything was. Several threads only look.
template <bool Parallel, class Looking, class Explorer>
bool Search::widen(Explorer &explorer, const Space &space, WidenedGraph &graph) {
    Looking looking(space, graph);
    std::vector<Widening> widenings = looking.look(space.arena.end());
    const bool found = !widenings.empty() || looking.faulty();
    leaving_out_ = Parallel && found;
    if constexpr (!Parallel) {
        std::vector<Id> roots;
        while (!widenings.empty() && !looking.faulty()) {
            stop_ = explorer.widen(widenings, [&](Id id, std::span<const Id> targets) { graph.replace(id, targets); });
            if (stop_ != Stop::complete)
                return true;
            edges_of(explorer, space, progress_.states);
            roots.clear();
            for (const Widening &each : widenings)
                roots.push_back(each.state);
            widenings = looking.look(roots, space.arena.end());
        }
        if (looking.faulty()) {
            explorer.end_with_fault(looking.faulty()->state, looking.faulty()->fault);
            stop_ = explorer.stop();
        }
    }
    return found;
}

// In memory; if that is not enough, in files.
template <bool Parallel, class Explorer> void Search::check_graph(Explorer &explorer) {
    std::optional<Graph> &kept = explorer.kept();
    const std::vector<Finding> before = findings_;
    if (!kept || !kept->in_files()) {
        try {
            return check_graph<Parallel>(explorer, budget_);
        } catch (const std::bad_alloc &) {
            if (!overflow_)
                throw;
        }
        findings_ = before;
        stop_ = Stop::complete;
        if (kept)
            kept->move_to(overflow_->files());
        overflow_->count_pages();
    }
    check_graph<Parallel>(explorer, overflow_->files());
}

template <bool Parallel, class Explorer> void Search::check_graph(Explorer &explorer, Budget &budget) {
    const Space space{model_, options_, budget, interrupted_, explorer.arena(), explorer.successors(), explorer.room()};
    const bool again = overflow_ && &budget == &budget_;
    const Graph &edges = edges_of(explorer, space, progress_.states, again);
    const auto find = Parallel ? nullptr : overflow_ ? lost_with_run : lost_perhaps_with_run;
    decide([&](std::size_t &next) {
        return find ? find(space, edges, explorer.levels(), next) : lost_alone(space, edges, next);
    });
}

} // namespace asset
