#include "rank.h"

#include "indexed_store.h"
#include "quotient_store.h"
#include "ranked.h"

namespace asset {
namespace {

// Stubborn sets that must leave nothing out for ever need a table that knows ids while it grows.
template <bool Parallel>
std::unique_ptr<Rank> made(const asset_model &model, const Options &options, Place place, std::size_t room) {
    const std::size_t words = model.state_words;
    if (words == 1 && !options.repairs())
        return std::make_unique<RankOf<QuotientStore<1, Parallel, MixerOfRank>, Parallel>>(model, options, place, room);
    if (words == 2 && !options.repairs())
        return std::make_unique<RankOf<QuotientStore<2, Parallel>, Parallel>>(model, options, place, room);
    if (words == 3)
        return std::make_unique<RankOf<IndexedStore<3, Parallel>, Parallel>>(model, options, place, room);
    return std::make_unique<RankOf<IndexedStore<0, Parallel>, Parallel>>(model, options, place, room);
}

} // namespace

bool comes_before(const Wrong &a, const Wrong &b) {
    // `none` is the last as an unsigned number.
    const auto order = [](const Wrong &each) { return static_cast<std::uint32_t>(each.finding.requirement); };
    return order(a) != order(b) ? order(a) < order(b) : a.state < b.state;
}

std::optional<Predecessor> leading_to(const Word *state, const Arena &arena, Successors &successors, Range sources) {
    const std::size_t words = arena.words();
    std::optional<Predecessor> first;
    while (sources.count) {
        successors.expand(arena, sources);
        for (std::size_t edge = 0; edge < successors.edges(); ++edge)
            if (std::equal(state, state + words, successors.successor(edge))) {
                const Word *source = successors.source(successors.source_of(edge));
                if (!first ||
                    std::lexicographical_compare(source, source + words, first->state.begin(), first->state.end()))
                    first = Predecessor{{source, source + words}, successors.commands(edge + 1)[edge]};
            }
        const Id passed = static_cast<Id>(successors.complete() + (successors.fault() ? 1 : 0));
        sources = {sources.first + passed, sources.count - passed};
    }
    return first;
}

std::unique_ptr<Rank> Rank::make(const asset_model &model, const Options &options, Place place, std::size_t room) {
    check(model, options);
    return options.threads > 1 ? made<true>(model, options, place, room) : made<false>(model, options, place, room);
}

} // namespace asset
