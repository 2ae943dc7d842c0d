// Where states are kept: each once, in chunks that never move. A state's id is its position.
//
// If nothing needs the states that were expanded, their chunks are used again, once the arena is large; ids are then
// positions of states that are still to be expanded. If they are needed and memory is not to be filled with them, the
// chunks are pieces of a file, which leave memory when their states were expanded, and come back if they are asked for.
#pragma once

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstring>
#include <deque>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <vector>

#include "memory.h"
#include "pages.h"
#include "snapshot.h"

namespace asset {

using Word = std::uint64_t;
using Id = std::uint32_t;

// States with consecutive ids.
struct Range {
    Id first;
    Id count;
};

// Room for states that an arena has only as roots, of trees with the numbers at all places of them.
class Unfolded {
  public:
    struct Slot {
        Word *state;
        Id *numbers;
    };

    // For so many states of this shape. Until the first of them is written, the last one of before is still known.
    void make_room(std::size_t count, std::size_t words, std::size_t places) {
        words_ = words;
        places_ = places;
        if (count * words > states_.size()) {
            states_.resize(count * words);
            numbers_.resize(count * places);
        }
        copy(last_, 0);
        last_ = 0;
    }

    // Where a state is to be, after the one before was written there; it looks like that one.
    Slot copy_of_last(std::size_t number) {
        copy(last_, number);
        last_ = number;
        return {&states_[number * words_], &numbers_[number * places_]};
    }

    Word *state(std::size_t number) { return &states_[number * words_]; }
    const Id *numbers(std::size_t number) const { return &numbers_[number * places_]; }

    // What the states were made of.
    const Word *roots() const { return roots_; }
    void set_roots(const Word *roots) { roots_ = roots; }

  private:
    void copy(std::size_t from, std::size_t to) {
        if (from == to)
            return;
        std::copy_n(&states_[from * words_], words_, &states_[to * words_]);
        std::copy_n(&numbers_[from * places_], places_, &numbers_[to * places_]);
    }

    std::size_t words_ = 0, places_ = 0;
    std::vector<Word> states_;
    std::vector<Id> numbers_;
    std::size_t last_ = 0; // that was written
    const Word *roots_ = nullptr;
};

// Makes states of what an arena has for them.
class Unfolding {
  public:
    virtual ~Unfolding() = default;

    // The first of the states that have these roots; until `out` is used again.
    virtual const Word *unfold(const Word *roots, Id count, Unfolded &out) const = 0;
};

class Arena {
  public:
    class Writer;

    // With Keeping::while_few, `few_bytes` are few.
    Arena(Budget &budget, std::size_t words, Keeping keeping = Keeping::in_memory,
          std::size_t few_bytes = std::size_t{1} << 24)
        : budget_(budget), words_(words), shift_(chunk_shift(words)), chunk_bytes_((words * sizeof(Word)) << shift_),
          keeping_(keeping), few_bytes_(few_bytes),
          file_(keeping == Keeping::in_file ? pages::File::temporary() : nullptr),
          max_chunks_(file_ ? max_states >> shift_ : std::min(max_states >> shift_, budget.limit() / chunk_bytes_ + 1)),
          directory_(budget, max_chunks_ * sizeof(Chunk), Filling::little), chunks_(directory_.as<Chunk>()) {}

    Arena(const Arena &) = delete;

    // Whether every state is still here.
    bool complete() const { return !recycling_; }

    // While nobody writes: what was found since the last call is to be expanded next, and all else was expanded.
    void begin_level(std::span<const Range> found, std::span<Writer *const> writers);

    // These states, which lie in one chunk, were expanded.
    void release(Range states) {
        if (keeping_ == Keeping::in_memory || (keeping_ == Keeping::while_few && !recycling_))
            return;
        Chunk &chunk = chunks_[states.first >> shift_];
        if (chunk.released.fetch_add(states.count, std::memory_order_acq_rel) + states.count == chunk.end)
            put_away(states.first >> shift_);
    }

    // While nobody writes: the states, all of them or, if those that were expanded may be gone, those of these ranges,
    // which are still to be expanded (the first ones before the others).
    void save(SnapshotWriter &out, std::vector<Range> now, std::vector<Range> next);

    // Into an empty arena. What is to be expanded now; what is to be next, the writer has found.
    std::vector<Range> load(SnapshotReader &in, Writer &writer);

    ~Arena() {
        for (std::size_t i = 0; i < chunks(); ++i)
            chunks_[i].~Chunk();
    }

    // What is written here are roots, of which states are to be made.
    void holds_roots_of(const Unfolding &states) { unfolding_ = &states; }

    // Of what is written for a state.
    std::size_t words() const { return words_; }

    // The states of a range that lies in one chunk, as they are or unfolded; until `room` is used again.
    const Word *states(Range range, Unfolded &room) const {
        const Word *rows = (*this)[range.first];
        return unfolding_ ? unfolding_->unfold(rows, range.count, room) : rows;
    }
    const Word *state(Id id, Unfolded &room) const { return states({id, 1}, room); }

    // What was written for a state.
    const Word *operator[](Id id) const { return chunks_[id >> shift_].words + (id & (chunk_states() - 1)) * words_; }

    // How many states from `id` on lie one after the other in memory.
    Id contiguous(Id id) const { return chunk_states() - (id & (chunk_states() - 1)); }

    std::size_t chunks() const { return std::min(taken_.load(std::memory_order_relaxed), max_chunks_); }

    // The states of a chunk that its writer has published.
    Range chunk(std::size_t index) const {
        return {static_cast<Id>(index << shift_), chunks_[index].published.load(std::memory_order_relaxed)};
    }

    // The smallest number that is larger than every published id.
    Id end() const {
        for (std::size_t i = chunks(); i-- > 0;)
            if (const Range states = chunk(i); states.count)
                return states.first + states.count;
        return 0;
    }

  private:
    struct Chunk {
        Word *words;
        std::atomic<Id> published; // once more by a thread that has nothing left to rebuild, while others read it
        Region region;
        Id end;                   // when so many states are released, there will be no more
        std::atomic<Id> released; // states that were expanded
    };

    // One id is kept back: tables store ids plus one in 32 bits.
    static constexpr std::size_t max_states = (std::size_t{1} << 32) - 1;
    static constexpr std::size_t most_shared = std::size_t{1} << 25; // bytes that are mapped at once

    // A chunk has a power of two of states and, unless one state is larger, at most 2 MiB.
    static unsigned chunk_shift(std::size_t words) {
        const std::size_t fit = huge_page / (words * sizeof(Word));
        return fit ? static_cast<unsigned>(std::bit_width(fit)) - 1 : 0;
    }

    Id chunk_states() const { return Id{1} << shift_; }

    // If there is no memory for a chunk, no ids are lost.
    std::size_t take_chunk() {
        if (const std::optional<std::size_t> used = take_used()) {
            Chunk &chunk = chunks_[*used];
            chunk.published = chunk.released = 0;
            chunk.end = chunk_states();
            return *used;
        }
        Region region = memory_for_chunk();
        const std::size_t index = taken_.fetch_add(1, std::memory_order_relaxed);
        if (index >= max_chunks_)
            throw std::bad_alloc();
        Word *words = region.as<Word>();
        new (&chunks_[index]) Chunk{words, 0, std::move(region), chunk_states(), 0};
        return index;
    }

    // Chunks that are no multiple of huge pages lie side by side, so that nearly all of them is in huge pages. Else, a
    // page of 4 KiB is cleared at a time, and the processor does not know where so many are.
    Region memory_for_chunk() {
        if (file_)
            return Region(budget_, *file_, chunk_bytes_);
        if (chunk_bytes_ % huge_page == 0 || chunk_bytes_ > most_shared || budget_.paging_for(chunk_bytes_))
            return Region(budget_, chunk_bytes_);
        const std::scoped_lock lock(space_access_);
        if (spaces_.empty() || !spaces_.back().has_room(chunk_bytes_))
            spaces_.emplace_back(chunks_side_by_side() * chunk_bytes_);
        return Region(budget_, spaces_.back(), chunk_bytes_);
    }

    // As few as huge pages can be filled with, unless these are too many.
    std::size_t chunks_side_by_side() const {
        std::size_t count = 1;
        while (count * chunk_bytes_ % huge_page && 2 * count * chunk_bytes_ <= most_shared)
            count *= 2;
        return count;
    }

    std::optional<std::size_t> take_used() {
        const std::scoped_lock lock(used_access_);
        if (used_.empty())
            return std::nullopt;
        const std::size_t chunk = used_.back();
        used_.pop_back();
        return chunk;
    }

    void put_away(std::size_t chunk) {
        if (file_)
            return chunks_[chunk].region.leave_memory();
        const std::scoped_lock lock(used_access_);
        used_.push_back(chunk);
    }

    void begin_recycling(std::span<const Range> found);
    void save_states(SnapshotWriter &out, std::span<const Range> ranges) const;
    void load_states(SnapshotReader &in, Writer &writer);
    void load_chunk(SnapshotReader &in, Id unexpanded);
    std::vector<Id> count_by_chunk(std::span<const Range> ranges, std::size_t chunks) const;

    Budget &budget_;
    std::mutex space_access_;
    std::deque<AddressSpace> spaces_; // of chunks that lie side by side
    const Unfolding *unfolding_ = nullptr;
    const std::size_t words_;
    const unsigned shift_;
    const std::size_t chunk_bytes_;
    const Keeping keeping_;
    const std::size_t few_bytes_;
    const std::unique_ptr<pages::File> file_;
    bool recycling_ = false; // chunks of states that were expanded are used again; changed while nobody writes
    std::mutex used_access_;
    std::vector<std::size_t> used_; // chunks whose states were expanded
    const std::size_t max_chunks_;
    Region directory_;
    Chunk *const chunks_;
    std::atomic<std::size_t> taken_{0};
};

// Appends states to chunks of its own; a writer for each thread.
class Arena::Writer {
  public:
    explicit Writer(Arena &arena) : arena_(arena) {}

    // Writes a state where the next one belongs; it is kept once commit is called, else overwritten by the next.
    // Returns its id. Words is the width of the states if it is known at compile time, else 0.
    template <std::size_t Words> Id write(const Word *state) {
        if (used_ == limit_) [[unlikely]]
            next_chunk();
        std::memcpy(next_, state, (Words ? Words : arena_.words_) * sizeof(Word));
        return first_ + used_;
    }

    void commit() {
        next_ += arena_.words_;
        ++used_;
    }

    // Makes the states committed so far visible in Arena::chunk.
    void publish() {
        if (limit_)
            arena_.chunks_[chunk_].published.store(used_, std::memory_order_relaxed);
    }

    // The next state goes to another chunk; nothing more will be in this one.
    void leave_chunk() {
        publish();
        if (limit_)
            arena_.chunks_[chunk_].end = used_;
        used_ = limit_ = run_start_ = 0;
    }

    // Goes on in this chunk, which has states; these were committed and not collected.
    void resume(std::size_t chunk, std::vector<Range> found) {
        runs_ = std::move(found);
        open(chunk);
        used_ = run_start_ = arena_.chunks_[chunk].published;
        next_ += used_ * arena_.words_;
        arena_.chunks_[chunk].end = limit_;
    }

    // The states committed since the last call of `collect`, appended to `ranges`.
    void tell(std::vector<Range> &ranges) {
        close_run();
        ranges.insert(ranges.end(), runs_.begin(), runs_.end());
    }

    // The states committed since the last call, appended to `ranges`.
    void collect(std::vector<Range> &ranges) {
        tell(ranges);
        runs_.clear();
    }

  private:
    void next_chunk() {
        publish();
        close_run();
        open(arena_.take_chunk());
        used_ = run_start_ = 0;
    }

    void open(std::size_t chunk) {
        chunk_ = chunk;
        first_ = static_cast<Id>(chunk << arena_.shift_);
        next_ = arena_.chunks_[chunk].words;
        limit_ = arena_.chunk_states();
    }

    void close_run() {
        if (used_ != run_start_)
            runs_.push_back({first_ + run_start_, used_ - run_start_});
        run_start_ = used_;
    }

    Arena &arena_;
    std::size_t chunk_ = 0;
    Id first_ = 0;     // of the chunk
    Id used_ = 0;      // states of the chunk
    Id limit_ = 0;     // states that the chunk has room for
    Id run_start_ = 0; // states of the chunk that were collected
    Word *next_ = nullptr;
    std::vector<Range> runs_;
};

inline void Arena::begin_level(std::span<const Range> found, std::span<Writer *const> writers) {
    if (keeping_ != Keeping::while_few || (!recycling_ && chunks() * chunk_bytes_ < few_bytes_))
        return;
    for (Writer *writer : writers)
        writer->leave_chunk();
    if (!std::exchange(recycling_, true))
        begin_recycling(found);
}

// Of the chunks so far, those without a state that is still to be expanded can be used again.
inline void Arena::begin_recycling(std::span<const Range> found) {
    const std::vector<Id> left = count_by_chunk(found, chunks());
    for (std::size_t i = 0; i < left.size(); ++i) {
        chunks_[i].end = chunks_[i].published;
        chunks_[i].released = chunks_[i].end - left[i];
        if (!left[i])
            put_away(i);
    }
}

inline std::vector<Id> Arena::count_by_chunk(std::span<const Range> ranges, std::size_t chunks) const {
    std::vector<Id> result(chunks);
    for (const Range &range : ranges)
        result.at(range.first >> shift_) += range.count;
    return result;
}

inline void Arena::save(SnapshotWriter &out, std::vector<Range> now, std::vector<Range> next) {
    std::uint64_t count = chunks();
    out(recycling_);
    if (recycling_) {
        save_states(out, now);
        save_states(out, next);
        return;
    }
    out(now, next, count);
    for (std::size_t i = 0; i < count; ++i) {
        const Range states = chunk(i);
        save_states(out, {&states, 1});
    }
}

inline void Arena::save_states(SnapshotWriter &out, std::span<const Range> ranges) const {
    std::uint64_t count = 0;
    for (const Range &range : ranges)
        count += range.count;
    out(count);
    for (const Range &range : ranges)
        out.raw((*this)[range.first], range.count * words_ * sizeof(Word));
}

inline std::vector<Range> Arena::load(SnapshotReader &in, Writer &writer) {
    std::vector<Range> now, next;
    std::uint64_t count = 0;
    in(recycling_);
    if (recycling_) {
        load_states(in, writer);
        writer.collect(now);
        writer.leave_chunk();
        load_states(in, writer);
        return now;
    }
    in(now, next, count);
    std::vector<Range> unexpanded = now;
    unexpanded.insert(unexpanded.end(), next.begin(), next.end());
    for (const Id left : count_by_chunk(unexpanded, count))
        load_chunk(in, left);
    if (count)
        writer.resume(count - 1, std::move(next));
    return now;
}

inline void Arena::load_states(SnapshotReader &in, Writer &writer) {
    std::vector<Word> state(words_);
    std::uint64_t count = 0;
    for (in(count); count > 0; --count) {
        in.raw(state.data(), words_ * sizeof(Word));
        writer.write<0>(state.data());
        writer.commit();
    }
    writer.publish();
}

inline void Arena::load_chunk(SnapshotReader &in, Id unexpanded) {
    const std::size_t index = take_chunk();
    Chunk &chunk = chunks_[index];
    std::uint64_t states = 0;
    in(states);
    if (states > chunk_states() || unexpanded > states)
        throw SnapshotFailed("it is not a whole checkpoint");
    in.raw(chunk.words, states * words_ * sizeof(Word));
    chunk.published = chunk.end = static_cast<Id>(states);
    chunk.released = chunk.end - unexpanded;
    if (file_ && !unexpanded)
        put_away(index);
}

// Calls `use` with ranges that together are all states from an id on, in the order of their ids; each lies in one piece
// of memory and has at most `capacity` states.
template <class Use> void for_each_batch(const Arena &arena, std::size_t capacity, const Use &use, Id from = 0) {
    for (std::size_t chunk = 0; chunk < arena.chunks(); ++chunk)
        for (Range rest = arena.chunk(chunk); rest.count;) {
            if (rest.first < from) {
                const Id skipped = std::min(rest.count, from - rest.first);
                rest.first += skipped;
                rest.count -= skipped;
                continue;
            }
            const Id count = static_cast<Id>(std::min<std::size_t>(rest.count, capacity));
            use(Range{rest.first, count});
            rest.first += count;
            rest.count -= count;
        }
}

} // namespace asset
