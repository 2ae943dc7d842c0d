// Models written by hand against the function table, for testing the engine alone.
#pragma once

#include <algorithm>
#include <cstdint>

#include "abi.h"

namespace fixtures {

using Word = std::uint64_t;

// Implements the table for a model with these static members: words, bits, commands, initial(state) and
// fire(state, command) as in the table, and invariant(state) and terminal(state), which return whether they hold, or
// minus a fault code.
template <class Model> struct Table {
    static void initial(Word *state) { Model::initial(state); }

    static std::uint64_t successors(const Word *states, std::uint64_t count, Word *out, std::uint32_t *degrees,
                                    asset_fault *fault) {
        Word *next = out;
        for (std::uint64_t k = 0; k < count; ++k) {
            const Word *state = states + k * Model::words;
            degrees[k] = 0;
            for (std::uint32_t command = Model::commands; command-- > 0;) {
                std::copy_n(state, Model::words, next);
                const std::int32_t fired = Model::fire(next, command);
                if (fired < 0) {
                    *fault = {k, command, static_cast<std::uint32_t>(-fired)};
                    return static_cast<std::uint64_t>(next - out) / Model::words;
                }
                next += static_cast<std::size_t>(fired) * Model::words;
                degrees[k] += static_cast<std::uint32_t>(fired);
            }
        }
        return static_cast<std::uint64_t>(next - out) / Model::words;
    }

    static std::int32_t fire(Word *state, std::uint32_t command) { return Model::fire(state, command); }

    template <int (*holds)(const Word *)>
    static void labels(const Word *states, std::uint64_t count, std::uint64_t *out, asset_fault *fault) {
        for (std::uint64_t k = 0; k < count; ++k) {
            const int answer = holds(states + k * Model::words);
            if (answer < 0) {
                *fault = {k, 0, static_cast<std::uint32_t>(-answer)};
                return;
            }
            out[k] = static_cast<std::uint64_t>(answer);
        }
    }

    static constexpr asset_model model{
        ASSET_ABI_VERSION,
        Model::words,
        Model::bits,
        Model::commands,
        {1, 1, 0, 0},
        &initial,
        &successors,
        &fire,
        {&labels<&Model::invariant>, &labels<&Model::terminal>, nullptr, nullptr},
    };
};

// The demand-driven token ring: client 2 bits, server 2 bits, token 1 bit for each station. With Words > 1, the
// stations are spread over the words.
template <unsigned N, unsigned Words = 1> struct Ring {
    static constexpr std::uint32_t words = Words;
    static constexpr std::uint32_t bits = Words == 1 ? 5 * N : 64 * Words;
    static constexpr std::uint32_t commands = 3 * N;

    static Word &word(Word *s, unsigned i) { return s[i % Words]; }
    static unsigned shift(unsigned i) { return i / Words * 5; }
    static unsigned get(const Word *s, unsigned i) { return s[i % Words] >> shift(i) & 31; }
    static unsigned client(const Word *s, unsigned i) { return get(s, i) & 3; }
    static unsigned server(const Word *s, unsigned i) { return get(s, i) >> 2 & 3; }
    static unsigned token(const Word *s, unsigned i) { return get(s, i) >> 4; }
    static void flip(Word *s, unsigned i, Word changes) { word(s, i) ^= changes << shift(i); }
    static void set_client(Word *s, unsigned i, Word v) { flip(s, i, v ^ client(s, i)); }
    static void set_server(Word *s, unsigned i, Word v) { flip(s, i, (v ^ server(s, i)) << 2); }

    static void pass_token(Word *s, unsigned i, unsigned next) {
        flip(s, i, 16);
        flip(s, next, 16);
        set_server(s, i, 0);
    }

    static void initial(Word *s) {
        std::fill_n(s, Words, 0);
        flip(s, 1 % N, 16);
    }

    static std::int32_t fire(Word *s, std::uint32_t command) {
        const unsigned i = command % N;
        switch (command / N) {
        case 0:
            return fire_client(s, i);
        case 1:
            if (client(s, i) != 0)
                return 0;
            set_client(s, i, 3);
            return 1;
        default:
            return fire_server(s, i, i + 1 == N ? 0 : i + 1);
        }
    }

    static std::int32_t fire_client(Word *s, unsigned i) {
        const unsigned c = client(s, i);
        if (c & 1)
            return 0;
        set_client(s, i, c == 0 ? 1 : 0);
        return 1;
    }

    static std::int32_t fire_server(Word *s, unsigned i, unsigned next) {
        switch (server(s, i)) {
        case 0:
            if (client(s, i) != 1 && (server(s, next) != 1 || token(s, next)))
                return 0;
            set_server(s, i, 1);
            return 1;
        case 1:
            if (!token(s, i))
                return 0;
            if (client(s, i) == 1) {
                set_client(s, i, 2);
                set_server(s, i, 2);
                return 1;
            }
            if (server(s, next) != 1)
                return 0;
            pass_token(s, i, next);
            return 1;
        default:
            if (client(s, i) == 2)
                return 0;
            pass_token(s, i, next);
            return 1;
        }
    }

    static int invariant(const Word *s) {
        unsigned critical = 0;
        for (unsigned i = 0; i < N; ++i)
            critical += client(s, i) == 2;
        return critical <= 1;
    }

    static int terminal(const Word *s) {
        for (unsigned i = 0; i < N; ++i)
            if (client(s, i) != 3)
                return 0;
        return 1;
    }
};

// What is wrong with a grid; `none` is nothing.
enum class Trap {
    none,
    violation,
    initial_violation,
    invariant_fault,
    terminal_violation,
    terminal_fault,
    command_fault
};

// Two counters up to 15: command 0 increments a, the first word's low bits, and command 1 b, the last word's next ones.
template <Trap trap, unsigned Words = 1> struct Grid {
    static constexpr std::uint32_t words = Words;
    static constexpr std::uint32_t bits = Words == 1 ? 8 : 64 * Words;
    static constexpr std::uint32_t commands = 2;

    static Word a(const Word *s) { return s[0] & 15; }
    static Word b(const Word *s) { return s[Words - 1] >> 4 & 15; }

    static void initial(Word *s) { std::fill_n(s, Words, 0); }

    static std::int32_t fire(Word *s, std::uint32_t command) {
        if (trap == Trap::command_fault && command == 0 && a(s) == 7 && b(s) == 9)
            return -2;
        if ((command == 0 ? a(s) : b(s)) == 15)
            return 0;
        s[command == 0 ? 0 : Words - 1] += command == 0 ? 1 : 16;
        return 1;
    }

    static int invariant(const Word *s) {
        if (trap == Trap::invariant_fault && a(s) == 3 && b(s) == 11)
            return -3;
        if (trap == Trap::initial_violation)
            return 0;
        return trap != Trap::violation || a(s) < 9 || b(s) < 4;
    }

    static int terminal(const Word *) {
        return trap == Trap::terminal_fault ? -1 : trap != Trap::terminal_violation;
    }
};

// Every number of `Bits` bits is reachable, by flipping one bit at a time.
template <unsigned Bits> struct Cube {
    static constexpr std::uint32_t words = 1;
    static constexpr std::uint32_t bits = Bits;
    static constexpr std::uint32_t commands = Bits;

    static void initial(Word *s) { *s = 0; }
    static std::int32_t fire(Word *s, std::uint32_t command) { return *s ^= Word{1} << command, 1; }
    static int invariant(const Word *) { return 1; }
    static int terminal(const Word *) { return 1; }
};

// One state after the other, up to Last: as many levels as states.
template <Word Last> struct Chain {
    static constexpr std::uint32_t words = 1;
    static constexpr std::uint32_t bits = 50;
    static constexpr std::uint32_t commands = 1;

    static void initial(Word *s) { *s = 0; }
    static std::int32_t fire(Word *s, std::uint32_t) { return *s == Last ? 0 : (++*s, 1); }
    static int invariant(const Word *) { return 1; }
    static int terminal(const Word *) { return 0; }
};

} // namespace fixtures
