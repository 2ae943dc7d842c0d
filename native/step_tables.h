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

    // Fires a command, which is enabled. `gathers` is what the tables were made with.
    template <bool gathers> ASSET_INLINE void fire(Word *state, std::uint32_t command) {
        Effect &effect = effects_[command];
        if (effect.changes.empty()) {
            model_.fire(state, command);
            return;
        }
        const std::size_t width = effect.words.size();
        Word *changes = &effect.changes[effect.key.template of<gathers>(state) * width];
        Word any = changes[0];
        state[effect.key.first.word] ^= any;
        for (std::size_t i = 1; i < width; ++i) {
            state[effect.words[i]] ^= changes[i];
            any |= changes[i];
        }
        if (!any)
            note(effect, state, command, changes);
    }

    // The same, if it is not known how they were made.
    void fire(Word *state, std::uint32_t command) {
        return gathers_ ? fire<true>(state, command) : fire<false>(state, command);
    }

  private:
    // The bits of a mask in a word of the state, and where they go in a key.
    struct Piece {
        std::uint32_t word = 0, right = 0, left = 0;
        Word mask = 0;

        template <bool gathers> ASSET_INLINE std::size_t of(const Word *state) const {
            return (gathers ? gathered(state[word], mask) : (state[word] & mask) >> right) << left;
        }
    };

    // What is looked up by: some bits of the state, side by side. They mostly are one piece, which is at hand here.
    struct Key {
        Piece first;
        std::vector<Piece> others;

        template <bool gathers> ASSET_INLINE std::size_t of(const Word *state) const {
            std::size_t result = first.of<gathers>(state);
            for (const Piece &each : others)
                result |= each.of<gathers>(state);
            return result;
        }
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
        Key key;
        std::vector<std::uint32_t> commands;
        std::vector<std::uint64_t> enabled; // by key; `unknown_` if it did not occur yet
        std::uint32_t out = 0;              // the word
    };
    struct Effect {
        Key key;
        std::vector<std::uint32_t> words; // that it may change; the first is that of the key
        std::vector<Word> changes; // by key, for each of these words; 0 if it did not occur yet; or there are none
    };

    static constexpr std::uint64_t last_bit = std::uint64_t{1} << 63;
    static constexpr unsigned most_together = 9;                    // bits of a group; a command alone may have more
    static constexpr std::size_t most_noted = std::size_t{1} << 21; // words of changes, of all commands

    Key key_of(const Footprint &footprint) const;
    void put_into_group(std::uint32_t command, const Footprint &own, std::vector<Footprint> &of_groups);

    template <std::size_t Words> bool tell_groups(const Word *states, std::size_t count, std::uint64_t *out);
    template <std::size_t Words>
    bool tell_group(Group &group, const Word *states, std::size_t count, std::uint64_t *out);
    template <std::size_t Words, class KeyOf>
    bool tell(Group &group, const Word *states, std::size_t count, std::uint64_t *out, const KeyOf &key_of);
    template <class KeyOf>
    bool tell_new(Group &group, const Word *states, std::size_t count, std::uint64_t *out, const KeyOf &key_of);
    bool try_group(const Group &group, const Word *state, std::uint64_t &enabled);
    bool try_command(std::uint32_t command, const Word *state, std::uint64_t &enabled);

    void note(const Effect &effect, Word *state, std::uint32_t command, Word *changes);

    const asset_model &model_;
    const std::size_t words_;
    const std::size_t told_; // words for each state
    const bool gathers_;
    // If the last bit of the only word is no command's, it tells that of all groups together in one test.
    const bool in_one_word_;
    const std::uint64_t unknown_;
    std::vector<Group> groups_;
    std::vector<Effect> effects_;       // by command
    std::size_t noted_ = 0;             // words of changes
    std::vector<std::uint32_t> untold_; // commands that touch many bits
    std::vector<Word> fired_;           // a state
};

} // namespace asset
