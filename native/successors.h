// The successors of some states: by all commands or by those of a stubborn set, as they are or as representatives.
//
// With hand-written rules, commands are fired as a set is found. With derived rules all are fired, which says which are
// enabled; then those outside the set are left out.
#pragma once

#include <optional>

#include "abi.h"
#include "arena.h"
#include "derived.h"
#include "effort.h"
#include "search.h"
#include "simd.h"
#include "stubborn.h"
#include "widened.h"

namespace asset {

// A model error in a source: no later command was fired there.
struct Fault {
    std::uint64_t source;
    During during;
    std::int64_t command;
};

// Replaces a state by its representative, if representatives are asked for. False if it has none, which is a model
// error: then the state is as it was.
bool represent(const asset_model &model, const Options &options, Word *state);

// Which commands are fired in a state.
enum class Sets {
    found,      // as while exploring: those of a stubborn set, if these are used
    widened,    // and what it was widened by since
    everything, // all that are enabled
};

// Expands up to `capacity` sources at a time, into buffers of its own. Each thread has its own.
class Successors {
  public:
    Successors(Budget &budget, const asset_model &model, const Options &options, const Effort &effort,
               const Widened &widened);

    std::size_t capacity() const { return capacity_; }

    // Fires commands in each of the sources, which lie one after the other, as far as the first fault.
    void expand(const Arena &arena, Range sources, Sets sets = Sets::widened);

    // As above, but successors are as they are even if representatives stand for them.
    void expand_as_they_are(const Arena &arena, Range sources, Sets sets = Sets::widened);

    // The same for states that are in no arena; without derived rules.
    void expand(const Word *sources, std::size_t count);

    const Word *source(std::size_t number) const { return sources_ + number * words_; }
    std::size_t sources() const { return count_; }
    // Of a source that was unfolded: the numbers at the places of its tree.
    const Id *numbers(std::size_t number) const { return unfolded_.numbers(number); }
    // What the sources are made of, if they were unfolded.
    const Word *roots() const { return unfolded_.roots(); }
    const std::optional<Fault> &fault() const { return fault_; }

    // Sources all of whose successors are here. Only theirs, and that of the faulty source, are degrees.
    std::size_t complete() const { return fault_ ? fault_->source : count_; }
    std::uint32_t degree(std::size_t source) const { return degrees_[source]; }

    // How many commands are enabled in the first sources; with hand-written rules, how many were fired.
    std::uint64_t enabled(std::size_t sources) const;
    // Whether no command can change the source; one that can was fired if there is any.
    bool terminal(std::size_t source) const { return terminal_[source]; }

    // Whether the source's set leaves something out that is enabled and matters. Of hand-written rules, that may be.
    bool leaves_out(std::size_t source) const { return leaving_[source]; }

    // Whether the source's set leaves visible commands out, enabled or not. One of all enabled commands does not.
    bool leaves_visible_out(std::size_t source) const { return postponing_[source]; }

    // Whether a command that was fired in the last source is a key of its set: nothing outside the set can disable it.
    bool is_key(std::uint32_t command) const { return !weak_ || keys_[command]; }

    // Whether the command can influence what is asked.
    bool matters(std::uint32_t command) const { return matters_.empty() || matters_[command]; }

    std::size_t edges() const { return edges_; }
    const Word *successor(std::size_t edge) const { return successors_ + edge * words_; }
    std::size_t source_of(std::size_t edge) const;
    std::size_t first_edge(std::size_t source) const;

    // The commands that lead to the first `edges` successors. If the model does not name them, it must fire again.
    const std::uint32_t *commands(std::size_t edges);

  private:
    void fire_all();
    void find_terminal();
    void fire_stubborn(Id first, Sets sets);
    void fire_widened(std::size_t source, std::span<const std::uint32_t> more);
    void leave_idle_out();
    void leave_out(Id first, Sets sets);
    bool chooses(std::size_t source, Id id, std::size_t first_edge, Sets sets);
    std::size_t find_choices(std::size_t source, std::size_t first_edge);
    void choose(std::size_t source, std::span<const std::uint32_t> choices, std::span<const std::uint32_t> more);
    void take_chosen(std::size_t source, std::size_t first_edge, bool some);
    bool chosen(std::uint32_t command) const { return widening_ ? chosen_[command] : derived_->chosen(command); }
    void move(std::size_t from, std::size_t to);
    void take_representatives();

    const asset_model &model_;
    const std::size_t words_;
    const std::size_t capacity_;
    const bool symmetry_;
    const bool idle_steps_;
    const bool only_changes_;
    const Effort &effort_;
    const Widened &widened_;
    std::optional<StubbornSets> stubborn_;
    std::optional<DerivedSets> derived_;
    Region region_;
    Word *successors_;        // capacity * nr_commands states
    Word *fired_;             // one state
    Word *facts_;             // of one state, those that are far
    std::uint32_t *commands_; // capacity * nr_commands + 1
    std::uint32_t *degrees_;  // capacity
    std::uint32_t *enabled_;  // capacity: degrees before those outside the set were left out

    std::uint32_t *terminal_; // capacity

    const Word *sources_ = nullptr;
    Unfolded unfolded_;
    std::size_t count_ = 0;
    std::size_t edges_ = 0;
    bool named_ = false; // whether commands_ are those of the edges
    std::optional<Fault> fault_;
    const std::vector<bool> matters_;
    const std::vector<bool> visible_;
    std::vector<std::uint8_t> leaving_;    // capacity: leaves commands out
    std::vector<std::uint8_t> postponing_; // capacity: leaves visible commands out
    bool has_all_visible_ = false;         // the set that was found last, before it was widened
    std::vector<bool> chosen_;             // commands of a state's set, if that is widened
    bool widening_ = false;
    std::vector<bool> keys_; // commands, if the set of the last source is weak
    bool weak_ = false;
    std::vector<std::uint32_t> choices_; // commands that a set is chosen by
};

// Whose successors edges lead to, asked for in increasing order.
class Sources {
  public:
    explicit Sources(const Successors &successors) : successors_(successors) {}

    ASSET_INLINE std::size_t of(std::size_t edge) {
        while (edge >= end_)
            end_ += successors_.degree(next_++);
        return next_ - 1;
    }

  private:
    const Successors &successors_;
    std::size_t next_ = 0; // the source after the one that was asked for last
    std::size_t end_ = 0;  // the first of its edges
};

} // namespace asset
