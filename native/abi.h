/* The boundary between a model and the engine: a table of functions over packed states.
 *
 * A model is whatever fills this table: code generated from the IR by LLVM, or a .model file compiled by a C++
 * compiler. The engine knows nothing of languages. All functions are pure (they touch their arguments and constants
 * only), so that any number of threads may call them.
 */
#pragma once

#include <stdint.h>

#define ASSET_ABI_VERSION 6

/* Where and how a model error occurred. Codes: asset.ir.faults.FaultKind. */
struct asset_fault {
    uint64_t state;  /* index of the state in the batch */
    uint32_t number; /* of the command being fired, or of the predicate being evaluated */
    uint32_t code;   /* 0: no fault */
};

struct asset_model {
    uint32_t abi_version;
    uint32_t state_words; /* at least 1 */
    uint32_t state_bits;  /* bits used; if state_words is 1, the word's low state_bits bits, and the others are 0 */
    uint32_t nr_commands;
    uint32_t nr_predicates;
    uint32_t nr_facts;

    /* Fires every command in each of `count` states, in decreasing order of their numbers. Successors are written to
     * `out` one after the other (room for count * nr_commands states); successors[k] is how many state k has.
     * Returns their total number. On a fault it stops: fault says where, the successors found before it are in out,
     * successors[fault.state] says how many of them are of that state; later entries of `successors` are not written.
     * The caller sets fault->code to 0. */
    uint64_t (*successors)(const uint64_t *states, uint64_t count, uint64_t *out, uint32_t *successors,
                           struct asset_fault *fault);

    /* Fires one command in place: 1 if it was enabled, 0 if not (the state is then unchanged), or minus the fault code
     * (the state's content is then unspecified). */
    int32_t (*fire)(uint64_t *state, uint32_t command);

    /* For each of `count` states one bit for each predicate, in as many words as nr_predicates bits need: set if the
     * predicate is wanted and holds. `wanted` has as many words; predicates that are not wanted are not evaluated. On a
     * fault it stops: fault says in which state and predicate, the bits of earlier states are valid, and those of the
     * faulty state are those of the wanted predicates before the faulty one. NULL if nr_predicates is 0. */
    void (*predicates)(const uint64_t *states, uint64_t count, const uint64_t *wanted, uint64_t *out,
                       struct asset_fault *fault);

    /* The hand-written stubborn set rule of one command: writes the numbers of the commands that must be in a stubborn
     * set of the state if `command` is, in the order listed, to `out`, as far as `capacity` goes. Returns how many
     * there are (which may be more than capacity, and may name a command twice), or minus the fault code. A command
     * without a rule obliges all, in increasing order. NULL if the model has no rules at all. */
    int64_t (*obligations)(const uint64_t *state, uint32_t command, uint32_t *out, uint64_t capacity);

    /* Replaces each of `count` states by its representative. On a fault it stops: fault->state says in which. NULL
     * if the model has no symmetry. */
    void (*representatives)(uint64_t *states, uint64_t count, struct asset_fault *fault);

    /* As `successors`, and commands[k] is the number of the command that leads to successor k (there is room for one
     * more than there are successors at most). Either this one or `successors` is NULL. */
    uint64_t (*named_successors)(const uint64_t *states, uint64_t count, uint64_t *out, uint32_t *successors,
                                 uint32_t *commands, struct asset_fault *fault);

    /* For each of `count` states one bit for each fact that derived stubborn set rules ask of each state, set if it
     * holds, in as many words as nr_facts bits need. NULL if nr_facts is 0. */
    void (*facts)(const uint64_t *states, uint64_t count, uint64_t *out);

    /* These two follow predicates through what symmetries make of them (asset.ir.symmetric.Meanings); NULL if none is
     * followed.
     *
     * The steps from a state to its representative: writes their numbers, one after the other, to `out`, as far as
     * `capacity` goes (there is room for one more). Returns how many there are, which may be more than capacity. */
    uint64_t (*steps)(const uint64_t *state, uint32_t *out, uint64_t capacity);

    /* Whether a predicate that is followed holds of a state in one of its meanings, which are numbered for all such
     * predicates together: 1, 0, or minus the fault code. */
    int32_t (*holds)(const uint64_t *state, uint32_t meaning);

    /* Whether a predicate of steps, which have numbers of their own, holds of the step from one state to another: 1, 0,
     * or minus the fault code. NULL if there are none. */
    int32_t (*holds_of_step)(const uint64_t *before, const uint64_t *after, uint32_t predicate);
};
