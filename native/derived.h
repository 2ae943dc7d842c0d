// Stubborn sets by derived rules: which of the enabled commands are fired.
//
// A set of nodes that meets its own obligations and has the key of an enabled command gives a stubborn set
// (asset.ir.derived). The largest such set is found first; then the enabled commands are given up one by one, in two
// orders, as long as such a set remains: among strong sets and then, if that leaves several, among all.
// asset/engine/choice.py is the specification, also of what visible commands and strong sets are, but for the limit on
// how long it is worth looking for a smaller set.
//
// Each obligation of the state *watches* one alternative that meets it, as clauses watch literals in SAT solvers: only
// when that one is lost is another looked for. Going back to a larger set leaves the watched ones as they are: what
// meets an obligation in a set meets it in a larger one.
#pragma once

#include "rules.h"

namespace asset {

// Each thread has its own. Nothing is allocated after construction.
class DerivedSets {
  public:
    static constexpr std::uint32_t nothing = ~std::uint32_t{0};

    // `visible` has the visible commands, if there are any.
    explicit DerivedSets(const RuleTables &tables, const std::vector<bool> &visible = {});

    // Chooses among the enabled commands, given in decreasing order, in a state in which these of the far facts hold.
    // If one of them is `needed`, the set has it.
    void choose(const Word *state, const Word *far, std::span<const std::uint32_t> enabled,
                std::uint32_t needed = nothing);

    bool chosen(std::uint32_t command) const { return kept_[command / 64] >> command % 64 & 1; }

    // Whether some of the enabled commands that were chosen may not be keys of the set, and whether one of them is.
    bool weak() const { return weak_; }
    bool may_be_weak() const { return !tables_.keys.empty(); }
    bool key(std::uint32_t command) const { return chosen(tables_.keys[command]); }

    // Whether all visible commands are in the set, enabled or not.
    bool has_all_visible() const;

  private:
    // Obligations for which another alternative may be looked for in a state before the set found so far has to do:
    // if the rules are large, a smaller set is not worth any price.
    static constexpr std::uint64_t most_looked_for = 20'000;

    // A set and what belongs to it, to go back to.
    struct Saved {
        Word *kept;
        Word *alive;
        std::size_t nr_enabled;
        std::size_t nr_wanted;
    };

    void begin(std::span<const std::uint32_t> enabled, std::uint32_t needed);
    void want(std::span<const std::uint32_t> enabled);
    void need(std::uint32_t needed);
    void attempt(std::span<std::uint32_t> order, std::uint32_t needed);
    bool make_strong(std::span<const std::uint32_t> enabled);
    bool worth_looking() const { return looked_for_ <= most_looked_for; }
    void keep_everything();
    void take_facts(const Word *state, const Word *far);
    void take(const RuleTables::Table &table, std::size_t row);
    bool watch_all();
    bool watch(std::uint32_t obligation);
    bool begun(const Word *state, std::uint32_t command) const;
    void put_in_order(const Word *state, std::span<const std::uint32_t> enabled);
    void give_up_all(std::span<const std::uint32_t> order);
    bool give_up(std::uint32_t command);
    void save(Saved &saved) const;
    void go_back(const Saved &saved);
    bool lose(std::uint32_t node);
    bool lose_visible();
    bool settle();
    bool lose_alternatives(Mask mask);
    bool move_watches(std::uint32_t alternative);

    const RuleTables &tables_;
    const std::size_t node_words_;
    const std::size_t alternative_words_;
    const std::size_t obligation_words_;
    std::vector<Word> words_;
    std::vector<std::uint32_t> numbers_;
    Word *kept_;                 // nodes of the set
    Word *enabled_;              // commands
    Word *visible_;              // commands
    Word *wanted_;               // keys of enabled commands: the set must have one, unless it must have something else
    Word *needed_;               // nodes that are in every set that is left to choose from
    Saved before_;               // a command was given up
    Saved largest_;              // the largest set, strong or not
    Saved begun_with_;           // the set from which commands are given up
    Word *smallest_;             // nodes of the smallest set so far
    Word *alive_;                // alternatives whose fact holds and whose nodes are all in the set
    Word *idle_;                 // obligations that ask nothing; they are right behind
    std::uint32_t *first_;       // by alternative: the first obligation that watches it, or nothing
    std::uint32_t *next_;        // by obligation: the next one that watches the same
    std::uint32_t *lost_;        // nodes that were lost and whose alternatives are not yet
    std::uint32_t *order_;       // in which enabled commands are given up
    std::size_t nr_visible_ = 0; // the first ones of these
    std::size_t nr_begun_ = 0;   // the last ones
    std::size_t nr_enabled_ = 0; // in the set
    std::size_t nr_wanted_ = 0;  // in the set
    std::size_t nr_lost_ = 0;
    std::size_t fewest_ = 0; // enabled commands of the smallest set so far
    bool strong_ = false;    // each enabled command of the set must be a key of it
    bool weak_ = false;      // the set that was found need not be strong
    std::uint64_t looked_for_ = 0;
};

} // namespace asset
