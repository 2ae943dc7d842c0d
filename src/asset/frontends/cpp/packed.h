/* State variables as bits of the current state, and the table of functions that the engine calls.
 *
 * The front end has put asset::layout before: how many words a state has, where each variable is, how many transitions
 * there are.
 */
#pragma once

#include "abi.h"

namespace asset {

using word = std::uint64_t;

/* The state that the functions of the model see and change. */
inline thread_local word current[layout::words];

/* Where the parent process sees what the model is doing. Volatile, not atomic: the compiler would not keep the current
 * state in registers across atomic stores. Where threads write at once, what is seen is that of one of them. */
struct activity {
    volatile std::uint64_t ticks; /* grows with each state that the model is asked about */
    volatile std::uint32_t what;  /* 0: not in the model; 1: firing, 2: a predicate, 3: a rule, 4: a representative,
                                      5: showing a state */
    volatile std::uint32_t number; /* of the command or of the predicate */
    volatile word state[layout::words];
};
enum : std::uint32_t { idle = 0, firing = 1, evaluating = 2, obliging = 3, representing = 4, printing = 5 };

inline activity unobserved;
inline activity *observed = &unobserved;

/* What is known to crash or to loop for ever: it is not tried again, but is a model error. */
struct trap {
    std::uint32_t what = idle;
    std::uint32_t number = 0;
    std::uint32_t code = 0;
    word state[layout::words] = {};
};
inline trap traps[16];
inline unsigned nr_traps = 0;

inline word initialised[layout::words]; /* the initial state of the model */

inline void copy(word *to, const word *from) {
    for (unsigned i = 0; i < layout::words; ++i)
        to[i] = from[i];
}
inline bool equal(const word *one, const word *other) {
    word difference = 0;
    for (unsigned i = 0; i < layout::words; ++i)
        difference |= one[i] ^ other[i];
    return difference == 0;
}

/* The current state is this one, and the parent process can see it. */
inline void enter(const word *state, std::uint32_t what, std::uint32_t number) {
    activity &seen = *observed;
    seen.ticks = seen.ticks + 1;
    for (unsigned i = 0; i < layout::words; ++i)
        seen.state[i] = state[i];
    seen.number = number;
    seen.what = what;
    copy(current, state);
}
inline void leave() { observed->what = idle; }

inline void beware(const word *state, std::uint32_t what, std::uint32_t number) {
    for (unsigned i = 0; i < nr_traps; ++i)
        if (traps[i].what == what && traps[i].number == number && equal(traps[i].state, state)) {
            leave();
            throw fault{traps[i].code};
        }
}

[[noreturn, gnu::cold, gnu::noinline]] inline void fail_range(unsigned value, unsigned at, unsigned shift,
                                                              unsigned bits) {
    const char *name = "";
    for (const auto &each : layout::cells)
        if (each.word == at && each.shift == shift)
            name = each.name;
    fail(range_fault, "%s = %u: its %u bits hold values from 0 to %u", name, value, bits, ~0u >> (32 - bits));
}

struct location {
    std::uint16_t at;
    std::uint8_t shift, bits;
    constexpr location(unsigned word, unsigned shift, unsigned bits)
        : at(static_cast<std::uint16_t>(word)), shift(static_cast<std::uint8_t>(shift)),
          bits(static_cast<std::uint8_t>(bits)) {}
};

inline unsigned read(unsigned at, unsigned shift, unsigned bits) {
    return static_cast<unsigned>(current[at] >> shift) & ~0u >> (32 - bits);
}
inline void write(unsigned at, unsigned shift, unsigned bits, unsigned value) {
    const unsigned mask = ~0u >> (32 - bits);
    if (layout::sane && value > mask)
        fail_range(value, at, shift, bits);
    current[at] = (current[at] & ~(word{mask} << shift)) | word{value & mask} << shift;
}

/* A state variable of which only the object itself knows where it is: what `state_var &` refers to. */
class cell_of_any : public operators<cell_of_any, location> {
  public:
    using operators::operators;
    cell_of_any(const cell_of_any &) = delete;

    unsigned get() const { return read(layout::words == 1 ? 0 : at, shift, bits); }
    void set(unsigned value) const { write(layout::words == 1 ? 0 : at, shift, bits, value); }
    const cell_of_any &operator=(unsigned value) const { return assign(value); }
    const cell_of_any &operator=(const cell_of_any &other) const { return assign(other.get()); }
};

/* A cell of variable k: its bits, and mostly its word, are constants. */
template <unsigned k> class cell : public operators<cell<k>, cell_of_any> {
    using place = layout::variable<k>;
    using base = operators<cell<k>, cell_of_any>;

  public:
    static constexpr std::size_t cells = 1;

    constexpr explicit cell(std::size_t number)
        : base(place::word + static_cast<unsigned>(number / place::in_a_word),
               place::shift + static_cast<unsigned>(number % place::in_a_word) * place::bits, place::bits) {}
    cell(const cell &) = delete;

    unsigned get() const { return read(where(), this->shift, place::bits); }
    void set(unsigned value) const { write(where(), this->shift, place::bits, value); }
    const cell &operator=(unsigned value) const { return this->assign(value); }
    const cell &operator=(const cell &other) const { return this->assign(other.get()); }

  private:
    unsigned where() const { return place::in_one_word ? place::word : this->at; }
};

template <unsigned k, std::size_t... dims> class variable : public shape<cell<k>, dims...>::type {
    using base = typename shape<cell<k>, dims...>::type;

  public:
    using base::operator=;
    constexpr variable(const char *, long) : base(0) {}
};

inline bool is_initial() { return equal(current, initialised); }
inline bool is_zero() {
    constexpr word zero[layout::words] = {};
    return equal(current, zero);
}

/* The transitions that a rule lists. */
struct listed {
    std::uint32_t *out = nullptr;
    std::uint64_t capacity = 0;
    std::uint64_t count = 0;
};
inline thread_local listed obliged;

/* From the number of a transition to that of its command, and back. The engine tries commands from the last number
 * down; where the model wants its transitions tried from the first up, the first is the last command. */
constexpr unsigned renumbered(unsigned number) {
    return layout::forward ? layout::commands - 1 - number : number;
}

inline void stb() {}
inline void stb(unsigned transition) {
    if (transition >= layout::commands)
        fail(index_fault, "stb(%u): the last transition is %u", transition, layout::commands - 1);
    if (obliged.count < obliged.capacity)
        obliged.out[obliged.count] = renumbered(transition);
    ++obliged.count;
}
inline void stb(unsigned a, unsigned b) { stb(a), stb(b); }
inline void stb(unsigned a, unsigned b, unsigned c) { stb(a, b), stb(c); }
inline void stb(unsigned a, unsigned b, unsigned c, unsigned d) { stb(a, b, c), stb(d); }
inline void stb_all() {
    for (unsigned transition = 0; transition < layout::commands; ++transition)
        stb(transition);
}

/* The functions of asset_model (abi.h), from the functions of a model. */
template <class Model> struct table {
    /* 1 where the command was enabled; else the current state is as it was. */
    static bool attempt(const word *state, unsigned command) {
        if (Model::asset_fires(renumbered(command)))
            return true;
        if (layout::sane && !equal(current, state))
            fail(changed_fault, "fire_transition(%u) returned false but changed the state", renumbered(command));
        return false;
    }

    /* The state whose commands are fired, and where its next successor is written. */
    struct output {
        word state[layout::words];
        word *next;
        activity *seen;
    };

    /* The state is copied for each command anew: then the compiler knows that it is unchanged, and reads it once. */
    [[gnu::always_inline]] static inline void try_one(output &to, unsigned command) {
        to.seen->number = command;
        copy(current, to.state);
        if (attempt(to.state, command)) {
            copy(to.next, current);
            to.next += layout::words;
        }
    }

    /* Fires every command, in decreasing order: by code of its own for each where there are few, so that what depends
     * on its number is a constant. */
    template <unsigned... i>
    [[gnu::always_inline]] static inline void try_each(output &to, std::integer_sequence<unsigned, i...>) {
        (try_one(to, layout::commands - 1 - i), ...);
    }
    [[gnu::always_inline]] static inline void try_all(output &to) {
        if constexpr (layout::unrolled)
            try_each(to, std::make_integer_sequence<unsigned, layout::commands>());
        else
            for (unsigned command = layout::commands; command-- > 0;)
                try_one(to, command);
    }
    static void try_warily(output &to) {
        for (unsigned command = layout::commands; command-- > 0;) {
            to.seen->number = command; /* that is what a fault is said to be in */
            beware(to.state, firing, command);
            try_one(to, command);
        }
    }

    template <bool Wary>
    [[gnu::always_inline]] static inline std::uint64_t fire_all(const word *states, std::uint64_t count, word *out,
                                                                std::uint32_t *successors, asset_fault *fault) {
        output to{{}, out, observed};
        for (std::uint64_t i = 0; i < count; ++i) {
            const word *const before = to.next;
            try {
                copy(to.state, states + i * layout::words);
                enter(to.state, firing, 0);
                if constexpr (Wary)
                    try_warily(to);
                else
                    try_all(to);
            } catch (...) {
                *fault = {i, observed->number, reason()};
            }
            successors[i] = static_cast<std::uint32_t>(to.next - before) / layout::words;
            if (fault->code)
                break;
        }
        leave();
        return static_cast<std::uint64_t>(to.next - out) / layout::words;
    }

    [[gnu::flatten]] static std::uint64_t fire_fast(const word *states, std::uint64_t count, word *out,
                                                    std::uint32_t *successors, asset_fault *fault) {
        return fire_all<false>(states, count, out, successors, fault);
    }
    static std::uint64_t fire_wary(const word *states, std::uint64_t count, word *out, std::uint32_t *successors,
                                   asset_fault *fault) {
        return fire_all<true>(states, count, out, successors, fault);
    }
    static std::uint64_t successors(const word *states, std::uint64_t count, word *out, std::uint32_t *successors,
                                    asset_fault *fault) {
        return nr_traps ? fire_wary(states, count, out, successors, fault)
                        : fire_fast(states, count, out, successors, fault);
    }

    static std::int32_t fire(word *state, std::uint32_t command) {
        std::int32_t result = 0;
        try {
            beware(state, firing, command);
            enter(state, firing, command);
            result = attempt(state, command);
            if (result)
                copy(state, current);
        } catch (...) {
            result = -static_cast<std::int32_t>(reason());
        }
        leave();
        return result;
    }

    /* A predicate is whether one of these functions of the model says that all is well. */
    enum function { check_state, check_deadlock, may_progress, must_progress };

    /* Predicates are numbered in that order, only those that the model has. */
    static constexpr bool has[] = {Model::asset_has_state, Model::asset_has_deadlock, Model::asset_has_may,
                                   Model::asset_has_must};
    static constexpr unsigned number_of(unsigned function) {
        unsigned number = 0;
        for (unsigned before = 0; before < function; ++before)
            number += has[before];
        return number;
    }
    static constexpr unsigned nr_predicates = number_of(std::size(has));

    static void predicates(const word *states, std::uint64_t count, const std::uint64_t *wanted, std::uint64_t *out,
                           asset_fault *fault) {
        for (std::uint64_t i = 0; i < count; ++i) {
            std::uint32_t number = 0;
            out[i] = 0;
            try {
                evaluate_each(states + i * layout::words, *wanted, out[i], number,
                              std::make_integer_sequence<unsigned, std::size(has)>());
            } catch (...) {
                *fault = {i, number, reason()};
                break;
            }
        }
        leave();
    }

    template <unsigned... functions>
    static void evaluate_each(const word *state, word wanted, word &out, std::uint32_t &number,
                              std::integer_sequence<unsigned, functions...>) {
        (evaluate<functions>(state, wanted, out, number), ...);
    }

    template <unsigned function>
    static void evaluate(const word *state, word wanted, word &out, std::uint32_t &number) {
        if constexpr (has[function]) {
            if (!(wanted >> number_of(function) & 1))
                return;
            number = number_of(function);
            beware(state, evaluating, number);
            enter(state, evaluating, number);
            out |= word{judged<function>()} << number;
        }
    }

    template <unsigned function> static bool judged() {
        if constexpr (function == may_progress)
            return Model::asset_may();
        else if constexpr (function == must_progress)
            return Model::asset_must();
        else {
            const char *const text = function == check_state ? Model::asset_state() : Model::asset_deadlock();
            if (text)
                say(text);
            return !text;
        }
    }

    static std::int64_t obligations(const word *state, std::uint32_t command, std::uint32_t *out,
                                    std::uint64_t capacity) {
        std::int64_t result = 0;
        try {
            beware(state, obliging, command);
            enter(state, obliging, command);
            obliged = {out, capacity, 0};
            Model::asset_rule(renumbered(command));
            result = static_cast<std::int64_t>(obliged.count);
        } catch (...) {
            result = -static_cast<std::int64_t>(reason());
        }
        leave();
        return result;
    }

    static void representatives(word *states, std::uint64_t count, asset_fault *fault) {
        for (std::uint64_t i = 0; i < count; ++i) {
            word *const state = states + i * layout::words;
            try {
                beware(state, representing, 0);
                enter(state, representing, 0);
                Model::asset_represents();
                copy(state, current);
            } catch (...) {
                *fault = {i, 0, reason()};
                break;
            }
        }
        leave();
    }

    static constexpr asset_model value{
        ASSET_ABI_VERSION,
        layout::words,
        layout::bits,
        layout::commands,
        nr_predicates,
        0, /* facts */
        successors,
        fire,
        nr_predicates ? predicates : nullptr,
        Model::asset_has_rules ? obligations : nullptr,
        Model::asset_has_symmetry ? representatives : nullptr,
        nullptr,
        nullptr,
        nullptr,
        nullptr,
        nullptr,
    };
};

} // namespace asset

using asset_word = std::uint64_t;
using asset_natural = std::uint32_t;
using asset_integer = std::int32_t;
using asset_long = std::int64_t;

/* What the library exports besides the table; end.h gives it names. */
template <class Model> struct asset_exports {
    static constexpr const asset_model &asset_table = asset::table<Model>::value;

    static void asset_begin() {
        Model::asset_initialise();
        asset::copy(asset::initialised, asset::current);
    }

    static void asset_observe(void *place) { asset::observed = static_cast<asset::activity *>(place); }

    static asset_integer asset_add_trap(asset_natural what, asset_natural number, asset_natural code,
                                        const asset_word *state) {
        if (asset::nr_traps == std::size(asset::traps))
            return 0;
        asset::trap &one = asset::traps[asset::nr_traps++];
        one.what = what;
        one.number = number;
        one.code = code;
        asset::copy(one.state, state);
        return 1;
    }

    static void asset_said(char *out, asset_word room) {
        std::snprintf(out, room, "%s", asset::said.text);
        asset::said.text[0] = 0;
        asset::said.taken.clear();
    }

    static asset_integer asset_evaluate(const asset_word *state, asset_natural predicate) {
        const asset_word wanted = asset_word{1} << predicate;
        asset_word out = 0;
        asset_fault wrong{};
        asset_table.predicates(state, 1, &wanted, &out, &wrong);
        return wrong.code ? -static_cast<asset_integer>(wrong.code) : out == wanted;
    }

    static asset_integer asset_represent(asset_word *state) {
        asset_fault wrong{};
        asset_table.representatives(state, 1, &wrong);
        return -static_cast<asset_integer>(wrong.code);
    }

    static asset_integer asset_print(const asset_word *state) {
        asset_integer result = 0;
        asset::enter(state, asset::printing, 0);
        try {
            Model::asset_prints();
        } catch (...) {
            result = -static_cast<asset_integer>(asset::reason());
        }
        std::cout << std::flush;
        std::fflush(stdout);
        std::cout.clear(); /* it may have printed more than is taken */
        std::clearerr(stdout);
        asset::leave();
        return result;
    }

    static asset_integer asset_fire(asset_word *state, asset_natural command) {
        return asset_table.fire(state, command);
    }

    static asset_long asset_oblige(const asset_word *state, asset_natural command, asset_natural *out,
                                   asset_word room) {
        return asset_table.obligations(state, command, out, room);
    }
};
