// A store of states as trees (tree.h), which are folded until two numbers are left.
#pragma once

#include <memory>
#include <numeric>
#include <span>
#include <type_traits>

#include "forest.h"
#include "quotient_store.h"
#include "simd.h"
#include "successors.h"
#include "tree.h"

namespace asset {

// Hashes roots. While there are few nodes, their numbers have few bits. Those of both numbers say the bucket and the
// remainder; the others are the tail. It is mixed in, so that where the numbers are large, roots that differ in it
// alone are apart; and as a tail of 0 mixes in nothing, hashes stay what they are when tails become wider. Of a piece
// of the state, which has any value, all bits are mixed.
class RootHash {
  public:
    static constexpr bool has_tail = true;

    explicit RootHash(const TreeShape &shape)
        : left_(shape.is_leaf(shape.root()[0])), right_(shape.is_leaf(shape.root()[1])),
          next_(left_.next + right_.next), mixer_(left_.bits + right_.bits) {}

    unsigned bits() const { return mixer_.bits(); }

    std::uint64_t operator()(const Word *root) const {
        const Word left = Tree::left(*root), right = Tree::right(*root), tail = tail_of(*root);
        const Word mixed =
            (left_.low(left) | right_.low(right) << left_.bits) ^ fold_multiply(tail, 0x8bb84b93962eacc9u);
        return mixer_(&mixed) | tail;
    }

    // How wide tails are, if any bit of the numbers may be set that is set in one of these roots.
    unsigned tail_bits(Word roots) const {
        const Word tail = tail_of(roots);
        return tail == 0 ? 0 : tail >> next_ ? 64 - bits() : next_;
    }

  private:
    // What is at one side of the root: how many bits of its number are mixed, and how many are next in the tail.
    struct Side {
        explicit Side(bool is_leaf) : bits(is_leaf ? 32 : 20), next(is_leaf ? 0 : 4) {}

        Word low(Word number) const { return number & ((Word{1} << bits) - 1); }
        Word middle(Word number) const { return number >> bits & ((Word{1} << next) - 1); }
        Word high(Word number) const { return number >> (bits + next); }

        unsigned bits, next;
    };

    Word tail_of(Word root) const {
        const Word left = Tree::left(root), right = Tree::right(root);
        const Word high = left_.high(left) | right_.high(right) << (32 - left_.bits - left_.next);
        return left_.middle(left) | right_.middle(right) << left_.next | high << next_;
    }

    Side left_, right_;
    unsigned next_;
    Mixer<1> mixer_;
};

// The nodes of all states, and how wide the numbers are for which the table of roots has room.
template <bool Parallel> struct RootedForest : Forest<Tree, Parallel> {
    RootedForest(Budget &budget, const asset_model &model, const TreeShape &shape)
        : Forest<Tree, Parallel>(budget, model, shape), hash(shape) {}

    // Whether there is room for the widest of these roots.
    bool admits(Word roots) {
        const bool narrow = hash.tail_bits(roots) <= tail_bits;
        if (!narrow)
            widest |= roots;
        return narrow;
    }

    const RootHash hash;
    unsigned tail_bits = 64;
    std::atomic<Word> widest{0}; // all bits of roots for which there was no room
};

// Makes roots of the successors of a batch. Only what differs from the source is looked up, from the leaves up, for
// many successors together, so that what a look-up needs is fetched from memory meanwhile. Each thread has its own.
template <bool Parallel> class Folding {
  public:
    static constexpr bool folds = true;
    using Parts = Tree;
    using Nodes = RootedForest<Parallel>;

    template <std::size_t> static constexpr std::size_t key_words = 1;
    static std::size_t root_words(const asset_model &) { return 1; }
    static TreeShape shape(const asset_model &model, const Options &options) {
        return options.tree_shape ? *options.tree_shape : shape_for(model, options);
    }

    explicit Folding(Nodes &forest)
        : forest_(forest), shape_(forest.parts.shape()), nodes_(forest), numbers_(together * shape_.places()),
          changed_(shape_), above_(shape_.mark_blocks()) {}

    // Afterwards the roots of the successors to which these edges lead, in increasing order, are known. False if the
    // table of nodes is full or that of roots too narrow: it must be enlarged, and then this is to be called again.
    // Words is the width of the states if it is known when this is compiled, else 0.
    template <std::size_t Words, class Edges>
    ASSET_INLINE bool prepare(const Successors &successors, const Edges &edges) {
        if (forest_.crowded())
            return false;
        nodes_.begin();
        roots_.resize(edges.size());
        Word all = 0;
        Sources sources(successors);
        for (std::size_t first = 0; first < edges.size(); first += together) {
            const std::size_t count = std::min(together, edges.size() - first);
            changed_.clear();
            for (std::size_t i = 0; i < count; ++i) {
                const std::size_t edge = edges[first + i], source = sources.of(edge);
                compare<Words>(successors, source, edge, numbers_of<Words>(i));
            }
            if (!fold())
                return false;
            for (std::size_t i = 0; i < count; ++i)
                all |= roots_[first + i] = root(numbers_of<Words>(i));
        }
        return forest_.admits(all);
    }

    // The same for one state, which has no source.
    bool prepare(const Word *state) {
        if (forest_.crowded())
            return false;
        Id *numbers = numbers_.data();
        for (Place leaf = 0; leaf < shape_.leaves(); ++leaf)
            numbers[leaf] = piece(state, leaf);
        for (Place place = static_cast<Place>(shape_.leaves()); place < shape_.places(); ++place)
            if (!(numbers[place] = nodes_.look_up(forest_.parts.node(place, numbers))))
                return false;
        roots_.assign(1, root(numbers));
        return forest_.admits(roots_[0]);
    }

    const Word *operator()(const Successors &, std::size_t, std::size_t position) const { return &roots_[position]; }
    const Word *of(const Word *) const { return roots_.data(); }

    // Makes the nodes added so far visible to a rebuild.
    void publish() { nodes_.publish(); }

  private:
    using Place = TreeShape::Place;

    static constexpr std::size_t together = 128; // successors: what is known of them is in the processor's cache
    static constexpr std::size_t block = 32;     // words that are compared at once

    // The successors in whose trees something below a place has changed, for each place that is no leaf: where the
    // numbers at all places of their trees are. There is room for all; memory is taken as far as it is used.
    class Changed {
      public:
        explicit Changed(const TreeShape &shape)
            : leaves_(shape.leaves()), counts_(shape.places() - leaves_),
              all_(std::make_unique_for_overwrite<Id *[]>(counts_.size() * together)) {}

        void clear() { std::ranges::fill(counts_, 0); }
        ASSET_INLINE void add(Place place, Id *numbers) {
            const std::size_t at = place - leaves_;
            all_[at * together + counts_[at]++] = numbers;
        }
        std::span<Id *const> at(Place place) const {
            return {&all_[(place - leaves_) * together], counts_[place - leaves_]};
        }

      private:
        std::size_t leaves_;
        std::vector<std::uint32_t> counts_;
        std::unique_ptr<Id *[]> all_;
    };

    static Id piece(const Word *state, Place leaf) { return static_cast<Id>(state[leaf / 2] >> (leaf % 2 * 32)); }

    // Of one of the successors that are folded together.
    template <std::size_t Words> ASSET_INLINE Id *numbers_of(std::size_t successor) {
        return &numbers_[successor * (Words ? TreeShape::places_of(Words) : shape_.places())];
    }

    Word root(const Id *numbers) const {
        const auto [left, right] = shape_.root();
        return Tree::pair(numbers[left], numbers[right]);
    }

    // Eight at a time: the compiler makes one instruction of that, and a call of what has no known length.
    ASSET_INLINE static void copy_numbers(const Id *from, Id *to, std::size_t count) {
        std::size_t i = 0;
        for (; i + 8 <= count; i += 8)
            std::memcpy(to + i, from + i, 8 * sizeof *to);
        for (; i < count; ++i)
            to[i] = from[i];
    }

    // Sets those numbers of a successor that its source has as well, and its leaves. What is above those that differ is
    // to be looked up.
    template <std::size_t Words>
    ASSET_INLINE void compare(const Successors &successors, std::size_t source, std::size_t edge, Id *numbers) {
        const std::size_t words = Words ? Words : shape_.leaves() / 2;
        copy_numbers(successors.numbers(source), numbers, Words ? TreeShape::places_of(Words) : shape_.places());
        const Word *before = successors.source(source), *after = successors.successor(edge);
        if constexpr (Words) { // then there is one block of marks, which stays in a register
            std::uint64_t above = 0;
            set_leaves(before, after, words, 0, numbers, [&](Place leaf) { above |= *shape_.marks_above(leaf); });
            add_changed(0, above, numbers);
        } else {
            std::ranges::fill(above_, 0);
            for (std::size_t from = 0; from < words; from += block)
                set_leaves(before, after, std::min(block, words - from), from, numbers, [&](Place leaf) {
                    for (std::size_t i = 0; i < above_.size(); ++i)
                        above_[i] |= shape_.marks_above(leaf)[i];
                });
            for (std::size_t i = 0; i < above_.size(); ++i)
                add_changed(i, above_[i], numbers);
        }
    }

    // Those that differ, of so many words from there on; `use` is called with them.
    template <class Use>
    ASSET_INLINE void set_leaves(const Word *before, const Word *after, std::size_t words, std::size_t from,
                                 Id *numbers, const Use &use) {
        for (std::uint64_t left = differing_halves(before + from, after + from, words); left; left &= left - 1) {
            const auto leaf = static_cast<Place>(2 * from + static_cast<unsigned>(std::countr_zero(left)));
            numbers[leaf] = piece(after, leaf);
            use(leaf);
        }
    }

    // The places of a block whose marks are set.
    ASSET_INLINE void add_changed(std::size_t block_of_marks, std::uint64_t marks, Id *numbers) {
        for (; marks; marks &= marks - 1)
            changed_.add(shape_.marked(block_of_marks, static_cast<unsigned>(std::countr_zero(marks))), numbers);
    }

    // Height by height. False if the table is full.
    ASSET_INLINE bool fold() {
        const auto set = [](Id *place, Id number) ASSET_INLINED { *place = number; };
        for (const auto &places : shape_.by_height()) {
            for (const Place place : places) {
                const auto [left, right] = shape_.below(place);
                for (Id *numbers : changed_.at(place))
                    nodes_.find(Tree::pair(numbers[left], numbers[right]), numbers + place, set);
            }
            if (!nodes_.look_up_others(set))
                return false;
        }
        return true;
    }

    Nodes &forest_;
    const TreeShape &shape_;
    NodeNumbers<Nodes, Id *> nodes_;
    std::vector<Word> roots_;
    std::vector<Id> numbers_; // of each successor those at all places
    Changed changed_;
    std::vector<std::uint64_t> above_;
};

// Ids says whether it knows the ids of states.
template <bool Parallel, bool Ids>
using RootStore = std::conditional_t<Ids, IndexedStore<1, Parallel>, QuotientStore<1, Parallel, RootHash>>;

template <bool Parallel, bool Ids> class TreeStore : public FoldedStore<Folding<Parallel>, RootStore<Parallel, Ids>> {
    using Folded = FoldedStore<Folding<Parallel>, RootStore<Parallel, Ids>>;

  public:
    using AsTrees = void;

    TreeStore(Budget &budget, const Arena &arena, const asset_model &model, const TreeShape &shape)
        : Folded(budget, arena, model, shape) {
        tell_width();
    }

    // The table of roots becomes wider, if that is what it lacks.
    void enlarge() {
        if constexpr (!Ids) // a store that knows ids has all of each root
            if (const Word widest = this->forest_.widest.exchange(0)) {
                this->enlarging_nodes_ = false;
                this->roots_.widen(this->forest_.hash.tail_bits(widest));
                return tell_width();
            }
        Folded::enlarge();
    }

    template <class Archive> void archive(Archive &archive) {
        Folded::archive(archive);
        tell_width();
    }

  private:
    void tell_width() {
        if constexpr (!Ids)
            this->forest_.tail_bits = this->roots_.tail_bits();
    }
};

} // namespace asset
