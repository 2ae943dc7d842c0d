// Steps of random runs by look-ups. What a command does depends on some bits of the state, and it changes no others
// (asset.analysis.values.footprints). If these are few, it is fired once for each of their values that occurs; from
// then on, whether it is enabled is looked up for many commands at once, and what it changes as a difference of words.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "abi.h"
#include "bit_choice.h"
#include "store.h"

namespace asset {

// Bits of a word of the state that a command touches. A command that is nowhere named may touch anything.
struct TouchedBits {
    std::uint32_t command = 0, word = 0;
    Word bits = 0;
};

class StepTables {
  public:
    StepTables(const asset_model &model, std::span<const TouchedBits> touched, bool gathers = gathers_fast());

    // Whether it is worth it: nearly all commands touch few bits.
    bool pay() const { return !groups_.empty() && untold_.size() * 8 <= model_.nr_commands; }

    // As TellEnabled, of as many words for each state as commands need bits. False if firing some command is a model
    // error in some state; of that state nothing is told then.
    bool tell_enabled(const Word *states, std::size_t count, std::uint64_t *out);

    // Fires a command, which is enabled.
    void fire(Word *state, std::uint32_t command) {
        return gathers_ ? fire_by<true>(state, command) : fire_by<false>(state, command);
    }

  private:
    // The bits of a mask in a word of the state, and where they go in a key.
    struct Piece {
        std::uint32_t word = 0, right = 0, left = 0;
        Word mask = 0;
    };

    struct Footprint {
        std::vector<std::uint32_t> words;
        std::vector<Word> masks;

        void add(std::uint32_t word, Word bits);
        void add(const Footprint &other);
        unsigned bits() const;
    };

    // Some commands whose bits lie in the same word of those told, by a key of the state; and those of one command.
    struct Group {
        std::vector<Piece> pieces;
        std::vector<std::uint32_t> commands;
        std::vector<std::uint64_t> enabled; // by key; `unknown` if it did not occur yet
        std::uint32_t out = 0;              // the word
    };
    struct Effect {
        std::vector<Piece> pieces;
        std::vector<std::uint32_t> words; // that it may change
        std::vector<Word> changes; // by key, for each of these words; 0 if it did not occur yet; or there are none
    };

    static constexpr std::uint64_t unknown = ~std::uint64_t{0};
    static constexpr unsigned most_together = 9;                    // bits of a group; a command alone may have more
    static constexpr std::size_t most_noted = std::size_t{1} << 21; // words of changes, of all commands

    std::vector<Piece> pieces(const Footprint &footprint) const;
    void put_into_group(std::uint32_t command, const Footprint &own, std::vector<Footprint> &of_groups);

    template <bool gathers> static std::size_t key(const Word *state, const std::vector<Piece> &pieces) {
        std::size_t result = 0;
        for (const Piece &each : pieces)
            result |= (gathers ? gathered(state[each.word], each.mask) : (state[each.word] & each.mask) >> each.right)
                      << each.left;
        return result;
    }

    bool tell_group(Group &group, const Word *states, std::size_t count, std::uint64_t *out);
    template <class KeyOf>
    bool tell(Group &group, const Word *states, std::size_t count, std::uint64_t *out, const KeyOf &key_of);
    bool try_group(const Group &group, const Word *state, std::uint64_t &enabled);
    bool try_command(std::uint32_t command, const Word *state, std::uint64_t &enabled);

    template <bool gathers> void fire_by(Word *state, std::uint32_t command) {
        Effect &effect = effects_[command];
        if (effect.changes.empty()) {
            model_.fire(state, command);
            return;
        }
        Word *changes = &effect.changes[key<gathers>(state, effect.pieces) * effect.words.size()];
        Word any = 0;
        for (std::size_t i = 0; i < effect.words.size(); ++i) {
            state[effect.words[i]] ^= changes[i];
            any |= changes[i];
        }
        if (!any)
            note(effect, state, command, changes);
    }

    void note(const Effect &effect, Word *state, std::uint32_t command, Word *changes);

    const asset_model &model_;
    const std::size_t words_;
    const std::size_t told_; // words for each state
    const bool gathers_;
    std::vector<Group> groups_;
    std::vector<Effect> effects_;       // by command
    std::size_t noted_ = 0;             // words of changes
    std::vector<std::uint32_t> untold_; // commands that touch many bits
    std::vector<Word> fired_;           // a state
};

} // namespace asset
