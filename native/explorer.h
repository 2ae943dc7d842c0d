// The breadth-first search loop: the same for every store, for one thread and for many.
//
// Threads work on a level together, batch by batch, and meet when nothing is left of it, when the table must grow, or
// when the search ends. What comes next is decided when all have met, so nothing else needs a lock.
#pragma once

#include <barrier>
#include <limits>
#include <memory>
#include <thread>

#include "batch.h"
#include "graph.h"
#include "path.h"
#include "simd.h"
#include "recent.h"
#include "store.h"

namespace asset {

template <class Store, bool Parallel> class Explorer {
  public:
    Explorer(const asset_model &model, const Options &options, Budget &budget, Progress &progress,
             const std::atomic<bool> &interrupted)
        : model_(model), options_(options), progress_(progress), interrupted_(interrupted),
          effort_(options.derived ? options.derived->obligations.size() : 0), arena_(budget, model.state_words), store_(budget, arena_, model), meeting_(options.threads, Advance{this}) {
        for (unsigned i = 0; i < options.threads; ++i)
            workers_.push_back(std::make_unique<Worker>(arena_, budget, model, options, effort_));
        if (!Parallel && Table::numbered && !options.on_graph.empty())
            kept_.emplace(budget);
    }

    // Explores every reachable state, or up to the first finding or limit. With Parallel, a finding has no path, and
    // the counts at a finding or limit depend on chance.
    Stop run() {
        add_starts();
        std::vector<std::jthread> others;
        for (std::size_t i = 1; i < workers_.size(); ++i)
            others.emplace_back([this, i] { work(*workers_[i]); });
        work(*workers_[0]);
        return stop_;
    }

    const std::optional<Finding> &finding() const { return finding_; }
    const Arena &arena() const { return arena_; }
    Store &store() { return store_; }

    // After a complete search the edges, if they were kept: that is so with one thread, where progress is to be
    // checked, as long as memory allows.
    std::optional<Graph> &kept() { return kept_; }

    Successors &successors() { return workers_[0]->batch.successors(); }

    // Where each level begins, and where the last one ends; ids are in the order of discovery. Not with Parallel.
    std::span<const Id> levels() const { return level_bounds_; }

  private:
    using Table = typename Store::Table;

    // Successors that must be looked up in the store.
    struct LookUps {
        static constexpr std::size_t capacity = 1024;
        std::size_t count = 0;
        std::array<std::uint32_t, capacity> edges;
        std::array<std::uint64_t, capacity> hashes;
    };

    struct Worker {
        Worker(Arena &arena, Budget &budget, const asset_model &model, const Options &options, const Effort &effort)
            : writer(arena), batch(budget, model, options, effort), recent(budget, model.state_words) {}
        Arena::Writer writer;
        Batch batch;
        Recent<Table::words> recent;
        LookUps look_ups;
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

    // How many look-ups are under way at once: a state is looked up this long after its bucket was asked for.
    static constexpr std::size_t distance = 32;
    static constexpr std::size_t candidate_distance = distance / 2;

    void add_starts() {
        std::vector<Word> state(model_.state_words);
        for (std::size_t first = 0; first < options_.starts.size() && !halted_; first += state.size()) {
            std::copy_n(&options_.starts[first], state.size(), state.data());
            add_start(state.data());
        }
        next_level();
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
        Tracer(model_, arena_, workers_[0]->batch.successors()).trace({}, state, *wrong);
        finding_ = std::move(wrong);
        halt(Stop::finding);
    }

    // While no other thread works. False if the state was known.
    bool insert_alone(const Word *state) {
        for (;;) {
            const Table table = store_.table();
            const Inserted inserted = table.insert(table.hash(state), state, workers_[0]->writer);
            if (inserted.how != Insertion::full)
                return inserted.how == Insertion::added;
            grow_alone();
        }
    }

    void grow_alone() {
        workers_[0]->writer.publish();
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
        worker.writer.publish();
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
                rather_than_edges([&] { store_.enlarge(); });
                next_part_ = 0;
                phase_ = Phase::rebuild;
            } else if (phase_ == Phase::rebuild) {
                next_part_ = 0;
                phase_ = store_.next_rebuild_round() ? Phase::rebuild : Phase::explore;
            } else {
                next_level();
            }
        } catch (const std::bad_alloc &) {
            halt(Stop::max_memory);
            phase_ = Phase::done;
        }
    }

    void next_level() {
        std::vector<Range> found;
        for (const auto &worker : workers_)
            worker->writer.collect(found);
        batches_.clear();
        next_batch_ = 0;
        Id size = 0;
        for (const Range &range : found) {
            cut(range);
            size += range.count;
        }
        if (size == 0) {
            halt(Stop::complete);
            phase_ = Phase::done;
            return;
        }
        ++level_;
        if (options_.derived)
            decide_effort(found, size);
        if constexpr (!Parallel) // one writer: ids are in the order of discovery
            level_bounds_.push_back(level_bounds_.back() + size);
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

    // Divides states into batches, each of which lies in one piece of memory.
    void cut(Range range) {
        while (range.count) {
            const auto capacity = static_cast<Id>(workers_[0]->batch.capacity());
            const Id count = std::min({range.count, arena_.contiguous(range.first), capacity});
            batches_.push_back({range.first, count});
            range.first += count;
            range.count -= count;
        }
    }

    void explore(Worker &worker) {
        while (!halted_.load(std::memory_order_relaxed) && !crowded_.load(std::memory_order_relaxed)) {
            if (interrupted_.load(std::memory_order_relaxed))
                return halt(Stop::interrupted);
            const std::size_t next = next_batch_.fetch_add(1, std::memory_order_relaxed);
            if (next >= batches_.size())
                return;
            const Range sources = batches_[next];
            worker.batch.expand(arena_, sources);
            make_room_for_edges(worker.batch);
            if (insert_successors(worker))
                account(worker, sources);
        }
    }

    // Where there is too little memory for something, the edges are given up for it; they may still be rebuilt later.
    template <class Attempt> auto rather_than_edges(const Attempt &attempt) {
        try {
            return attempt();
        } catch (const std::bad_alloc &) {
            if (!kept_)
                throw;
            kept_.reset();
            return attempt();
        }
    }

    void make_room_for_edges(const Batch &batch) {
        rather_than_edges([&] {
            if (kept_)
                kept_->make_room(batch.capacity(), batch.edges());
        });
    }

    // Every successor in the batch is in the store; those that were not are marked. False where the search has ended.
    bool insert_successors(Worker &worker) { return v3_ ? insert_v3(worker) : insert_portably(worker); }

    ASSET_V3 bool insert_v3(Worker &worker) { return insert_all(worker); }

    bool insert_portably(Worker &worker) { return insert_all(worker); }

    // The innermost loops: five per cent of a search are saved where they are compiled for a modern processor.
    ASSET_INLINE bool insert_all(Worker &worker) {
        for (std::size_t first = 0; first < worker.batch.edges(); first += LookUps::capacity)
            if (!(kept_ ? insert_some<true>(worker, first) : insert_some<false>(worker, first)))
                return false;
        return true;
    }

    // Those from edge `first` on, as far as there is room for them.
    template <bool Keeping> ASSET_INLINE bool insert_some(Worker &worker, std::size_t first) {
        choose_look_ups<Keeping>(worker, first);
        return look_up<Keeping>(worker);
    }

    // The successors that were not met lately; all of them where their ids are to be kept. Without branches: which ones
    // they are cannot be foreseen.
    template <bool Keeping> ASSET_INLINE void choose_look_ups(Worker &worker, std::size_t first) {
        const Table table = store_.table();
        const Batch &batch = worker.batch;
        LookUps &chosen = worker.look_ups;
        const std::size_t end = std::min(batch.edges(), first + LookUps::capacity);
        std::size_t count = 0;
        for (std::size_t edge = first; edge < end; ++edge) {
            const Word *state = batch.successor(edge);
            const std::uint64_t hash = table.hash(state);
            chosen.edges[count] = static_cast<std::uint32_t>(edge);
            chosen.hashes[count] = hash;
            count += Keeping || !worker.recent.meet(hash, state);
        }
        chosen.count = count;
    }

    template <bool Keeping> ASSET_INLINE bool look_up(Worker &worker) {
        Table table = store_.table();
        Batch &batch = worker.batch;
        const LookUps &chosen = worker.look_ups;
        for (std::size_t i = 0; i < std::min(distance, chosen.count); ++i)
            table.prefetch(chosen.hashes[i]);
        for (std::size_t i = 0; i < chosen.count; ++i) {
            if (i + distance < chosen.count)
                table.prefetch(chosen.hashes[i + distance]);
            if (i + candidate_distance < chosen.count)
                table.prefetch_candidate(chosen.hashes[i + candidate_distance]);
            Inserted inserted;
            while ((inserted = insert<Keeping>(worker, table, i)).how == Insertion::full) {
                if (!make_room(worker))
                    return false;
                table = store_.table();
            }
            if (inserted.how == Insertion::added)
                batch.mark_new(chosen.edges[i]);
            if constexpr (Keeping)
                if (kept_) // still
                    kept_->targets()[chosen.edges[i]] = inserted.id;
        }
        return true;
    }

    template <bool Keeping> ASSET_INLINE Inserted insert(Worker &worker, const Table &table, std::size_t chosen) {
        const LookUps &look_ups = worker.look_ups;
        const Word *state = worker.batch.successor(look_ups.edges[chosen]);
        if constexpr (!Keeping)
            return table.insert(look_ups.hashes[chosen], state, worker.writer);
        else
            return rather_than_edges([&] { return table.insert(look_ups.hashes[chosen], state, worker.writer); });
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
        const std::uint64_t room =
            options_.max_states ? options_.max_states - std::min(options_.max_states, states) : ~std::uint64_t{0};
        if (std::optional<Event> event = batch.first_event(room))
            return end_with(worker, sources, std::move(*event));
        for (Id i = 0; kept_ && i < sources.count; ++i)
            kept_->add(sources.first + i, batch.successors().degree(i));
        count(batch, sources.count, batch.edges(), batch.nr_new());
        if (states + batch.nr_new() > store_.threshold())
            crowded_ = true;
    }

    void end_with(Worker &worker, Range sources, Event event) {
        count(worker.batch, event.expanded, event.edges, event.states);
        if (!Parallel && event.stop == Stop::finding) {
            std::vector<Word> last(model_.state_words);
            const Word *state = event.in_successor ? worker.batch.successor(event.edges - 1)
                                                   : arena_[sources.first + static_cast<Id>(event.source)];
            std::copy_n(state, last.size(), last.data());
            const std::span<const Id> levels(level_bounds_.data(), level_ + event.in_successor);
            Tracer(model_, arena_, worker.batch.successors()).trace(levels, last.data(), event.finding);
            finding_ = std::move(event.finding);
        }
        halt(event.stop);
    }

    void count(const Batch &batch, std::size_t expanded, std::size_t edges, std::size_t states) {
        if (states)
            progress_.depth.store(level_, std::memory_order_relaxed);
        progress_.states.fetch_add(states, std::memory_order_relaxed);
        progress_.edges.fetch_add(edges, std::memory_order_relaxed);
        progress_.enabled.fetch_add(batch.successors().enabled(expanded), std::memory_order_relaxed);
        progress_.expanded.fetch_add(expanded, std::memory_order_relaxed);
        progress_.terminal_states.fetch_add(batch.nr_terminal(expanded), std::memory_order_relaxed);
    }

    // The first reason counts.
    void halt(Stop reason) {
        if (!halted_.exchange(true))
            stop_ = reason;
    }

    const asset_model &model_;
    const Options options_;
    const bool v3_ = has_v3();
    Progress &progress_;
    const std::atomic<bool> &interrupted_;
    Effort effort_; // changed only where every thread is waiting
    Arena arena_;
    Store store_;
    std::vector<std::unique_ptr<Worker>> workers_;
    std::barrier<Advance> meeting_;

    // Changed only where every thread is waiting.
    Phase phase_ = Phase::explore;
    std::vector<Range> batches_;          // of the level
    std::size_t level_ = 0;               // levels begun
    Counts before_; // when the level began
    std::vector<Id> level_bounds_{0};     // where each of them begins, and where the last one ends
    std::optional<Finding> finding_;
    std::optional<Graph> kept_;

    std::atomic<std::size_t> next_batch_{0};
    std::atomic<std::size_t> next_part_{0};
    std::atomic<bool> crowded_{false};
    std::atomic<bool> halted_{false};
    Stop stop_ = Stop::complete;
};

} // namespace asset
