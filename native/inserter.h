// Puts the successors of a batch into a store: which must be looked up, and looking them up with what they need fetched
// some way ahead.
#pragma once

#include <array>
#include <span>

#include "batch.h"
#include "edges.h"
#include "indexed_store.h"
#include "recent.h"
#include "simd.h"
#include "store.h"
#include "width.h"

namespace asset {

// Each thread has its own.
template <class Store> class Inserter {
  public:
    using Keys = typename Store::Keys;

    // States have so many words; those of the arena have fewer if it holds what stands for them.
    Inserter(Budget &budget, Arena &arena, std::size_t words, Keys keys)
        : words_(words), writer_(arena), keys_(std::move(keys)), recent_(budget, words) {}

    Arena::Writer &writer() { return writer_; }
    Keys &keys() { return keys_; }

    // What was added so far is visible to a rebuild.
    void publish() {
        writer_.publish();
        keys_.publish();
    }

    // Inserts one state.
    Inserted insert(const Store &store, const Word *state) {
        if (!keys_.prepare(state))
            return {Insertion::full};
        const Word *key = keys_.of(state);
        return store.with_table([&](const auto &table) { return table.insert(store.hasher()(key), key, writer_); });
    }

    // Afterwards every successor in the batch is in the store; those that were not are marked, and their targets are
    // kept if edges are. `make_room` is called if the table is full; if it says that the search has ended, so does this
    // function, by false.
    template <class MakeRoom>
    bool insert(const Store &store, Batch &batch, KeptEdges &kept, const MakeRoom &make_room) {
        if (!v3_)
            return insert_portably(store, batch, kept, make_room);
        if constexpr (any_width == 0 && requires { typename Store::Widths; })
            return with_width(words_, typename Store::Widths(), [&](auto width) {
                return insert_v3<decltype(width)::value>(store, batch, kept, make_room);
            });
        else
            return insert_v3<any_width>(store, batch, kept, make_room);
    }

  private:
    // How many look-ups are under way at once: a state is looked up this long after its bucket was asked for.
    static constexpr std::size_t distance = 32;
    static constexpr std::size_t candidate_distance = distance / 2;
    static constexpr std::size_t claim_distance = distance / 4;
    static constexpr std::size_t capacity = 2048;      // look-ups
    static constexpr std::size_t hashed_together = 16; // successors

    // Of all states that the store can have; 0 if that is not known when it is compiled.
    static constexpr std::size_t any_width = Keys::folds ? 0 : Store::words;

    template <std::size_t Words, class MakeRoom>
    ASSET_V3 bool insert_v3(const Store &store, Batch &batch, KeptEdges &kept, const MakeRoom &make_room) {
        return insert_all<Words>(store, batch, kept, make_room);
    }

    template <class MakeRoom>
    bool insert_portably(const Store &store, Batch &batch, KeptEdges &kept, const MakeRoom &make_room) {
        return insert_all<any_width>(store, batch, kept, make_room);
    }

    // The innermost loops: five per cent of a search are saved if they are compiled for a modern processor, and ten to
    // twenty of one with wide states if they are compiled for their width, and fetch what was met lately ahead.
    template <std::size_t Words, class MakeRoom>
    ASSET_INLINE bool insert_all(const Store &store, Batch &batch, KeptEdges &kept, const MakeRoom &make_room) {
        for (std::size_t first = 0; first < batch.edges(); first += capacity) {
            if (kept.keeping()) {
                choose_look_ups<Words, true>(store, batch, first);
                keep_until(0, first, kept);
            } else {
                choose_look_ups<Words, false>(store, batch, first);
            }
            if constexpr (Keys::folds)
                while (!fold<Words>(store, batch, kept))
                    if (!make_room())
                        return false;
            while (!look_up<Words>(store, batch, kept))
                if (!make_room())
                    return false;
        }
        return true;
    }

    // Of the successors from edge `first` on, as far as there is room for them: those that were not met lately. If
    // edges are kept, the others lead to what was met. Without branches: which ones they are cannot be foreseen.
    template <std::size_t Words, bool Keeping>
    ASSET_INLINE void choose_look_ups(const Store &store, const Batch &batch, std::size_t first) {
        const auto hasher = of_width<Words>(hasher_of(store));
        const std::size_t end = std::min(batch.edges(), first + capacity);
        std::size_t count = 0;
        std::array<std::uint64_t, hashed_together> hashes;
        for (std::size_t begin = first; begin < end; begin += hashed_together) {
            const std::size_t some = std::min(hashed_together, end - begin);
            for (std::size_t i = 0; i < some; ++i)
                recent_.template prefetch<Words>(hashes[i] = hasher(batch.successor(begin + i)));
            for (std::size_t i = 0; i < some; ++i) {
                const std::size_t edge = begin + i;
                edges_[count] = static_cast<std::uint32_t>(edge);
                hashes_[count] = hashes[i];
                count += !recent_.template meet<Words>(hashes[i], batch.successor(edge));
                if constexpr (Keeping)
                    places_[edge - first] = static_cast<std::uint32_t>(recent_.place(hashes[i]));
            }
        }
        chosen_ = count;
        done_ = 0;
        first_ = first;
        end_ = end;
    }

    // Of states as the model writes them, which the table may know by others.
    ASSET_INLINE auto hasher_of([[maybe_unused]] const Store &store) const {
        if constexpr (Keys::folds)
            return StateHash<0>(words_);
        else
            return store.hasher();
    }

    // Makes what the table knows the chosen successors by. False if there is no room for it.
    template <std::size_t Words> ASSET_INLINE bool fold(const Store &store, const Batch &batch, KeptEdges &kept) {
        const std::span<const std::uint32_t> edges(edges_.data(), chosen_);
        // What may be given up is tried in a function of its own; else it is inlined here, for a modern processor.
        const auto prepare = [&] { return keys_.template prepare<Words>(batch.successors(), edges); };
        if (!(kept.keeping() ? kept.give_up_rather_than_fail(prepare)
                             : keys_.template prepare<Words>(batch.successors(), edges)))
            return false;
        const auto hasher = of_width<Keys::template key_words<Words>>(store.hasher());
        for (std::size_t i = 0; i < chosen_; ++i)
            hashes_[i] = hasher(key_of(batch, i));
        return true;
    }

    // Goes on with the chosen look-ups. False if the table is full.
    template <std::size_t Words> ASSET_INLINE bool look_up(const Store &store, Batch &batch, KeptEdges &kept) {
        return store.with_table([&](const auto &any) ASSET_INLINED {
            const auto table = of_width<Keys::template key_words<Words>>(any);
            if constexpr (requires { requires std::decay_t<decltype(table)>::in_turns; })
                return look_up_in_turns(table, batch);
            else
                return kept.keeping() ? look_up_in<true>(table, batch, kept) : look_up_in<false>(table, batch, kept);
        });
    }

    // With several threads a slot is claimed by an instruction that waits for all earlier writes. So nothing is written
    // while claiming: first it is found out what is new, then all of that is claimed, then it is written.
    template <class Table> ASSET_INLINE bool look_up_in_turns(const Table table, Batch &batch) {
        std::size_t missing = 0, claimed = 0, added = 0;
        for (std::size_t i = done_; i < std::min(done_ + distance, chosen_); ++i)
            table.template prefetch<false>(hashes_[i]);
        for (std::size_t i = done_; i < chosen_; ++i) {
            if (i + distance < chosen_)
                table.template prefetch<false>(hashes_[i + distance]);
            places_[missing] = static_cast<std::uint32_t>(i);
            slots_[missing] = table.look_for(hashes_[i], key_of(batch, i));
            missing += slots_[missing] != Table::is_known;
        }
        done_ = chosen_;
        for (; claimed < missing; ++claimed) {
            if (claimed + claim_distance < missing)
                table.prefetch(hashes_[places_[claimed + claim_distance]]);
            const std::size_t i = places_[claimed];
            const Insertion how = table.claim(hashes_[i], key_of(batch, i), slots_[claimed]);
            if (how == Insertion::full) [[unlikely]] {
                done_ = i;
                break;
            }
            places_[added] = static_cast<std::uint32_t>(i);
            added += how == Insertion::added;
        }
        for (std::size_t k = 0; k < added; ++k) {
            writer_.template write<Store::words>(key_of(batch, places_[k]));
            writer_.commit();
            batch.mark_new(edges_[places_[k]]);
        }
        return done_ == chosen_;
    }

    ASSET_INLINE const Word *key_of(const Batch &batch, std::size_t chosen) const {
        return keys_(batch.successors(), edges_[chosen], chosen);
    }

    // The table is a value of its own here, which no write to memory can change: its parts stay in registers.
    template <bool Keeping, class Table>
    ASSET_INLINE bool look_up_in(const Table table, Batch &batch, KeptEdges &kept) {
        std::size_t i = done_;
        for (std::size_t ahead = i; ahead < std::min(i + distance, chosen_); ++ahead)
            table.prefetch(hashes_[ahead]);
        for (std::size_t ahead = i; ahead < std::min(i + candidate_distance, chosen_); ++ahead)
            table.prefetch_candidate(hashes_[ahead]);
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
            if constexpr (Keeping) {
                recent_.id_at(places_[edges_[i] - first_]) = inserted.id;
                keep_until(i + 1, edges_[i], kept);
            }
        }
        done_ = i;
        return i == chosen_;
    }

    // Keeps the targets of the edges from this one on, up to that of a look-up: all that were met before it have ids.
    ASSET_INLINE void keep_until(std::size_t next, std::size_t edge, KeptEdges &kept) {
        for (const std::size_t end = next < chosen_ ? edges_[next] : end_; edge < end; ++edge)
            kept.set_target(edge, recent_.id_at(places_[edge - first_]));
    }

    template <bool Keeping, class Table>
    ASSET_INLINE Inserted insert_one(const Table &table, const Batch &batch, KeptEdges &kept, std::size_t chosen) {
        const Word *key = key_of(batch, chosen);
        if constexpr (!Keeping)
            return table.insert(hashes_[chosen], key, writer_);
        else
            return kept.give_up_rather_than_fail([&] { return table.insert(hashes_[chosen], key, writer_); });
    }

    const bool v3_ = has_v3();
    const std::size_t words_;
    Arena::Writer writer_;
    Keys keys_;
    Recent<Keys::folds ? 0 : Store::words> recent_;

    // The successors that must be looked up.
    std::size_t chosen_ = 0;
    std::size_t done_ = 0;
    std::size_t first_ = 0, end_ = 0; // the edges that they were chosen of
    std::array<std::uint32_t, capacity> edges_;
    std::array<std::uint64_t, capacity> hashes_;
    // Of all edges, if these are kept: where what they lead to was met. Else the look-ups that found nothing.
    std::array<std::uint32_t, capacity> places_;
    std::array<std::uint8_t, capacity> slots_; // and where they would be
};

} // namespace asset
