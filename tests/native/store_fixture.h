// A store with its arena, as the tests of stores use it.
#pragma once

#include <vector>

#include "store.h"

inline constexpr std::size_t plenty = std::size_t{1} << 32;
inline constexpr unsigned narrow = 40;

inline asset_model model_of(std::uint32_t words, unsigned bits) {
    asset_model model{};
    model.abi_version = ASSET_ABI_VERSION;
    model.state_words = words;
    model.state_bits = words == 1 ? bits : 64 * words;
    return model;
}

// A store with its arena, and what one thread needs to insert.
template <class Store> struct Fixture {
    using Keys = typename Store::Keys;

    struct Inserting {
        explicit Inserting(Fixture &fixture) : writer(fixture.arena), keys(fixture.new_keys()) {}

        void publish() {
            writer.publish();
            keys.publish();
        }

        asset::Arena::Writer writer;
        Keys keys;
    };

    Fixture(std::uint32_t words, std::size_t limit = plenty, unsigned bits = narrow)
        : budget(limit), model(model_of(words, bits)), arena(budget, Keys::root_words(model)),
          store(budget, arena, model), writer(*this) {
        if constexpr (Keys::folds)
            arena.holds_roots_of(store.unfolding());
    }

    Keys new_keys() {
        if constexpr (Keys::folds)
            return Keys(store.forest());
        else
            return Keys();
    }

    // What becomes of the state.
    asset::Insertion try_to_insert(const std::vector<asset::Word> &state, Inserting &by) {
        if (!by.keys.prepare(state.data()))
            return asset::Insertion::full;
        const asset::Word *key = by.keys.of(state.data());
        return store.with_table(
            [&](const auto &table) { return table.insert(store.hasher()(key), key, by.writer).how; });
    }

    // Afterwards the state is in the store. Whether it was not before.
    bool insert(const std::vector<asset::Word> &state, Inserting &by) {
        for (;;) {
            const asset::Insertion how = try_to_insert(state, by);
            if (how != asset::Insertion::full)
                return how == asset::Insertion::added;
            grow();
        }
    }

    void grow() {
        writer.publish();
        store.enlarge();
        do
            for (std::size_t part = 0; part < store.rebuild_parts(); ++part)
                store.rebuild(part);
        while (store.next_rebuild_round());
    }

    asset::Budget budget;
    const asset_model model;
    asset::Arena arena;
    Store store;
    Inserting writer;
};
