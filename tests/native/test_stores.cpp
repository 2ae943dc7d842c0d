// What every store of states does, whatever its table is like: one suite for all of them.
#include <new>
#include <numeric>
#include <random>
#include <set>
#include <thread>

#include "expect.h"
#include "indexed_store.h"
#include "quotient_store.h"

using asset::Arena;
using asset::Budget;
using asset::Inserted;
using asset::Insertion;
using asset::Word;

namespace {

constexpr std::size_t plenty = std::size_t{1} << 32;
constexpr unsigned narrow = 40;

asset_model model_of(std::uint32_t words, unsigned bits) {
    asset_model model{};
    model.abi_version = ASSET_ABI_VERSION;
    model.state_words = words;
    model.state_bits = words == 1 ? bits : 64 * words;
    return model;
}

// A store with its arena, and one writer.
template <class Store> struct Fixture {
    Fixture(std::uint32_t words, std::size_t limit = plenty, unsigned bits = narrow)
        : budget(limit), model(model_of(words, bits)), arena(budget, words), store(budget, arena, model),
          writer(arena) {}

    // Afterwards the state is in the store. Whether it was not before.
    bool insert(const std::vector<Word> &state, Arena::Writer &by) {
        for (;;) {
            const Inserted inserted = store.with_table(
                [&](const auto &table) { return table.insert(store.hasher()(state.data()), state.data(), by); });
            if (inserted.how != Insertion::full)
                return inserted.how == Insertion::added;
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

    Budget budget;
    const asset_model model;
    Arena arena;
    Store store;
    Arena::Writer writer;
};

std::vector<Word> state_of(std::uint64_t number, std::uint32_t words) {
    std::vector<Word> state(words);
    for (std::uint32_t word = 0; word < words; ++word)
        state[word] = number * 0x9e3779b97f4a7c15u >> (word + 64 - narrow);
    state[0] = (number * 0x9e3779b97f4a7c15u) >> (64 - narrow);
    return state;
}

template <class Store> void a_state_is_new_once(std::uint32_t words) {
    Fixture<Store> f(words);
    std::set<std::vector<Word>> expected;
    std::mt19937_64 random(7);
    for (int i = 0; i < 3000; ++i) {
        const std::vector<Word> state = state_of(random() % 1000, words);
        EXPECT(f.insert(state, f.writer) == expected.insert(state).second);
    }
}

template <class Store> void a_store_that_grows_loses_nothing(std::uint32_t words) {
    constexpr std::uint64_t many = 300000;
    Fixture<Store> f(words);
    std::uint64_t added = 0;
    for (std::uint64_t i = 0; i < many; ++i) {
        added += f.insert(state_of(i, words), f.writer);
        if (added > f.store.threshold())
            f.grow();
    }
    f.grow();
    f.writer.publish();
    for (std::uint64_t i = 0; i < many; ++i)
        EXPECT(!f.insert(state_of(i, words), f.writer));
    auto numbered = f.store.numbered(added);
    const auto table = numbered.table();
    std::set<asset::Id> ids;
    for (std::uint64_t i = 0; i < 1000; ++i) {
        const std::vector<Word> state = state_of(i, words);
        const asset::Id id = table.find(numbered.hasher()(state.data()), state.data());
        EXPECT(std::equal(state.begin(), state.end(), f.arena[id]));
        ids.insert(id);
    }
    EXPECT(ids.size() == 1000);
}

template <class Store> void a_budget_that_ends_is_bad_alloc_and_nothing_is_lost(std::uint32_t words) {
    Fixture<Store> f(words, std::size_t{48} << 20);
    std::uint64_t added = 0;
    bool failed = false;
    try {
        for (; added < std::uint64_t{1} << 24; ++added) {
            f.insert(state_of(added, words), f.writer);
            if (added > f.store.threshold())
                f.grow();
        }
    } catch (const std::bad_alloc &) {
        failed = true;
    }
    EXPECT(failed && added > 1000);
    EXPECT(f.budget.peak() <= f.budget.limit());
}

template <class Store> void threads_add_each_state_once(std::uint32_t words) {
    constexpr std::uint64_t many = 3000; // fewer than a table has room for at first
    Fixture<Store> f(words);
    std::atomic<std::uint64_t> added{0};
    {
        std::vector<std::jthread> threads;
        for (int thread = 0; thread < 4; ++thread)
            threads.emplace_back([&] {
                Arena::Writer writer(f.arena);
                for (std::uint64_t i = 0; i < many; ++i)
                    added += f.insert(state_of(i, words), writer);
                writer.publish();
            });
    }
    EXPECT(added == many);
}

template <class Store> void passes(std::uint32_t words) {
    a_state_is_new_once<Store>(words);
    a_store_that_grows_loses_nothing<Store>(words);
    a_budget_that_ends_is_bad_alloc_and_nothing_is_lost<Store>(words);
}

// Whatever its states' width, as its slots become narrower, and as large as its memory allows.
template <std::uint32_t words> void a_table_without_loss_is_filled(unsigned bits) {
    using Store = asset::QuotientStore<words, false>;
    Fixture<Store> f(words, std::size_t{5} << 20, bits);
    const auto state_at = [&](std::uint64_t i) {
        std::vector<Word> state(words);
        for (Word &word : state)
            word = (i += 0x9e3779b97f4a7c15u) * 0xd6e8feb86659fd93u >> (words == 1 ? 64 - bits : 0);
        return state;
    };
    std::uint64_t added = 0;
    try {
        for (std::uint64_t i = 0;; ++i) {
            if (added > f.store.threshold())
                f.grow();
            if (const std::vector<Word> state = state_at(i); f.insert(state, f.writer))
                ++added;
        }
    } catch (const std::bad_alloc &) {
    }
    EXPECT(added > 100000);
    std::uint64_t known = 0;
    for (std::uint64_t i = 0; i < added; ++i)
        known += f.store.with_table([&](const auto &table) {
            const std::vector<Word> state = state_at(i);
            return table.insert(f.store.hasher()(state.data()), state.data(), f.writer).how == Insertion::known;
        });
    EXPECT(known == added);
}

// As many different hashes as there are states, and each is the one hash with its home.
void a_home_says_the_hash() {
    for (const unsigned bits : {1u, 7u, 12u, 33u, 45u, 60u, 64u})
        for (const std::uint64_t buckets : {1024u, 1536u, 1025u * 1024u, 3u << 20}) {
            const asset::Quotient quotient(bits, buckets), twice(bits, 2 * buckets);
            std::mt19937_64 random(bits);
            for (int i = 0; i < 200; ++i) {
                const std::uint64_t hash = random() >> (64 - bits) << (64 - bits);
                const asset::Home home = quotient.home(hash), doubled = quotient.doubled(home);
                EXPECT(home.bucket < buckets && quotient.hash(home) == hash);
                EXPECT(doubled.bucket == twice.home(hash).bucket && doubled.remainder == twice.home(hash).remainder);
            }
        }
}

// States that were expanded make room for others, and the ones that were not are still there.
void an_arena_uses_chunks_again() {
    Budget budget(plenty);
    Arena arena(budget, 1, asset::Keeping::while_few);
    Arena::Writer writer(arena);
    Word next = 0;
    std::vector<asset::Range> level;
    std::vector<Arena::Writer *> writers{&writer};
    for (int depth = 0; depth < 12; ++depth) {
        Word expected = next - std::accumulate(level.begin(), level.end(), Word{0},
                                               [](Word sum, const asset::Range &each) { return sum + each.count; });
        for (const asset::Range &range : level)
            for (asset::Id i = 0; i < range.count; ++i)
                EXPECT(*arena[range.first + i] == expected++);
        for (const asset::Range &range : level)
            arena.release(range);
        for (Word i = 0; i < 1000000; ++i, ++next) {
            writer.write<1>(&next);
            writer.commit();
        }
        writer.publish();
        level.clear();
        writer.collect(level);
        arena.begin_level(level, writers);
    }
    EXPECT(!arena.complete() && budget.peak() < std::size_t{100} << 20);
}

// What is in a file can leave memory and come back.
void an_arena_in_a_file_keeps_everything() {
    constexpr Word many = 600000;
    Budget budget(std::size_t{4} << 20); // less than they take
    Arena arena(budget, 1, asset::Keeping::in_file);
    Arena::Writer writer(arena);
    for (Word i = 0; i < many; ++i) {
        const asset::Id id = writer.write<1>(&i);
        writer.commit();
        arena.release({id, 1});
    }
    for (Word i = 0; i < many; ++i)
        EXPECT(*arena[static_cast<asset::Id>(i)] == i);
}

template <template <bool> class Store> void passes_with_and_without_threads(std::uint32_t words) {
    passes<Store<false>>(words);
    passes<Store<true>>(words);
}

template <bool Parallel> using Quotient1 = asset::QuotientStore<1, Parallel>;
template <bool Parallel> using Quotient2 = asset::QuotientStore<2, Parallel>;
template <bool Parallel> using Indexed1 = asset::IndexedStore<1, Parallel>;
template <bool Parallel> using Indexed2 = asset::IndexedStore<2, Parallel>;
template <bool Parallel> using Indexed3 = asset::IndexedStore<3, Parallel>;
template <bool Parallel> using IndexedAny = asset::IndexedStore<0, Parallel>;

} // namespace

int main(int argc, char **argv) {
    threads_add_each_state_once<Quotient1<true>>(1);
    threads_add_each_state_once<Quotient2<true>>(2);
    threads_add_each_state_once<Indexed1<true>>(1);
    threads_add_each_state_once<Indexed2<true>>(2);
    threads_add_each_state_once<Indexed3<true>>(3);
    threads_add_each_state_once<IndexedAny<true>>(5);
    if (threads_only(argc, argv))
        return told();
    passes_with_and_without_threads<Quotient1>(1);
    passes_with_and_without_threads<Quotient2>(2);
    for (const unsigned width : {41u, 50u, 60u, 64u})
        a_table_without_loss_is_filled<1>(width);
    a_table_without_loss_is_filled<2>(64);
    a_home_says_the_hash();
    an_arena_uses_chunks_again();
    an_arena_in_a_file_keeps_everything();
    passes_with_and_without_threads<Indexed1>(1);
    passes_with_and_without_threads<Indexed2>(2);
    passes_with_and_without_threads<Indexed3>(3);
    passes_with_and_without_threads<IndexedAny>(5);
    return told();
}
