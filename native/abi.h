/* The boundary between a model and the engine: a table of functions over packed states.
 *
 * A model is whatever fills this table: code generated from the IR by LLVM, or a .model file compiled by a C++
 * compiler. The engine knows nothing of languages. All functions are pure (they touch their arguments and constants
 * only), so that any number of threads may call them.
 */
#pragma once

#include <stdint.h>

#define ASSET_ABI_VERSION 4

/* The kinds of properties, as indices of asset_model.labels. */
enum { ASSET_INVARIANT = 0, ASSET_TERMINAL = 1, ASSET_MAY_PROGRESS = 2, ASSET_MUST_PROGRESS = 3, ASSET_KINDS = 4 };

/* Where and how a model error occurred. Codes: asset.ir.faults.FaultKind. */
struct asset_fault {
    uint64_t state;   /* index of the state in the batch */
    uint32_t command; /* the command being fired; for labels, the number of the property within its kind */
    uint32_t code;    /* 0: no fault */
};

struct asset_model {
    uint32_t abi_version;
    uint32_t state_words; /* at least 1 */
    uint32_t state_bits;  /* bits used; where state_words is 1, the word's low state_bits bits, the rest is 0 */
    uint32_t nr_commands;
    uint32_t nr_labels[4]; /* properties of each kind, at most 64 of a kind */

    /* Writes the initial state. */
    void (*initial)(uint64_t *state);

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

    /* For each of `count` states one bit for each property of the kind, set where it holds. On a fault it stops with
     * fault filled in; labels of earlier states are valid, and the label of the faulty state has the bits of the
     * properties before the faulty one. NULL where nr_labels is 0. */
    void (*labels[4])(const uint64_t *states, uint64_t count, uint64_t *out, struct asset_fault *fault);

    /* The hand-written stubborn set rule of one command: writes the numbers of the commands that must be in a stubborn
     * set of the state where `command` is, in the order listed, to `out`, as far as `capacity` goes. Returns how many
     * there are (which may be more than capacity, and may name a command twice), or minus the fault code. A command
     * without a rule obliges all, in increasing order. NULL where the model has no rules at all. */
    int64_t (*obligations)(const uint64_t *state, uint32_t command, uint32_t *out, uint64_t capacity);

    /* Replaces each of `count` states by its representative. On a fault it stops: fault->state says where. NULL where
     * the model has no symmetry. */
    void (*representatives)(uint64_t *states, uint64_t count, struct asset_fault *fault);

    /* As `successors`, and commands[k] is the number of the command that leads to successor k (there is room for one
     * more than there are successors at most). NULL where there is `successors`, which may be NULL where there is this
     * one. */
    uint64_t (*named_successors)(const uint64_t *states, uint64_t count, uint64_t *out, uint32_t *successors,
                                 uint32_t *commands, struct asset_fault *fault);

    /* For each of `count` states one bit for each fact that derived stubborn set rules ask of each state, set where it
     * holds, in as many words as nr_facts bits need. NULL where nr_facts is 0. */
    void (*facts)(const uint64_t *states, uint64_t count, uint64_t *out);
    uint32_t nr_facts;

    /* Where properties are followed through what symmetries make of them (asset.ir.groups.Meanings), else NULL:
     *
     * The steps from a state to its representative: writes their numbers, one after the other, to `out`, as far as
     * `capacity` goes (there is room for one more). Returns how many there are, which may be more than capacity. */
    uint64_t (*steps)(const uint64_t *state, uint32_t *out, uint64_t capacity);

    /* Whether a property that is followed holds of a state in one of its meanings, which are numbered for all such
     * properties together: 1, 0, or minus the fault code. These properties have no bits in the labels. */
    int32_t (*holds)(const uint64_t *state, uint32_t meaning);
};
