// A store for states that its table holds without loss (quotient_table.h): no look at the arena, which need not keep
// what was expanded.
//
// The table grows in place. Groups of buckets move up, the last ones first, to where twice as many or, if it is large,
// half as many more leave them room; so that every page is touched once, and little more memory is needed than the
// larger table itself.
#pragma once

#include <array>
#include <limits>

#include "abi.h"
#include "indexed_store.h"
#include "quotient_table.h"

namespace asset {

// Hash is a bijection (see Mixer). If its hashes have tails, `widen` is called before one has more bits than others.
template <std::size_t Words, bool Parallel, class Hash = Mixer<Words>> class QuotientStore {
  public:
    static constexpr bool knows_ids = false;
    static constexpr std::size_t words = Words;
    using Keys = OwnWords;

    static bool suits(const asset_model &model) { return model.state_words == Words; }

    // How many bits the hashes of a model's states have.
    static unsigned hash_bits(const asset_model &model) {
        return Words == 1 ? std::clamp(model.state_bits, 1u, 64u) : 64;
    }

    QuotientStore(Budget &budget, const Arena &arena, const asset_model &model)
        : QuotientStore(budget, arena, Hash(hash_bits(model))) {}

    // It is a table of so many groups at first, and at most so many per cent of the slots are taken while it is small.
    QuotientStore(Budget &budget, const Arena &arena, const Hash &hash, std::size_t groups = 1,
                  unsigned most_percent_if_small = 70)
        : budget_(budget), arena_(arena), hash_(hash), size_{groups}, most_percent_if_small_(most_percent_if_small),
          region_(budget, groups * group_bytes) {}

    Hash hasher() const { return hash_; }

    // Calls `use` with the table, whose type depends on how wide its slots are.
    template <class Use> ASSET_INLINE decltype(auto) with_table(const Use &use) const {
        return with_table_of(size_, use);
    }

    // If there is no memory for a larger table, this one is to be filled until it is full, and only then it is an
    // error.
    void enlarge() {
        for (const Growth &by : growth)
            if (const std::size_t larger = grown(by); may_grow(by) && fits(larger))
                return become({larger, size_.tail_bits});
        if (std::exchange(last_, true))
            throw std::bad_alloc();
    }

    // Wider slots are fewer: the table grows by as much as makes up for that.
    void widen(unsigned tail_bits) {
        for (const Growth &by : {Growth{1, 1}, Growth{1, 2}})
            if (const std::size_t larger = grown(by); fits(larger))
                return become({larger, tail_bits});
        throw std::bad_alloc();
    }

    // A store of the same states, of which there are this many, that knows their ids. This one is of no use any more.
    IndexedStore<Words, false> numbered(std::uint64_t states) {
        region_.release();
        return IndexedStore<Words, false>(budget_, arena_, states);
    }

    // Each round moves some groups to where none of them is.
    std::size_t rebuild_parts() const { return round_end_ - round_begin_; }

    bool next_rebuild_round() {
        round_end_ = round_begin_;
        round_begin_ = next_round_begin();
        return round_end_ > 0;
    }

    void rebuild(std::size_t part) {
        const std::size_t first = (round_end_ - 1 - part) * move_.from, bytes = move_.from * group_bytes;
        alignas(128) std::array<char, most_moved * group_bytes> old;
        char *place = region_.template as<char>() + first * group_bytes;
        std::memcpy(old.data(), place, bytes);
        std::memset(place, 0, bytes);
        with_table_of(old_size_, [&](const auto &before) {
            with_table_of(size_, [&](const auto &after) {
                if (move_.to)
                    move_alone(before, after, first, old.data());
                else
                    move(before, after, first, old.data());
            });
        });
    }

    template <class Archive> void archive(Archive &archive) {
        std::uint64_t groups = size_.groups, tail_bits = size_.tail_bits;
        archive(groups, tail_bits);
        if constexpr (!Archive::writes) {
            if (groups == 0 || groups > max_groups || tail_bits > 64 - hash_.bits())
                throw SnapshotFailed("it is not a whole checkpoint");
            region_.release();
            region_ = Region(budget_, groups * group_bytes);
            size_ = old_size_ = {groups, static_cast<unsigned>(tail_bits)};
        }
        archive.raw(region_.template as<void>(), groups * group_bytes);
    }

    unsigned tail_bits() const { return size_.tail_bits; }

    // With as many buckets as there are possible states, none ever overflows.
    std::uint64_t threshold() const {
        if (last_ || (hash_.bits() < 64 && quotient_of(size_).buckets() >> hash_.bits()))
            return std::numeric_limits<std::uint64_t>::max();
        return with_table([&](const auto &table) {
            return quotient_of(size_).buckets() * table.bucket_slots / 100 * most_percent();
        });
    }

  private:
    using Quotient = asset::Quotient<Hash::has_tail>;
    template <class Upper> using Table = QuotientTable<Words, Upper, Parallel, Hash::has_tail>;

    struct Size {
        std::size_t groups = 1;
        unsigned tail_bits = 0;
    };

    static constexpr std::size_t group_bytes = Table<std::uint32_t>::group_bytes;
    static constexpr std::size_t group_buckets = Table<std::uint32_t>::group_buckets;
    static constexpr std::size_t most_doubled_bytes = std::size_t{1} << 24;
    static constexpr std::size_t max_groups = ((std::size_t{1} << 32) - 1) / group_buckets;

    // By how much the table grows, as a fraction of what it is: the first of these that memory allows.
    struct Growth {
        std::size_t more, of;
    };
    static constexpr Growth growth[] = {{1, 1}, {1, 2}, {1, 4}, {1, 8}};

    // Doubling is the fastest by far. In a large table, wide slots that are not filled would take too much.
    bool may_grow(const Growth &by) const {
        return by.of > 1 || Words == 1 || size_.groups * group_bytes <= most_doubled_bytes;
    }

    // So many neighbouring groups move together to so many others, where nothing else goes; 0 if something does.
    struct Move {
        std::size_t from = 1, to = 0;
    };
    static constexpr std::size_t most_moved = 2, most_filled = 3;

    Move move_of(std::size_t before, std::size_t after) const {
        for (std::size_t from = 1; from <= most_moved; ++from)
            if (before % from == 0 && before / from * most_filled >= after && after % (before / from) == 0)
                return {from, after / (before / from)};
        return {};
    }

    std::size_t grown(const Growth &by) const { return size_.groups + (size_.groups * by.more + by.of - 1) / by.of; }

    void become(const Size &size) {
        region_.extend(size.groups * group_bytes);
        old_size_ = std::exchange(size_, size);
        move_ = move_of(old_size_.groups, size_.groups);
        round_end_ = old_size_.groups / move_.from;
        round_begin_ = next_round_begin();
    }

    // How many of the slots may be taken. Where most are, many states are far from home, and finding them takes long:
    // the ring of 9 stations is explored a fifth faster with at most 70 per cent than with 90. So 90 is for large
    // tables.
    unsigned most_percent() const {
        return 2 * size_.groups * group_bytes <= budget_.limit() / 4 ? most_percent_if_small_ : 90;
    }

    // Whether a table of so many groups leaves some memory for the states to be expanded.
    bool fits(std::size_t groups) const {
        const std::size_t more = (groups - size_.groups) * group_bytes;
        return groups <= max_groups && budget_.used() + more <= budget_.limit() - budget_.limit() / 16;
    }

    // What moves from there on up to the round's end goes to places after that end; the first groups one by one.
    std::size_t next_round_begin() const {
        const std::size_t least = (round_end_ * old_size_.groups + size_.groups - 1) / size_.groups;
        return round_end_ ? std::min(least, round_end_ - 1) : 0;
    }

    Quotient quotient_of(const Size &size) const {
        return Quotient(hash_.bits(), size.groups * group_buckets, size.tail_bits);
    }

    template <class Use> ASSET_INLINE decltype(auto) with_table_of(const Size &size, const Use &use) const {
        const Quotient quotient = quotient_of(size);
        void *buckets = region_.template as<void>();
        if constexpr (Words == 1) {
            if (Table<void>::suits(quotient))
                return use(Table<void>(buckets, quotient));
            if (Table<std::uint8_t>::suits(quotient))
                return use(Table<std::uint8_t>(buckets, quotient));
        }
        if (Table<std::uint16_t>::suits(quotient))
            return use(Table<std::uint16_t>(buckets, quotient));
        return use(Table<std::uint32_t>(buckets, quotient));
    }

    // Moves the states of a group, which was copied, to where they belong now.
    template <class Before, class After>
    void move(const Before &before, const After &after, std::size_t group, const char *old) const {
        const Quotient from = quotient_of(old_size_), to = quotient_of(size_);
        before.for_each(group, old, [&](const Home &home, const Word *others) {
            if (!after.place(to.home(from.hash(home)), others))
                throw std::bad_alloc(); // not with a tenth of the table empty, unless the mixing fails completely
        });
    }

    // The same of groups that move together, to where nothing else goes.
    template <class Before, class After>
    void move_alone(const Before &before, const After &after, std::size_t first, const char *old) const {
        const Quotient from = quotient_of(old_size_), to = quotient_of(size_);
        const bool doubles = size_.groups == 2 * old_size_.groups && size_.tail_bits == old_size_.tail_bits;
        const std::uint64_t first_bucket = first / move_.from * move_.to * group_buckets;
        std::array<std::uint8_t, most_filled * group_buckets> filled{};
        for (std::size_t i = 0; i < move_.from; ++i)
            before.for_each(first + i, old + i * group_bytes, [&](const Home &home, const Word *others) {
                const Home now = doubles ? from.doubled(home) : to.home(from.hash(home));
                if (!after.place(now, others, first_bucket, filled.data()))
                    throw std::bad_alloc(); // as above
            });
    }

    Budget &budget_;
    const Arena &arena_;
    const Hash hash_;
    Size size_;
    Size old_size_; // before the table was enlarged
    Move move_;
    std::size_t round_begin_ = 0, round_end_ = 0; // in groups, or in as many of them as move together
    const unsigned most_percent_if_small_;
    bool last_ = false; // there is no memory for a larger table
    Region region_;
};

} // namespace asset
