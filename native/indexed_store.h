// A store for states of any width: five bytes for each, and a look at the arena to be sure.
//
// A bucket is one cache line of 12 slots, filled from the front: the state's id and a tag of eight bits of its hash. A
// state that finds its bucket full goes to the next one that is not.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <stdexcept>

#include "abi.h"
#include "simd.h"
#include "store.h"

namespace asset {

// A number for each word of a state, by which it is hashed.
class WordKeys {
  public:
    static constexpr std::size_t listed = 256;

    consteval WordKeys() {
        for (std::size_t i = 0; i < listed; ++i)
            keys_[i] = fold_multiply((i + 1) * 0x9e3779b97f4a7c15u, 0xd6e8feb86659fd93u) * 0xbf58476d1ce4e5b9u;
    }

    constexpr Word of(std::size_t word) const { return *listed_from(word) + beyond(word); }

    // The keys of very wide states are those that are listed and, as often as these do not suffice, a number more.
    constexpr const Word *listed_from(std::size_t word) const { return &keys_[word % listed]; }
    static constexpr Word beyond(std::size_t word) { return word / listed * 0x2d358dccaa6c78a5u; }

  private:
    std::array<Word, listed> keys_{};
};

inline constexpr WordKeys word_keys;

// The hash of a state of so many words. Words is the same number if it is known at compile time, else 0.
template <std::size_t Words> class StateHash {
  public:
    explicit StateHash(std::size_t words) : words_(words) {}

    ASSET_INLINE std::uint64_t operator()(const Word *state) const {
        const std::size_t words = Words ? Words : words_;
        std::uint64_t sum = 0;
        std::size_t i = 0;
        if constexpr (wide)
            sum = sum_of_pairs(state, words, i);
        for (; i < words; ++i)
            sum += mixed(state[i], i);
        return finished(sum);
    }

    // The same hash, of states that are wide.
    template <std::size_t Known>
        requires(Words == 0)
    StateHash<Known> of_width() const {
        return StateHash<Known>(words_);
    }

    // What a word adds to the sum of which the hash is made. In wide states it is the product of its halves, which
    // processors make of several words at once.
    ASSET_INLINE static std::uint64_t mixed(Word word, std::size_t i) {
        const Word keyed = word ^ word_keys.of(i);
        if constexpr (!wide)
            return fold_multiply(keyed, 0x8bb84b93962eacc9u);
        return (keyed & 0xffffffff) * (keyed >> 32) + std::rotl(keyed, 32);
    }

    ASSET_INLINE static std::uint64_t finished(std::uint64_t sum) {
        if constexpr (wide)
            sum = fold_multiply(sum, 0xa0761d6478bd642fu);
        return fold_multiply(sum, 0x9e3779b97f4a7c15u);
    }

  private:
    static constexpr bool wide = Words == 0 || Words > 3;

    // Of the words as far as they are pairs; i is how many these are.
    ASSET_INLINE static std::uint64_t sum_of_pairs([[maybe_unused]] const Word *state,
                                                   [[maybe_unused]] std::size_t words, std::size_t &i) {
        std::uint64_t sums[2] = {0, 0};
#if defined(ASSET_SSE2)
        __m128i sum = _mm_setzero_si128();
        while (i + 2 <= words) {
            const __m128i more = _mm_set1_epi64x(static_cast<long long>(WordKeys::beyond(i)));
            for (const std::size_t end = std::min(words, i + WordKeys::listed); i + 2 <= end; i += 2) {
                const __m128i keys = _mm_add_epi64(pair(word_keys.listed_from(i)), more);
                const __m128i keyed = _mm_xor_si128(pair(state + i), keys);
                const __m128i product = _mm_mul_epu32(keyed, _mm_srli_epi64(keyed, 32));
                sum = _mm_add_epi64(sum, _mm_add_epi64(product, _mm_shuffle_epi32(keyed, 0xb1)));
            }
        }
        _mm_storeu_si128(reinterpret_cast<__m128i *>(sums), sum);
#endif
        return sums[0] + sums[1];
    }

#if defined(ASSET_SSE2)
    ASSET_INLINE static __m128i pair(const Word *words) {
        return _mm_loadu_si128(reinterpret_cast<const __m128i *>(words));
    }
#endif

    std::size_t words_;
};

// The table itself: where it is and how it is read. Small enough to live in registers. Words is the width of the states
// if it is known at compile time, else 0.
template <std::size_t Words, bool Parallel> class IndexedTable {
  public:
    static constexpr std::size_t bucket_slots = 12;
    static constexpr std::size_t bucket_bytes = 64;

    IndexedTable(void *zeroed, std::size_t buckets, const Arena &arena)
        : table_(static_cast<Bucket *>(zeroed)), buckets_(buckets), arena_(&arena) {}

    // The same table, of states that have so many words.
    template <std::size_t Known>
        requires(Words == 0)
    IndexedTable<Known, Parallel> of_width() const {
        return {table_, buckets_, *arena_};
    }

    std::uint64_t hash(const Word *state) const { return StateHash<Words>(width())(state); }

    ASSET_INLINE void prefetch(std::uint64_t hash) const { __builtin_prefetch(bucket(hash), 1); }

    ASSET_INLINE void prefetch_candidate(std::uint64_t hash) const {
        Bucket &home = *bucket(hash);
        if (const std::uint32_t same = Line(&home).matches_in_last_quarter(tag(hash)) & all_slots)
            if (const Id stored = load(home.ids[std::countr_zero(same)]))
                for (std::size_t word = 0; word < width(); word += bucket_bytes / sizeof(Word))
                    __builtin_prefetch((*arena_)[stored - 1] + word);
    }

    ASSET_INLINE Inserted insert(std::uint64_t hash, const Word *state, Arena::Writer &writer) const {
        Bucket *at = bucket(hash);
        for (std::size_t away = 0; away < max_away;) {
            const Line line(at);
            if (const Id stored = search(*at, candidates(line, tag(hash)), state))
                return {Insertion::known, stored - 1};
            if (const std::uint32_t empty = line.matches(0) & all_slots; !empty) [[unlikely]] {
                ++away;
                at = next(at);
            } else if (const Id id = writer.write<Words>(state); fill(*at, std::countr_zero(empty), tag(hash), id)) {
                writer.commit();
                return {Insertion::added, id};
            }
        }
        return {Insertion::full};
    }

    bool place(std::uint64_t hash, Id id) const {
        Bucket *at = bucket(hash);
        for (std::size_t away = 0; away < max_away;) {
            if (const std::uint32_t empty = Line(at).matches(0) & all_slots; !empty) {
                ++away;
                at = next(at);
            } else if (fill(*at, std::countr_zero(empty), tag(hash), id)) {
                return true;
            }
        }
        return false;
    }

    // The id of a state that is in the table.
    Id find(std::uint64_t hash, const Word *state) const {
        Bucket *at = bucket(hash);
        for (std::size_t away = 0; away < max_away; ++away, at = next(at))
            for (std::uint32_t same = Line(at).matches_in_last_quarter(tag(hash)) & all_slots; same; same &= same - 1)
                if (const Id id = at->ids[std::countr_zero(same)] - 1; equal((*arena_)[id], state))
                    return id;
        throw std::logic_error("a model that is not a function: a state has a successor that it did not have before");
    }

  private:
    static constexpr std::size_t max_away = 64;
    static constexpr std::uint32_t all_slots = (1u << bucket_slots) - 1;

    // A slot with an id and no tag yet is being filled by another thread.
    struct alignas(bucket_bytes) Bucket {
        Id ids[bucket_slots];  // plus 1; 0 if empty
        std::uint8_t tags[16]; // the last four are never used
    };

    std::size_t width() const { return Words ? Words : arena_->words(); }

    Bucket *bucket(std::uint64_t hash) const {
        return table_ + static_cast<std::size_t>((static_cast<unsigned __int128>(hash) * buckets_) >> 64);
    }

    Bucket *next(Bucket *at) const { return at + 1 == table_ + buckets_ ? table_ : at + 1; }

    static std::uint8_t tag(std::uint64_t hash) { return std::max<std::uint8_t>(static_cast<std::uint8_t>(hash), 1); }

    ASSET_INLINE bool equal(const Word *a, const Word *b) const {
        return gathered(a, b, width()).difference == 0; // not std::memcmp, which is a call
    }

    // The slots that may hold a state with this tag.
    static std::uint32_t candidates(const Line &line, std::uint8_t tag) {
        std::uint32_t result = line.matches_in_last_quarter(tag);
        if constexpr (Parallel)
            result |= line.matches_in_last_quarter(0) & ~line.matches(0);
        return result & all_slots;
    }

    static Id load(Id &id) {
        if constexpr (Parallel) // together with its release in fill: the state is in the arena
            return std::atomic_ref(id).load(std::memory_order_acquire);
        else
            return id;
    }

    // The id, plus 1, of the candidate that is the state; 0 if there is none.
    ASSET_INLINE Id search(Bucket &bucket, std::uint32_t candidates, const Word *state) const {
        for (; candidates; candidates &= candidates - 1)
            if (const Id stored = load(bucket.ids[std::countr_zero(candidates)]))
                if (equal((*arena_)[stored - 1], state))
                    return stored;
        return 0;
    }

    // False if another thread was faster: what it put there may be the same state, so one must look again.
    static bool fill(Bucket &bucket, int slot, std::uint8_t tag, Id id) {
        if constexpr (Parallel) {
            Id empty = 0;
            if (!std::atomic_ref(bucket.ids[slot]).compare_exchange_strong(empty, id + 1, std::memory_order_acq_rel))
                return false;
            std::atomic_ref(bucket.tags[slot]).store(tag, std::memory_order_release);
        } else {
            bucket.ids[slot] = id + 1;
            bucket.tags[slot] = tag;
        }
        return true;
    }

    Bucket *table_;
    std::size_t buckets_;
    const Arena *arena_;
};

template <std::size_t Words, bool Parallel> class IndexedStore {
  public:
    static constexpr bool knows_ids = true;
    static constexpr std::size_t words = Words;
    using Keys = OwnWords;
    using Table = IndexedTable<Words, Parallel>;
    using Widths = std::index_sequence<4, 5, 6, 7>; // of states of any width, that are looked up faster than others

    IndexedStore(Budget &budget, const Arena &arena, const asset_model &) : budget_(budget), arena_(arena) {
        resize(first_buckets);
    }

    // A store of all states in the arena, of which there are this many.
    IndexedStore(Budget &budget, const Arena &arena, std::uint64_t states) : budget_(budget), arena_(arena) {
        resize(std::max<std::size_t>(first_buckets, states * 100 / most_percent / Table::bucket_slots + 1));
        for (std::size_t part = 0; part < rebuild_parts(); ++part)
            rebuild(part);
    }

    StateHash<Words> hasher() const { return StateHash<Words>(arena_.words()); }

    template <class Use> ASSET_INLINE decltype(auto) with_table(const Use &use) const { return use(table()); }

    Table table() const { return Table(region_.template as<void>(), buckets_, arena_); }

    // What this store was: its table knows the states' ids.
    IndexedStore numbered(std::uint64_t) { return std::move(*this); }

    // By half; to the double if that is little of the memory there is, or if states are so wide that the table is the
    // least of it, as hashing them takes long.
    void enlarge() { resize(buckets_ + (roomy() || arena_.words() >= 8 ? buckets_ : buckets_ / 2)); }

    // Each part of a rebuild places a chunk of the arena.
    std::size_t rebuild_parts() const { return arena_.chunks(); }

    bool next_rebuild_round() { return false; }

    void rebuild(std::size_t part) {
        const Range range = arena_.chunk(part);
        const Table table = this->table();
        std::array<std::uint64_t, 2 * distance> hashes; // of the states under way, by their number modulo its size
        for (std::size_t i = 0; i < range.count + distance; ++i) {
            const std::size_t placed = i - distance;
            if (i >= distance && !table.place(hashes[placed % hashes.size()], range.first + static_cast<Id>(placed)))
                throw std::bad_alloc(); // not with a third of the table empty, unless hashing fails completely
            if (i < range.count) {
                const Word *state = arena_[range.first + static_cast<Id>(i)];
                table.prefetch(hashes[i % hashes.size()] = table.hash(state));
            }
        }
    }

    // The table is that of the states in the arena, which was read before.
    template <class Archive> void archive(Archive &archive) {
        std::uint64_t buckets = buckets_;
        archive(buckets);
        if constexpr (!Archive::writes) {
            resize(buckets);
            for (std::size_t part = 0; part < rebuild_parts(); ++part)
                rebuild(part);
        }
    }

    std::uint64_t threshold() const { return buckets_ * Table::bucket_slots / 100 * (roomy() ? 70 : most_percent); }

  private:
    static constexpr std::size_t distance = 16;        // how many states are under way at once
    static constexpr std::size_t first_buckets = 1024; // 64 KiB: small models start fast
    static constexpr std::size_t most_percent = 85;    // of the slots; a fuller table has many states far from home

    // Whether twice the table is little of the memory that may be used: then it is left emptier, as that is faster.
    bool roomy() const { return 2 * buckets_ * Table::bucket_bytes <= budget_.limit() / 16; }

    void resize(std::size_t buckets) {
        region_.release();
        region_ = Region(budget_, buckets * Table::bucket_bytes);
        buckets_ = buckets;
    }

    Budget &budget_;
    const Arena &arena_;
    std::size_t buckets_ = 0;
    Region region_;
};

} // namespace asset
