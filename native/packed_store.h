// A store of wide states by keys of a few words (pieces.h).
//
// A key is hashed, compared and written as a narrow state is. Of a successor, only pieces that differ from the
// source's are looked up, and most of them were met a moment ago.
#pragma once

#include <atomic>
#include <mutex>
#include <numeric>

#include "forest.h"
#include "pieces.h"
#include "simd.h"
#include "successors.h"

namespace asset {

// The values that pieces have had, with their numbers, for all threads. One thread at a time adds what is new, which is
// rare; what is there is found without waiting.
template <std::size_t KeyWords, bool Parallel> class Numbering {
  public:
    using Number = typename Pieces<KeyWords>::Number;

    Numbering(Budget &budget, const asset_model &, const Pieces<KeyWords>::Shape &cutting)
        : parts(budget, cutting), budget_(budget), counts_(parts.count()), lacking_(parts.count()) {
        resize(first_slots);
    }

    ASSET_INLINE static std::uint64_t hash(std::size_t piece, Word value) {
        return fold_multiply(value + piece * 0xd6e8feb86659fd93u, 0x9e3779b97f4a7c15u);
    }

    ASSET_INLINE void prefetch(std::uint64_t hash) const {
        __builtin_prefetch(&slots_.template as<Slot>()[hash >> shift_]);
    }

    // The number, plus 1; 0 if there is no room for it: then all must be enlarged.
    Number number(std::uint64_t hash, std::size_t piece, Word value) {
        if (const Number known = find(hash, piece, value))
            return known;
        const std::scoped_lock lock(adding_);
        if (const Number known = find(hash, piece, value))
            return known;
        return add(hash, piece, value);
    }

    // Whether something new had no room.
    bool crowded() const { return full_.load(std::memory_order_relaxed); }

    void enlarge() {
        full_ = false;
        if (2 * count >= slots())
            resize(2 * slots());
        for (std::size_t piece = 0; piece < parts.count(); ++piece)
            if (lacking_[piece]) {
                parts.widen(piece);
                lacking_[piece] = false;
            }
    }

    // All is done when it is enlarged.
    std::size_t rebuild_parts() const { return 0; }
    void rebuild(std::size_t) {}

    template <class Archive> void archive(Archive &archive) {
        archive(counts_);
        if (counts_.size() != parts.count())
            throw SnapshotFailed("its states are cut otherwise");
        parts.archive(archive, counts_);
        if constexpr (!Archive::writes) {
            count = std::accumulate(counts_.begin(), counts_.end(), std::uint64_t{0});
            resize(std::max(first_slots, std::bit_ceil(4 * count.load())));
        }
    }

    Pieces<KeyWords> parts;
    std::atomic<std::uint64_t> count{0}; // of all values

  private:
    static constexpr std::size_t first_slots = 1 << 14;

    struct Slot {
        Word value;
        std::uint32_t piece;
        Number number; // plus 1; 0 if the slot is empty. What is in a slot that is not stays
    };

    std::size_t slots() const { return std::size_t{1} << (64 - shift_); }

    static Number load(Number &number) {
        if constexpr (Parallel) // together with its release when it is added: the rest of the slot is there
            return std::atomic_ref(number).load(std::memory_order_acquire);
        else
            return number;
    }

    // The number, plus 1; 0 if there is none as far as one can see without keeping others from adding it.
    ASSET_INLINE Number find(std::uint64_t hash, std::size_t piece, Word value) const {
        Slot *const slots = slots_.template as<Slot>();
        for (std::size_t at = hash >> shift_;; at = next(at)) {
            const Number number = load(slots[at].number); // once: if it is 0 now, another value may be there next
            if (!number || (slots[at].value == value && slots[at].piece == piece))
                return number;
        }
    }

    std::size_t next(std::size_t slot) const { return (slot + 1) & (slots() - 1); }

    Number add(std::uint64_t hash, std::size_t piece, Word value) {
        lacking_[piece] = counts_[piece] >= parts.capacity(piece);
        if (lacking_[piece] || 2 * count >= slots()) {
            full_ = true;
            return 0;
        }
        parts.set_value(piece, counts_[piece], value);
        ++count;
        put(hash, piece, value, ++counts_[piece]);
        return counts_[piece];
    }

    // What is not there, in the first slot that is empty.
    void put(std::uint64_t hash, std::size_t piece, Word value, Number number) {
        Slot *const slots = slots_.template as<Slot>();
        std::size_t at = hash >> shift_;
        while (slots[at].number)
            at = next(at);
        slots[at].value = value;
        slots[at].piece = static_cast<std::uint32_t>(piece);
        std::atomic_ref(slots[at].number).store(number, std::memory_order_release);
    }

    void resize(std::size_t slots) {
        Region larger(budget_, slots * sizeof(Slot));
        slots_ = std::move(larger);
        shift_ = static_cast<unsigned>(std::countl_zero(slots)) + 1;
        for (std::size_t piece = 0; piece < parts.count(); ++piece)
            for (Number number = 0; number < counts_[piece]; ++number) {
                const Word value = parts.value(piece, number);
                put(hash(piece, value), piece, value, number + 1);
            }
    }

    Budget &budget_;
    std::vector<Number> counts_; // of the values of each piece
    std::vector<bool> lacking_;  // whose numbers need more bits
    std::mutex adding_;
    std::atomic<bool> full_{false};
    Region slots_;
    unsigned shift_ = 0; // leaves a hash as many upper bits as there are slots
};

// Makes keys of the successors of a batch. Each thread has its own.
template <std::size_t KeyWords, bool Parallel> class Packing {
  public:
    static constexpr bool folds = true;
    using Parts = Pieces<KeyWords>;
    using Nodes = Numbering<KeyWords, Parallel>;

    template <std::size_t> static constexpr std::size_t key_words = KeyWords;
    static std::size_t root_words(const asset_model &) { return KeyWords; }
    static Parts::Shape shape(const asset_model &, const Options &options) { return options.cutting; }

    explicit Packing(Nodes &numbering) : numbering_(numbering), pieces_(numbering.parts) {
        for (std::size_t from = 0; from < pieces_.words(); from += block)
            whole_.push_back(lower_halves_of_whole_words(from));
    }

    // Afterwards the keys of the successors to which these edges lead, in increasing order, are known. False if there
    // is no room for a number: it must be made, and then this is to be called again. Words is the width of the states
    // if it is known when this is compiled, else 0.
    template <std::size_t Words, class Edges>
    ASSET_INLINE bool prepare(const Successors &successors, const Edges &edges) {
        begin(edges.size());
        Sources sources(successors);
        for (std::size_t i = 0; i < edges.size(); ++i) {
            const std::size_t edge = edges[i], source = sources.of(edge);
            Word *key = &keys_[i * width];
            copy_words(successors.roots() + source * width, key, width);
            find_differing<Words>(successors.source(source), successors.successor(edge), key);
        }
        return others_.empty() || look_up_others();
    }

    // The same for one state, which has no source.
    bool prepare(const Word *state) {
        begin(1);
        std::fill_n(keys_.data(), width, Word{0});
        for (std::size_t piece = 0; piece < pieces_.count(); ++piece) {
            const Word value = pieces_[piece].value(state);
            others_.push_back({keys_.data(), value, Nodes::hash(piece, value), piece});
        }
        return look_up_others();
    }

    const Word *operator()(const Successors &, std::size_t, std::size_t position) const {
        return &keys_[position * width];
    }
    const Word *of(const Word *) const { return keys_.data(); }

    void publish() {}

  private:
    using Number = typename Parts::Number;
    using Key = typename Parts::Key;

    static constexpr std::size_t width = KeyWords;
    static constexpr std::size_t block = 32;   // words that are compared at once
    static constexpr std::size_t distance = 8; // how many look-ups are under way at once
    static constexpr unsigned recent_bits = 13;

    struct Asked {
        Word *key;
        Word value;
        std::uint64_t hash;
        std::size_t piece;
    };

    // What a thread has met of late: a value of a piece, and the bits of a key for it.
    struct alignas(32) Known {
        Word value = 0;
        Key spread{};
        std::size_t piece = ~std::size_t{0};
    };

    // As a bit for each half of the words of a block.
    std::uint64_t lower_halves_of_whole_words(std::size_t from) const {
        std::uint64_t result = 0;
        for (std::size_t word = from; word < std::min(pieces_.words(), from + block); ++word)
            result |= std::uint64_t{!pieces_.is_halved(word)} << (2 * (word - from));
        return result;
    }

    void begin(std::size_t count) {
        others_.clear();
        if (keys_.size() < count * width)
            keys_.resize(count * width);
    }

    // Looks up the pieces of a successor that differ from its source's, now or when the others are looked up.
    template <std::size_t Words> ASSET_INLINE void find_differing(const Word *before, const Word *after, Word *key) {
        const std::size_t words = Words ? Words : pieces_.words();
        for (std::size_t from = 0; from < words; from += block) {
            const std::uint64_t whole = whole_[from / block];
            const std::uint64_t halves = differing_halves(before + from, after + from, std::min(block, words - from));
            const std::uint64_t lower_of_whole = (halves | halves >> 1) & whole;
            std::uint64_t left = (halves & ~(whole | whole << 1)) | lower_of_whole;
            for (; left; left &= left - 1)
                find(pieces_.of_half(2 * from + static_cast<std::size_t>(std::countr_zero(left))), after, key);
        }
    }

    ASSET_INLINE void find(std::size_t piece, const Word *state, Word *key) {
        const Word value = pieces_[piece].value(state);
        const std::uint64_t hash = Nodes::hash(piece, value);
        const Known &known = recent(hash);
        if (known.value == value && known.piece == piece) [[likely]]
            set(key, piece, known.spread);
        else
            others_.push_back({key, value, hash, piece});
    }

    ASSET_INLINE void set(Word *key, std::size_t piece, const Key &spread) const {
        const Key &bits = pieces_.bits(piece);
        for (std::size_t word = 0; word < width; ++word)
            key[word] = (key[word] & ~bits[word]) | spread[word];
    }

    ASSET_INLINE Known &recent(std::uint64_t hash) { return recent_[hash >> (64 - recent_bits)]; }

    // Looks up what was not met lately. False if there is no room for what is new.
    bool look_up_others() {
        bool done = true;
        for (std::size_t i = 0; done && i < others_.size() + distance; ++i) {
            if (i < others_.size())
                numbering_.prefetch(others_[i].hash);
            if (i >= distance)
                done = look_up(others_[i - distance]);
        }
        return done;
    }

    bool look_up(const Asked &asked) {
        Known &known = recent(asked.hash);
        if (known.value != asked.value || known.piece != asked.piece) {
            const Number number = numbering_.number(asked.hash, asked.piece, asked.value);
            if (!number) [[unlikely]]
                return false;
            known = {asked.value, pieces_.spread(asked.piece, number - 1), asked.piece};
        }
        set(asked.key, asked.piece, known.spread);
        return true;
    }

    Nodes &numbering_;
    const Parts &pieces_;
    std::vector<std::uint64_t> whole_; // for each block, the lower halves of words that are a piece each
    std::vector<Word> keys_;
    std::vector<Asked> others_; // what was not met lately
    std::vector<Known> recent_ = std::vector<Known>(std::size_t{1} << recent_bits);
};

template <std::size_t KeyWords, bool Parallel>
class PackedStore : public FoldedStore<Packing<KeyWords, Parallel>, IndexedStore<KeyWords, Parallel>> {
  public:
    using FoldedStore<Packing<KeyWords, Parallel>, IndexedStore<KeyWords, Parallel>>::FoldedStore;
};

} // namespace asset
