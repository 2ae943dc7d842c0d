// Puts the successors of a batch into a store: which must be looked up, and looking them up with what they need fetched
// some way ahead.
#pragma once

#include <array>

#include "batch.h"
#include "edges.h"
#include "recent.h"
#include "simd.h"
#include "store.h"

namespace asset {

// Each thread has its own.
template <class Store> class Inserter {
  public:
    Inserter(Budget &budget, const asset_model &model, Arena &arena)
        : writer_(arena), recent_(budget, model.state_words) {}

    Arena::Writer &writer() { return writer_; }

    // Afterwards every successor in the batch is in the store; those that were not are marked, and their targets are
    // kept if edges are. `make_room` is called if the table is full; if it says that the search has ended, so does this
    // function, by false.
    template <class MakeRoom>
    bool insert(const Store &store, Batch &batch, KeptEdges &kept, const MakeRoom &make_room) {
        return v3_ ? insert_v3(store, batch, kept, make_room) : insert_portably(store, batch, kept, make_room);
    }

  private:
    // How many look-ups are under way at once: a state is looked up this long after its bucket was asked for.
    static constexpr std::size_t distance = 32;
    static constexpr std::size_t candidate_distance = distance / 2;
    static constexpr std::size_t capacity = 1024; // look-ups

    template <class MakeRoom>
    ASSET_V3 bool insert_v3(const Store &store, Batch &batch, KeptEdges &kept, const MakeRoom &make_room) {
        return insert_all(store, batch, kept, make_room);
    }

    template <class MakeRoom>
    bool insert_portably(const Store &store, Batch &batch, KeptEdges &kept, const MakeRoom &make_room) {
        return insert_all(store, batch, kept, make_room);
    }

    // The innermost loops: five per cent of a search are saved if they are compiled for a modern processor.
    template <class MakeRoom>
    ASSET_INLINE bool insert_all(const Store &store, Batch &batch, KeptEdges &kept, const MakeRoom &make_room) {
        for (std::size_t first = 0; first < batch.edges(); first += capacity) {
            if (kept.keeping())
                choose_look_ups<true>(store, batch, first);
            else
                choose_look_ups<false>(store, batch, first);
            while (!look_up(store, batch, kept))
                if (!make_room())
                    return false;
        }
        return true;
    }

    // Of the successors from edge `first` on, as far as there is room for them: those that were not met lately; all of
    // them if their ids are to be kept. Without branches: which ones they are cannot be foreseen.
    template <bool Keeping>
    ASSET_INLINE void choose_look_ups(const Store &store, const Batch &batch, std::size_t first) {
        const auto hasher = store.hasher();
        const std::size_t end = std::min(batch.edges(), first + capacity);
        std::size_t count = 0;
        for (std::size_t edge = first; edge < end; ++edge) {
            const Word *state = batch.successor(edge);
            const std::uint64_t hash = hasher(state);
            edges_[count] = static_cast<std::uint32_t>(edge);
            hashes_[count] = hash;
            count += Keeping || !recent_.meet(hash, state);
        }
        chosen_ = count;
        done_ = 0;
    }

    // Goes on with the chosen look-ups. False if the table is full.
    ASSET_INLINE bool look_up(const Store &store, Batch &batch, KeptEdges &kept) {
        return store.with_table([&](const auto &table) ASSET_INLINED {
            return kept.keeping() ? look_up_in<true>(table, batch, kept) : look_up_in<false>(table, batch, kept);
        });
    }

    // The table is a value of its own here, which no write to memory can change: its parts stay in registers.
    template <bool Keeping, class Table>
    ASSET_INLINE bool look_up_in(const Table table, Batch &batch, KeptEdges &kept) {
        std::size_t i = done_;
        for (std::size_t ahead = i; ahead < std::min(i + distance, chosen_); ++ahead)
            table.prefetch(hashes_[ahead]);
        for (; i < chosen_; ++i) {
            if (i + distance < chosen_)
                table.prefetch(hashes_[i + distance]);
            if (i + candidate_distance < chosen_)
                table.prefetch_candidate(hashes_[i + candidate_distance]);
            const Inserted inserted = insert_one<Keeping>(table, batch, kept, i);
            if (inserted.how == Insertion::full) [[unlikely]]
                break;
            if (inserted.how == Insertion::added)
                batch.mark_new(edges_[i]);
            if constexpr (Keeping)
                kept.set_target(edges_[i], inserted.id);
        }
        done_ = i;
        return i == chosen_;
    }

    template <bool Keeping, class Table>
    ASSET_INLINE Inserted insert_one(const Table &table, const Batch &batch, KeptEdges &kept, std::size_t chosen) {
        const Word *state = batch.successor(edges_[chosen]);
        if constexpr (!Keeping)
            return table.insert(hashes_[chosen], state, writer_);
        else
            return kept.give_up_rather_than_fail([&] { return table.insert(hashes_[chosen], state, writer_); });
    }

    const bool v3_ = has_v3();
    Arena::Writer writer_;
    Recent<Store::words> recent_;

    // The successors that must be looked up.
    std::size_t chosen_ = 0;
    std::size_t done_ = 0;
    std::array<std::uint32_t, capacity> edges_;
    std::array<std::uint64_t, capacity> hashes_;
};

} // namespace asset
