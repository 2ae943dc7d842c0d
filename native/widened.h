// States whose stubborn sets have more commands than the rules alone would give them, as they were ignored for ever
// (asset/engine/ignoring.py).
#pragma once

#include <span>
#include <unordered_map>
#include <vector>

#include "arena.h"

namespace asset {

// The set of a state is to have the command too, or all commands.
struct Widening {
    Id state;
    std::uint32_t command;
};

inline constexpr std::uint32_t every_command = ~std::uint32_t{0};

// Changed only while no thread explores.
class Widened {
  public:
    bool empty() const { return commands_.empty(); }
    void add(const Widening &widening) { commands_[widening.state].push_back(widening.command); }

    // What the state's set must have too; nothing if it is as the rules say.
    std::span<const std::uint32_t> of(Id state) const {
        const auto found = commands_.find(state);
        return found == commands_.end() ? std::span<const std::uint32_t>() : found->second;
    }

  private:
    std::unordered_map<Id, std::vector<std::uint32_t>> commands_;
};

} // namespace asset
