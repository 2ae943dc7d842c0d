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

#include "frontier.h"
#include "inserter.h"
#include "on_the_fly.h"
#include "path.h"

namespace asset {

template <class Store, bool Parallel> class Explorer {
  public:
    Explorer(const asset_model &model, const Options &options, Budget &budget, Progress &progress,
             const std::atomic<bool> &interrupted)
        : model_(model), options_(options), progress_(progress), interrupted_(interrupted),
          effort_(options.derived ? options.derived->obligations.size() : 0),
          arena_(budget, model.state_words, options.keeping), store_(budget, arena_, model),
          meeting_(options.threads, Advance{this}) {
        workers_.push_back(std::make_unique<Worker>(arena_, budget, model, options, effort_, widened_));
        while (workers_.size() < options.threads)
            if (!add_worker(budget))
                break;
        if (!Parallel && Store::knows_ids && (options.repairs() || !options.on_graph.empty()))
            kept_.begin(budget);
    }

    // Explores every reachable state, or up to the first finding or limit. With Parallel, or if states were not kept,
    // a finding is not told; with Parallel, the counts at a finding or limit depend on chance.
    Stop run() {
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
        workers_[0]->inserter.writer().publish();
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
        workers_[0]->inserter.writer().publish();
    }

    // After that: expands states that were found and never expanded, which lie one after the other. Says what ends the
    // search there, if anything does, and the ids of the successors, which are valid until the next call.
    Expanded expand_now(Range sources) {
        Worker &worker = *workers_[0];
        worker.batch.expand(arena_, sources);
        kept_.make_room(worker.batch);
        if (!worker.inserter.insert(store_, worker.batch, kept_, [&] { return make_room(worker); }) || !kept_.keeping())
            throw std::bad_alloc();
        worker.inserter.writer().publish();
        std::optional<Event> event = worker.batch.first_event(room());
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
        tracer().trace(frontier_.level_of(state), arena_[state], finding);
        finding_ = std::move(finding);
        stop_ = Stop::finding;
    }

    Stop stop() const { return stop_; }
    const std::optional<Finding> &finding() const { return finding_; }
    const Arena &arena() const { return arena_; }
    Store &store() { return store_; }

    // After a complete search the edges, if they were kept: that is so with one thread, if there are requirements on
    // the graph or sets may be widened, as long as memory allows.
    std::optional<Graph> &kept() { return kept_.graph(); }

    Successors &successors() { return workers_[0]->batch.successors(); }

    const Levels &levels() const { return frontier_; }

  private:
    struct Worker {
        Worker(Arena &arena, Budget &budget, const asset_model &model, const Options &options, const Effort &effort,
               const Widened &widened)
            : batch(budget, model, options, effort, widened), inserter(budget, model, arena) {}
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
    };

    enum class Phase { explore, rebuild, done };

    // False if there is no memory for a further one: the search goes on with those that there are.
    bool add_worker(Budget &budget) {
        try {
            workers_.push_back(std::make_unique<Worker>(arena_, budget, model_, options_, effort_, widened_));
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
        std::optional<Finding> wrong = represent(state);
        if (!wrong) {
            if (!insert_alone(state))
                return;
            if (options_.max_states && progress_.states == options_.max_states)
                return halt(Stop::max_states);
            if (++progress_.states > store_.threshold())
                grow_alone();
            wrong = workers_[0]->batch.wrong_with(state);
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
            const Inserted inserted = store_.with_table([&](const auto &table) {
                return table.insert(store_.hasher()(state), state, workers_[0]->inserter.writer());
            });
            if (inserted.how != Insertion::full)
                return inserted.how == Insertion::added;
            grow_alone();
        }
    }

    void grow_alone() {
        workers_[0]->inserter.writer().publish();
        store_.enlarge();
        do {
            for (std::size_t part = 0; part < store_.rebuild_parts(); ++part)
                store_.rebuild(part);
        } while (store_.next_rebuild_round());
    }

    // Replaces a start state by its representative. If it has none, the state is as it was, and that is a model error.
    std::optional<Finding> represent(Word *state) const {
        if (!options_.symmetry || !model_.representatives)
            return std::nullopt;
        const std::vector<Word> before(state, state + model_.state_words);
        asset_fault fault{};
        model_.representatives(state, 1, &fault);
        if (!fault.code)
            return std::nullopt;
        std::copy(before.begin(), before.end(), state);
        return Finding{.during = During::representative};
    }

    void work(Worker &worker) {
        while (phase_ != Phase::done) {
            try {
                if (phase_ == Phase::explore)
                    explore(worker);
                else
                    rebuild();
            } catch (const std::bad_alloc &) {
                halt(Stop::max_memory);
            }
            if (phase_ != Phase::done) // else all have met in the middle of a batch, for the last time
                meet(worker);
        }
    }

    void meet(Worker &worker) {
        worker.inserter.writer().publish();
        if constexpr (Parallel)
            meeting_.arrive_and_wait();
        else
            advance();
    }

    // Decides what comes next; every thread is waiting.
    void advance() noexcept {
        try {
            if (halted_) {
                phase_ = Phase::done;
            } else if (crowded_) {
                crowded_ = false;
                kept_.give_up_rather_than_fail([&] { store_.enlarge(); });
                next_part_ = 0;
                phase_ = Phase::rebuild;
            } else if (phase_ == Phase::rebuild) {
                next_part_ = 0;
                phase_ = store_.next_rebuild_round() ? Phase::rebuild : Phase::explore;
            } else {
                refill();
            }
        } catch (const std::bad_alloc &) {
            halt(Stop::max_memory);
            phase_ = Phase::done;
        }
    }

    void refill() {
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
        } else if (options_.derived) {
            decide_effort(found, size);
        }
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
        while (!halted_.load(std::memory_order_relaxed) && !crowded_.load(std::memory_order_relaxed)) {
            if (interrupted_.load(std::memory_order_relaxed))
                return halt(Stop::interrupted);
            const std::optional<Range> sources = frontier_.take();
            if (!sources)
                return;
            worker.batch.expand(arena_, *sources);
            kept_.make_room(worker.batch);
            if (worker.inserter.insert(store_, worker.batch, kept_, [&] { return make_room(worker); }))
                account(worker, *sources);
            arena_.release(*sources);
        }
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
        std::optional<Event> event = worker.batch.first_event(room());
        const std::size_t edges = event ? event->edges : worker.batch.edges();
        const std::uint32_t *commands = successors.commands(edges);
        const auto fresh = std::count_if(commands, commands + edges, [&](auto each) { return !known[each]; });
        count(worker.batch, 0, static_cast<std::size_t>(fresh), event ? event->states : worker.batch.nr_new());
        if (event)
            end(worker, source, std::move(*event));
        else if (progress_.states > store_.threshold())
            grow_alone();
    }

    std::uint64_t room() const {
        const std::uint64_t states = progress_.states.load(std::memory_order_relaxed);
        return options_.max_states ? options_.max_states - std::min(options_.max_states, states) : ~std::uint64_t{0};
    }

    // In the middle of a batch: the table has grown, or the search has ended and the answer is false.
    bool make_room(Worker &worker) {
        crowded_ = true;
        for (meet(worker); phase_ == Phase::rebuild; meet(worker))
            rebuild();
        return phase_ == Phase::explore;
    }

    // Moves all states to their places in the enlarged table, together with the other threads.
    void rebuild() {
        for (std::size_t part; (part = next_part_.fetch_add(1, std::memory_order_relaxed)) < store_.rebuild_parts();)
            store_.rebuild(part);
    }

    void account(Worker &worker, Range sources) {
        Batch &batch = worker.batch;
        const std::uint64_t states = progress_.states.load(std::memory_order_relaxed);
        if (std::optional<Event> event = batch.first_event(room())) {
            count(batch, event->expanded, event->edges, event->states);
            return end(worker, sources, std::move(*event));
        }
        kept_.add(sources, batch.successors());
        count(batch, sources.count, batch.edges(), batch.nr_new());
        if (states + batch.nr_new() > store_.threshold())
            crowded_ = true;
    }

    void end(Worker &worker, Range sources, Event event) {
        if (!Parallel && event.stop == Stop::finding && arena_.complete()) {
            std::vector<Word> last(model_.state_words);
            const Id source = sources.first + static_cast<Id>(event.source);
            const Word *state = event.in_successor ? worker.batch.successor(event.edges - 1) : arena_[source];
            std::copy_n(state, last.size(), last.data());
            const std::size_t level = event.in_successor ? frontier_.depth() : frontier_.level_of(source);
            tracer().trace(level, last.data(), event.finding);
            finding_ = std::move(event.finding);
        }
        halt(event.stop);
    }

    void count(const Batch &batch, std::size_t expanded, std::size_t edges, std::size_t states) {
        if (states)
            progress_.depth.store(frontier_.depth(), std::memory_order_relaxed);
        progress_.states.fetch_add(states, std::memory_order_relaxed);
        progress_.edges.fetch_add(edges, std::memory_order_relaxed);
        progress_.enabled.fetch_add(batch.successors().enabled(expanded), std::memory_order_relaxed);
        progress_.expanded.fetch_add(expanded, std::memory_order_relaxed);
        progress_.terminal_states.fetch_add(batch.nr_terminal(expanded), std::memory_order_relaxed);
    }

    Tracer tracer() { return {model_, arena_, workers_[0]->batch.successors(), frontier_}; }

    // The first reason counts.
    void halt(Stop reason) {
        if (!halted_.exchange(true))
            stop_ = reason;
    }

    const asset_model &model_;
    const Options options_;
    Progress &progress_;
    const std::atomic<bool> &interrupted_;
    Effort effort_;   // changed only while every thread is waiting
    Widened widened_; // changed only by `widen`
    Arena arena_;
    Store store_;
    std::vector<std::unique_ptr<Worker>> workers_;
    std::barrier<Advance> meeting_;

    // Changed only while every thread is waiting.
    Phase phase_ = Phase::explore;
    Counts before_; // when the level began
    std::optional<Finding> finding_;

    Levels frontier_;
    KeptEdges kept_;
    std::atomic<std::size_t> next_part_{0};
    std::atomic<bool> crowded_{false};
    std::atomic<bool> halted_{false};
    Stop stop_ = Stop::complete;
};

} // namespace asset
