// What stores of folded states have in common: nodes, which many states share, and a store of roots, which are states
// of fewer words to it. The arena holds the roots. How states are folded is said in tree_store.h and packed_store.h.
#pragma once

#include <algorithm>

#include "indexed_store.h"

namespace asset {

// The nodes of all states, for all threads.
template <class Parts, bool Parallel> struct Forest {
    Forest(Budget &budget, const asset_model &model, typename Parts::Shape shape)
        : parts(budget, std::move(shape)), nodes(budget, parts.nodes(), model) {}

    bool crowded() const { return full || count > nodes.threshold(); }

    void enlarge() {
        full = false;
        nodes.enlarge();
    }

    std::size_t rebuild_parts() const { return nodes.rebuild_parts(); }
    void rebuild(std::size_t part) { nodes.rebuild(part); }

    // Chunks that were not filled stay as they are: what is added later is in others.
    template <class Archive> void archive(Archive &archive) {
        std::uint64_t known = count;
        archive(known);
        parts.archive(archive);
        count = known;
        if constexpr (Archive::writes) {
            parts.nodes().save(archive, {}, {});
        } else {
            Arena::Writer writer(parts.nodes());
            parts.nodes().load(archive, writer);
        }
        nodes.archive(archive);
    }

    Parts parts;
    IndexedStore<1, Parallel> nodes;
    std::atomic<std::uint64_t> count{0};
    std::atomic<bool> full{false}; // a thread found no place for a node
};

// The numbers of nodes, from 1 on, for one thread. Most of them were met a moment ago; the others are looked up
// together, so that what a look-up needs is fetched from memory meanwhile. Place says what a number is for.
template <class Nodes, class Place> class NodeNumbers {
  public:
    explicit NodeNumbers(Nodes &forest) : forest_(forest), writer_(forest.parts.nodes()) {}

    // Nothing is to be looked up any more: memory may have ended before all was.
    void begin() {
        asked_ = 0;
        others_.clear();
    }

    // Calls `use` with the place and the number of the node, soon or when the others are looked up.
    template <class Use> ASSET_INLINE void find(Word node, const Place &place, const Use &use) {
        __builtin_prefetch(&recent(node));
        Asked &next = latest_[asked_ % ahead];
        if (asked_++ >= ahead)
            settle(next, use);
        next = {place, node};
    }

    // Looks up what was not met lately. False if the table is full: it must be enlarged.
    template <class Use> ASSET_INLINE bool look_up_others(const Use &use) {
        for (std::size_t i = asked_ - std::min(asked_, ahead); i < asked_; ++i)
            settle(latest_[i % ahead], use);
        asked_ = 0;
        return others_.empty() || look_up_all(use);
    }

    // The number of one node; 0 if the table is full.
    Id look_up(Word node) {
        const Inserted inserted = table().insert(table().hash(&node), &node, writer_);
        if (inserted.how == Insertion::full)
            return refuse();
        forest_.count += inserted.how == Insertion::added;
        return inserted.id + 1;
    }

    // Makes the nodes added so far visible to a rebuild.
    void publish() { writer_.publish(); }

  private:
    static constexpr std::size_t distance = 16; // how many look-ups are under way at once
    static constexpr unsigned recent_bits = 14;
    static constexpr std::size_t ahead = 8; // how many numbers are fetched from the cache of what was met lately

    struct Asked {
        Place place;
        Word node;
    };
    struct Other {
        Place place;
        Word node;
        std::uint64_t hash;
    };
    struct Known {
        Word node = 0;
        Id number = 0; // 0 if there is none
    };

    auto table() const { return forest_.nodes.table(); }

    ASSET_INLINE Known &recent(Word node) { return recent_[(node * 0x9e3779b97f4a7c15u) >> (64 - recent_bits)]; }

    template <class Use> ASSET_INLINE void settle(const Asked &asked, const Use &use) {
        if (const Known &known = recent(asked.node); known.number && known.node == asked.node) [[likely]]
            use(asked.place, known.number);
        else
            others_.push_back({asked.place, asked.node, table().hash(&asked.node)});
    }

    bool refuse() {
        forest_.full = true;
        return false;
    }

    template <class Use> bool look_up_all(const Use &use) {
        const auto table = this->table();
        std::uint64_t added = 0;
        bool done = true;
        for (std::size_t i = 0; done && i < others_.size() + distance; ++i) {
            if (i < others_.size())
                table.prefetch(others_[i].hash);
            if (const std::size_t near = i - distance / 2; i >= distance / 2 && near < others_.size())
                table.prefetch_candidate(others_[near].hash);
            if (i >= distance)
                done = look_up(table, others_[i - distance], added, use);
        }
        others_.clear();
        forest_.count += added;
        return done || refuse();
    }

    template <class Table, class Use>
    bool look_up(const Table &table, const Other &other, std::uint64_t &added, const Use &use) {
        const auto &[place, node, hash] = other;
        const Inserted inserted = table.insert(hash, &node, writer_);
        if (inserted.how == Insertion::full) [[unlikely]]
            return false;
        added += inserted.how == Insertion::added;
        recent(node) = {node, inserted.id + 1};
        use(place, inserted.id + 1);
        return true;
    }

    Nodes &forest_;
    Arena::Writer writer_;
    std::array<Asked, ahead> latest_; // of those that were asked for
    std::size_t asked_ = 0;
    std::vector<Other> others_; // what was not met lately
    std::vector<Known> recent_ = std::vector<Known>(std::size_t{1} << recent_bits);
};

// A table of nodes, and a store of the roots that Folding makes of states.
template <class Folding, class RootStore> class FoldedStore {
  public:
    static constexpr bool knows_ids = RootStore::knows_ids;
    static constexpr std::size_t words = RootStore::words;
    using Keys = Folding;
    using Widths = std::index_sequence<7, 8, 9, 10, 11, 12, 13, 14, 15, 16>;

    FoldedStore(Budget &budget, const Arena &arena, const asset_model &model,
                const typename Folding::Parts::Shape &shape)
        : forest_(budget, model, shape), roots_(roots_of(budget, arena, model)) {}

    auto &forest() { return forest_; }
    const Unfolding &unfolding() const { return forest_.parts; }

    auto hasher() const { return roots_.hasher(); }
    template <class Use> ASSET_INLINE decltype(auto) with_table(const Use &use) const { return roots_.with_table(use); }
    auto table() const { return roots_.table(); }

    // The table of nodes if that is crowded, else the table of roots.
    void enlarge() {
        enlarging_nodes_ = forest_.crowded();
        if (enlarging_nodes_)
            forest_.enlarge();
        else
            roots_.enlarge();
    }
    std::size_t rebuild_parts() const { return enlarging_nodes_ ? forest_.rebuild_parts() : roots_.rebuild_parts(); }
    void rebuild(std::size_t part) {
        if (enlarging_nodes_)
            forest_.rebuild(part);
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
    }

  protected:
    // A store that is made for roots has a hash of them.
    RootStore roots_of(Budget &budget, const Arena &arena, asset_model model) const {
        model.state_words = static_cast<std::uint32_t>(Folding::root_words(model));
        model.state_bits = 64 * model.state_words;
        if constexpr (requires { RootStore(budget, arena, forest_.hash); })
            return RootStore(budget, arena, forest_.hash);
        else
            return RootStore(budget, arena, model);
    }

    typename Folding::Nodes forest_;
    RootStore roots_;
    bool enlarging_nodes_ = false;
};

} // namespace asset
