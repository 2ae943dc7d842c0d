// Stubborn sets by the model's hand-written rules.
//
// The commands are searched depth-first along their obligations, the last command first. When a strong component is
// complete, everything it obliges was found disabled or belongs to it: with those it is a set that satisfies D1 and D2
// if the rules are right. The first component with an enabled command also satisfies D0, so its enabled commands are
// fired and no others. If they are idle, which means that they change nothing, so are those of the next components, up
// to the first with another: the union of such sets is such a set. If there is none, the state is terminal.
#pragma once

#include "abi.h"
#include "arena.h"
#include "search.h"
#include "widened.h"

namespace asset {

class StubbornSets {
  public:
    // How many commands were enabled; the command that was faulty, if any, and in what.
    struct Fired {
        std::uint32_t count = 0;
        std::int64_t faulty = none;
        During during = During::firing;
    };

    // If `idle_steps`, a command that is enabled decides, whatever it does.
    StubbornSets(Budget &budget, const asset_model &model, bool idle_steps);

    // Fires the commands of a stubborn set of the state, in the order in which they entered it. Successors and their
    // commands are written to `out` and `commands`, which have room for nr_commands of them.
    Fired fire(const Word *state, Word *out, std::uint32_t *commands);

    // Adds a command of the state, and whatever it obliges, directly or not, to the members; everything, if it is
    // every_command.
    void close(const Word *state, std::uint32_t command, std::vector<bool> &members);

  private:
    struct Frame {
        std::uint32_t entered; // the number of the command's entry
        std::uint32_t low;     // the smallest number of entry in an open component that is known to be reachable
        std::uint32_t member;  // where the command is in members_
        std::size_t next;      // its obligation that is to be looked at next
        std::size_t end;       // where its obligations end
    };

    void search_from(std::uint32_t command);
    bool enter(std::uint32_t command);
    void leave();
    void fire_component(std::uint32_t first);
    std::size_t list_obligations(std::uint32_t command, std::size_t first);
    std::int64_t ask(std::uint32_t command, std::size_t first) const;

    bool decided() const { return changed_ || fired_.faulty != none; }

    static constexpr std::uint32_t closed = ~std::uint32_t{0};

    const asset_model &model_;
    const std::size_t words_;
    const bool idle_steps_;
    Region commands_region_;
    Region frames_region_;
    Region obligations_region_;
    std::size_t room_; // for obligations
    Frame *frames_;
    std::uint32_t *entered_; // by command: 0, or the number of its entry, from 1, or closed
    std::uint32_t *members_; // of open components, in the order of entry

    // Of the state at hand.
    const Word *state_ = nullptr;
    Word *out_ = nullptr;
    std::uint32_t *commands_ = nullptr;
    Fired fired_;
    bool changed_ = false; // a step was fired
    std::uint32_t nr_entered_ = 0;
    std::size_t nr_frames_ = 0;
    std::uint32_t nr_members_ = 0;
};

} // namespace asset
