#include "stubborn.h"

#include <algorithm>
#include <numeric>

namespace asset {
namespace {

constexpr std::size_t first_room = 1024; // obligations

} // namespace

StubbornSets::StubbornSets(Budget &budget, const asset_model &model, bool idle_steps)
    : model_(model), words_(model.state_words), idle_steps_(idle_steps),
      commands_region_(budget, 2 * model.nr_commands * sizeof(std::uint32_t)),
      frames_region_(budget, model.nr_commands * sizeof(Frame)),
      obligations_region_(budget, first_room * sizeof(std::uint32_t)), room_(first_room),
      frames_(frames_region_.as<Frame>()), entered_(commands_region_.as<std::uint32_t>()),
      members_(entered_ + model.nr_commands) {}

StubbornSets::Fired StubbornSets::fire(const Word *state, Word *out, std::uint32_t *commands) {
    state_ = state;
    out_ = out;
    commands_ = commands;
    fired_ = {};
    changed_ = false;
    nr_entered_ = 0;
    nr_frames_ = nr_members_ = 0;
    std::fill_n(entered_, model_.nr_commands, 0);
    for (std::uint32_t command = model_.nr_commands; command-- > 0 && !decided();)
        if (!entered_[command])
            search_from(command);
    return fired_;
}

// The rules were evaluated without a fault when a set of the state was found, or are those of disabled commands: a
// faulty one obliges nothing here.
void StubbornSets::close(const Word *state, std::uint32_t command, std::vector<bool> &members) {
    if (command == every_command)
        return members.assign(members.size(), true);
    state_ = state;
    std::vector<std::uint32_t> pending{command};
    std::vector<bool> closed(members.size());
    for (closed[command] = true; !pending.empty();) {
        const std::uint32_t member = pending.back();
        pending.pop_back();
        const std::size_t end = list_obligations(member, 0);
        for (std::size_t i = 0; i < end; ++i)
            if (const std::uint32_t other = obligations_region_.as<std::uint32_t>()[i]; !closed[other]) {
                closed[other] = true;
                pending.push_back(other);
            }
    }
    for (std::size_t each = 0; each < members.size(); ++each)
        members[each] = members[each] || closed[each];
}

void StubbornSets::search_from(std::uint32_t command) {
    bool going = enter(command);
    while (going && nr_frames_) {
        Frame &frame = frames_[nr_frames_ - 1];
        if (frame.next == frame.end) {
            leave();
            going = !decided();
            continue;
        }
        const std::uint32_t obligation = obligations_region_.as<std::uint32_t>()[frame.next++];
        if (entered_[obligation])
            frame.low = std::min(frame.low, entered_[obligation]);
        else
            going = enter(obligation);
    }
}

// False if the rule of the command is faulty.
bool StubbornSets::enter(std::uint32_t command) {
    const std::size_t first = nr_frames_ ? frames_[nr_frames_ - 1].end : 0;
    entered_[command] = ++nr_entered_;
    members_[nr_members_] = command;
    const std::size_t end = list_obligations(command, first);
    frames_[nr_frames_++] = {nr_entered_, nr_entered_, nr_members_++, first, end};
    return fired_.faulty == none;
}

void StubbornSets::leave() {
    const Frame done = frames_[--nr_frames_];
    if (done.low == done.entered)
        fire_component(done.member);
    else
        frames_[nr_frames_ - 1].low = std::min(frames_[nr_frames_ - 1].low, done.low);
}

// The members from `first` on are a strong component: they are fired and closed.
void StubbornSets::fire_component(std::uint32_t first) {
    for (std::uint32_t i = first; i < nr_members_; ++i) {
        entered_[members_[i]] = closed;
        std::copy_n(state_, words_, out_);
        const std::int32_t result = model_.fire(out_, members_[i]);
        if (result < 0) {
            fired_.faulty = members_[i];
            return;
        }
        if (result) {
            changed_ |= idle_steps_ || !std::equal(state_, state_ + words_, out_);
            commands_[fired_.count++] = members_[i];
            out_ += words_;
        }
    }
    nr_members_ = first;
}

// Lists the obligations of the command from position `first` on and returns where they end.
std::size_t StubbornSets::list_obligations(std::uint32_t command, std::size_t first) {
    std::int64_t count = ask(command, first);
    if (count > static_cast<std::int64_t>(room_ - first)) {
        const std::size_t larger = std::max(2 * room_, first + static_cast<std::size_t>(count));
        obligations_region_.extend(larger * sizeof(std::uint32_t));
        room_ = larger;
        count = ask(command, first);
    }
    if (count >= 0)
        return first + static_cast<std::size_t>(count);
    fired_.faulty = command;
    fired_.during = During::rule;
    return first;
}

std::int64_t StubbornSets::ask(std::uint32_t command, std::size_t first) const {
    std::uint32_t *out = obligations_region_.as<std::uint32_t>() + first;
    if (model_.obligations)
        return model_.obligations(state_, command, out, room_ - first);
    if (model_.nr_commands <= room_ - first) // without rules each command obliges all
        std::iota(out, out + model_.nr_commands, 0u);
    return model_.nr_commands;
}

} // namespace asset
