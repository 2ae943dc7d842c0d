// Stores that may take a state for one that they have, and so leave it out, but never the other way round: what a
// search with them finds is real, and what it does not find may be in what it left out. asset.engine.omissions says how
// likely that is. Their tables have a fixed size.
//
// Bitstate hashing (Holzmann; Dillinger and Manolios): a state is k bits of a table, whose addresses come from three
// hashes (triple hashing). Hash compaction (Wolper and Leroy; Stern and Dill): a state is a hash of some bits in a cell
// of a table, found by double hashing; 0 is an empty cell, so that no bit is needed for that.
//
// With threads, two may find the same state new at the same time if they are of bitstate hashing: it is then expanded
// twice, and counted twice.
#pragma once

#include <atomic>
#include <limits>

#include "abi.h"
#include "approximation.h"
#include "indexed_store.h"

namespace asset {

// Two hashes of a state that have nothing to do with each other.
class SeededHash {
  public:
    SeededHash(std::size_t words, std::uint64_t seed) : words_(words), seed_(seed * 0x9e3779b97f4a7c15) {}

    std::uint64_t operator()(const Word *state) const { return mixed(state, 0xa0761d6478bd642f, seed_); }
    std::uint64_t second(const Word *state) const { return mixed(state, 0xe7037ed1a0b428db, ~seed_); }

  private:
    std::uint64_t mixed(const Word *state, std::uint64_t factor, std::uint64_t hash) const {
        for (std::size_t i = 0; i < words_; ++i)
            hash = fold_multiply(hash ^ state[i] ^ 0x8ebc6af09c88c6e3, factor + 2 * i) + state[i] * factor;
        return fold_multiply(hash ^ factor, 0x589965cc75374cc3 ^ seed_) ^ hash >> 32;
    }

    std::size_t words_;
    std::uint64_t seed_;
};

inline std::uint64_t scaled(std::uint64_t hash, std::uint64_t end) {
    return static_cast<std::uint64_t>((static_cast<unsigned __int128>(hash) * end) >> 64);
}

template <std::size_t Words, bool Parallel> class BitTable {
  public:
    BitTable(Word *bits, const Approximation &how, SeededHash hash)
        : words_(bits), size_(how.bytes / sizeof(Word) * 64), addresses_(how.parameter), hash_(hash) {}

    [[gnu::always_inline]] void prefetch(std::uint64_t hash) const {
        __builtin_prefetch(words_ + scaled(hash, size_) / 64, 1);
    }
    void prefetch_candidate(std::uint64_t) const {}

    Inserted insert(std::uint64_t hash, const Word *state, Arena::Writer &writer) const {
        const std::uint64_t second = hash_.second(state), third = fold_multiply(hash ^ second, 0x1d8e4e27c47d124f);
        bool is_new = false;
        for_each_address(hash, second, third, [&](Word &word, Word bit) { is_new |= !(load(word) & bit); });
        if (!is_new)
            return {Insertion::known};
        writer.template write<Words>(state); // it may fail, and then nothing has changed
        for_each_address(hash, second, third, [&](Word &word, Word bit) { set(word, bit); });
        writer.commit();
        return {Insertion::added};
    }

  private:
    template <class Use>
    void for_each_address(std::uint64_t x, std::uint64_t y, std::uint64_t z, const Use &use) const {
        for (std::uint32_t i = 0; i < addresses_; ++i, x += y, y += z) {
            const std::uint64_t address = scaled(x, size_);
            use(words_[address / 64], Word{1} << address % 64);
        }
    }

    static Word load(Word &word) {
        if constexpr (Parallel)
            return std::atomic_ref(word).load(std::memory_order_relaxed);
        else
            return word;
    }

    static void set(Word &word, Word bit) {
        if constexpr (Parallel)
            std::atomic_ref(word).fetch_or(bit, std::memory_order_relaxed);
        else
            word |= bit;
    }

    Word *words_;
    std::uint64_t size_; // bits
    std::uint32_t addresses_;
    SeededHash hash_;
};

template <std::size_t Words, bool Parallel> class CompactTable {
  public:
    CompactTable(Word *words, const Approximation &how, SeededHash hash)
        : words_(words), size_(how.bytes / sizeof(Word)), cells_(how.parameter), bits_(64 / how.parameter),
          hash_(hash) {}

    [[gnu::always_inline]] void prefetch(std::uint64_t hash) const {
        __builtin_prefetch(words_ + scaled(hash, size_), 1);
    }
    void prefetch_candidate(std::uint64_t) const {}

    Inserted insert(std::uint64_t hash, const Word *state, Arena::Writer &writer) const {
        const std::uint64_t second = hash_.second(state);
        const Word mask = ~Word{0} >> (64 - bits_);
        const Word value = 1 + scaled(second, mask); // any but 0
        const std::uint64_t step = fold_multiply(hash, 0x1d8e4e27c47d124f) | 1;
        for (std::uint32_t tries = 0; tries < most_tries; ++tries, hash += step) {
            Word &word = words_[scaled(hash, size_)];
            const std::uint64_t shift = ((hash & 0xffffffff) * cells_ >> 32) * bits_;
            for (Word now = load(word);;) {
                const Word there = now >> shift & mask;
                if (there == value)
                    return {Insertion::known};
                if (there)
                    break;
                writer.template write<Words>(state);
                if (replace(word, now, now | value << shift)) {
                    writer.commit();
                    return {Insertion::added};
                }
            }
        }
        return {Insertion::full};
    }

  private:
    static constexpr std::uint32_t most_tries = 1000; // with a table that is filled to 99 per cent it takes a hundred

    static Word load(Word &word) {
        if constexpr (Parallel)
            return std::atomic_ref(word).load(std::memory_order_relaxed);
        else
            return word;
    }

    // False if another thread has changed the word, which `now` is then.
    static bool replace(Word &word, Word &now, Word by) {
        if constexpr (Parallel)
            return std::atomic_ref(word).compare_exchange_strong(now, by, std::memory_order_relaxed);
        word = by;
        return true;
    }

    Word *words_;
    std::uint64_t size_;
    std::uint32_t cells_; // in a word
    std::uint32_t bits_;  // of a cell
    SeededHash hash_;
};

template <template <std::size_t, bool> class Table, std::size_t Words, bool Parallel> class ApproximateStore {
  public:
    static constexpr bool knows_ids = false;
    static constexpr std::size_t words = Words;
    using Keys = OwnWords;

    ApproximateStore(Budget &budget, const Arena &arena, const asset_model &model, const Approximation &how)
        : budget_(budget), arena_(arena), how_(how), hash_(model.state_words, how.seed), region_(budget, how.bytes) {}

    SeededHash hasher() const { return hash_; }

    template <class Use> ASSET_INLINE decltype(auto) with_table(const Use &use) const {
        return use(Table<Words, Parallel>(region_.template as<Word>(), how_, hash_));
    }

    void enlarge() { throw std::bad_alloc(); }
    std::size_t rebuild_parts() const { return 0; }
    bool next_rebuild_round() { return false; }
    void rebuild(std::size_t) {}
    std::uint64_t threshold() const { return std::numeric_limits<std::uint64_t>::max(); }

    IndexedStore<Words, false> numbered(std::uint64_t states) {
        region_.release();
        return IndexedStore<Words, false>(budget_, arena_, states);
    }

  private:
    Budget &budget_;
    const Arena &arena_;
    const Approximation how_;
    const SeededHash hash_;
    Region region_;
};

} // namespace asset
