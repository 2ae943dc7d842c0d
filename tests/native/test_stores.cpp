// What every store of states does, whatever its table is like: one suite for all of them.
#include <cmath>
#include <new>
#include <numeric>
#include <random>
#include <set>
#include <thread>

#include "approximate_stores.h"
#include "expect.h"
#include "indexed_store.h"
#include "packed_store.h"
#include "quotient_store.h"
#include "store_fixture.h"
#include "tree_store.h"

using asset::Arena;
using asset::Budget;
using asset::Inserted;
using asset::Insertion;
using asset::Word;

namespace {

// A store that may omit states, with a table in which it is not likely to.
template <template <std::size_t, bool> class Table, asset::Approximation::Kind kind, std::uint32_t parameter,
          std::size_t Words, bool Parallel>
struct Large : asset::ApproximateStore<Table, Words, Parallel> {
    Large(Budget &budget, const Arena &arena, const asset_model &model)
        : asset::ApproximateStore<Table, Words, Parallel>(budget, arena, model,
                                                          {kind, parameter, std::size_t{1} << 24, 0}) {}
};

template <std::size_t Words, bool Parallel>
using LargeBitstate = Large<asset::BitTable, asset::Approximation::Kind::bitstate, 20, Words, Parallel>;
template <std::size_t Words, bool Parallel>
using LargeCompact = Large<asset::CompactTable, asset::Approximation::Kind::compact, 1, Words, Parallel>;

// States as trees whose parts are paired as they lie.
template <bool Parallel, bool Ids> struct Trees : asset::TreeStore<Parallel, Ids> {
    Trees(Budget &budget, const Arena &arena, const asset_model &model)
        : asset::TreeStore<Parallel, Ids>(budget, arena, model, asset::shape_for(model, in_order())) {}

    static asset::Options in_order() {
        asset::Options options;
        options.in_order = true;
        return options;
    }
};

// States as keys; every second word is halved. Numbers have so many bits at first.
template <std::size_t KeyWords, bool Parallel, std::uint8_t bits = 0>
struct Packed : asset::PackedStore<KeyWords, Parallel> {
    Packed(Budget &budget, const Arena &arena, const asset_model &model)
        : asset::PackedStore<KeyWords, Parallel>(budget, arena, model, cutting(model.state_words)) {}

    static std::shared_ptr<const asset::Cutting> cutting(std::uint32_t words) {
        auto result = std::make_shared<asset::Cutting>();
        for (std::uint32_t word = 0; word < words; ++word)
            result->halved.push_back(word % 2);
        result->bits.assign(words + words / 2, bits);
        return result;
    }
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
    asset::Unfolded room;
    for (std::uint64_t i = 0; i < 1000; ++i) {
        const std::vector<Word> state = state_of(i, words);
        EXPECT(f.writer.keys.prepare(state.data()));
        const Word *key = f.writer.keys.of(state.data());
        const asset::Id id = table.find(numbered.hasher()(key), key);
        EXPECT(std::equal(state.begin(), state.end(), f.arena.state(id, room)));
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

// With bitstate hashing, some may be added by two threads at the same time.
template <class Store> void threads_add_each_state_once(std::uint32_t words, bool or_more = false) {
    constexpr std::uint64_t many = 3000; // fewer than a table has room for at first
    Fixture<Store> f(words);
    std::atomic<std::uint64_t> added{0};
    {
        std::vector<std::jthread> threads;
        for (int thread = 0; thread < 4; ++thread)
            threads.emplace_back([&] {
                typename Fixture<Store>::Inserting inserting(f);
                for (std::uint64_t i = 0; i < many; ++i)
                    added += f.insert(state_of(i, words), inserting);
                inserting.publish();
            });
    }
    EXPECT(added == many || (or_more && added > many && added < 2 * many));
}

// First many are looked for, then those that were not found are added: others may have done so, and so may the same
// thread, as each is among them twice.
template <class Store> void threads_add_what_they_have_looked_for_once(std::uint32_t words) {
    constexpr std::uint64_t many = 3000, at_once = 60;
    Fixture<Store> f(words);
    std::atomic<std::uint64_t> added{0};
    const auto add = [&](const auto &table, std::uint64_t first) {
        std::vector<std::uint8_t> slots;
        const auto with = [&](std::uint64_t i, const auto &use) {
            const std::vector<Word> state = state_of(first + i / 2, words);
            return use(f.store.hasher()(state.data()), state.data());
        };
        for (std::uint64_t i = 0; i < at_once; ++i)
            slots.push_back(with(i, [&](auto... state) { return table.look_for(state...); }));
        for (std::uint64_t i = 0; i < at_once; ++i)
            if (slots[i] != table.is_known)
                added += with(i, [&](auto... state) { return table.claim(state..., slots[i]); }) == Insertion::added;
        for (std::uint64_t i = 0; i < at_once; ++i)
            EXPECT(with(i, [&](auto... state) { return table.look_for(state...); }) == table.is_known);
    };
    {
        std::vector<std::jthread> threads;
        for (int thread = 0; thread < 4; ++thread)
            threads.emplace_back([&] {
                for (std::uint64_t first = 0; first < many; first += at_once / 2)
                    f.store.with_table([&](const auto &table) { add(table, first); });
            });
    }
    EXPECT(added == many);
}

template <class Store> void passes(std::uint32_t words) {
    a_state_is_new_once<Store>(words);
    a_store_that_grows_loses_nothing<Store>(words);
    a_budget_that_ends_is_bad_alloc_and_nothing_is_lost<Store>(words);
}

// What has a table of a fixed size passes what is not about growing.
template <class Store> void passes_without_growing(std::uint32_t words) {
    a_state_is_new_once<Store>(words);
    a_budget_that_ends_is_bad_alloc_and_nothing_is_lost<Store>(words);
}

// Of states that are not in the table, as many as the theory says are taken for known (asset.engine.omissions).
void omissions_are_those_of_the_theory() {
    constexpr std::uint64_t many = 100000, bits = std::uint64_t{1} << 19;
    Budget budget(plenty);
    Arena arena(budget, 1);
    Arena::Writer writer(arena);
    asset::ApproximateStore<asset::BitTable, 1, false> store(budget, arena, model_of(1, narrow),
                                                             {asset::Approximation::Kind::bitstate, 3, bits / 8, 1});
    std::uint64_t omitted = 0;
    double expected = 0;
    for (std::uint64_t i = 0; i < many; ++i) {
        const std::vector<Word> state = state_of(i, 1);
        omitted += store.with_table([&](const auto &table) {
            return table.insert(store.hasher()(state.data()), state.data(), writer).how == Insertion::known;
        });
        expected += std::pow(1 - std::exp(-3.0 * static_cast<double>(i - omitted) / bits), 3);
    }
    EXPECT(expected > 1000 && std::abs(static_cast<double>(omitted) - expected) < 0.1 * expected);
}

// However many words there are: two at a time, and what is left over.
void words_add_up_to_the_hash() {
    std::mt19937_64 random(1);
    for (std::size_t words = 1; words <= 600; words += words < 35 ? 1 : 53) {
        std::vector<Word> state(words);
        std::generate(state.begin(), state.end(), std::ref(random));
        std::uint64_t sum = 0;
        for (std::size_t i = 0; i < words; ++i)
            sum += asset::StateHash<0>::mixed(state[i], i);
        EXPECT(asset::StateHash<0>(words)(state.data()) == asset::StateHash<0>::finished(sum));
    }
}

// Code is compiled for some widths.
template <std::size_t... Widths> void the_hash_of_a_known_width_is_the_same(std::index_sequence<Widths...>) {
    const std::vector<Word> state = state_of(12345, 16);
    EXPECT(((asset::StateHash<0>(Widths)(state.data()) ==
             asset::StateHash<0>(Widths).template of_width<Widths>()(state.data())) &&
            ...));
}

// As states of a model do: few bits of each word change, and those are the same in all words.
void hashes_of_like_states_are_spread_evenly() {
    constexpr std::size_t words = 9, buckets = 1 << 12;
    for (const unsigned shift : {0u, 20u, 31u, 62u}) {
        std::vector<std::size_t> sizes(buckets);
        std::set<std::uint64_t> hashes;
        for (Word number = 0; number < Word{1} << (2 * words); ++number) {
            Word state[words];
            for (std::size_t i = 0; i < words; ++i)
                state[i] = (number >> (2 * i) & 3) << shift;
            const std::uint64_t hash = asset::StateHash<0>(words)(state);
            hashes.insert(hash);
            ++sizes[hash >> 52];
        }
        EXPECT(hashes.size() > (std::size_t{1} << (2 * words)) - 4);
        const auto [least, most] = std::minmax_element(sizes.begin(), sizes.end()); // 64 each, give or take 8
        EXPECT(*least > 64 - 6 * 8 && *most < 64 + 6 * 8);
    }
}

// A full table says so, and what it holds stays known.
void a_full_table_is_full() {
    constexpr std::size_t cells = 1024 * 4;
    Budget budget(plenty);
    Arena arena(budget, 1);
    Arena::Writer writer(arena);
    asset::ApproximateStore<asset::CompactTable, 1, false> store(
        budget, arena, model_of(1, narrow), {asset::Approximation::Kind::compact, 4, cells * 2, 0});
    const auto insert = [&](std::uint64_t i) {
        const std::vector<Word> state = state_of(i, 1);
        return store.with_table(
            [&](const auto &table) { return table.insert(store.hasher()(state.data()), state.data(), writer).how; });
    };
    std::uint64_t held = 0;
    while (insert(held) != Insertion::full)
        ++held;
    EXPECT(held > cells * 9 / 10);
    for (std::uint64_t i = 0; i < held; ++i)
        EXPECT(insert(i) == Insertion::known);
}

// Whatever its states' width, as its slots become narrower, and as large as its memory allows: that says by how much it
// grows.
template <std::uint32_t words> void a_table_without_loss_is_filled(unsigned bits, std::size_t mebibytes = 5) {
    using Store = asset::QuotientStore<words, false>;
    Fixture<Store> f(words, mebibytes << 20, bits);
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
    EXPECT(added > 14000 * mebibytes);
    std::uint64_t known = 0;
    for (std::uint64_t i = 0; i < added; ++i)
        known += f.store.with_table([&](const auto &table) {
            const std::vector<Word> state = state_at(i);
            return table.insert(f.store.hasher()(state.data()), state.data(), f.writer.writer).how == Insertion::known;
        });
    EXPECT(known == added);
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

// As many nodes as there are different parts, whatever their places; and states, with what differs read only.
void equal_parts_are_kept_once() {
    Fixture<Trees<false, false>> f(4);
    for (Word i = 0; i < 100; ++i)
        for (Word k = 0; k < 100; ++k)
            EXPECT(f.insert({i, i, k, k}, f.writer));
    // pieces are pairs (i, 0), of which there are 100, and pairs of equal ones of those
    EXPECT(f.store.forest().count == 200);
}

void values_of_a_piece_are_numbered_once() {
    Fixture<Packed<2, false>> f(3);
    for (Word i = 0; i < 100; ++i)
        for (Word k = 0; k < 100; ++k)
            EXPECT(f.insert({i, k << 40, i}, f.writer));
    EXPECT(f.store.forest().count == 100 + (1 + 100) + 100); // the word in the middle is halved
}

// What was added is still known then.
void keys_without_room_are_bad_alloc() {
    constexpr std::uint32_t words = 20;
    Fixture<Packed<2, false>> f(words);
    std::mt19937_64 random(15);
    std::vector<std::vector<Word>> states;
    bool failed = false;
    try {
        for (int i = 0; i < 100000; ++i) {
            std::vector<Word> state(words);
            for (Word &word : state)
                word = random();
            EXPECT(f.insert(state, f.writer));
            states.push_back(std::move(state));
        }
    } catch (const std::bad_alloc &) {
        failed = true;
    }
    EXPECT(failed && states.size() > 8);
    for (const std::vector<Word> &state : states)
        EXPECT(!f.insert(state, f.writer));
}

// Of any width, also where what is compared at once ends.
template <std::size_t KeyWords> void keys_say_what_they_are_of() {
    std::mt19937_64 random(13);
    for (const std::uint32_t words : {1u, 2u, 5u, 12u, 31u, 32u, 33u, 64u, 65u, 130u}) {
        Fixture<Packed<KeyWords, false>> f(words);
        std::vector<std::vector<Word>> states;
        for (int i = 0; i < 200; ++i) {
            std::vector<Word> state = i ? states.back() : std::vector<Word>(words);
            state[random() % 15 * 9 % words] = random() % 5 << (random() % 2 * 40);
            if (f.insert(state, f.writer))
                states.push_back(state);
        }
        f.writer.publish();
        asset::Unfolded room;
        const Word *all = f.arena.states({0, static_cast<asset::Id>(states.size())}, room);
        for (std::size_t i = 0; i < states.size(); ++i)
            EXPECT(std::equal(states[i].begin(), states[i].end(), all + i * words));
        for (std::size_t i = 0; i < states.size(); ++i)
            EXPECT(std::equal(states[i].begin(), states[i].end(), f.arena.state(static_cast<asset::Id>(i), room)));
    }
}

void differing_halves_are_told() {
    std::mt19937_64 random(14);
    for (std::size_t words = 0; words <= 32; ++words)
        for (int round = 0; round < 50; ++round) {
            std::vector<Word> a(words), b(words);
            std::uint64_t expected = 0;
            for (std::size_t i = 0; i < words; ++i) {
                a[i] = b[i] = random();
                if (random() % 2)
                    b[i] ^= Word{1} << (random() % 32), expected |= std::uint64_t{1} << (2 * i);
                if (random() % 2)
                    b[i] ^= Word{1} << (32 + random() % 32), expected |= std::uint64_t{2} << (2 * i);
            }
            EXPECT(asset::differing_halves(a.data(), b.data(), words) == expected);
        }
}

void trees_of_any_shape_say_what_they_are_of() {
    using asset::TreeShape;
    std::mt19937_64 random(11);
    for (int round = 0; round < 50; ++round) {
        const std::uint32_t words = 1 + random() % 6;
        std::vector<TreeShape::Place> open(2 * words);
        std::iota(open.begin(), open.end(), 0);
        std::vector<TreeShape::Children> children;
        for (auto next = static_cast<TreeShape::Place>(open.size()); open.size() > 1; ++next) {
            std::shuffle(open.begin(), open.end(), random);
            children.push_back({open.end()[-1], open.end()[-2]});
            open.resize(open.size() - 2);
            open.push_back(next);
        }
        Budget budget(plenty);
        Arena arena(budget, 1);
        asset::TreeStore<false, true> store(budget, arena, model_of(words, 64), TreeShape(2 * words, children));
        arena.holds_roots_of(store.unfolding());
        asset::Folding<false> folding(store.forest());
        Arena::Writer writer(arena);
        std::vector<std::vector<Word>> states;
        for (int i = 0; i < 60; ++i) {
            std::vector<Word> state(words);
            for (Word &word : state)
                word = random() % 3 * 0x100000001u * (random() % 2 ? 0xffffffff : 1);
            EXPECT(folding.prepare(state.data()));
            const Word *root = folding.of(state.data());
            if (store.table().insert(store.hasher()(root), root, writer).how == Insertion::added)
                states.push_back(state);
        }
        writer.publish();
        asset::Unfolded room;
        for (std::size_t i = 0; i < states.size(); ++i) {
            const auto id = static_cast<asset::Id>(random() % states.size());
            EXPECT(std::equal(states[id].begin(), states[id].end(), arena.state(id, room)));
        }
        const Word *all = arena.states({0, static_cast<asset::Id>(states.size())}, room);
        for (std::size_t i = 0; i < states.size(); ++i)
            EXPECT(std::equal(states[i].begin(), states[i].end(), all + i * words));
    }
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
template <bool Parallel> using Roots = Trees<Parallel, false>;
template <bool Parallel> using RootsWithIds = Trees<Parallel, true>;
template <bool Parallel> using Packed2 = Packed<2, Parallel>;
template <bool Parallel> using Packed3 = Packed<3, Parallel>;
template <bool Parallel> using Packed4 = Packed<4, Parallel>;
template <bool Parallel> using IndexedAny = asset::IndexedStore<0, Parallel>;

} // namespace

int main(int argc, char **argv) {
    threads_add_each_state_once<Quotient1<true>>(1);
    threads_add_each_state_once<Quotient2<true>>(2);
    threads_add_what_they_have_looked_for_once<Quotient1<true>>(1);
    threads_add_what_they_have_looked_for_once<Quotient2<true>>(2);
    threads_add_each_state_once<Indexed1<true>>(1);
    threads_add_each_state_once<Indexed2<true>>(2);
    threads_add_each_state_once<Indexed3<true>>(3);
    threads_add_each_state_once<IndexedAny<true>>(5);
    for (const std::uint32_t words : {1u, 2u}) { // with more, the table of nodes would have to grow
        threads_add_each_state_once<Roots<true>>(words);
        threads_add_each_state_once<RootsWithIds<true>>(words);
        threads_add_each_state_once<Packed<2, true, 12>>(words);
    }
    threads_add_each_state_once<LargeCompact<1, true>>(1);
    threads_add_each_state_once<LargeCompact<0, true>>(5);
    threads_add_each_state_once<LargeBitstate<0, true>>(5, true);
    if (threads_only(argc, argv))
        return told();
    passes_with_and_without_threads<Quotient1>(1);
    passes_with_and_without_threads<Quotient2>(2);
    for (const unsigned width : {41u, 50u, 60u, 64u})
        a_table_without_loss_is_filled<1>(width);
    for (const std::size_t mebibytes : {3, 4, 5, 6, 7, 8, 9})
        a_table_without_loss_is_filled<2>(64, mebibytes);
    an_arena_uses_chunks_again();
    an_arena_in_a_file_keeps_everything();
    passes_without_growing<LargeBitstate<1, false>>(1);
    passes_without_growing<LargeBitstate<0, true>>(5);
    passes_without_growing<LargeCompact<1, true>>(1);
    passes_without_growing<LargeCompact<0, false>>(5);
    omissions_are_those_of_the_theory();
    words_add_up_to_the_hash();
    the_hash_of_a_known_width_is_the_same(std::index_sequence<4, 5, 6, 7, 8, 9, 12, 13, 16>());
    hashes_of_like_states_are_spread_evenly();
    a_full_table_is_full();
    passes_with_and_without_threads<Indexed1>(1);
    passes_with_and_without_threads<Indexed2>(2);
    passes_with_and_without_threads<Indexed3>(3);
    passes_with_and_without_threads<IndexedAny>(5);
    for (const std::uint32_t words : {1u, 7u})
        passes_with_and_without_threads<Roots>(words);
    passes_with_and_without_threads<RootsWithIds>(3);
    passes_with_and_without_threads<Packed2>(3);
    passes_with_and_without_threads<Packed3>(4);
    passes_with_and_without_threads<Packed4>(5);
    values_of_a_piece_are_numbered_once();
    keys_without_room_are_bad_alloc();
    keys_say_what_they_are_of<2>();
    keys_say_what_they_are_of<3>();
    keys_say_what_they_are_of<4>();
    differing_halves_are_told();
    equal_parts_are_kept_once();
    trees_of_any_shape_say_what_they_are_of();
    return told();
}
