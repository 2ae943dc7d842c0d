// Ranks of a cluster, in one process, which exchange what they find by hand: they count what a search counts.
#include <bit>
#include <memory>
#include <vector>

#include "backward.h"
#include "expect.h"
#include "fixtures.h"
#include "locality.h"
#include "progress.h"
#include "rank.h"
#include "search.h"

using asset::Backward;
using asset::Options;
using asset::Rank;
using namespace fixtures;

namespace {

constexpr std::int32_t invariance = 10, good_end = 11;
constexpr std::size_t little_room = 1 << 12; // bytes, so that a level takes many rounds
constexpr std::size_t few_batches = 64;

using Ranks = std::vector<std::unique_ptr<Rank>>;

// Everyone works, and then receives what is in the boxes for it, until nobody has anything left.
template <class Boxes, class Work, class Receive>
void rounds(const std::vector<Boxes *> &all, const Work &work, const Receive &receive, bool answering = false) {
    for (bool more = true; more;) {
        more = false;
        for (Boxes *each : all)
            more |= work(*each);
        for (unsigned to = 0; to < all.size(); ++to)
            for (unsigned from = 0; from < all.size(); ++from)
                for (const auto piece : from == to ? std::vector<std::span<const Word>>() : all[from]->outgoing(to))
                    if (!piece.empty()) {
                        receive(*all[to], piece);
                        more |= answering;
                    }
        for (Boxes *each : all)
            each->clear();
    }
}

std::uint64_t end_level(const Ranks &ranks) {
    std::uint64_t found = 0;
    for (const auto &rank : ranks)
        found += rank->end_level();
    for (const auto &rank : ranks)
        if (!found)
            rank->drop_level();
    return found;
}

void expand(const Ranks &ranks) {
    std::vector<Rank *> all;
    for (const auto &rank : ranks)
        all.push_back(rank.get());
    rounds(
        all, [](Rank &rank) { return rank.expand(few_batches); },
        [](Rank &rank, std::span<const Word> states) { rank.receive(states); });
}

void mark(const std::vector<Backward *> &all) {
    rounds(
        all, [](Backward &each) { return each.go_back(); },
        [](Backward &each, std::span<const Word> sources) { each.receive(sources); }, true);
}

void link(const std::vector<Backward *> &all) {
    rounds(
        all, [](Backward &each) { return each.link(); },
        [](Backward &each, std::span<const Word> links) { each.receive_links(links); });
    for (Backward *each : all)
        each->end_linking();
}

// Everything is fired where sets would leave something out for ever. Whether there were such states.
bool widen(const Ranks &ranks) {
    std::vector<Backward *> all;
    for (const auto &rank : ranks)
        all.push_back(&rank->leading_out(true));
    link(all);
    for (Backward *each : all)
        each->begin_leading_out();
    mark(all);
    std::int64_t level = -1;
    for (Backward *each : all)
        level = std::max(level, each->last_unmarked_level());
    for (const auto &rank : ranks)
        if (level >= 0)
            rank->widen(static_cast<std::size_t>(level));
    return level >= 0;
}

// `bits` say whose a state is; all if there are none.
Ranks explored(const asset_model &model, const Options &options, unsigned count, const std::vector<Word> &bits = {}) {
    Ranks ranks;
    for (unsigned number = 0; number < count; ++number) {
        ranks.push_back(Rank::make(model, options, {number, count, bits}, little_room));
        ranks.back()->start();
    }
    for (bool more = end_level(ranks); more || (options.repair && widen(ranks)); more = end_level(ranks))
        expand(ranks);
    return ranks;
}

template <class Model> Options asked(unsigned threads) {
    return {.starts = Table<Model>::initial(),
            .in_states = {{invariance, invariant}},
            .in_terminal_states = {{good_end, terminal}},
            .threads = threads};
}

template <class Model> void ranks_count_what_a_search_counts(unsigned threads) {
    const Options options = asked<Model>(threads);
    asset::Search search(Table<Model>::model, options);
    search.run();
    for (const unsigned count : {1u, 2u, 3u}) {
        std::uint64_t states = 0, edges = 0, terminal_states = 0;
        for (const auto &rank : explored(Table<Model>::model, options, count)) {
            EXPECT(!rank->wrong_so_far());
            states += rank->progress().states;
            edges += rank->progress().edges;
            terminal_states += rank->progress().terminal_states;
        }
        EXPECT(states == search.progress().states);
        EXPECT(edges == search.progress().edges);
        EXPECT(terminal_states == search.progress().terminal_states);
    }
}

// Whatever says whose a state is.
template <class Model> void few_bits_may_say_whose_a_state_is(unsigned threads) {
    const Options options = asked<Model>(threads);
    asset::Search search(Table<Model>::model, options);
    search.run();
    const std::vector<Word> bits(Model::words, 0x5555555555555555);
    std::uint64_t states = 0;
    for (const auto &rank : explored(Table<Model>::model, options, 3, bits)) {
        EXPECT(rank->progress().states > 0);
        states += rank->progress().states;
    }
    EXPECT(states == search.progress().states);
}

// States of two numbers. A step counts up the first, but one step in so many turns all bits of the second.
std::vector<Word> telling_bits(Word seldom) {
    asset::Locality locality(2);
    for (Word number = 0; number < 1 << 12; ++number) {
        const Word state[] = {number % 8, number << 32};
        const bool second = number % seldom == 0;
        const Word next[] = {(state[0] + !second) % 8, (second ? number ^ 0xfff : number) << 32};
        locality.add_state(state);
        locality.add_step(state, next);
    }
    return locality.bits(2);
}

void bits_that_few_steps_change_say_whose_a_state_is() {
    const std::vector<Word> bits = telling_bits(64);
    EXPECT(bits.size() == 2 && bits[0] == 0);
    EXPECT(std::popcount(bits[1]) >= 11); // at least 2,048 groups
    EXPECT(telling_bits(1).empty());      // every step would lead to another group
}

// With stubborn sets that leave nothing out for ever there are as many states for any number of ranks, and fewer.
template <class Model> void stubborn_sets_are_the_same_for_any_number_of_ranks(unsigned threads) {
    Options options = asked<Model>(threads);
    asset::Search full(Table<Model>::model, options);
    full.run();
    options.stubborn = options.repair = true;
    std::vector<std::uint64_t> counts;
    for (const unsigned count : {1u, 2u, 3u}) {
        counts.push_back(0);
        for (const auto &rank : explored(Table<Model>::model, options, count))
            counts.back() += rank->progress().states;
    }
    EXPECT(counts[0] == counts[1] && counts[1] == counts[2]);
    EXPECT(0 < counts[0] && counts[0] < full.progress().states);
}

// What is wrong is known as soon as a rank has found it, before the level ends.
void what_is_wrong_is_known_within_a_level(unsigned threads) {
    using Model = Grid<Trap::command_fault>;
    asset::Search search(Table<Model>::model, asked<Model>(threads));
    search.run();
    EXPECT(search.finding() && search.finding()->command == 0);
    const Ranks ranks = explored(Table<Model>::model, asked<Model>(threads), 2);
    EXPECT(ranks[0]->wrong_so_far() || ranks[1]->wrong_so_far());
}

} // namespace

int main(int argc, char **argv) {
    for (const unsigned threads : {4u, 1u}) {
        ranks_count_what_a_search_counts<Ring<5>>(threads);
        ranks_count_what_a_search_counts<Ring<4, 2>>(threads);
        ranks_count_what_a_search_counts<Ring<4, 3>>(threads);
        ranks_count_what_a_search_counts<Ring<4, 5>>(threads);
        stubborn_sets_are_the_same_for_any_number_of_ranks<Ring<5>>(threads);
        few_bits_may_say_whose_a_state_is<Ring<5>>(threads);
        few_bits_may_say_whose_a_state_is<Ring<4, 2>>(threads);
        few_bits_may_say_whose_a_state_is<Ring<4, 5>>(threads);
        what_is_wrong_is_known_within_a_level(threads);
        if (threads_only(argc, argv))
            break;
    }
    bits_that_few_steps_change_say_whose_a_state_is();
    return told();
}
