// Ranks of a cluster, in one process, which exchange what they find by hand: they count what a search counts.
#include <algorithm>
#include <bit>
#include <map>
#include <memory>
#include <set>
#include <vector>

#include "backward.h"
#include "expect.h"
#include "fixtures.h"
#include "implied.h"
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

// Parities under the masks say whose a state is; a hash if there are none.
Ranks explored(const asset_model &model, const Options &options, unsigned count, const std::vector<Word> &masks = {}) {
    Ranks ranks;
    for (unsigned number = 0; number < count; ++number) {
        ranks.push_back(Rank::make(model, options, {number, count, masks}, little_room));
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
    std::vector<Word> masks(2 * Model::words, 0b1100100111);
    masks.back() = 0b1010000101;
    for (const unsigned count : {2u, 3u, 4u}) {
        std::uint64_t states = 0, owners = 0;
        const std::span first = std::span(masks).first(count == 2 ? Model::words : masks.size());
        for (const auto &rank : explored(Table<Model>::model, options, count, {first.begin(), first.end()})) {
            owners += rank->progress().states > 0;
            states += rank->progress().states;
        }
        EXPECT(owners > 1);
        EXPECT(states == search.progress().states);
    }
}

// States of which one knows the parities are told apart by what is left of them.
void implied_bits_tell_nothing() {
    constexpr unsigned bits = 12;
    for (const std::vector<Word> &masks : {std::vector<Word>{},
                                           {0},
                                           {0b1},
                                           {0b100000000001},
                                           {~Word{0}},
                                           {0b111, 0b011},
                                           {0b110, 0b110},
                                           {Word{1} << 40},
                                           {0b1111, 0b111100, 0b11110000, 0b110011001100},
                                           {0xfff, 0xff0, 0xf00, 0xaaa, 0x555}}) {
        const asset::Implied implied(masks, bits);
        EXPECT(implied.count() <= masks.size());
        std::map<std::vector<int>, std::set<Word>> seen;
        for (Word state = 0; state < 1u << bits; ++state) {
            std::vector<int> parities;
            for (const Word mask : masks)
                parities.push_back(std::popcount(state & mask) % 2);
            const Word left = implied.left_out_of(state) & ((Word{1} << (bits - implied.count())) - 1);
            EXPECT(seen[parities].insert(left).second);
        }
    }
    EXPECT(asset::Implied(std::vector<Word>{0b111, 0b011}, bits).count() == 2);
    EXPECT(asset::Implied(std::vector<Word>{0b110, 0b110}, bits).count() == 1);
}

// Half of the states have an odd parity, and few steps change it.
void few_steps_lead_to_another_rank() {
    const asset_model &model = Table<Ring<6>>::model;
    const auto alone = Rank::make(model, asked<Ring<6>>(1), {}, little_room);
    alone->start();
    Word mask = 0;
    std::uint64_t states = 0, odd = 0, steps = 0, leaving = 0;
    for (unsigned level = 0; alone->end_level(); ++level) {
        if (level == 12)
            mask = alone->parities(2).at(0);
        for (const auto piece : level > 12 ? alone->level() : std::vector<std::span<const Word>>())
            for (const Word &state : piece) {
                Word next[Ring<6>::commands];
                std::uint32_t degree = 0;
                asset_fault fault{};
                model.successors(&state, 1, next, &degree, &fault);
                const auto parity = [&](Word each) { return std::popcount(each & mask) % 2; };
                states += 1, odd += parity(state), steps += degree;
                leaving += std::count_if(next, next + degree, [&](Word to) { return parity(to) != parity(state); });
            }
        while (alone->expand(few_batches)) {
        }
    }
    EXPECT(states > 10000);
    EXPECT(9 * states < 20 * odd && 20 * odd < 11 * states);
    EXPECT(5 * leaving < steps);
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
    implied_bits_tell_nothing();
    few_steps_lead_to_another_rank();
    return told();
}
