// A store of states as trees (tree.h): a table of nodes, and a store of roots, which are states of one word to it. The
// arena holds the roots.
#pragma once

#include <algorithm>
#include <type_traits>

#include "quotient_store.h"
#include "successors.h"
#include "tree.h"

namespace asset {

// Hashes roots. While there are few nodes, their numbers have few bits. Those of both numbers say the bucket and the
// remainder; the others are the tail. It is mixed in, so that where the numbers are large, roots that differ in it alone
// are apart; and as a tail of 0 mixes in nothing, hashes stay what they are when tails become wider. Of a piece of the
// state, which has any value, all bits are mixed.
class RootHash {
  public:
    static constexpr bool has_tail = true;

    explicit RootHash(const TreeShape &shape)
        : left_(shape.is_leaf(shape.root()[0])), right_(shape.is_leaf(shape.root()[1])), next_(left_.next + right_.next),
          mixer_(left_.bits + right_.bits) {}

    unsigned bits() const { return mixer_.bits(); }

    std::uint64_t operator()(const Word *root) const {
        const Word left = Tree::left(*root), right = Tree::right(*root), tail = tail_of(*root);
        const Word mixed = (left_.low(left) | right_.low(right) << left_.bits) ^ fold_multiply(tail, 0x8bb84b93962eacc9u);
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

// The nodes of all states, for all threads.
template <bool Parallel> struct Forest {
    Forest(Budget &budget, const asset_model &model, TreeShape shape)
        : tree(budget, std::move(shape)), nodes(budget, tree.nodes(), model), hash(tree.shape()) {}

    bool crowded() const { return full || count > nodes.threshold(); }

    // Whether the table of roots has room for the widest of these.
    bool admits(Word roots) {
        const bool narrow = hash.tail_bits(roots) <= tail_bits;
        if (!narrow)
            widest |= roots;
        return narrow;
    }

    void enlarge() {
        full = false;
        nodes.enlarge();
    }

    // Chunks that were not filled stay as they are: what is added later is in others.
    template <class Archive> void archive(Archive &archive) {
        std::uint64_t known = count;
        auto children = tree.shape().children();
        archive(known, children);
        if (children != tree.shape().children())
            throw SnapshotFailed("its trees have another shape");
        count = known;
        if constexpr (Archive::writes) {
            tree.nodes().save(archive, {}, {});
        } else {
            Arena::Writer writer(tree.nodes());
            tree.nodes().load(archive, writer);
        }
        nodes.archive(archive);
    }

    Tree tree;
    IndexedStore<1, Parallel> nodes;
    std::atomic<std::uint64_t> count{0};
    std::atomic<bool> full{false}; // a thread found no place for a node
    const RootHash hash;
    unsigned tail_bits = 64;     // that there is room for
    std::atomic<Word> widest{0}; // all bits of roots for which there was not
};

// Makes roots of the successors of a batch. Only what differs from the source is looked up, from the leaves up, for
// many successors together, so that what a look-up needs is fetched from memory meanwhile. Each thread has its own.
template <bool Parallel> class Folding {
  public:
    static constexpr bool folds = true;

    explicit Folding(Forest<Parallel> &forest)
        : forest_(forest), shape_(forest.tree.shape()), writer_(forest.tree.nodes()),
          numbers_(together * shape_.places()), changed_(shape_.height() + 1) {}

    // Afterwards the roots of the successors from one edge up to another are known. False if the table of nodes is full
    // or that of roots too narrow: it must be enlarged, and then this is to be called again.
    bool prepare(const Successors &successors, std::size_t first, std::size_t end) {
        if (forest_.crowded())
            return false;
        first_ = first;
        roots_.resize(end - first);
        Word all = 0;
        std::size_t source = first < end ? successors.source_of(first) : 0;
        for (std::size_t begin = first; begin < end; begin += together) {
            const std::size_t stop = std::min(begin + together, end);
            compare(successors, begin, stop, source);
            if (!fold())
                return false;
            for (std::size_t edge = begin; edge < stop; ++edge)
                all |= roots_[edge - first] = root(edge - begin);
        }
        return forest_.admits(all);
    }

    // The same for one state, which has no source.
    bool prepare(const Word *state) {
        if (forest_.crowded())
            return false;
        const auto table = forest_.nodes.table();
        Id *numbers = numbers_of(0);
        for (Place leaf = 0; leaf < shape_.leaves(); ++leaf)
            numbers[leaf] = piece(state, leaf);
        for (Place place = static_cast<Place>(shape_.leaves()); place < shape_.places(); ++place) {
            const Word node = forest_.tree.node(place, numbers);
            const Inserted inserted = table.insert(table.hash(&node), &node, writer_);
            if (inserted.how == Insertion::full)
                return refuse();
            forest_.count += inserted.how == Insertion::added;
            numbers[place] = Tree::number(inserted.id);
        }
        roots_.assign(1, root(0));
        return forest_.admits(roots_[0]);
    }

    const Word *operator()(const Successors &, std::size_t edge) const { return &roots_[edge - first_]; }
    const Word *of(const Word *) const { return roots_.data(); }

    // Makes the nodes added so far visible to a rebuild.
    void publish() { writer_.publish(); }

  private:
    using Place = TreeShape::Place;

    static constexpr std::size_t together = 256; // successors
    static constexpr std::size_t distance = 16;  // how many look-ups are under way at once

    // A place of a successor's tree, where something below has changed.
    struct Changed {
        std::uint32_t successor;
        Place place;
    };

    // A node that is looked up in the table, and one that was met lately.
    struct Asked {
        Changed changed;
        Word node;
        std::uint64_t hash;
    };
    struct Known {
        Word node = 0;
        Id number = 0; // 0 if there is none
    };

    static Id piece(const Word *state, Place leaf) { return static_cast<Id>(state[leaf / 2] >> (leaf % 2 * 32)); }

    Id *numbers_of(std::size_t successor) { return &numbers_[successor * shape_.places()]; }

    Word root(std::size_t successor) {
        const auto [left, right] = shape_.root();
        return Tree::pair(numbers_of(successor)[left], numbers_of(successor)[right]);
    }

    bool refuse() {
        forest_.full = true;
        return false;
    }

    // The successors from one edge up to another, which is not far away, of sources from this one on.
    void compare(const Successors &successors, std::size_t first, std::size_t end, std::size_t &source) {
        const std::size_t words = shape_.leaves() / 2;
        for (auto &each : changed_)
            each.clear();
        std::size_t last = successors.first_edge(source + 1);
        for (std::size_t edge = first; edge < end; ++edge) {
            while (edge >= last)
                last += successors.degree(++source);
            const auto number = static_cast<std::uint32_t>(edge - first);
            sources_[number] = successors.numbers(source);
            std::copy_n(sources_[number], shape_.places(), numbers_of(number));
            const Word *before = successors.source(source), *after = successors.successor(edge);
            for (std::size_t word = 0; word < words; ++word)
                if (const Word difference = before[word] ^ after[word])
                    for (const Place half : {0u, 1u})
                        if (static_cast<Id>(difference >> (32 * half)))
                            set({number, static_cast<Place>(2 * word + half)},
                                static_cast<Id>(after[word] >> (32 * half)));
        }
    }

    // The number at a place is another one. What is above is looked up later, once: whatever is below and has changed
    // has another number than in the source.
    void set(Changed changed, Id number) {
        Id *numbers = numbers_of(changed.successor);
        numbers[changed.place] = number;
        const Place above = shape_.above(changed.place), beside = shape_.beside(changed.place);
        if (above < shape_.places() && numbers[beside] == sources_[changed.successor][beside])
            changed_[shape_.height(above)].push_back({changed.successor, above});
    }

    bool fold() {
        std::uint64_t added = 0;
        bool done = true;
        for (std::uint32_t height = 1; done && height < changed_.size(); ++height)
            done = look_up(changed_[height], added);
        forest_.count += added;
        return done || refuse();
    }

    // The nodes of places that are equally high. Most of them were met a moment ago. False if the table is full.
    bool look_up(const std::vector<Changed> &changed, std::uint64_t &added) {
        const auto table = forest_.nodes.table();
        asked_.clear();
        for (const Changed &each : changed) {
            const Word node = forest_.tree.node(each.place, numbers_of(each.successor));
            const std::uint64_t hash = table.hash(&node);
            if (const Known &known = recent_[hash % recent_.size()]; known.number && known.node == node)
                set(each, known.number);
            else
                asked_.push_back({each, node, hash});
        }
        for (std::size_t i = 0; i < asked_.size() + distance; ++i) {
            if (i < asked_.size())
                table.prefetch(asked_[i].hash);
            if (const std::size_t near = i - distance / 2; i >= distance / 2 && near < asked_.size())
                table.prefetch_candidate(asked_[near].hash);
            if (i >= distance && !ask(table, asked_[i - distance], added))
                return false;
        }
        return true;
    }

    template <class Table> bool ask(const Table &table, const Asked &asked, std::uint64_t &added) {
        const Inserted inserted = table.insert(asked.hash, &asked.node, writer_);
        if (inserted.how == Insertion::full) [[unlikely]]
            return false;
        added += inserted.how == Insertion::added;
        recent_[asked.hash % recent_.size()] = {asked.node, Tree::number(inserted.id)};
        set(asked.changed, Tree::number(inserted.id));
        return true;
    }

    Forest<Parallel> &forest_;
    const TreeShape &shape_;
    Arena::Writer writer_;
    std::size_t first_ = 0;
    std::vector<Word> roots_;                    // by edge, from the first on
    std::array<const Id *, together> sources_{}; // of each successor the numbers of its source
    std::vector<Id> numbers_;                    // of each successor those at all places
    std::vector<Asked> asked_;
    std::vector<Known> recent_ = std::vector<Known>(std::size_t{1} << 14); // by hash
    std::vector<std::vector<Changed>> changed_;                            // by height
};

// Ids says whether it knows the ids of states.
template <bool Parallel, bool Ids> class TreeStore {
  public:
    static constexpr bool knows_ids = Ids;
    static constexpr std::size_t words = 1;
    using Keys = Folding<Parallel>;
    using Roots = std::conditional_t<Ids, IndexedStore<1, Parallel>, QuotientStore<1, Parallel, RootHash>>;

    TreeStore(Budget &budget, const Arena &arena, const asset_model &model, const TreeShape &shape)
        : forest_(budget, model, shape), roots_(roots_of(budget, arena, model)) {
        tell_width();
    }

    Forest<Parallel> &forest() { return forest_; }
    const Tree &tree() const { return forest_.tree; }

    auto hasher() const { return roots_.hasher(); }
    template <class Use> ASSET_INLINE decltype(auto) with_table(const Use &use) const { return roots_.with_table(use); }
    auto table() const { return roots_.table(); }

    // The table of nodes if that is crowded, else the table of roots.
    void enlarge() {
        enlarging_nodes_ = forest_.crowded();
        if (enlarging_nodes_)
            forest_.enlarge();
        else if (const Word widest = forest_.widest.exchange(0); widest)
            widen(forest_.hash.tail_bits(widest));
        else
            roots_.enlarge();
    }
    std::size_t rebuild_parts() const {
        return enlarging_nodes_ ? forest_.nodes.rebuild_parts() : roots_.rebuild_parts();
    }
    void rebuild(std::size_t part) {
        if (enlarging_nodes_)
            forest_.nodes.rebuild(part);
        else
            roots_.rebuild(part);
    }
    bool next_rebuild_round() { return !enlarging_nodes_ && roots_.next_rebuild_round(); }

    std::uint64_t threshold() const { return roots_.threshold(); }

    // Nodes stay where they are, as states are looked up by their roots.
    auto numbered(std::uint64_t states) { return roots_.numbered(states); }

    template <class Archive> void archive(Archive &archive) {
        forest_.archive(archive);
        roots_.archive(archive);
        tell_width();
    }

  private:
    Roots roots_of(Budget &budget, const Arena &arena, const asset_model &model) const {
        if constexpr (Ids)
            return Roots(budget, arena, one_word(model));
        else
            return Roots(budget, arena, forest_.hash);
    }

    // A store that knows ids has all of each root.
    void widen(unsigned tail_bits) {
        if constexpr (!Ids)
            roots_.widen(tail_bits);
        tell_width();
    }
    void tell_width() {
        if constexpr (!Ids)
            forest_.tail_bits = roots_.tail_bits();
    }

    static asset_model one_word(asset_model model) {
        model.state_words = 1;
        model.state_bits = 64;
        return model;
    }

    Forest<Parallel> forest_;
    Roots roots_;
    bool enlarging_nodes_ = false;
};

} // namespace asset
