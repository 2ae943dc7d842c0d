// A Δ store (Evangelista and Pradat-Peyre, Memory Efficient State Space Storage in Explicit Software Model Checking,
// 2005), as far as measuring it needs: a breadth-first search by one thread. A state whose depth is a multiple of k is
// kept as it is, and counted with as many bytes as its bits need; any other as the number of a predecessor and the
// command that leads from there. The table has a slot of 32 bits for each state: its number, and as much of its hash as
// there is room for, so that most states that are not equal are told apart without being made. benchmarks/stores.py
// compiles and calls it.
#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>
#include <vector>

#include "abi.h"

namespace {

using Word = std::uint64_t;
using Id = std::uint32_t;

constexpr double filled = 0.9; // of the table, at the end
constexpr Id none = ~Id{0};

struct Told {
    std::uint64_t states, edges, bytes, fired;
};

std::uint64_t mixed(std::uint64_t z) {
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
    z = (z ^ z >> 27) * 0x94d049bb133111eb;
    return z ^ z >> 31;
}

// A level: states as they are, or steps from the level before.
struct Level {
    Id first;
    bool explicitly;
    std::vector<std::uint8_t> rows;
};

class DeltaSearch {
  public:
    DeltaSearch(const asset_model &model, std::uint64_t states, std::uint32_t k)
        : model_(model), words_(model.state_words), k_(k), state_bytes_(words_ * sizeof(Word)),
          counted_bytes_((model.state_bits + 7) / 8), command_bytes_(model.nr_commands > 256 ? 2 : 1),
          id_bits_(std::bit_width(states)),
          slots_(static_cast<std::size_t>(static_cast<double>(states) / filled) + 1, none), state_(words_),
          source_(words_), out_((model.nr_commands + 1) * words_), commands_(model.nr_commands + 1) {}

    Told run(const Word *starts, std::uint64_t count) {
        levels_.push_back({0, true, {}});
        for (std::uint64_t i = 0; i < count; ++i)
            add(starts + i * words_, 0, 0);
        while (next_ > levels_.back().first)
            expand_level();
        std::uint64_t bytes = slots_.size() * sizeof(Id);
        for (const Level &level : levels_)
            bytes += level.rows.size() / row_bytes(level) * (level.explicitly ? counted_bytes_ : row_bytes(level));
        return {next_, edges_, bytes, fired_};
    }

  private:
    std::size_t row_bytes(const Level &level) const {
        return level.explicitly ? state_bytes_ : sizeof(Id) + command_bytes_;
    }

    void expand_level() {
        const Id first = levels_.back().first, end = next_;
        levels_.back().rows.shrink_to_fit();
        levels_.push_back({end, levels_.size() % k_ == 0, {}});
        for (Id id = first; id < end; ++id) {
            make(id, source_.data());
            std::uint32_t degree = 0;
            asset_fault fault{};
            model_.named_successors(source_.data(), 1, out_.data(), &degree, commands_.data(), &fault);
            edges_ += degree;
            for (std::uint32_t i = 0; i < degree; ++i)
                add(&out_[i * words_], id, commands_[i]);
        }
    }

    void add(const Word *state, Id source, std::uint32_t command) {
        std::uint64_t hash = 0;
        for (std::size_t i = 0; i < words_; ++i)
            hash = mixed(hash ^ state[i]);
        const Id tag = static_cast<Id>(hash >> 32) & ~((Id{1} << id_bits_) - 1);
        std::size_t slot = static_cast<std::size_t>(static_cast<unsigned __int128>(hash) * slots_.size() >> 64);
        for (; slots_[slot] != none; slot = slot + 1 == slots_.size() ? 0 : slot + 1)
            if ((slots_[slot] & ~((Id{1} << id_bits_) - 1)) == tag && is(slots_[slot] ^ tag, state))
                return;
        slots_[slot] = tag | next_++;
        Level &level = levels_.back();
        const std::size_t at = level.rows.size();
        level.rows.resize(at + row_bytes(level));
        if (level.explicitly) {
            std::memcpy(&level.rows[at], state, state_bytes_);
        } else {
            std::memcpy(&level.rows[at], &source, sizeof source);
            std::memcpy(&level.rows[at + sizeof source], &command, command_bytes_);
        }
    }

    bool is(Id id, const Word *state) {
        make(id, state_.data());
        return std::equal(state_.begin(), state_.end(), state);
    }

    // The state of a number: that of the last level that has states as they are, and then by commands.
    void make(Id id, Word *state) {
        std::uint32_t path[64];
        std::size_t length = 0;
        auto level = std::upper_bound(levels_.begin(), levels_.end(), id,
                                      [](Id value, const Level &each) { return value < each.first; }) -
                     1;
        for (; !level->explicitly; --level) {
            const std::uint8_t *row = &level->rows[(id - level->first) * row_bytes(*level)];
            std::uint32_t command = 0;
            std::memcpy(&id, row, sizeof id);
            std::memcpy(&command, row + sizeof id, command_bytes_);
            path[length++] = command;
        }
        std::memcpy(state, &level->rows[(id - level->first) * state_bytes_], state_bytes_);
        fired_ += length;
        while (length)
            model_.fire(state, path[--length]);
    }

    const asset_model &model_;
    const std::size_t words_;
    const std::uint32_t k_;
    const std::size_t state_bytes_, counted_bytes_, command_bytes_;
    const int id_bits_;
    std::vector<Id> slots_;
    std::vector<Level> levels_;
    std::vector<Word> state_, source_, out_;
    std::vector<std::uint32_t> commands_;
    Id next_ = 0;
    std::uint64_t edges_ = 0, fired_ = 0;
};

} // namespace

extern "C" void delta_search(const asset_model *model, const Word *starts, std::uint64_t count, std::uint64_t states,
                             std::uint32_t k, Told *told) {
    *told = DeltaSearch(*model, states, k).run(starts, count);
}
