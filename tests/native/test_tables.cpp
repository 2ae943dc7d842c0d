// Where tables that hold states without loss put them (quotient_table.h), and those of roots of trees.
#include <random>

#include "expect.h"
#include "tree_store.h"

using asset::Arena;
using asset::Budget;
using asset::Insertion;
using asset::Word;

namespace {

constexpr std::size_t plenty = std::size_t{1} << 32;

// As many different hashes as there are states, and each is the one hash with its home.
void a_home_says_the_hash() {
    for (const unsigned bits : {1u, 7u, 12u, 33u, 45u, 60u, 64u})
        for (const std::uint64_t buckets : {1024u, 1536u, 1025u * 1024u, 3u << 20}) {
            const asset::Quotient<> quotient(bits, buckets), twice(bits, 2 * buckets);
            std::mt19937_64 random(bits);
            for (int i = 0; i < 200; ++i) {
                const std::uint64_t hash = random() >> (64 - bits) << (64 - bits);
                const asset::Home home = quotient.home(hash), doubled = quotient.doubled(home);
                EXPECT(home.bucket < buckets && quotient.hash(home) == hash);
                EXPECT(doubled.bucket == twice.home(hash).bucket && doubled.remainder == twice.home(hash).remainder);
            }
        }
}

// A tail is kept as it is, and does not change where a state belongs when there is room for a wider one.
void a_home_has_the_tail_of_a_hash() {
    constexpr unsigned bits = 40;
    std::mt19937_64 random(5);
    for (const std::uint64_t buckets : {1024u, 1536u, 3u << 20})
        for (const unsigned tail_bits : {0u, 8u, 24u}) {
            const asset::Quotient<true> quotient(bits, buckets, tail_bits), twice(bits, 2 * buckets, tail_bits);
            for (int i = 0; i < 200; ++i) {
                const std::uint64_t tail = random() & ((1u << tail_bits) - 1);
                const std::uint64_t hash = random() >> (64 - bits) << (64 - bits) | tail;
                const asset::Home home = quotient.home(hash), doubled = quotient.doubled(home);
                EXPECT(quotient.hash(home) == hash);
                EXPECT(home.bucket == asset::Quotient<true>(bits, buckets, 0).home(hash).bucket);
                EXPECT(doubled.bucket == twice.home(hash).bucket && doubled.remainder == twice.home(hash).remainder);
            }
        }
}

// Roots of few nodes have narrow slots, which become wider with the numbers of nodes, and nothing is lost.
void a_table_of_roots_becomes_wider(const asset::TreeShape &shape) {
    Budget budget(plenty);
    Arena arena(budget, 1);
    Arena::Writer writer(arena);
    const asset::RootHash hash(shape);
    asset::QuotientStore<1, false, asset::RootHash> store(budget, arena, hash);
    const auto rebuild = [&] {
        do
            for (std::size_t part = 0; part < store.rebuild_parts(); ++part)
                store.rebuild(part);
        while (store.next_rebuild_round());
    };
    std::mt19937_64 random(7);
    std::vector<Word> roots;
    const auto insert = [&](const Word &root) {
        return store.with_table(
            [&](const auto &table) { return table.insert(store.hasher()(&root), &root, writer).how; });
    };
    for (const unsigned width : {20u, 24u, 32u}) {
        const auto number = [&] { return static_cast<asset::Id>(random() >> (64 - width)); };
        const auto most = static_cast<asset::Id>((std::uint64_t{1} << width) - 1);
        if (const unsigned bits = hash.tail_bits(asset::Tree::pair(most, most)); bits > store.tail_bits()) {
            store.widen(bits);
            rebuild();
        }
        for (int i = 0; i < 20000; ++i) {
            roots.push_back(asset::Tree::pair(number(), number()));
            if (roots.size() > store.threshold()) {
                store.enlarge();
                rebuild();
            }
            EXPECT(insert(roots.back()) == Insertion::added);
            const Word other = roots.back() ^ (Word{1} << (width - 1)); // differs in one bit of the tail, if any
            roots.push_back(other);
            EXPECT(insert(other) == Insertion::added);
        }
        for (const Word root : roots)
            EXPECT(insert(root) == Insertion::known);
    }
    EXPECT(store.tail_bits() == 64 - hash.bits());
}

} // namespace

int main() {
    a_home_says_the_hash();
    a_home_has_the_tail_of_a_hash();
    a_table_of_roots_becomes_wider({4, {{0, 1}, {2, 3}, {4, 5}}});
    a_table_of_roots_becomes_wider({4, {{0, 1}, {2, 4}, {3, 5}}});
    a_table_of_roots_becomes_wider({2, {{0, 1}}});
    return told();
}
