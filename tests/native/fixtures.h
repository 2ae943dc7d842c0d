// Models written by hand against the function table, for testing the engine alone.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "abi.h"

namespace fixtures {

using Word = std::uint64_t;

// The predicates of all models, those from may on only of some.
enum : std::uint32_t { invariant = 0, terminal = 1, may = 2, must = 3 };

// Implements the table for a model with these static members: words, bits, commands, fire(state, command) as in the
// table, and invariant(state) and terminal(state), which return whether they hold, or minus a fault code; and
// initial(state), which writes a state to start in. It may also have may(state) and must(state), of the same form;
// rule(state, command, obligations), which appends to a vector and returns 0 or minus a fault code; and
// representative(state), which returns the same.
template <class Model> struct Table {
    static std::vector<Word> initial() {
        std::vector<Word> state(Model::words);
        Model::initial(state.data());
        return state;
    }

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

    static int holds(const Word *state, std::uint32_t predicate) {
        if (predicate == invariant)
            return Model::invariant(state);
        if (predicate == terminal)
            return Model::terminal(state);
        if constexpr (requires { &Model::may; })
            return predicate == may ? Model::may(state) : Model::must(state);
        return 0;
    }

    static void predicates(const Word *states, std::uint64_t count, const std::uint64_t *wanted, std::uint64_t *out,
                           asset_fault *fault) {
        for (std::uint64_t k = 0; k < count; ++k) {
            out[k] = 0;
            for (std::uint32_t predicate = 0; predicate < model.nr_predicates; ++predicate) {
                const int answer = *wanted >> predicate & 1 ? holds(states + k * Model::words, predicate) : 0;
                if (answer < 0) {
                    *fault = {k, predicate, static_cast<std::uint32_t>(-answer)};
                    return;
                }
                out[k] |= static_cast<std::uint64_t>(answer) << predicate;
            }
        }
    }

    static std::int64_t obligations(const Word *state, std::uint32_t command, std::uint32_t *out,
                                    std::uint64_t capacity) {
        std::vector<std::uint32_t> listed;
        if (const int fault = Model::rule(state, command, listed))
            return fault;
        std::copy_n(listed.begin(), std::min<std::size_t>(listed.size(), capacity), out);
        return static_cast<std::int64_t>(listed.size());
    }

    static void representatives(Word *states, std::uint64_t count, asset_fault *fault) {
        for (std::uint64_t k = 0; k < count; ++k)
            if (const int answer = Model::representative(states + k * Model::words)) {
                *fault = {k, 0, static_cast<std::uint32_t>(-answer)};
                return;
            }
    }

    static constexpr asset_model table() {
        asset_model result{};
        result.abi_version = ASSET_ABI_VERSION;
        result.state_words = Model::words;
        result.state_bits = Model::bits;
        result.nr_commands = Model::commands;
        result.successors = &successors;
        result.fire = &fire;
        result.nr_predicates = 2;
        if constexpr (requires { &Model::may; })
            result.nr_predicates = 4;
        result.predicates = &predicates;
        if constexpr (requires { &Model::rule; })
            result.obligations = &obligations;
        if constexpr (requires { &Model::representative; })
            result.representatives = &representatives;
        return result;
    }

    static constexpr asset_model model = table();
};

// What is wrong with a ring.
enum class Flaw {
    none,
    asks_for_nothing, // a server asks for the token though the next one has it already
    keeps_token,      // a server that has served waits for its client again, with the token
};

// The demand-driven token ring: client 2 bits, server 2 bits, token 1 bit for each station. With Words > 1, the
// stations are spread over the words.
template <unsigned N, unsigned Words = 1, Flaw flaw = Flaw::none> struct Ring {
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
            if (!is_asked(s, i, next))
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
            if (flaw == Flaw::keeps_token)
                set_server(s, i, 1);
            else
                pass_token(s, i, next);
            return 1;
        }
    }

    // By its client or by the next server.
    static bool is_asked(const Word *s, unsigned i, unsigned next) {
        return client(s, i) == 1 || (server(s, next) == 1 && (flaw == Flaw::asks_for_nothing || !token(s, next)));
    }

    // What a command obliges: those that could enable it, where it is disabled; those that it could disturb otherwise.
    static int rule(const Word *s, std::uint32_t command, std::vector<std::uint32_t> &obligations) {
        const unsigned i = command % N;
        if (command / N == 1)
            obligations = {i};
        else if (command / N == 2)
            oblige_for_server(s, i, i + 1 == N ? 0 : i + 1, obligations);
        else if (client(s, i) == 0)
            obligations = {N + i, 2 * N + i};
        else if (client(s, i) == 1)
            obligations = {2 * N + i};
        else if (client(s, i) == 2) // visible: mutual exclusion depends on it
            for (std::uint32_t each = 0; each < commands; ++each)
                obligations.push_back(each);
        return 0;
    }

    static void oblige_for_server(const Word *s, unsigned i, unsigned next, std::vector<std::uint32_t> &obligations) {
        const bool serves_next = token(s, i) && client(s, i) != 1;
        if (server(s, i) == 0 ? !is_asked(s, i, next) : server(s, i) == 1 && serves_next && server(s, next) != 1)
            obligations = {i, 2 * N + next};
        else if (server(s, i) == 1 && !token(s, i))
            obligations = {2 * N + (i + N - 1) % N};
        else if (server(s, i) == 1 ? serves_next : server(s, i) == 2 && client(s, i) == 2)
            obligations = {i};
    }

    // Rotates the ring until station 1 has the token.
    static int representative(Word *s) {
        while (!token(s, 1 % N)) {
            const unsigned first = get(s, 0);
            for (unsigned i = 0; i + 1 < N; ++i)
                flip(s, i, get(s, i) ^ get(s, i + 1));
            flip(s, N - 1, get(s, N - 1) ^ first);
        }
        return 0;
    }

    static int may(const Word *s) { return client(s, 0) != 1; }
    static int must(const Word *s) { return client(s, 0) != 1; }

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

    static int terminal(const Word *) { return trap == Trap::terminal_fault ? -1 : trap != Trap::terminal_violation; }
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

// A graph of at most 64 states that depends on a seed in no particular way; so do its properties, its rules, which are
// not correct ones, its representatives, which are of no symmetry, and, if it is `faulty`, its faults.
template <bool faulty = false> struct Random {
    static constexpr std::uint32_t words = 1;
    static constexpr std::uint32_t bits = 6;
    static constexpr std::uint32_t commands = 4;
    static inline Word seed = 0;

    static Word draw(Word purpose, Word state, Word command = 0) {
        Word x = seed * 0x9e3779b97f4a7c15u + purpose * 0xd6e8feb86659fd93u + state * 0xa0761d6478bd642fu + command;
        for (int i = 0; i < 3; ++i)
            x = (x ^ x >> 29) * 0xbf58476d1ce4e5b9u;
        return x >> 20;
    }
    static bool fails(Word purpose, Word state) { return faulty && draw(purpose, state) % 50 == 0; }
    static int label(Word purpose, Word state, Word rarely) {
        return fails(purpose, state) ? -3 : draw(purpose + 1, state) % rarely != 0;
    }

    static void initial(Word *s) { *s = seed % 64; }
    static std::int32_t fire(Word *s, std::uint32_t command) {
        if (fails(1 + command, *s))
            return -2;
        const Word drawn = draw(10, *s, command);
        if (drawn % 8 > seed % 4 + 1)
            return 0;
        *s = drawn / 8 % (8 + seed % 57);
        return 1;
    }
    static int invariant(const Word *s) { return label(20, *s, 500); }
    static int terminal(const Word *s) { return label(22, *s, 50); }
    static int may(const Word *s) { return !label(24, *s, 10) - (fails(24, *s) ? 1 : 0); }
    static int must(const Word *s) { return label(26, *s, 3); }
    static int rule(const Word *s, std::uint32_t command, std::vector<std::uint32_t> &obligations) {
        if (fails(30 + command, *s))
            return -4;
        for (Word drawn = draw(40, *s, command); drawn % 3; drawn /= 12)
            obligations.push_back(drawn / 3 % commands);
        return 0;
    }
    static int representative(Word *s) {
        if (fails(50, *s))
            return -5;
        *s &= ~(draw(51, *s / 4) % 4);
        return 0;
    }
};

} // namespace fixtures
