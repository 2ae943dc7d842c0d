#include "step_tables.h"

#include <algorithm>
#include <bit>
#include <numeric>

namespace asset {

void StepTables::Footprint::add(std::uint32_t word, Word bits) {
    const auto at = static_cast<std::size_t>(std::ranges::find(words, word) - words.begin());
    if (at == words.size()) {
        words.push_back(word);
        masks.push_back(0);
    }
    masks[at] |= bits;
}

void StepTables::Footprint::add(const Footprint &other) {
    for (std::size_t i = 0; i < other.words.size(); ++i)
        add(other.words[i], other.masks[i]);
}

unsigned StepTables::Footprint::bits() const {
    return std::accumulate(masks.begin(), masks.end(), 0u,
                           [](unsigned sum, Word mask) { return sum + static_cast<unsigned>(std::popcount(mask)); });
}

StepTables::StepTables(const asset_model &model, std::span<const TouchedBits> touched, bool gathers)
    : model_(model), words_(model.state_words), told_((model.nr_commands + 63) / 64), gathers_(gathers),
      in_one_word_(model.nr_commands < 64), unknown_(in_one_word_ ? last_bit : ~std::uint64_t{0}),
      effects_(model.nr_commands), fired_(words_) {
    std::vector<Footprint> footprints(model.nr_commands), of_groups;
    for (const TouchedBits &each : touched)
        footprints[each.command].add(each.word, each.bits);
    std::vector<std::uint32_t> widest_first(model.nr_commands);
    std::iota(widest_first.begin(), widest_first.end(), 0u);
    std::ranges::stable_sort(widest_first, std::greater<>(), [&](auto each) { return footprints[each].bits(); });
    for (const std::uint32_t command : widest_first) {
        const Footprint &own = footprints[command];
        if (own.words.empty()) {
            untold_.push_back(command);
            continue;
        }
        const std::size_t size = own.words.size() << own.bits();
        if ((noted_ += size) <= most_noted)
            effects_[command] = {key_of(own), own.words, std::vector<Word>(size)};
        put_into_group(command, own, of_groups);
    }
    for (std::size_t i = 0; i < groups_.size(); ++i) {
        groups_[i].key = key_of(of_groups[i]);
        groups_[i].enabled.assign(std::size_t{1} << of_groups[i].bits(), unknown_);
    }
}

// Into one that needs no further bits for it or, together with it, still has few.
void StepTables::put_into_group(std::uint32_t command, const Footprint &own, std::vector<Footprint> &of_groups) {
    const std::uint32_t out = command / 64;
    for (std::size_t i = 0; i < groups_.size(); ++i) {
        Footprint together = of_groups[i];
        together.add(own);
        const bool fits = together.bits() <= std::max(of_groups[i].bits(), most_together);
        if (fits && groups_[i].out == out && groups_[i].commands.size() < 63) { // so that not all bits are ever set
            of_groups[i] = together;
            groups_[i].commands.push_back(command);
            return;
        }
    }
    groups_.push_back({{}, {command}, {}, out});
    of_groups.push_back(own);
}

// Without an instruction that gathers bits, those that are neighbours are taken together.
StepTables::Key StepTables::key_of(const Footprint &footprint) const {
    std::vector<Piece> pieces;
    std::uint32_t left = 0;
    if (footprint.bits() == 0) // there is one key
        return {{.word = footprint.words.front()}, {}};
    for (std::size_t i = 0; i < footprint.words.size(); ++i)
        for (Word rest = footprint.masks[i]; rest;) {
            const auto right = static_cast<std::uint32_t>(std::countr_zero(rest));
            const auto width = gathers_ ? 64 : std::countr_one(rest >> right);
            const Word mask = width + right >= 64 ? rest : rest & ((Word{1} << (width + right)) - 1);
            pieces.push_back({footprint.words[i], right, left, mask});
            left += static_cast<std::uint32_t>(std::popcount(mask));
            rest &= ~mask;
        }
    return {pieces.front(), {pieces.begin() + 1, pieces.end()}};
}

bool StepTables::tell_enabled(const Word *states, std::size_t count, std::uint64_t *out) {
    std::fill_n(out, count * told_, 0);
    bool right = words_ == 1 ? tell_groups<1>(states, count, out) : tell_groups<0>(states, count, out);
    for (const std::uint32_t command : untold_)
        for (std::size_t i = 0; i < count; ++i)
            right &= try_command(command, states + i * words_, out[i * told_ + command / 64]);
    return right;
}

// Words is the width of the states if it is known here, else 0.
template <std::size_t Words> bool StepTables::tell_groups(const Word *states, std::size_t count, std::uint64_t *out) {
    bool right = true;
    for (Group &group : groups_)
        right &= tell_group<Words>(group, states, count, out + group.out);
    return right;
}

template <std::size_t Words>
bool StepTables::tell_group(Group &group, const Word *states, std::size_t count, std::uint64_t *out) {
    const auto tell_by = [&](const auto &key_of) ASSET_INLINED {
        return in_one_word_ ? tell<Words>(group, states, count, out, key_of)
                            : tell_new(group, states, count, out, key_of);
    };
    if (!gathers_)
        return tell_by([&](const Word *state) { return group.key.of<false>(state); });
    if (!group.key.others.empty())
        return tell_by([&](const Word *state) { return group.key.of<true>(state); });
    const Piece only = group.key.first;
    return tell_by([=](const Word *state) { return only.of<true>(state); });
}

// Without a branch for each state: that some key did not occur yet is seen when all are told.
template <std::size_t Words, class KeyOf>
bool StepTables::tell(Group &group, const Word *states, std::size_t count, std::uint64_t *out, const KeyOf &key_of) {
    const std::size_t words = Words ? Words : words_;
    const std::uint64_t *const table = group.enabled.data();
    std::uint64_t any = 0;
    for (std::size_t i = 0; i < count; ++i) {
        const std::uint64_t enabled = table[key_of(states + i * words)];
        any |= enabled;
        out[i] |= enabled;
    }
    if (!(any & last_bit)) [[likely]]
        return true;
    for (std::size_t i = 0; i < count; ++i)
        out[i] &= ~last_bit;
    return tell_new(group, states, count, out, key_of);
}

template <class KeyOf>
bool StepTables::tell_new(Group &group, const Word *states, std::size_t count, std::uint64_t *out,
                          const KeyOf &key_of) {
    bool right = true;
    for (std::size_t i = 0; i < count; ++i, states += words_, out += told_) {
        std::uint64_t &enabled = group.enabled[key_of(states)];
        if (enabled == unknown_ && !try_group(group, states, enabled))
            right = false;
        else
            *out |= enabled;
    }
    return right;
}

// If one of them fails, the others are not told either.
bool StepTables::try_group(const Group &group, const Word *state, std::uint64_t &enabled) {
    std::uint64_t found = 0;
    for (const std::uint32_t command : group.commands)
        if (!try_command(command, state, found))
            return false;
    enabled = found;
    return true;
}

bool StepTables::try_command(std::uint32_t command, const Word *state, std::uint64_t &enabled) {
    std::copy_n(state, words_, fired_.data());
    const std::int32_t status = model_.fire(fired_.data(), command);
    enabled |= std::uint64_t{status > 0} << command % 64;
    return status >= 0;
}

void StepTables::note(const Effect &effect, Word *state, std::uint32_t command, Word *changes) {
    std::copy_n(state, words_, fired_.data());
    model_.fire(state, command);
    for (std::size_t i = 0; i < effect.words.size(); ++i)
        changes[i] = state[effect.words[i]] ^ fired_[effect.words[i]];
}

} // namespace asset
