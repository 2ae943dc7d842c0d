// The search loop: the same for every store, for one thread and for many.
//
// A thread takes a batch of states from the frontier, has the source fire commands in them (successors.h), puts what
// they lead to into the store (inserter.h), and has the batch look for what is wrong (batch.h). Threads meet when
// nothing is left of a level, when the table must grow, or when the search ends. What comes next is decided when all
// have met, so nothing else needs a lock.
#pragma once

#include <barrier>
#include <memory>
#include <system_error>
#include <thread>
#include <type_traits>

#include "checkpoints.h"
#include "frontier.h"
#include "inserter.h"
#include "noted.h"
#include "on_the_fly.h"
#include "path.h"
#include "tree_shape.h"

namespace asset {

template <class Store, bool Parallel> class Explorer {
  public:
    static constexpr bool knows_ids = Store::knows_ids;
    static constexpr bool can_be_kept = requires(Store &store, SnapshotWriter &out) { store.archive(out); };

    Explorer(const asset_model &model, const Options &options, Budget &budget, Progress &progress,
             const std::atomic<bool> &interrupted)
        : model_(model), options_(options), progress_(progress), interrupted_(interrupted),
          effort_(options.derived ? options.derived->obligations.size() : 0),
          arena_(budget, Keys::root_words(model), options.keeping, options.few_bytes), store_(store_for(budget)),
          meeting_(options.threads, Advance{this}), frontier_(options.threads) {
        if constexpr (Keys::folds)
            arena_.holds_roots_of(store_.unfolding());
        workers_.push_back(worker_for(budget));
        while (workers_.size() < options.threads)
            if (!add_worker(budget))
                break;
        if (!Parallel && Store::knows_ids && (options.repairs() || !options.on_graph.empty()))
            kept_.begin(budget, options.overflow);
    }

    // Explores every reachable state, or up to a limit or the first finding that ends the search. With Parallel, or if
    // states were not kept, a finding is not whole; with Parallel, the counts at a finding or limit depend on chance.
    Stop run(Checkpoints *checkpoints = nullptr) {
        checkpoints_ = can_be_kept && checkpoints && checkpoints->wanted() ? checkpoints : nullptr;
        if (checkpoints_ && checkpoints_->resumed())
            resume();
        else
            add_starts();
        std::vector<std::jthread> others;
        for (std::size_t i = 1; i < workers_.size(); ++i)
            if (!add_thread(others, *workers_[i]))
                break;
        if constexpr (Parallel) {
            progress_.threads = static_cast<unsigned>(others.size()) + 1;
            for (unsigned missing = progress_.threads; missing < options_.threads; ++missing)
                meeting_.arrive_and_drop(); // nobody is to wait for it; without this thread, no meeting has ended yet
        }
        work(*workers_[0]);
        checkpoints_ = nullptr; // what comes after it is done again
        return stop_;
    }

    // Goes on after a complete search: fires more in some states, and explores what is new. `widened` is told the state
    // and the targets of all its edges, if edges are kept. Not with Parallel.
    template <class Told> Stop widen(std::span<const Widening> widenings, const Told &told) {
        halted_ = false;
        phase_ = Phase::explore;
        std::vector<Id> states;
        for (const Widening &each : widenings)
            states.push_back(each.state);
        frontier_.begin_widening(std::move(states));
        for (const Widening &each : widenings) {
            if (halted_)
                break;
            expand_again(*workers_[0], each);
            if (kept_.keeping())
                told(each.state, std::span<const Id>(kept_.graph()->targets(), workers_[0]->batch.edges()));
        }
        workers_[0]->inserter.publish();
        if (halted_) {
            phase_ = Phase::done;
        } else {
            refill();
            work(*workers_[0]);
        }
        return stop_;
    }

    // Instead of `run`: only the states to start in are found. Not with Parallel.
    void begin() {
        add_starts();
        workers_[0]->inserter.publish();
    }

    // After that: expands states that were found and never expanded, which lie one after the other. Says what ends the
    // search there, if anything does, and the ids of the successors, which are valid until the next call.
    Expanded expand_now(Range sources) {
        options_.between_calls();
        Worker &worker = *workers_[0];
        worker.batch.expand(arena_, sources);
        kept_.make_room(worker.batch);
        if (!worker.inserter.insert(store_, worker.batch, kept_, [&] { return make_room(worker); }) || !kept_.keeping())
            throw std::bad_alloc();
        worker.inserter.publish();
        std::optional<Event> event = worker.batch.first_event(states_left());
        if (event)
            count(worker.batch, event->expanded, event->edges, event->states);
        else
            count(worker.batch, sources.count, worker.batch.edges(), worker.batch.nr_new());
        if (progress_.states > store_.threshold())
            grow_alone();
        return {std::move(event), {kept_.graph()->targets(), worker.batch.edges()}};
    }

    // Ends a complete search with a model error in a state that was expanded.
    void end_with_fault(Id state, const Fault &fault) {
        Finding finding{.during = fault.during, .command = fault.command};
        tracer().trace(frontier_.level_of(state), arena_.state(state, room_), finding);
        finding_ = std::move(finding);
        stop_ = Stop::finding;
    }

    Stop stop() const { return stop_; }

    // In the order in which they were found; while no thread works.
    std::vector<Finding> findings() {
        std::vector<Finding> result;
        for (Noted &each : noted_.all()) {
            show(each);
            result.push_back(each.finding);
        }
        if (finding_)
            result.push_back(*finding_);
        return result;
    }

    const Arena &arena() const { return arena_; }
    Store &store() { return store_; }

    // After a complete search the edges, if they were kept: that is so with one thread, if there are requirements on
    // the graph or sets may be widened, as long as memory allows.
    std::optional<Graph> &kept() { return kept_.graph(); }

    Successors &successors() { return workers_[0]->batch.successors(); }
    auto &keys() { return workers_[0]->inserter.keys(); }
    Unfolded &room() { return room_; }

    const Levels &levels() const { return frontier_; }

  private:
    using Keys = typename Store::Keys;

    struct Worker {
        std::size_t number;
        Batch batch;
        Inserter<Store> inserter;
    };

    struct Advance {
        Explorer *explorer;
        void operator()() noexcept { explorer->advance(); }
    };

    struct Counts {
        std::uint64_t expanded = 0;
        std::uint64_t enabled = 0;
        std::uint64_t edges = 0;

        template <class Archive> void archive(Archive &archive) { archive(expanded, enabled, edges); }
    };

    enum class Phase { explore, rebuild, done };

    Store store_for(Budget &budget) {
        if constexpr (std::is_constructible_v<Store, Budget &, const Arena &, const asset_model &,
                                              const Approximation &>)
            return Store(budget, arena_, model_, options_.approximation);
        else if constexpr (Keys::folds)
            return Store(budget, arena_, model_, Keys::shape(model_, options_));
        else
            return Store(budget, arena_, model_);
    }

    std::unique_ptr<Worker> worker_for(Budget &budget) {
        return std::unique_ptr<Worker>(new Worker{workers_.size(), Batch(budget, model_, options_, effort_, widened_),
                                                  Inserter<Store>(budget, arena_, model_.state_words, new_keys())});
    }

    Keys new_keys() {
        if constexpr (Keys::folds)
            return Keys(store_.forest());
        else
            return Keys();
    }

    // False if there is no memory for a further one: the search goes on with those that there are.
    bool add_worker(Budget &budget) {
        try {
            workers_.push_back(worker_for(budget));
            return true;
        } catch (const std::bad_alloc &) {
            return false;
        }
    }

    // False if the system refuses a further thread.
    bool add_thread(std::vector<std::jthread> &threads, Worker &worker) {
        try {
            threads.emplace_back([this, &worker] { work(worker); });
            return true;
        } catch (const std::system_error &) {
            return false;
        } catch (const std::bad_alloc &) {
            return false;
        }
    }

    void add_starts() {
        std::vector<Word> state(model_.state_words);
        for (std::size_t first = 0; first < options_.starts.size() && !halted_; first += state.size()) {
            std::copy_n(&options_.starts[first], state.size(), state.data());
            add_start(state.data());
        }
        refill();
    }

    void add_start(Word *state) {
        std::optional<Finding> wrong;
        if (!represent(model_, options_, state)) {
            wrong = Finding{.during = During::representative};
        } else {
            if (!insert_alone(state))
                return;
            if (options_.max_states && progress_.states == options_.max_states)
                return halt(Stop::max_states);
            if (++progress_.states > store_.threshold())
                grow_alone();
            wrong = workers_[0]->batch.wrong_with(state);
            for (; wrong && goes_on_after(*wrong); wrong = workers_[0]->batch.wrong_with(state)) {
                wrong->is_only(state, model_.state_words);
                note(*workers_[0], {std::move(*wrong), 0});
            }
        }
        if (!wrong)
            return;
        tracer().trace(0, state, *wrong);
        finding_ = std::move(wrong);
        halt(Stop::finding);
    }

    // While no other thread works. False if the state was known.
    bool insert_alone(const Word *state) {
        for (;;) {
            const Inserted inserted = workers_[0]->inserter.insert(store_, state);
            if (inserted.how != Insertion::full)
                return inserted.how == Insertion::added;
            grow_alone();
        }
    }

    void grow_alone() {
        workers_[0]->inserter.publish();
        store_.enlarge();
        do {
            for (std::size_t part = 0; part < store_.rebuild_parts(); ++part)
                store_.rebuild(part);
        } while (store_.next_rebuild_round());
    }

    void work(Worker &worker) {
        while (phase_ != Phase::done) {
            try {
                if (phase_ == Phase::explore)
                    explore(worker);
                else
                    rebuild();
            } catch (const std::bad_alloc &) {
                broken_ = true;
                halt(Stop::max_memory);
            }
            if (phase_ != Phase::done) // else all have met in the middle of a batch, for the last time
                meet(worker);
        }
    }

    void meet(Worker &worker) {
        worker.inserter.publish();
        if constexpr (Parallel)
            meeting_.arrive_and_wait();
        else
            advance();
    }

    // Decides what comes next; every thread is waiting.
    void advance() noexcept {
        const Working working(profile(), Work::memory);
        try {
            if (halted_) {
                phase_ = Phase::done;
                if (checkpoints_ && stop_ == Stop::interrupted && !broken_ && inside_ == 0)
                    write_checkpoint();
            } else if (crowded_) {
                crowded_ = false;
                kept_.give_up_rather_than_fail([&] { store_.enlarge(); });
                next_part_ = 0;
                phase_ = Phase::rebuild;
            } else if (phase_ == Phase::rebuild) {
                next_part_ = 0;
                phase_ = store_.next_rebuild_round() ? Phase::rebuild : Phase::explore;
            } else if (due_) {
                write_checkpoint();
            } else {
                refill();
            }
        } catch (const std::bad_alloc &) {
            halt(Stop::max_memory);
            phase_ = Phase::done;
        }
    }

    void refill() {
        options_.between_calls();
        std::vector<Range> found;
        std::vector<Arena::Writer *> writers;
        for (const auto &worker : workers_) {
            worker->inserter.writer().collect(found);
            writers.push_back(&worker->inserter.writer());
        }
        arena_.begin_level(found, writers);
        const Id size = frontier_.refill(found, arena_, workers_[0]->batch.capacity());
        if (size == 0) {
            halt(Stop::complete);
            phase_ = Phase::done;
            if (checkpoints_ && (options_.repairs() || !options_.on_graph.empty()))
                write_checkpoint(); // before what is asked of the graph
            return;
        }
        if (options_.derived)
            decide_effort(found, size);
        options_.at_level(frontier_);
    }

    // Whether stubborn sets paid in earlier levels decides whether they are looked for in the next, which was found.
    void decide_effort(const std::vector<Range> &found, Id size) {
        const Counts now{progress_.expanded, progress_.enabled, progress_.edges};
        effort_.end_level(now.expanded - before_.expanded, now.enabled - before_.enabled, now.edges - before_.edges,
                          size);
        before_ = now;
        if (!effort_.reducing())
            for (const Range &range : found)
                effort_.add_full(range);
    }

    void explore(Worker &worker) {
        while (!halted_.load(std::memory_order_relaxed) && !crowded_.load(std::memory_order_relaxed) &&
               !due_.load(std::memory_order_relaxed)) {
            if (interrupted_.load(std::memory_order_relaxed))
                return halt(Stop::interrupted);
            const std::optional<Range> sources = frontier_.take(worker.number);
            if (!sources)
                return;
            expand(worker, *sources);
            if (insert(worker))
                account(worker, *sources);
            arena_.release(*sources);
            if (checkpoints_ && &worker == workers_[0].get() && checkpoints_->due())
                due_ = true; // only after a batch, so that the search gets on however often it is due
        }
    }

    void expand(Worker &worker, Range sources) {
        const Working working(profile(), Work::successors);
        worker.batch.expand(arena_, sources);
        for (Id i = 0; profile() && i < sources.count; ++i)
            profile()->offer(worker.batch.successors().source(i), model_.state_words);
        kept_.make_room(worker.batch);
    }

    // False if the search has ended.
    bool insert(Worker &worker) {
        const Working working(profile(), Work::look_ups);
        return worker.inserter.insert(store_, worker.batch, kept_, [&] { return make_room(worker); });
    }

    // Fires more in a state that was expanded. Only what was not fired before is counted.
    void expand_again(Worker &worker, const Widening &widening) {
        Successors &successors = worker.batch.successors();
        const Range source{widening.state, 1};
        successors.expand(arena_, source);
        std::vector<bool> known(model_.nr_commands);
        for (const std::uint32_t command : std::span(successors.commands(successors.edges()), successors.edges()))
            known[command] = true;
        widened_.add(widening);
        worker.batch.expand(arena_, source);
        kept_.make_room(worker.batch);
        if (!worker.inserter.insert(store_, worker.batch, kept_, [&] { return make_room(worker); }))
            return;
        std::optional<Event> event = ending_event(worker, source);
        const std::size_t edges = event ? event->edges : worker.batch.edges();
        const std::uint32_t *commands = successors.commands(edges);
        const auto fresh = std::count_if(commands, commands + edges, [&](auto each) { return !known[each]; });
        count(worker.batch, 0, static_cast<std::size_t>(fresh), event ? event->states : worker.batch.nr_new());
        if (event)
            end(worker, source, std::move(*event));
        else if (progress_.states > store_.threshold())
            grow_alone();
    }

    // Every thread is waiting, and none is in the middle of a batch.
    void write_checkpoint() {
        due_ = false;
        checkpoints_->write([&](SnapshotWriter &out) {
            archive(out);
            std::vector<Range> found;
            for (const auto &worker : workers_)
                worker->inserter.writer().tell(found);
            arena_.save(out, frontier_.left(), std::move(found));
            if constexpr (can_be_kept)
                store_.archive(out);
        });
    }

    // Goes on where a search was when it was written. Which edges it had is not known: they are built if need be.
    void resume() {
        SnapshotReader &in = *checkpoints_->resumed();
        kept_.graph().reset();
        archive(in);
        for (const auto &worker : workers_)
            for (const Noted &each : noted_.all())
                worker->batch.leave_out(each.finding.requirement);
        const std::vector<Range> left = arena_.load(in, workers_[0]->inserter.writer());
        if constexpr (can_be_kept)
            store_.archive(in);
        checkpoints_->resumed().reset();
        frontier_.resume(left, arena_, workers_[0]->batch.capacity());
        if (left.empty())
            refill();
    }

    template <class Archive> void archive(Archive &archive) {
        for (auto *count : counts_of(progress_)) {
            std::uint64_t value = *count;
            archive(value);
            *count = value;
        }
        archive(before_, effort_, frontier_, noted_);
    }

    std::uint64_t states_left() const {
        const std::uint64_t states = progress_.states.load(std::memory_order_relaxed);
        return options_.max_states ? options_.max_states - std::min(options_.max_states, states) : ~std::uint64_t{0};
    }

    // In the middle of a batch: the table has grown, or the search has ended and the answer is false.
    bool make_room(Worker &worker) {
        const Working working(profile(), Work::memory);
        crowded_ = true;
        ++inside_;
        for (meet(worker); phase_ == Phase::rebuild; meet(worker))
            rebuild();
        --inside_;
        return phase_ == Phase::explore;
    }

    // Moves all states to their places in the enlarged table, together with the other threads.
    void rebuild() {
        const Working working(profile(), Work::memory);
        for (std::size_t part; (part = next_part_.fetch_add(1, std::memory_order_relaxed)) < store_.rebuild_parts();)
            store_.rebuild(part);
    }

    void account(Worker &worker, Range sources) {
        const Working working(profile(), Work::properties);
        Batch &batch = worker.batch;
        const std::uint64_t states = progress_.states.load(std::memory_order_relaxed);
        if (std::optional<Event> event = ending_event(worker, sources)) {
            count(batch, event->expanded, event->edges, event->states);
            return end(worker, sources, std::move(*event));
        }
        kept_.add(sources, batch.successors());
        count(batch, sources.count, batch.edges(), batch.nr_new());
        if (states + batch.nr_new() > store_.threshold())
            crowded_ = true;
    }

    void end(Worker &worker, Range sources, Event event) {
        if (event.stop != Stop::finding)
            return halt(event.stop);
        Noted found = noted(worker, sources, std::move(event));
        halt(found.finding); // before the way to it is looked for: even if there is no memory for that, it was found
        if (Parallel || !arena_.complete())
            return;
        trace(found);
        finding_ = std::move(found.finding);
    }

    bool goes_on_after(const Finding &finding) const { return options_.keep_going && finding.requirement != none; }

    // The first event in the batch that ends the search. What it goes on after is noted.
    std::optional<Event> ending_event(Worker &worker, Range sources) {
        std::optional<Event> event = worker.batch.first_event(states_left());
        while (event && event->stop == Stop::finding && goes_on_after(event->finding)) {
            note(worker, noted(worker, sources, std::move(*event)));
            event = worker.batch.first_event(states_left());
        }
        return event;
    }

    // What was found in a batch: the state, and its level.
    Noted noted(const Worker &worker, Range sources, Event event) const {
        const Id source = sources.first + static_cast<Id>(event.source);
        const Word *state = event.in_successor ? worker.batch.successor(event.edges - 1)
                                               : worker.batch.successors().source(event.source);
        event.finding.is_only(state, model_.state_words);
        return {std::move(event.finding), event.in_successor ? frontier_.depth() : frontier_.level_of(source)};
    }

    void note(Worker &worker, Noted found) {
        worker.batch.leave_out(found.finding.requirement);
        noted_.add(std::move(found));
    }

    // The way to what was noted, if there are the states and the memory to find it.
    void show(Noted &found) {
        if (Parallel || !arena_.complete() || found.finding.whole)
            return;
        try {
            trace(found);
        } catch (const std::bad_alloc &) {
        }
    }

    void trace(Noted &found) {
        const std::vector<Word> last = found.finding.states;
        tracer().trace(found.level, last.data(), found.finding);
    }

    void count(const Batch &batch, std::size_t expanded, std::size_t edges, std::size_t states) {
        if (states)
            progress_.depth.store(frontier_.depth(), std::memory_order_relaxed);
        add_to<Parallel>(progress_.states, states);
        add_to<Parallel>(progress_.edges, edges);
        add_to<Parallel>(progress_.enabled, batch.successors().enabled(expanded));
        add_to<Parallel>(progress_.expanded, expanded);
        add_to<Parallel>(progress_.terminal_states, batch.nr_terminal(expanded));
    }

    Profile *profile() const { return Parallel ? nullptr : options_.profile.get(); }
    Tracer tracer() { return {model_, arena_, workers_[0]->batch.successors(), frontier_}; }

    // The first reason counts.
    void halt(Stop reason) {
        if (!halted_.exchange(true))
            stop_ = reason;
    }

    void halt(const Finding &finding) {
        if (halted_.exchange(true))
            return;
        stop_ = Stop::finding;
        finding_ = finding;
    }

    const asset_model &model_;
    const Options options_;
    Progress &progress_;
    const std::atomic<bool> &interrupted_;
    Effort effort_;   // changed only while every thread is waiting
    Widened widened_; // changed only by `widen`
    Arena arena_;
    Unfolded room_;
    Store store_;
    std::vector<std::unique_ptr<Worker>> workers_;
    std::barrier<Advance> meeting_;

    // Changed only while every thread is waiting.
    Phase phase_ = Phase::explore;
    Counts before_;                  // when the level began
    std::optional<Finding> finding_; // by the thread that ends the search

    NotedFindings noted_;

    Levels frontier_;
    KeptEdges kept_;
    std::atomic<std::size_t> next_part_{0};
    Checkpoints *checkpoints_ = nullptr; // if they are wanted
    std::atomic<bool> due_{false};       // one of them is
    std::atomic<unsigned> inside_{0};    // threads that wait in the middle of a batch
    std::atomic<bool> broken_{false};    // a batch was not done to its end
    std::atomic<bool> crowded_{false};
    std::atomic<bool> halted_{false};
    Stop stop_ = Stop::complete;
};

} // namespace asset
