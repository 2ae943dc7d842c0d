// A store for narrow one-word states: four bytes for each, and no look at the arena.
//
// The state's bits are mixed by a bijection. The lower bits of the result are the number of a bucket, so the slot has
// to keep only the upper ones, the remainder; together they are the state. A bucket is one cache line of 16 slots,
// filled from the front. A state that finds its bucket full tries others: first the neighbours, which the processor
// fetches anyway, then buckets all over the table, as full ones come in long runs. Its slot says which try it was;
// from that and the remainder follows the bucket where it began.
#pragma once

#include <array>
#include <atomic>
#include <limits>
#include <utility>
#include <vector>

#include "abi.h"
#include "indexed_store.h"
#include "simd.h"
#include "store.h"

namespace asset {

// A bijection on the numbers of `bits` bits (1 to 63) whose lower bits depend on all bits of the argument.
class Mixer {
  public:
    explicit Mixer(unsigned bits) : fold_((bits + 1) / 2), mask_((std::uint64_t{1} << bits) - 1) {}

    // Each step is a bijection: xor with the number's own upper half, multiplication by an odd number modulo 2^bits.
    std::uint64_t operator()(std::uint64_t x) const {
        x = (x * 0x9e3779b97f4a7c15u) & mask_;
        x ^= x >> fold_;
        x = (x * 0xd6e8feb86659fd93u) & mask_;
        return x ^ x >> fold_;
    }

  private:
    unsigned fold_;
    std::uint64_t mask_;
};

// The table itself: where it is and how it is read. Small enough to live in registers.
template <bool Parallel> class QuotientTable {
  public:
    static constexpr bool numbered = false;
    static constexpr std::size_t words = 1;
    static constexpr unsigned bucket_slots = 16;
    static constexpr unsigned bucket_bytes = 64;
    static constexpr unsigned remainder_bits = 28;

    QuotientTable(void *slots, unsigned bits, unsigned index_bits)
        : mixer_(bits), slots_(static_cast<Slot *>(slots)), index_bits_(index_bits),
          index_mask_((std::uint64_t{1} << index_bits) - 1) {}

    std::uint64_t hash(const Word *state) const { return mixer_(*state); }

    ASSET_INLINE void prefetch(std::uint64_t hash) const { __builtin_prefetch(bucket(hash), 1); }

    ASSET_INLINE void prefetch_candidate(std::uint64_t) const {}

    ASSET_INLINE Inserted insert(std::uint64_t hash, const Word *state, Arena::Writer &writer) const {
        Slot *slots = bucket(hash);
        Slot value = first_value(hash);
        for (;;) {
            const Line line(slots);
            if (line.matches(value))
                return {Insertion::known};
            if (const std::uint32_t empty = line.matches(0); !empty) [[unlikely]] {
                if (value >= last_try)
                    return {Insertion::full};
                value += next_try;
                slots = bucket(hash + offset(value));
            } else if (fill(slots[std::countr_zero(empty)], value)) {
                writer.write<1>(state);
                writer.commit();
                return {Insertion::added};
            }
        }
    }

    bool place(std::uint64_t hash) const {
        Slot *slots = bucket(hash);
        Slot value = first_value(hash);
        for (;;) {
            if (const std::uint32_t empty = Line(slots).matches(0); !empty) [[unlikely]] {
                if (value >= last_try)
                    return false;
                value += next_try;
                slots = bucket(hash + offset(value));
            } else if (fill(slots[std::countr_zero(empty)], value)) {
                return true;
            }
        }
    }

    // After the table has doubled: of the states in a bucket of the old half, those at home there are at home in the
    // bucket or in the one with the same number in the new half; the others are taken out, and their hashes added to
    // `displaced`. `doubled` is the table as it is now.
    void split(std::uint64_t index, const QuotientTable &doubled, std::vector<std::uint64_t> &displaced) const {
        std::array<Slot, bucket_slots> old;
        Slot *slots[2] = {doubled.bucket(index), doubled.bucket(index + index_mask_ + 1)};
        std::copy_n(slots[0], bucket_slots, old.data());
        std::fill_n(slots[0], bucket_slots, 0);
        for (const Slot value : old) {
            const Slot remainder = value % next_try;
            if (value >= 2 * next_try)
                displaced.push_back(std::uint64_t{remainder} << index_bits_ | ((index - offset(value)) & index_mask_));
            else if (value)
                *slots[remainder & 1]++ = (remainder >> 1) + next_try;
        }
    }

  private:
    using Slot = std::uint32_t; // 0 if empty; else 4 bits: the number of the try, from 1; 28 bits: the remainder

    static constexpr Slot next_try = Slot{1} << remainder_bits;
    static constexpr Slot last_try = 15 * next_try;
    static constexpr Slot last_neighbour = 3 * next_try;

    ASSET_INLINE Slot *bucket(std::uint64_t index) const { return slots_ + (index & index_mask_) * bucket_slots; }

    Slot first_value(std::uint64_t hash) const { return static_cast<Slot>(hash >> index_bits_) + next_try; }

    // How far from home the bucket of a try is.
    static std::uint64_t offset(Slot value) {
        if (value < last_neighbour + next_try)
            return value / next_try - 1;
        return value * 0x9e3779b97f4a7c15u >> 32;
    }

    // False if another thread was faster: what it put there may be the same state, so one must look again.
    static bool fill(Slot &slot, Slot value) {
        if constexpr (!Parallel) {
            slot = value;
            return true;
        } else {
            Slot empty = 0;
            return std::atomic_ref(slot).compare_exchange_strong(empty, value, std::memory_order_relaxed);
        }
    }

    Mixer mixer_;
    Slot *slots_;
    unsigned index_bits_;
    std::uint64_t index_mask_;
};

template <bool Parallel> class QuotientStore {
  public:
    using Table = QuotientTable<Parallel>;

    // Whether the states are so narrow that the table need not be larger than a million states deserve.
    static bool suits(const asset_model &model) {
        return model.state_words == 1 && model.state_bits <= Table::remainder_bits + max_first_index_bits;
    }

    QuotientStore(Budget &budget, const Arena &arena, const asset_model &model)
        : budget_(budget), arena_(arena), bits_(std::max(model.state_bits, 1u)), index_bits_(first_index(bits_)),
          region_(budget, std::size_t{Table::bucket_bytes} << index_bits_) {}

    Table table() const { return Table(region_.template as<void>(), bits_, index_bits_); }

    // The table doubles in place, in two rounds: buckets are split, then the displaced states are placed.
    void enlarge() {
        region_.extend(std::size_t{Table::bucket_bytes} << (index_bits_ + 1));
        displaced_.assign(((std::size_t{1} << index_bits_) + part_buckets - 1) / part_buckets, {});
        ++index_bits_;
        placing_ = false;
    }

    // A store of the same states, of which there are this many, that knows their ids. This one is of no use any more.
    IndexedStore<1, false> numbered(std::uint64_t states) {
        region_.release();
        return IndexedStore<1, false>(budget_, arena_, states);
    }

    std::size_t rebuild_parts() const { return displaced_.size(); }

    bool next_rebuild_round() { return !std::exchange(placing_, true); }

    void rebuild(std::size_t part) {
        if (placing_) {
            for (const std::uint64_t hash : displaced_[part])
                if (!table().place(hash)) // not with half the table empty, unless the mixing fails completely
                    throw std::bad_alloc();
            return;
        }
        const Table before(region_.template as<void>(), bits_, index_bits_ - 1);
        const std::size_t first = part * part_buckets;
        const std::size_t end = std::min(first + part_buckets, std::size_t{1} << (index_bits_ - 1));
        for (std::size_t index = first; index < end; ++index)
            before.split(index, table(), displaced_[part]);
    }

    // With as many buckets as there are possible states, none ever overflows.
    std::uint64_t threshold() const {
        const std::uint64_t slots = std::uint64_t{Table::bucket_slots} << index_bits_;
        return index_bits_ == bits_ ? std::numeric_limits<std::uint64_t>::max() : slots / 100 * most_percent;
    }

  private:
    static constexpr unsigned first_index_bits = 10;     // 64 KiB: small models start fast
    static constexpr unsigned max_first_index_bits = 17; // 8 MiB
    static constexpr unsigned most_percent = 85;         // of the slots; a fuller table has many states far from home

    static constexpr std::size_t part_buckets = 4096;

    // Enough for the remainders to fit.
    static unsigned first_index(unsigned bits) {
        const unsigned least = bits > Table::remainder_bits ? bits - Table::remainder_bits : 0;
        return std::max(least, std::min(bits, first_index_bits));
    }

    Budget &budget_;
    const Arena &arena_;
    const unsigned bits_;
    unsigned index_bits_;
    Region region_;
    std::vector<std::vector<std::uint64_t>> displaced_; // by each part, while the table is being enlarged
    bool placing_ = true;
};

} // namespace asset
