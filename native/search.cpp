#include "search.h"

#include <stdexcept>
#include <utility>

#include "approximate_stores.h"
#include "disk_search.h"
#include "frontier.h"
#include "indexed_store.h"
#include "losing.h"
#include "packed_store.h"
#include "quotient_store.h"
#include "stopwatch.h"
#include "tree_store.h"

namespace asset {
namespace {

// States of so many words are kept as keys (pieces.h), if these suit: it takes no longer, and a third to two thirds of
// the memory. The 2.3 million states of elections of 13 stations (16 words) take 33 bytes each and 0.69 s, as trees 29
// bytes and 0.88 s; those of SPIN's leader (7 words, 5.4 million) 30 bytes and 0.92 s, as rows of numbers of 32 bits 47
// bytes and 1.0 to 1.2 s. Of fewer words they take less memory as well, but an interlocking (4 words) as long, and
// SPIN's dtp (6 words) half as long again.
constexpr std::uint32_t least_packed = 7;

// States of so many words, whose keys do not suit, are kept as trees (tree.h), if these pay.
constexpr std::uint32_t least_as_tree = 12;

const asset_model &checked_model(const asset_model &model) {
    if (model.abi_version != ASSET_ABI_VERSION)
        throw std::invalid_argument("the model was compiled for another version of the engine");
    return model;
}

void demand(bool condition, const char *otherwise) {
    if (!condition)
        throw std::invalid_argument(otherwise);
}

bool is_well_formed(const AutomatonData &automaton, std::size_t sets) {
    const auto is_set = [&](std::uint32_t set) { return set < sets; };
    const auto is_known = [&](const Observation &each) {
        const bool is_of_set = each.kind == Observation::Kind::enabled || each.kind == Observation::Kind::taken;
        return !is_of_set || is_set(each.number);
    };
    const auto moves = [&](const Move &move) {
        return move.source < automaton.modes && move.target < automaton.modes && move.yes.size() == automaton.words() &&
               move.no.size() == automaton.words();
    };
    return automaton.acceptance <= 64 && automaton.weak.size() <= 64 && automaton.strong.size() <= 64 &&
           std::ranges::all_of(automaton.weak, is_set) && std::ranges::all_of(automaton.strong, is_set) &&
           std::ranges::all_of(automaton.observations, is_known) && std::ranges::all_of(automaton.moves, moves);
}

bool is_well_formed(const std::vector<BranchingPart> &formula, std::size_t observations) {
    using Op = BranchingPart::Op;
    for (std::size_t i = 0; i < formula.size(); ++i) {
        const BranchingPart &part = formula[i];
        const bool is_leaf = part.op == Op::constant || part.op == Op::observed;
        if (part.op == Op::observed && part.left >= observations)
            return false;
        if (!is_leaf && (part.left >= i || part.right >= i))
            return false;
    }
    return true;
}

const Options &checked_options(const asset_model &model, const Options &options) {
    const auto demand_predicate = [&](std::int64_t number) {
        demand(number >= 0 && number < model.nr_predicates, "a predicate that the model does not have");
    };
    demand(options.visible.empty() || options.visible.size() >= model.nr_commands, "visible commands of another model");
    demand(!options.starts.empty() && options.starts.size() % model.state_words == 0, "no whole states to start in");
    for (const auto *required : {&options.in_states, &options.in_terminal_states})
        for (const StateRequirement &each : *required)
            demand_predicate(each.predicate);
    for (const GraphRequirement &each : options.on_graph) {
        demand(is_well_formed(each), "a requirement on the graph that no rule is for");
        for (const std::uint32_t predicate : each.predicates)
            demand_predicate(predicate);
        for (const std::vector<std::uint32_t> &commands : each.commands)
            for (const std::uint32_t command : commands)
                demand(command < model.nr_commands, "a command that the model does not have");
        demand(is_well_formed(each.automaton, each.commands.size()), "an automaton that is too large");
        for (const Observation &observed : each.automaton.observations)
            demand(observed.kind != Observation::Kind::of_step || model.holds_of_step, "no predicates of steps");
        demand(is_well_formed(each.formula, each.automaton.observations.size()), "a formula that is not well-formed");
    }
    const auto is_temporal = [](const GraphRequirement &each) {
        return static_cast<Rule>(each.rule) == Rule::temporal;
    };
    demand(!options.profile || options.threads <= 1, "a profile of more than one thread");
    demand(!options.on_the_fly || (!options.stubborn && !options.derived && options.followed.empty() &&
                                   std::ranges::all_of(options.on_graph, is_temporal)),
           "on the fly, formulas of linear time logic are decided in all states that are explored");
    const Approximation &how = options.approximation;
    demand(how.kind == Approximation::Kind::none ||
               (options.on_graph.empty() && !options.stubborn && !options.derived && how.parameter > 0 &&
                how.bytes >= sizeof(Word) && (how.kind != Approximation::Kind::compact || how.parameter <= 16)),
           "an approximate store is for requirements of states, without stubborn sets");
    for (const Followed &each : options.followed)
        demand(model.steps && model.holds && each.meanings > 0 && each.meanings <= 64, "nothing to follow");
    return options;
}

} // namespace

void check(const asset_model &model, const Options &options) { checked_options(checked_model(model), options); }

Search::Search(const asset_model &model, const Options &options)
    : model_(checked_model(model)), options_(checked_options(model, options)),
      budget_(options.max_memory ? options.max_memory : available_memory()), tree_(options.storing == Storing::tree),
      checkpoints_(options_.checkpoint, [this](SnapshotWriter &out) { archive(out); }) {
    if (!options_.spill.empty())
        overflow_.emplace(options_.spill, budget_);
}

void Search::improve(const asset_model &better) {
    demand(checked_model(better).state_words == model_.state_words && better.state_bits == model_.state_bits &&
               better.nr_commands == model_.nr_commands && better.nr_predicates == model_.nr_predicates,
           "code of another model");
    better_ = &better;
}

void Search::take_better_code() {
    if (better_.load(std::memory_order_relaxed))
        model_ = *better_.exchange(nullptr, std::memory_order_acquire);
}

// A search that is made again is not asked again.
void Search::stand(const Levels &levels) {
    const std::vector<std::uint64_t> &stations = options_.stations;
    while (pass_ == Pass::first && standings_.size() < stations.size() &&
           progress_.states >= stations[standings_.size()]) {
        const std::lock_guard lock(standing_);
        standings_.push_back({levels.sizes(), progress_.states, progress_.edges});
    }
    if (!stations.empty() && standings_.size() == stations.size()) {
        const Stopwatch stopwatch(waited_seconds_);
        may_go_on_.wait(false);
    }
}

std::vector<Standing> Search::standings() const {
    const std::lock_guard lock(standing_);
    return standings_;
}

void Search::run() {
    if (options_.profile)
        options_.profile->start();
    if (options_.on_the_fly)
        return explore_first();
    if (checkpoints_.resumed())
        archive(*checkpoints_.resumed());
    if (pass_ == Pass::first) {
        explore_first();
        pass_ = leaving_out_ ? Pass::alone : pass_;
    }
    if (pass_ == Pass::alone)
        explore<false>();
    if (pass_ != Pass::shown && !is_whole())
        see();
    if (pass_ == Pass::shown)
        show();
}

// If keys have no room for all that wide states are made of, the search begins anew with other ways to keep these. If
// memory ends, wide states may still fit as trees; if these take more, what was counted before is told. What does
// not fit at all can be in files.
void Search::explore_first() {
    explore_as_asked();
    if (cutting_ && cutting_->full) {
        packs_ = false;
        explore_as_asked();
    }
    if (may_fold()) {
        const Seen before = seen();
        tree_ = true;
        explore_as_asked();
        if (stop_ == Stop::max_memory && progress_.states < before.counts[0])
            restore(before);
    }
    if (stop_ == Stop::max_memory && DiskSearch::suits(options_))
        explore_on_disk();
}

void Search::explore_on_disk() {
    reset(progress_);
    explored_ = false;
    progress_.threads = 1;
    nodes_.reset();
    Options options = options_;
    options.threads = 1;
    std::optional<DiskSearch> search;
    try {
        search.emplace(model_, options, budget_, progress_, interrupted_);
        stop_ = search->run();
        explored_ = stop_ == Stop::complete;
        if (explored_ && !options_.on_graph.empty())
            check_graph(*search);
    } catch (const std::bad_alloc &) {
        stop_ = Stop::max_memory;
    } catch (const SpillFailed &failed) {
        stop_ = Stop::max_memory;
        spill_failure_ = failed.what();
    } catch (const Interrupted &) {
        stop_ = Stop::interrupted;
    }
    if (!search)
        return;
    if (search->finding()) { // else what was found before memory ended is still true
        findings_.assign(1, *search->finding());
        stop_ = Stop::finding;
    }
    levels_ = search->levels();
    spilled_ = search->bytes_on_disk();
}

void Search::check_graph(DiskSearch &search) {
    const Explored explored = search.end_exploring();
    overflow_->count_pages();
    const DiskGraph graph(budget_, overflow_->files(), explored);
    decide([&](std::size_t &next) { return lost_with_run(graph.space(), graph.graph(), graph.levels(), next); });
}

void Search::decide(const std::function<std::optional<Lost>(std::size_t &)> &find) {
    std::size_t next = 0;
    while (stop_ == Stop::complete) {
        std::optional<Lost> lost = find(next);
        if (!lost)
            return;
        findings_.push_back(std::move(lost->finding));
        if (!options_.keep_going || findings_.back().requirement == none)
            stop_ = Stop::finding;
    }
}

std::optional<std::uint64_t> Search::spilled() const {
    const std::uint64_t pages = overflow_ && overflow_->paging() ? overflow_->paging()->most() : 0;
    return spilled_ || pages ? std::optional(spilled_.value_or(0) + pages) : std::nullopt;
}

std::string Search::spill_failure() const {
    const bool paging = spill_failure_.empty() && overflow_ && overflow_->paging();
    return paging ? overflow_->paging()->failure() : spill_failure_;
}

void Search::explore_as_asked() {
    if (options_.threads > 1)
        explore<true>();
    else
        explore<false>();
}

bool Search::may_fold() const {
    const bool exact = options_.approximation.kind == Approximation::Kind::none;
    return stop_ == Stop::max_memory && !tree_ && exact && options_.storing == Storing::fitting &&
           model_.state_words > QuotientStore<2, false>::words;
}

Search::Seen Search::seen() const {
    Seen result{stop_, findings_, {}, levels_, explored_};
    for (const auto *count : counts_of(progress_))
        result.counts.push_back(*count);
    return result;
}

// What was found again is better than what was seen.
void Search::restore(const Seen &seen) {
    std::vector<Finding> again = std::exchange(findings_, seen.findings);
    for (Finding &before : findings_)
        for (Finding &found : again)
            if (found.requirement == before.requirement)
                before = std::move(found);
    stop_ = seen.stop;
    levels_ = seen.levels;
    explored_ = seen.explored;
    for (std::size_t i = 0; auto *count : counts_of(progress_))
        *count = seen.counts[i++];
}

void Search::see() {
    pass_ = Pass::shown;
    seen_ = seen();
}

// Searches once more, with one thread and with all states: for the way to the finding and because, with threads, what
// is found first depends on chance. If there is no room or no time for that, what was seen is still true.
void Search::show() {
    explore<false>();
    if (stop_ != Stop::finding && stop_ != Stop::complete)
        restore(seen_);
}

// A complete search needs the states that were expanded only for what is asked of the graph, and for rules that know
// states by their ids. One that ends with a finding needs them for the way to it, so it is made again, with a file.
Keeping Search::keeping() const {
    if (options_.repairs() || !options_.on_graph.empty() || options_.derived || options_.in_order)
        return Keeping::in_memory;
    return pass_ == Pass::shown ? Keeping::in_file : Keeping::while_few;
}

template <bool Parallel> void Search::explore_approximately() {
    const bool one_word = model_.state_words == 1;
    if (options_.approximation.kind == Approximation::Kind::bitstate)
        return one_word ? explore_with<ApproximateStore<BitTable, 1, Parallel>, Parallel>()
                        : explore_with<ApproximateStore<BitTable, 0, Parallel>, Parallel>();
    return one_word ? explore_with<ApproximateStore<CompactTable, 1, Parallel>, Parallel>()
                    : explore_with<ApproximateStore<CompactTable, 0, Parallel>, Parallel>();
}

template <bool Parallel> void Search::explore() {
    if (options_.approximation.kind != Approximation::Kind::none)
        return explore_approximately<Parallel>();
    // To keep edges, ids must be known. Keeping them, Peterson's algorithm for 4 (26 million states, 105 million edges)
    // is explored and checked for may progress in 10.7 s, and the ring of 8 for termination in 1.3 s; rebuilding them
    // afterwards, it takes 13.8 s and, though this store is faster, 2.0 s.
    const bool ids = !Parallel && (options_.repairs() || !options_.on_graph.empty());
    if (!tree_)
        return explore_in_tables<Parallel>(ids);
    if constexpr (!Parallel)
        if (ids)
            return explore_with<TreeStore<false, true>, false>();
    explore_with<TreeStore<Parallel, false>, Parallel>();
}

template <bool Parallel> void Search::explore_in_tables(bool ids) {
    if (!ids && QuotientStore<1, Parallel>::suits(model_))
        return explore_with<QuotientStore<1, Parallel>, Parallel>();
    if (!ids && QuotientStore<2, Parallel>::suits(model_))
        return explore_with<QuotientStore<2, Parallel>, Parallel>();
    switch (model_.state_words) {
    case 1:
        return explore_with<IndexedStore<1, Parallel>, Parallel>();
    case 2:
        return explore_with<IndexedStore<2, Parallel>, Parallel>();
    case 3:
        return explore_with<IndexedStore<3, Parallel>, Parallel>();
    default:
        return explore_wide<Parallel>();
    }
}

template <bool Parallel> void Search::explore_wide() {
    const std::uint32_t words = model_.state_words;
    const bool fitting = options_.storing == Storing::fitting;
    if (words >= least_packed && packs_ && (cutting_ = cutting_that_fits(model_, options_)))
        return explore_packed<Parallel>();
    // With one thread, trees that know the ids of states: a twentieth slower, but the way to a finding is known at
    // once.
    if (words >= least_as_tree && fitting && (tree_shape_ = shape_that_pays(model_, options_)))
        return explore_with<TreeStore<Parallel, !Parallel>, Parallel>();
    explore_with<IndexedStore<0, Parallel>, Parallel>();
}

template <bool Parallel> void Search::explore_packed() {
    switch (cutting_->key_words) {
    case 2:
        return explore_with<PackedStore<2, Parallel>, Parallel>();
    case 3:
        return explore_with<PackedStore<3, Parallel>, Parallel>();
    default:
        return explore_with<PackedStore<4, Parallel>, Parallel>();
    }
}

} // namespace asset
