// A store of states as trees (tree.h), which are folded until two numbers are left.
#pragma once

#include <type_traits>

#include "forest.h"
#include "quotient_store.h"
#include "successors.h"
#include "tree.h"

namespace asset {

// Makes roots of the successors of a batch. Only what differs from the source is looked up, from the leaves up, for
// many successors together, so that what a look-up needs is fetched from memory meanwhile. Each thread has its own.
template <bool Parallel> class Folding {
  public:
    static constexpr bool folds = true;
    using Parts = Tree;
    using Nodes = Forest<Tree, Parallel>;

    static std::size_t root_words(const asset_model &) { return 1; }
    static TreeShape shape(const asset_model &model, const Options &options) { return shape_for(model, options); }

    explicit Folding(Nodes &forest)
        : forest_(forest), shape_(forest.parts.shape()), nodes_(forest), numbers_(together * shape_.places()),
          changed_(shape_.height() + 1) {}

    // Afterwards the roots of the successors from one edge up to another are known. False if the table of nodes is
    // full: it must be enlarged, and then this is to be called again.
    bool prepare(const Successors &successors, std::size_t first, std::size_t end) {
        if (forest_.crowded())
            return false;
        nodes_.begin();
        first_ = first;
        roots_.resize(end - first);
        std::size_t source = first < end ? successors.source_of(first) : 0;
        for (std::size_t begin = first; begin < end; begin += together) {
            const std::size_t stop = std::min(begin + together, end);
            compare(successors, begin, stop, source);
            if (!fold())
                return false;
            for (std::size_t edge = begin; edge < stop; ++edge)
                roots_[edge - first] = root(edge - begin);
        }
        return true;
    }

    // The same for one state, which has no source.
    bool prepare(const Word *state) {
        if (forest_.crowded())
            return false;
        Id *numbers = numbers_of(0);
        for (Place leaf = 0; leaf < shape_.leaves(); ++leaf)
            numbers[leaf] = piece(state, leaf);
        for (Place place = static_cast<Place>(shape_.leaves()); place < shape_.places(); ++place)
            if (!(numbers[place] = nodes_.look_up(forest_.parts.node(place, numbers))))
                return false;
        roots_.assign(1, root(0));
        return true;
    }

    const Word *operator()(const Successors &, std::size_t edge) const { return &roots_[edge - first_]; }
    const Word *of(const Word *) const { return roots_.data(); }

    // Makes the nodes added so far visible to a rebuild.
    void publish() { nodes_.publish(); }

  private:
    using Place = TreeShape::Place;

    static constexpr std::size_t together = 256; // successors

    // A place of a successor's tree, where something below has changed.
    struct Changed {
        std::uint32_t successor;
        Place place;
    };

    static Id piece(const Word *state, Place leaf) { return static_cast<Id>(state[leaf / 2] >> (leaf % 2 * 32)); }

    Id *numbers_of(std::size_t successor) { return &numbers_[successor * shape_.places()]; }

    Word root(std::size_t successor) {
        const Id *numbers = numbers_of(successor);
        const auto [left, right] = shape_.root();
        return Tree::pair(numbers[left], numbers[right]);
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

    // Height by height. False if the table is full.
    bool fold() {
        bool done = true;
        for (std::uint32_t height = 1; done && height < changed_.size(); ++height) {
            for (const Changed &each : changed_[height])
                nodes_.ask(forest_.parts.node(each.place, numbers_of(each.successor)), each);
            done = nodes_.answer([&](const Changed &each, Id number) { set(each, number); });
        }
        return done;
    }

    Nodes &forest_;
    const TreeShape &shape_;
    NodeNumbers<Nodes, Changed> nodes_;
    std::size_t first_ = 0;
    std::vector<Word> roots_;                    // by edge, from the first on
    std::array<const Id *, together> sources_{}; // of each successor the numbers of its source
    std::vector<Id> numbers_;                    // of each successor those at all places
    std::vector<std::vector<Changed>> changed_;  // by height
};

// Ids says whether it knows the ids of states.
template <bool Parallel, bool Ids>
using RootStore = std::conditional_t<Ids, IndexedStore<1, Parallel>, QuotientStore<1, Parallel>>;

template <bool Parallel, bool Ids> class TreeStore : public FoldedStore<Folding<Parallel>, RootStore<Parallel, Ids>> {
    using FoldedStore<Folding<Parallel>, RootStore<Parallel, Ids>>::FoldedStore;

  public:
    using AsTrees = void;
};

} // namespace asset
