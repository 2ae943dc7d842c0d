// A table that holds states without loss, each in a slot of a bucket, so that a look-up costs one place in memory.
//
// A bijection mixes the state's first word, together with the others, into a number, the hash. Seen as a fraction of
// its range, it says the bucket; what is left of it, the remainder, is kept in the slot with the state's other words.
// All of it together is the state. The table may have any number of buckets, and the more there are, the narrower are
// the remainders.
//
// A state that finds its bucket full tries others of the same group of buckets, first the neighbours. Its slot says
// which try it was; from that follows the bucket where it began.
#pragma once

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstring>

#include "simd.h"
#include "store.h"

namespace asset {

// Hashes states of `bits` bits (1 to 64 if it is one word, else 64), in the upper bits of the result. For any words
// after the first, it is a bijection on the first, whose uppermost bits depend on all bits of the state.
template <std::size_t Words> class Mixer {
  public:
    static constexpr bool has_tail = false;

    explicit Mixer(unsigned bits) : up_(64 - bits), fold_((bits + 1) / 2), mask_(~std::uint64_t{0} << up_) {}

    unsigned bits() const { return 64 - up_; }

    // Each step is a bijection: multiplication by an odd number, xor with the number's own upper half.
    std::uint64_t operator()(const Word *state) const {
        std::uint64_t x = *state;
        for (std::size_t i = 1; i < Words; ++i)
            x ^= fold_multiply(state[i] ^ (0x2d358dccaa6c78a5u * i), 0x8bb84b93962eacc9u);
        x = (x << up_) * 0x9e3779b97f4a7c15u;
        x ^= (x >> fold_) & mask_;
        return x * 0xd6e8feb86659fd93u;
    }

  private:
    unsigned up_;
    unsigned fold_;
    std::uint64_t mask_;
};

// Where a state belongs: the bucket where it begins, and what the slot must know of the hash.
struct Home {
    std::uint64_t bucket;
    std::uint64_t remainder;
};

// How many buckets there are and how hashes of `bits` bits are split. Below those bits a hash may have a tail, which
// says nothing of the bucket and is kept with the remainder as it is. It is as wide as is said, and 0 above that: a
// table whose tails become wider keeps its states where they are.
template <bool HasTail = false> class Quotient {
  public:
    Quotient(unsigned bits, std::uint64_t buckets, unsigned tail_bits = 0)
        : buckets_(buckets), up_(64 - bits), shift_(up_ + static_cast<unsigned>(std::bit_width(buckets)) - 1),
          tail_bits_(HasTail ? tail_bits : 0) {}

    std::uint64_t buckets() const { return buckets_; }
    unsigned remainder_bits() const { return fraction_bits() + tail_bits_; }

    std::uint64_t bucket(std::uint64_t hash) const {
        return static_cast<std::uint64_t>((static_cast<unsigned __int128>(spread(hash)) * buckets_) >> 64);
    }

    // Hashes with the same bucket differ by so much after the multiplication that the bits shifted out tell nothing.
    Home home(std::uint64_t hash) const {
        const auto product = static_cast<unsigned __int128>(spread(hash)) * buckets_;
        const auto fraction = static_cast<std::uint64_t>(product);
        return {static_cast<std::uint64_t>(product >> 64),
                (shift_ < 64 ? fraction >> shift_ : 0) << tail_bits_ | tail(hash)};
    }

    // The only hash with this home: the first one whose product is large enough. In two steps, as not every compiler
    // divides 128 bits.
    std::uint64_t hash(const Home &home) const {
        const std::uint64_t fraction = shift_ < 64 ? home.remainder >> tail_bits_ << shift_ : 0;
        const std::uint64_t upper = home.bucket << 32 | fraction >> 32;
        const std::uint64_t lower = upper % buckets_ << 32 | (fraction & 0xffffffffu);
        const std::uint64_t least = (upper / buckets_ << 32) + lower / buckets_ + (lower % buckets_ != 0);
        const std::uint64_t step = std::uint64_t{1} << up_;
        return ((least + step - 1) & ~(step - 1)) | tail(home.remainder);
    }

    // The home of the same state in a table of twice as many buckets.
    Home doubled(const Home &home) const {
        if (fraction_bits() == 0)
            return Quotient(64 - up_, 2 * buckets_, tail_bits_).home(hash(home));
        const unsigned last = remainder_bits() - 1;
        const std::uint64_t upper = home.remainder >> last;
        return {2 * home.bucket + upper, home.remainder ^ upper << last};
    }

  private:
    unsigned fraction_bits() const { return shift_ < 64 ? 64 - shift_ : 0; }
    std::uint64_t tail(std::uint64_t value) const {
        return HasTail ? value & ((std::uint64_t{1} << tail_bits_) - 1) : 0;
    }
    std::uint64_t spread(std::uint64_t hash) const { return HasTail ? hash >> up_ << up_ : hash; }

    std::uint64_t buckets_; // fewer than 2^32
    unsigned up_;
    unsigned shift_;
    unsigned tail_bits_;
};

// What lies in a line that is looked at for its tags is written as one number, as other threads read it then; what they
// read does not matter before the tag is there.
template <class T> void write(T &place, T value) { std::atomic_ref(place).store(value, std::memory_order_relaxed); }

// The parts of the slots of a bucket, an array each. Upper is the type of the remainder's upper bits, void if it has
// none.
template <unsigned Slots> struct Tags {
    std::uint32_t tags[Slots];
};

template <class Upper, unsigned Slots> struct Uppers {
    bool is_upper(int slot, std::uint64_t value) const { return uppers[slot] == value; }
    std::uint64_t upper(int slot) const { return uppers[slot]; }
    void set_upper(int slot, std::uint64_t value) { write(uppers[slot], static_cast<Upper>(value)); }
    Upper uppers[Slots];
};
template <unsigned Slots> struct Uppers<void, Slots> {
    bool is_upper(int, std::uint64_t) const { return true; }
    std::uint64_t upper(int) const { return 0; }
    void set_upper(int, std::uint64_t) {}
};

template <std::size_t Others, unsigned Slots> struct OtherWords {
    bool are_others(int slot, const Word *others) const {
        Word difference = 0;
        for (std::size_t i = 0; i < Others; ++i)
            difference |= words[slot][i] ^ others[i];
        return difference == 0;
    }
    const Word *others(int slot) const { return words[slot]; }
    void set_others(int slot, const Word *others) {
        for (std::size_t i = 0; i < Others; ++i)
            write(words[slot][i], others[i]);
    }
    Word words[Slots][Others];
};
template <unsigned Slots> struct OtherWords<0, Slots> {
    bool are_others(int, const Word *) const { return true; }
    const Word *others(int) const { return nullptr; }
    void set_others(int, const Word *) {}
};

// The table itself: where it is and how it is read. Small enough to live in registers.
template <std::size_t Words, class Upper, bool Parallel, bool HasTail = false> class QuotientTable {
  public:
    using Quotient = asset::Quotient<HasTail>;
    static constexpr unsigned tag_bits = 27; // of the remainder
    static constexpr unsigned upper_bytes = [] {
        if constexpr (std::is_void_v<Upper>)
            return 0u;
        else
            return static_cast<unsigned>(sizeof(Upper));
    }();
    static constexpr unsigned bucket_bytes = Words == 1 ? 64 : 128;
    static constexpr unsigned bucket_slots = bucket_bytes / (4 + upper_bytes + 8 * (Words - 1));
    static constexpr unsigned group_bytes = 1u << 16;
    static constexpr unsigned group_buckets = group_bytes / bucket_bytes;
    static constexpr bool in_turns = Parallel; // looking up, adding and writing many states are better not mixed
    static constexpr std::uint8_t is_known = 255, elsewhere = 254; // instead of a slot

    QuotientTable(void *buckets, const Quotient &quotient)
        : buckets_(static_cast<Bucket *>(buckets)), quotient_(quotient) {}

    // Whether slots are wide enough for the remainders of a table like this.
    static bool suits(const Quotient &quotient) { return quotient.remainder_bits() <= tag_bits + 8 * upper_bytes; }

    template <bool Writing = true> ASSET_INLINE void prefetch(std::uint64_t hash) const {
        const Bucket *bucket = buckets_ + quotient_.bucket(hash);
        __builtin_prefetch(bucket, Writing);
        if constexpr (bucket_bytes > 64)
            __builtin_prefetch(reinterpret_cast<const char *>(bucket) + 64, Writing);
    }

    // The bucket has come meanwhile. If it is full, its neighbour is the next try. (Slots are filled from the front.)
    ASSET_INLINE void prefetch_candidate(std::uint64_t hash) const {
        const std::uint64_t bucket = quotient_.bucket(hash);
        const std::atomic_ref last(buckets_[bucket].tags[bucket_slots - 1]);
        const bool full = last.load(std::memory_order_relaxed) != 0;
        __builtin_prefetch(buckets_ + (bucket ^ full), 1);
    }

    ASSET_INLINE Inserted insert(std::uint64_t hash, const Word *state, Arena::Writer &writer) const {
        const Insertion how = claim(hash, state);
        if (how == Insertion::added) {
            writer.template write<Words>(state);
            writer.commit();
        }
        return {how};
    }

    // Where a state is: `is_known`, or the empty slot of its first bucket where it would be, or `elsewhere` if it would
    // be in another one. As far as one can see without keeping others from adding it meanwhile.
    ASSET_INLINE std::uint8_t look_for(std::uint64_t hash, const Word *state) const {
        const Home home = quotient_.home(hash);
        const std::uint64_t upper = home.remainder >> tag_bits;
        Bucket *at = buckets_ + home.bucket;
        for (Tag tag = first_tag(home.remainder);; at = try_of(home.bucket, tag += next_try)) {
            const Line line(at);
            for (std::uint32_t same = line.matches(tag) & all_slots; same; same &= same - 1)
                if (is_at(*at, std::countr_zero(same), upper, state))
                    return is_known;
            if (const std::uint32_t empty = line.matches(0) & all_slots; empty || tag >= last_try) {
                const bool unsure = !is_one_word && (line.matches(busy) & all_slots);
                return tag < 2 * next_try && !unsure ? static_cast<std::uint8_t>(std::countr_zero(empty)) : elsewhere;
            }
        }
    }

    // Adds a state for which one has looked. If what was empty then is empty now, nothing was added to the bucket, as
    // slots are filled from the front: so the state is still not there.
    ASSET_INLINE Insertion claim(std::uint64_t hash, const Word *state, std::uint8_t slot) const {
        if (slot != elsewhere) [[likely]] {
            const Home home = quotient_.home(hash);
            const Tag tag = first_tag(home.remainder);
            if (fill(buckets_[home.bucket], slot, tag, home.remainder >> tag_bits, state + 1)) [[likely]]
                return Insertion::added;
        }
        return claim(hash, state);
    }

    // Adds a state, which is still to be written to the arena then.
    ASSET_INLINE Insertion claim(std::uint64_t hash, const Word *state) const {
        const Home home = quotient_.home(hash);
        const std::uint64_t upper = home.remainder >> tag_bits;
        Bucket *at = buckets_ + home.bucket;
        Tag tag = first_tag(home.remainder);
        for (;;) {
            const Line line(at);
            for (std::uint32_t same = line.matches(tag) & all_slots; same; same &= same - 1)
                if (is_at(*at, std::countr_zero(same), upper, state))
                    return Insertion::known;
            if (Parallel && !is_one_word && (line.matches(busy) & all_slots)) [[unlikely]]
                continue; // it may be the same state
            if (const std::uint32_t empty = line.matches(0) & all_slots; !empty) [[unlikely]] {
                if (tag >= last_try)
                    return Insertion::full;
                tag += next_try;
                at = try_of(home.bucket, tag);
            } else if (fill(*at, std::countr_zero(empty), tag, upper, state + 1)) {
                return Insertion::added;
            }
        }
    }

    // Adds a state that is not in the table, by its home and its words after the first.
    ASSET_INLINE bool place(const Home &home, const Word *others) const {
        Bucket *at = buckets_ + home.bucket;
        Tag tag = first_tag(home.remainder);
        for (;;) {
            if (const std::uint32_t empty = Line(at).matches(0) & all_slots; !empty) [[unlikely]] {
                if (tag >= last_try)
                    return false;
                tag += next_try;
                at = try_of(home.bucket, tag);
            } else if (fill(*at, std::countr_zero(empty), tag, home.remainder >> tag_bits, others)) {
                return true;
            }
        }
    }

    // The same in buckets that nobody else uses, from `first` on; of each, it is counted how many slots are filled. To
    // look at a bucket that was just written would take longer than all else: the processor must wait for the writes.
    ASSET_INLINE bool place(const Home &home, const Word *others, std::uint64_t first, std::uint8_t *filled) const {
        for (Tag tag = first_tag(home.remainder);; tag += next_try) {
            const std::uint64_t bucket = home.bucket ^ distance(tag);
            if (std::uint8_t &count = filled[bucket - first]; count < bucket_slots) [[likely]] {
                set(buckets_[bucket], count++, tag, home.remainder >> tag_bits, others);
                return true;
            }
            if (tag >= last_try)
                return false;
        }
    }

    // Calls `use` with the home and the other words of each state in a group, whose buckets are here.
    template <class Use> static void for_each(std::uint64_t group, const void *buckets, const Use &use) {
        const Bucket *of_group = static_cast<const Bucket *>(buckets);
        for (std::uint64_t i = 0; i < group_buckets; ++i)
            for (unsigned slot = 0; slot < bucket_slots && of_group[i].tags[slot]; ++slot) {
                const Tag tag = of_group[i].tags[slot];
                const std::uint64_t bucket = group * group_buckets + (i ^ distance(tag));
                use(Home{bucket, tag % next_try | of_group[i].upper(slot) << tag_bits}, of_group[i].others(slot));
            }
    }

  private:
    using Tag = std::uint32_t; // 0 if the slot is empty; else 5 bits: the number of the try, from 1; and the
                               // remainder's lower bits

    static constexpr Tag next_try = Tag{1} << tag_bits;
    static constexpr Tag last_try = 30 * next_try;
    static constexpr Tag busy = 31 * next_try; // another thread is filling the slot
    static constexpr Tag last_neighbour = 4 * next_try;
    static constexpr std::uint32_t all_slots = (1u << bucket_slots) - 1;
    static constexpr bool is_one_word = upper_bytes == 0 && Words == 1; // a slot is its tag

    struct alignas(bucket_bytes) Bucket : Tags<bucket_slots>,
                                          Uppers<Upper, bucket_slots>,
                                          OtherWords<Words - 1, bucket_slots> {};
    static_assert(sizeof(Bucket) == bucket_bytes);

    static Tag first_tag(std::uint64_t remainder) { return static_cast<Tag>(remainder % next_try + next_try); }

    // How far from home the bucket of a try is, as the bits in which their numbers differ.
    static std::uint64_t distance(Tag tag) {
        if (tag < last_neighbour + next_try)
            return tag / next_try - 1;
        return (tag / next_try * 0x9e3779b9u & 0xffffffffu) >> 8 & (group_buckets - 1);
    }

    Bucket *try_of(std::uint64_t bucket, Tag tag) const { return buckets_ + (bucket ^ distance(tag)); }

    static bool is_at(Bucket &bucket, int slot, std::uint64_t upper, const Word *state) {
        if constexpr (Parallel && !is_one_word) // together with its release in fill: the slot is whole
            std::atomic_ref(bucket.tags[slot]).load(std::memory_order_acquire);
        return bucket.is_upper(slot, upper) && bucket.are_others(slot, state + 1);
    }

    // False if another thread was faster: what it put there may be the same state, so one must look again.
    static bool fill(Bucket &bucket, int slot, Tag tag, std::uint64_t upper, const Word *others) {
        if constexpr (Parallel) {
            Tag empty = 0;
            const std::atomic_ref shared(bucket.tags[slot]);
            if (!shared.compare_exchange_strong(empty, is_one_word ? tag : busy, std::memory_order_relaxed))
                return false;
            bucket.set_upper(slot, upper);
            bucket.set_others(slot, others);
            if constexpr (!is_one_word)
                shared.store(tag, std::memory_order_release);
        } else {
            set(bucket, slot, tag, upper, others);
        }
        return true;
    }

    static void set(Bucket &bucket, int slot, Tag tag, std::uint64_t upper, const Word *others) {
        bucket.tags[slot] = tag;
        bucket.set_upper(slot, upper);
        bucket.set_others(slot, others);
    }

    Bucket *buckets_;
    Quotient quotient_;
};

} // namespace asset
