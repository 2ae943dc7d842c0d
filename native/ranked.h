// A rank for each store, with one thread or with many (rank.h says what it does).
//
// Threads work only within a call. A call ends for a thread when its work is done, or earlier if its outbox is full or
// the table must grow; it can go on from there, even in the middle of a batch.
#pragma once

#include <array>
#include <atomic>
#include <mutex>
#include <utility>

#include "backward.h"
#include "implied.h"
#include "locality.h"
#include "predicates.h"
#include "rank.h"
#include "recent.h"
#include "successors.h"
#include "team.h"
#include "trimming.h"

namespace asset {

template <class Store, bool Parallel> class RankOf final : public Rank {
  public:
    RankOf(const asset_model &model, const Options &options, Place place, std::size_t room)
        : Rank(model.state_words, options.max_memory ? options.max_memory : available_memory() / options.sharing),
          model_(model), options_(options), owners_(place, model.state_words),
          effort_(options.derived ? options.derived->obligations.size() : 0),
          arena_(budget_, model.state_words, keeping(options), options.few_bytes / place.ranks),
          store_(store_for(model)), room_(room) {
        const std::size_t least = sizeof(Word) * model.state_words;
        const std::size_t each = std::max<std::size_t>(room / least / std::max(1u, options.threads), 1);
        for (unsigned i = 0; i < std::max(1u, options.threads); ++i)
            workers_.push_back(std::make_unique<Worker>(*this, each));
        progress_.threads = static_cast<unsigned>(workers_.size());
    }

    void start() override {
        std::vector<Word> state(words_);
        for (std::size_t first = 0; first < options_.starts.size(); first += words_) {
            std::copy_n(&options_.starts[first], words_, state.data());
            if (represent(model_, options_, state.data()))
                take_in(state);
            else if (owners_.is_mine(state.data())) // a model error, which the first rank tells
                keep_first(wrong_start_, Wrong{{.during = During::representative}, state});
        }
    }

    std::size_t route(std::span<const Word> states) override {
        Worker &worker = *workers_[0];
        std::size_t taken = 0;
        for (; taken < states.size() && !worker.outbox.full(); taken += words_) {
            const Word *state = &states[taken];
            if (const unsigned owner = owners_.of(state); owner != owners_.place().number)
                worker.outbox.add(owner, state, words_);
            else
                insert_alone(state);
        }
        return taken;
    }

    bool expand(std::size_t batches) override {
        for (const auto &worker : workers_)
            worker->batches = batches;
        run([this](Worker &worker) { has_v3() ? expand_v3(worker) : expand(worker); });
        return std::ranges::any_of(workers_, [&](const auto &each) { return each->under_way(); }) ||
               next_ < batches_.size();
    }

    bool nearly_full() const override { return fills(soon_percent); }

    void make_room() override {
        if (fills(soon_percent - 4))
            grow();
    }

    std::vector<std::span<const Word>> outgoing(unsigned owner) const override {
        std::vector<std::span<const Word>> result;
        for (const auto &worker : workers_)
            result.push_back(worker->outbox.of(owner));
        return result;
    }

    void clear() override {
        for (const auto &worker : workers_)
            worker->outbox.clear();
    }

    void receive(std::span<const Word> states) override {
        const std::size_t each = (states.size() / words_ + workers_.size() - 1) / workers_.size() * words_;
        for (std::size_t i = 0; i < workers_.size(); ++i) {
            const std::size_t first = std::min(i * each, states.size());
            workers_[i]->incoming = states.subspan(first, std::min(each, states.size() - first));
        }
        run([this](Worker &worker) { has_v3() ? take_in_incoming_v3(worker) : take_in_incoming(worker); });
    }

    std::uint64_t end_level() override {
        std::vector<Range> found;
        std::vector<Arena::Writer *> writers;
        wrong_before_ = wrong_so_far();
        for (const auto &worker : workers_) {
            worker->writer.publish();
            worker->writer.collect(found);
            writers.push_back(&worker->writer);
        }
        arena_.begin_level(found, writers);
        const std::uint64_t size = cut(found);
        levels_.push_back(std::move(found));
        find_wrong_now();
        next_ = 0;
        return size;
    }

    std::vector<std::span<const Word>> level() const override {
        std::vector<std::span<const Word>> result;
        for (const Range &batch : batches_)
            result.emplace_back(arena_[batch.first], batch.count * words_);
        return result;
    }

    const std::optional<Wrong> &wrong_before() const override { return wrong_before_; }
    const std::optional<Wrong> &wrong_now() const override { return wrong_now_; }
    std::optional<Wrong> wrong_so_far() const override {
        std::optional<Wrong> first = wrong_start_;
        for (const auto &worker : workers_)
            keep_first(first, worker->wrong);
        return first;
    }
    bool complete() const override { return arena_.complete(); }

    std::optional<Predecessor> predecessor(std::size_t level, const Word *state) override {
        cut(levels_[level]);
        next_ = 0;
        std::optional<Predecessor> found;
        std::mutex access;
        run([&](Worker &worker) {
            while (const std::optional<Range> sources = take())
                if (std::optional<Predecessor> first = leading_to(state, arena_, worker.successors, *sources)) {
                    const std::scoped_lock lock(access);
                    if (!found || first->state < found->state)
                        found = std::move(first);
                }
        });
        return found;
    }

    Backward &backward() override {
        if (!backward_) {
            number_states();
            backward_ = std::make_unique<Backward>(part(), room_);
        }
        return *backward_;
    }

    Trimming &trimming(std::size_t requirement) override {
        trimming_.reset(); // what it has taken is given back before another one takes as much
        number_states();
        trimming_ = std::make_unique<Trimming>(part(), room_, requirement);
        return *trimming_;
    }

    Backward &leading_out(bool by_keys) override {
        leading_out_.reset(); // what it has taken is given back before another one takes as much
        leading_out_ = std::make_unique<Backward>(part(), room_, by_keys ? Steps::by_keys : Steps::all);
        return *leading_out_;
    }

    std::size_t widen(std::size_t level) override {
        batches_.clear();
        Successors &successors = workers_[0]->successors;
        for (const Id state : leading_out_->unmarked(level)) {
            successors.expand(arena_, {state, 1});
            progress_.edges -= successors.edges();
            progress_.enabled -= successors.enabled(1);
            progress_.terminal_states -= successors.terminal(0);
            progress_.expanded -= 1;
            widened_.add({state, every_command});
            newly_widened_.insert(newly_widened_.end(), arena_[state], arena_[state] + words_);
            batches_.push_back({state, 1});
        }
        next_ = 0;
        return batches_.size();
    }

    std::vector<Word> take_widened() override { return std::exchange(newly_widened_, {}); }

    void widen_again(std::span<const Word> states) override {
        for (; !states.empty(); states = states.subspan(words_))
            if (owners_.is_mine(states.data()))
                widened_.add({find(states.data()), every_command});
    }

    void drop_level() override { levels_.pop_back(); }

    std::vector<Word> parities(unsigned ranks) override {
        std::vector<Word> states;
        for (const Id state : sampled(levels_))
            states.insert(states.end(), arena_[state], arena_[state] + words_);
        Locality locality(words_);
        locality.add_level(workers_[0]->successors, states);
        return locality.parities(ranks);
    }

  private:
    using Numbered = decltype(std::declval<Store &>().numbered(0));

    static constexpr std::size_t capacity = 1024; // look-ups
    static constexpr std::size_t distance = 32;   // how many of them are under way at once
    static constexpr std::size_t candidate_distance = distance / 2;
    static constexpr std::size_t sent_distance = 8;                 // how far ahead of its use what was sent is fetched
    static constexpr std::size_t sent_bytes = std::size_t{1} << 18; // of states that were sent lately: in its cache

    static constexpr std::size_t shared_groups = 64;                  // of the tables of all ranks when they begin
    static constexpr std::uint64_t soon_percent = 95;                 // a level adds a twentieth of the states, or more
    static constexpr std::uint64_t grown_at = std::uint64_t{1} << 20; // a table of fewer states grows fast enough

    struct Worker {
        Worker(RankOf &rank, std::size_t room)
            : successors(rank.budget_, rank.model_, rank.options_, rank.effort_, rank.widened_),
              in_states(rank.model_, rank.options_.in_states),
              in_terminal_states(rank.model_, rank.options_.in_terminal_states), writer(rank.arena_),
              recent(rank.budget_, rank.words_),
              sent(rank.budget_, rank.words_, rank.owners_.place().ranks > 1 ? sent_bytes : 1),
              outbox(rank.budget_, rank.owners_.place().ranks, rank.words_, room, capacity) {}

        // Whether some of the look-ups that were chosen, or of the batch, is left to be done.
        bool under_way() const { return done < chosen || sources.count; }

        Successors successors;
        StateRequirements in_states;
        StateRequirements in_terminal_states;
        Arena::Writer writer;
        Recent<Store::words> recent;
        Recent<Store::words> sent;
        Outbox outbox;
        std::optional<Wrong> wrong;       // of the states that were expanded
        std::span<const Word> incoming{}; // what is left of it
        Range sources{0, 0};              // of the batch at hand
        bool expanded = false;            // whether its successors are there
        std::size_t edge = 0;             // the first of the batch that was not looked at
        std::size_t batches = 0;          // that may still be begun in this call
        std::size_t chosen = 0, done = 0; // look-ups
        std::array<const Word *, capacity> states;
        std::array<std::uint64_t, capacity> hashes;
        std::array<const Word *, capacity> others; // that are other ranks'
        std::array<std::uint64_t, capacity> hashes_of_others;
    };

    // A table without ids can do without the states; but rules know states by their ids, and the graph needs them.
    static Keeping keeping(const Options &options) {
        const bool needed = Store::knows_ids || options.derived || !options.on_graph.empty();
        return needed ? Keeping::in_memory : options.keeping;
    }

    // Together, the tables of ranks are as large as that of one machine would be, at any time: each begins with its
    // part of a table, and grows as often. That a rank has a few states more than its share is no reason to grow.
    Store store_for(const asset_model &model) {
        if constexpr (Store::knows_ids) {
            return Store(budget_, arena_, model);
        } else {
            const unsigned ranks = owners_.place().ranks;
            const std::size_t groups = ranks == 1 ? 1 : (shared_groups + ranks - 1) / ranks;
            const auto hash = hash_for(model);
            // One machine's table of that size has narrower slots, unless some bits are left out: then it is full
            // later.
            const bool wider = Store::words == 1 && hash.bits() == Store::hash_bits(model);
            return Store(budget_, arena_, hash, groups, ranks == 1 ? 70 : wider ? 88 : 80);
        }
    }

    auto hash_for(const asset_model &model) const {
        const unsigned bits = Store::hash_bits(model);
        if constexpr (Store::words == 1)
            return MixerOfRank(bits, Implied(owners_.known_parities(), bits));
        else
            return Mixer<Store::words>(bits);
    }

    // --- threads ----------------------------------------------------------------------------------------------------

    // Has every thread work, until none ends for want of room in the table.
    template <class Work> void run(const Work &work) {
        do {
            crowded_ = false;
            in_threads(workers_, work);
            if (crowded_)
                grow();
        } while (crowded_);
    }

    // Whether there are so many per cent of the states for which the table grows.
    bool fills(std::uint64_t percent) const {
        return progress_.states > grown_at && progress_.states / percent >= store_.threshold() / 100;
    }

    void grow() {
        for (const auto &worker : workers_)
            worker->writer.publish();
        store_.enlarge();
        do {
            next_part_ = 0;
            in_threads(workers_, [this](Worker &) {
                for (std::size_t part; (part = next_part_.fetch_add(1)) < store_.rebuild_parts();)
                    store_.rebuild(part);
            });
        } while (store_.next_rebuild_round());
    }

    // --- finding states ---------------------------------------------------------------------------------------------

    void take_in(const std::vector<Word> &state) {
        if (owners_.is_mine(state.data()))
            insert_alone(state.data());
    }

    void insert_alone(const Word *state) {
        for (;;) {
            const Inserted inserted = store_.with_table(
                [&](const auto &table) { return table.insert(store_.hasher()(state), state, workers_[0]->writer); });
            if (inserted.how != Insertion::full) {
                progress_.states += inserted.how == Insertion::added;
                if (progress_.states > store_.threshold())
                    grow();
                return;
            }
            grow();
        }
    }

    // The innermost loops are compiled for modern processors as well.
    ASSET_V3 void expand_v3(Worker &worker) { expand(worker); }
    ASSET_V3 void take_in_incoming_v3(Worker &worker) { take_in_incoming(worker); }

    ASSET_INLINE void expand(Worker &worker) {
        while (look_up(worker)) {
            if (!worker.expanded) {
                if (crowded_.load(std::memory_order_relaxed) || !begin_batch(worker))
                    return;
            } else if (worker.edge == worker.successors.edges()) {
                end_batch(worker);
            } else if (!worker.outbox.full()) {
                distribute(worker);
            } else {
                return;
            }
        }
    }

    bool begin_batch(Worker &worker) {
        if (worker.sources.count == 0) {
            if (!worker.batches)
                return false;
            const std::optional<Range> next = take();
            if (!next)
                return false;
            worker.sources = *next;
            --worker.batches;
        }
        worker.successors.expand(arena_, worker.sources);
        worker.expanded = true;
        worker.edge = 0;
        return true;
    }

    std::optional<Range> take() {
        const std::size_t next = next_.fetch_add(1, std::memory_order_relaxed);
        if (next < batches_.size())
            return batches_[next];
        next_.store(batches_.size(), std::memory_order_relaxed);
        return std::nullopt;
    }

    // Everything is counted; what is behind a source with a fault is another batch.
    void end_batch(Worker &worker) {
        const Successors &successors = worker.successors;
        const std::size_t complete = successors.complete();
        count(successors, complete);
        find_wrong_terminal(worker);
        std::size_t gone = complete;
        if (const std::optional<Fault> &fault = successors.fault()) {
            keep_first(worker.wrong, Wrong{{.during = fault->during, .command = fault->command},
                                           {successors.source(fault->source), successors.source(fault->source + 1)}});
            ++gone;
        }
        const Id passed = static_cast<Id>(gone);
        worker.expanded = false;
        arena_.release({worker.sources.first, passed});
        worker.sources = {worker.sources.first + passed, worker.sources.count - passed};
    }

    void count(const Successors &successors, std::size_t complete) {
        std::uint64_t terminal = 0;
        for (std::size_t i = 0; i < complete; ++i)
            terminal += successors.terminal(i);
        progress_.edges.fetch_add(successors.edges(), std::memory_order_relaxed);
        progress_.enabled.fetch_add(successors.enabled(complete), std::memory_order_relaxed);
        progress_.expanded.fetch_add(complete, std::memory_order_relaxed);
        progress_.terminal_states.fetch_add(terminal, std::memory_order_relaxed);
    }

    // Chooses the next successors that were not met lately: this rank's are to be looked up.
    ASSET_INLINE void distribute(Worker &worker) {
        const Successors &successors = worker.successors;
        const std::size_t first = worker.edge, count = std::min(capacity, successors.edges() - first);
        const std::size_t chosen =
            choose(worker, count, [&](std::size_t i) ASSET_INLINED { return successors.successor(first + i); });
        worker.edge += count;
        worker.chosen = owners_.place().ranks == 1 ? chosen : keep_own(worker, chosen);
        worker.done = 0;
    }

    template <class StateOf>
    ASSET_INLINE std::size_t choose(Worker &worker, std::size_t count, const StateOf &state_of) {
        return worker.recent.choose(count, store_.hasher(), state_of, worker.states.data(), worker.hashes.data());
    }

    // Keeps this rank's of the states that were chosen. The others go to their owners.
    ASSET_INLINE std::size_t keep_own(Worker &worker, std::size_t count) {
        const unsigned me = owners_.place().number;
        std::size_t own = 0, others = 0;
        for (std::size_t i = 0; i < count; ++i) {
            const Word *state = worker.states[i];
            const bool mine = owners_.template of<Store::words>(state) == me;
            const std::uint64_t hash = worker.hashes[i];
            worker.others[others] = state;
            worker.hashes_of_others[others] = hash;
            worker.states[own] = state;
            worker.hashes[own] = hash;
            own += mine;
            others += !mine;
        }
        send(worker, others);
        return own;
    }

    // These of other ranks' states, unless they were sent lately.
    ASSET_INLINE void send(Worker &worker, std::size_t count) {
        for (std::size_t i = 0; i < std::min(sent_distance, count); ++i)
            worker.sent.prefetch(worker.hashes_of_others[i]);
        for (std::size_t i = 0; i < count; ++i) {
            if (i + sent_distance < count)
                worker.sent.prefetch(worker.hashes_of_others[i + sent_distance]);
            const Word *state = worker.others[i];
            worker.outbox.template add_unless<Store::words>(worker.sent.meet(worker.hashes_of_others[i], state),
                                                            owners_.template of<Store::words>(state), state, words_);
        }
    }

    ASSET_INLINE void take_in_incoming(Worker &worker) {
        while (look_up(worker) && !worker.incoming.empty()) {
            const std::size_t count = std::min(capacity, worker.incoming.size() / words_);
            const Word *states = worker.incoming.data();
            worker.chosen = choose(worker, count, [&](std::size_t i) ASSET_INLINED { return states + i * words_; });
            worker.done = 0;
            worker.incoming = worker.incoming.subspan(count * words_);
        }
    }

    // Looks up what was chosen. False if the table must grow first.
    ASSET_INLINE bool look_up(Worker &worker) {
        if (worker.done == worker.chosen)
            return true;
        const std::uint64_t added =
            store_.with_table([&](const auto &table) ASSET_INLINED { return look_up_in(table, worker); });
        const std::uint64_t states = progress_.states.fetch_add(added, std::memory_order_relaxed) + added;
        if (worker.done < worker.chosen || states > store_.threshold())
            crowded_ = true;
        return !crowded_.load(std::memory_order_relaxed);
    }

    template <class Table> ASSET_INLINE std::uint64_t look_up_in(const Table table, Worker &worker) {
        std::uint64_t added = 0;
        std::size_t i = worker.done;
        const std::size_t end = worker.chosen;
        for (std::size_t ahead = i; ahead < std::min(i + distance, end); ++ahead)
            table.prefetch(worker.hashes[ahead]);
        for (std::size_t ahead = i; ahead < std::min(i + candidate_distance, end); ++ahead)
            table.prefetch_candidate(worker.hashes[ahead]);
        for (; i < end; ++i) {
            if (i + distance < end)
                table.prefetch(worker.hashes[i + distance]);
            if (i + candidate_distance < end)
                table.prefetch_candidate(worker.hashes[i + candidate_distance]);
            const Inserted inserted = table.insert(worker.hashes[i], worker.states[i], worker.writer);
            if (inserted.how == Insertion::full) [[unlikely]]
                break;
            added += inserted.how == Insertion::added;
        }
        worker.done = i;
        return added;
    }

    // --- what is wrong ----------------------------------------------------------------------------------------------

    static void keep_first(std::optional<Wrong> &kept, const std::optional<Wrong> &other) {
        if (other && (!kept || comes_before(*other, *kept)))
            kept = other;
    }

    void find_wrong_terminal(Worker &worker) {
        const Successors &successors = worker.successors;
        if (worker.in_terminal_states.empty())
            return;
        for (std::size_t i = 0; i < successors.complete(); ++i)
            if (successors.terminal(i))
                find_wrong(worker.in_terminal_states, {successors.source(i), words_}, worker.wrong);
    }

    void find_wrong_now() {
        wrong_now_.reset();
        if (options_.in_states.empty())
            return;
        next_ = 0;
        std::mutex access;
        in_threads(workers_, [&](Worker &worker) {
            std::optional<Wrong> first;
            while (const std::optional<Range> states = take())
                find_wrong(worker.in_states, {arena_[states->first], states->count * words_}, first);
            const std::scoped_lock lock(access);
            keep_first(wrong_now_, first);
        });
    }

    void find_wrong(StateRequirements &required, std::span<const Word> states, std::optional<Wrong> &first) const {
        required.for_each_violation(states.data(), states.size() / words_, [&](std::size_t i, const Finding &finding) {
            const Word *state = states.data() + i * words_;
            keep_first(first, Wrong{finding, {state, state + words_}});
        });
    }

    // --- when everything is explored --------------------------------------------------------------------------------

    void number_states() {
        leading_out_.reset();
        if constexpr (!Store::knows_ids)
            if (!numbered_)
                numbered_.emplace(store_.numbered(progress_.states));
    }

    Part part() {
        const auto find = [this](const Word *state) { return this->find(state); };
        return {model_, options_, budget_, arena_, owners_, levels_, workers_[0]->successors, find};
    }

    Id find(const Word *state) const {
        if constexpr (Store::knows_ids)
            return store_.with_table([&](const auto &table) { return table.find(store_.hasher()(state), state); });
        else
            return numbered_->table().find(numbered_->hasher()(state), state);
    }

    // --- levels -----------------------------------------------------------------------------------------------------

    // The batches are those of the ranges; how many states these have.
    std::uint64_t cut(std::span<const Range> ranges) {
        const Id most = static_cast<Id>(workers_[0]->successors.capacity());
        std::uint64_t size = 0;
        batches_.clear();
        for (Range range : ranges)
            while (range.count) {
                const Id count = std::min({range.count, arena_.contiguous(range.first), most});
                batches_.push_back({range.first, count});
                range = {range.first + count, range.count - count};
                size += count;
            }
        return size;
    }

    const asset_model &model_;
    const Options options_;
    const Owners owners_;
    Effort effort_;
    Widened widened_;
    std::vector<Word> newly_widened_; // states
    Arena arena_;
    Store store_;
    std::vector<std::unique_ptr<Worker>> workers_;
    std::vector<Range> batches_; // of the level that is expanded
    std::atomic<std::size_t> next_{0};
    std::atomic<std::size_t> next_part_{0};
    std::atomic<bool> crowded_{false};
    std::vector<std::vector<Range>> levels_;
    std::optional<Wrong> wrong_start_, wrong_before_, wrong_now_;
    const std::size_t room_;
    std::optional<Numbered> numbered_;
    std::unique_ptr<Backward> backward_, leading_out_;
    std::unique_ptr<Trimming> trimming_;
};

} // namespace asset
