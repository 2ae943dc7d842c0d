#include "derived.h"

#include <algorithm>
#include <bit>

namespace asset {
namespace {

Word bit(std::uint32_t number) { return Word{1} << number % 64; }

std::uint32_t lowest(std::size_t word, Word bits) {
    return static_cast<std::uint32_t>(64 * word) + static_cast<std::uint32_t>(std::countr_zero(bits));
}

} // namespace

DerivedSets::DerivedSets(const RuleTables &tables, const std::vector<bool> &visible)
    : tables_(tables), node_words_(RuleTables::words_for(tables.nr_nodes)),
      alternative_words_(tables.unconditional.size()),
      obligation_words_(RuleTables::words_for(tables.obligations.size())),
      words_(9 * node_words_ + 4 * alternative_words_ + obligation_words_),
      numbers_(tables.nr_alternatives + tables.obligations.size() + 2 * tables.nr_nodes) {
    Word *word = words_.data();
    for (Word **nodes : {&kept_, &enabled_, &visible_, &wanted_, &needed_, &before_.kept, &largest_.kept,
                         &begun_with_.kept, &smallest_}) {
        *nodes = word;
        word += node_words_;
    }
    alive_ = word;
    idle_ = alive_ + alternative_words_;
    before_.alive = idle_ + obligation_words_;
    largest_.alive = before_.alive + alternative_words_;
    begun_with_.alive = largest_.alive + alternative_words_;
    first_ = numbers_.data();
    next_ = first_ + tables.nr_alternatives;
    lost_ = next_ + tables.obligations.size();
    order_ = lost_ + tables.nr_nodes;
    for (std::uint32_t command = 0; command < visible.size(); ++command)
        if (visible[command])
            visible_[command / 64] |= bit(command);
}

bool DerivedSets::has_all_visible() const {
    for (std::size_t word = 0; word < node_words_; ++word)
        if (visible_[word] & ~kept_[word])
            return false;
    return true;
}

void DerivedSets::choose(const Word *state, const Word *far, std::span<const std::uint32_t> enabled,
                         std::uint32_t needed) {
    begin(enabled, needed);
    take_facts(state, far);
    if (!watch_all() || !settle())
        return keep_everything();
    save(largest_);
    put_in_order(state, enabled);
    const std::span<std::uint32_t> order(order_, enabled.size());
    strong_ = !tables_.keys.empty();
    if (!strong_ || make_strong(enabled))
        attempt(order, needed);
    if (strong_ && fewest_ != 1 && (worth_looking() || fewest_ > enabled.size())) {
        strong_ = false;
        go_back(largest_);
        attempt(order, needed);
    }
    std::copy_n(smallest_, node_words_, kept_);
}

// Gives up commands in this order and the reverse, unless that is not worth it any more. The set with the fewest
// enabled commands, of those found so far, is the smallest.
void DerivedSets::attempt(std::span<std::uint32_t> order, std::uint32_t needed) {
    save(begun_with_);
    for (int tried = 0; tried < 2; ++tried) {
        need(needed);
        give_up_all(order);
        if (nr_enabled_ < fewest_) {
            fewest_ = nr_enabled_;
            weak_ = !strong_ && !tables_.keys.empty();
            std::copy_n(kept_, node_words_, smallest_);
        }
        if (fewest_ == 1 || !worth_looking())
            return;
        go_back(begun_with_);
        std::reverse(order.data() + nr_visible_, order.data() + order.size() - nr_begun_);
        std::reverse(order.data() + order.size() - nr_begun_, order.data() + order.size());
    }
}

// What is left of the set if all enabled commands that are no keys of it are given up. False as in `lose`.
bool DerivedSets::make_strong(std::span<const std::uint32_t> enabled) {
    nr_lost_ = 0;
    for (const std::uint32_t command : enabled)
        if (!chosen(tables_.keys[command]) && !lose(command))
            return false;
    return settle();
}

bool DerivedSets::begun(const Word *state, std::uint32_t command) const {
    const std::span<const RuleTables::Home> homes = tables_.homes[command];
    return std::any_of(homes.begin(), homes.end(),
                       [&](const auto &home) { return (state[home.word] & home.bits) != home.initial; });
}

// Visible commands first, all of which are given up with the first; then those that are not begun, in increasing order,
// then those that are.
void DerivedSets::put_in_order(const Word *state, std::span<const std::uint32_t> enabled) {
    const auto is_visible = [&](std::uint32_t command) { return visible_[command / 64] & bit(command); };
    std::uint32_t *first = std::copy_if(enabled.begin(), enabled.end(), order_, is_visible);
    std::uint32_t *last = order_ + enabled.size();
    nr_visible_ = static_cast<std::size_t>(first - order_);
    for (auto command = enabled.rbegin(); command != enabled.rend(); ++command)
        if (!is_visible(*command))
            *(begun(state, *command) ? --last : first++) = *command;
    nr_begun_ = static_cast<std::size_t>(order_ + enabled.size() - last);
    std::reverse(last, last + nr_begun_);
}

void DerivedSets::give_up_all(std::span<const std::uint32_t> order) {
    for (const std::uint32_t command : order) {
        if (nr_enabled_ == 1 || !worth_looking())
            return;
        if (chosen(command) && !give_up(command))
            needed_[command / 64] |= bit(command);
    }
}

void DerivedSets::begin(std::span<const std::uint32_t> enabled, std::uint32_t needed) {
    looked_for_ = 0;
    nr_lost_ = 0;
    nr_enabled_ = enabled.size();
    fewest_ = enabled.size() + 1;
    strong_ = weak_ = false;
    keep_everything();
    std::fill_n(enabled_, node_words_, 0);
    for (const std::uint32_t command : enabled)
        enabled_[command / 64] |= bit(command);
    std::fill_n(wanted_, node_words_, 0);
    if (needed == nothing)
        want(enabled);
    need(needed);
}

// The keys of enabled commands that are not visible, or of all if there are none.
void DerivedSets::want(std::span<const std::uint32_t> enabled) {
    const auto is_visible = [&](std::uint32_t command) { return (visible_[command / 64] & bit(command)) != 0; };
    const bool all = std::all_of(enabled.begin(), enabled.end(), is_visible);
    nr_wanted_ = 0;
    for (const std::uint32_t command : enabled)
        if (all || !is_visible(command)) {
            const std::uint32_t key = tables_.keys.empty() ? command : tables_.keys[command];
            wanted_[key / 64] |= bit(key);
            ++nr_wanted_;
        }
}

// The set must have this, if anything, and nothing else is known to be in every set that is left.
void DerivedSets::need(std::uint32_t needed) {
    std::fill_n(needed_, node_words_, 0);
    if (needed != nothing)
        needed_[needed / 64] |= bit(needed);
}

void DerivedSets::keep_everything() {
    std::fill_n(kept_, node_words_, ~Word{0});
    if (tables_.nr_nodes % 64)
        kept_[node_words_ - 1] = bit(tables_.nr_nodes) - 1;
}

// Finds the alternatives that count and the obligations that ask nothing.
void DerivedSets::take_facts(const Word *state, const Word *far) {
    std::copy_n(tables_.unconditional.data(), alternative_words_, alive_);
    std::fill_n(idle_, obligation_words_, 0);
    for (const RuleTables::Group &group : tables_.groups) {
        std::size_t values = 0;
        for (const RuleTables::Part &part : group.parts)
            values |= (state[part.word] >> part.shift & part.mask) << part.to;
        take(group.table, values);
    }
    for (std::size_t i = 0; i < tables_.fours.size(); ++i)
        take(tables_.fours[i], far[i / 16] >> 4 * (i % 16) & 15);
}

inline void DerivedSets::take(const RuleTables::Table &table, std::size_t row) {
    const Word *const words = tables_.rows.data() + table.row + row * (table.end - table.first);
    for (std::uint32_t word = table.first; word < table.end; ++word)
        alive_[word] |= words[word - table.first];
}

// Every obligation that asks something watches an alternative, or its node is lost. False as in `lose`.
bool DerivedSets::watch_all() {
    std::fill_n(first_, tables_.nr_alternatives, nothing);
    for (std::size_t word = 0; word < obligation_words_; ++word) {
        const std::size_t left = tables_.obligations.size() - 64 * word;
        Word asking = ~idle_[word] & (left < 64 ? bit(static_cast<std::uint32_t>(left)) - 1 : ~Word{0});
        for (; asking; asking &= asking - 1)
            if (const std::uint32_t each = lowest(word, asking); !watch(each) && !lose(tables_.obligations[each].node))
                return false;
    }
    return true;
}

// False if nothing meets the obligation.
inline bool DerivedSets::watch(std::uint32_t obligation) {
    const RuleTables::Obligation &each = tables_.obligations[obligation];
    const Mask *const end = tables_.met_by.data() + each.end;
    for (const Mask *mask = tables_.met_by.data() + each.first; mask != end; ++mask)
        if (const Word meeting = alive_[mask->word] & mask->bits) {
            const std::uint32_t alternative = lowest(mask->word, meeting);
            next_[obligation] = first_[alternative];
            first_[alternative] = obligation;
            return true;
        }
    return false;
}

// Whether there is a set without the command. If so, the largest such is the set from now on.
bool DerivedSets::give_up(std::uint32_t command) {
    save(before_);
    nr_lost_ = 0;
    if (lose(command) && settle())
        return true;
    go_back(before_);
    return false;
}

void DerivedSets::save(Saved &saved) const {
    std::copy_n(kept_, node_words_, saved.kept);
    std::copy_n(alive_, alternative_words_, saved.alive);
    saved.nr_enabled = nr_enabled_;
    saved.nr_wanted = nr_wanted_;
}

void DerivedSets::go_back(const Saved &saved) {
    std::copy_n(saved.kept, node_words_, kept_);
    std::copy_n(saved.alive, alternative_words_, alive_);
    nr_enabled_ = saved.nr_enabled;
    nr_wanted_ = saved.nr_wanted;
}

// The node is not in the set any more. False if the set cannot do without it, or has nothing left that is wanted.
bool DerivedSets::lose(std::uint32_t node) {
    const Word one = bit(node);
    if (!(kept_[node / 64] & one))
        return true;
    if (needed_[node / 64] & one || (wanted_[node / 64] & one && --nr_wanted_ == 0))
        return false;
    nr_enabled_ -= (enabled_[node / 64] & one) != 0;
    kept_[node / 64] &= ~one;
    lost_[nr_lost_++] = node;
    return true;
}

// Loses nodes until all that are left meet their obligations. False as in `lose`.
bool DerivedSets::settle() {
    while (nr_lost_) {
        const std::uint32_t node = lost_[--nr_lost_];
        if (visible_[node / 64] & bit(node) && !lose_visible())
            return false;
        if (const std::uint32_t command = tables_.of[node]; strong_ && enabled_[command / 64] & bit(command))
            if (!lose(command))
                return false;
        for (const Mask &mask : tables_.with_node[node])
            if (!lose_alternatives(mask))
                return false;
    }
    return true;
}

// Without one visible command, the set has no enabled one. False as in `lose`.
bool DerivedSets::lose_visible() {
    for (std::size_t word = 0; word < node_words_; ++word)
        for (Word left = kept_[word] & enabled_[word] & visible_[word]; left; left &= left - 1)
            if (!lose(lowest(word, left)))
                return false;
    return true;
}

bool DerivedSets::lose_alternatives(Mask mask) {
    Word dying = alive_[mask.word] & mask.bits;
    alive_[mask.word] &= ~mask.bits;
    for (; dying; dying &= dying - 1)
        if (!move_watches(lowest(mask.word, dying)))
            return false;
    return true;
}

// What watched the alternative, which is lost, watches another; if there is none, its node is lost. The obligations
// of lost nodes stay here: if the set is enlarged again, the alternative counts again.
bool DerivedSets::move_watches(std::uint32_t alternative) {
    std::uint32_t staying = nothing;
    bool possible = true;
    for (std::uint32_t obligation = first_[alternative], next; obligation != nothing; obligation = next) {
        next = next_[obligation];
        const std::uint32_t node = tables_.obligations[obligation].node;
        const bool kept = possible && chosen(node);
        looked_for_ += kept;
        if (kept && watch(obligation))
            continue;
        next_[obligation] = staying;
        staying = obligation;
        if (kept)
            possible = lose(node);
    }
    first_[alternative] = staying;
    return possible;
}

} // namespace asset
