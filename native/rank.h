// One of the ranks that explore a state space together, level by level. Each owns the states that hash to it: it has
// their table, and expands them. What it finds for others is gathered by owner; whoever calls exchanges it.
//
// A level is expanded in rounds: `expand`, exchange of what is `outgoing`, `receive`, until no rank has anything left;
// then `end_level`. The states of a level, and all counts, are the same for any number of ranks.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "owners.h"
#include "search.h"

namespace asset {

class Backward;
class Successors;
class Trimming;

// Something bad in a state, without the way there.
struct Wrong {
    Finding finding{};
    std::vector<Word> state{};
};

// Whether the first is to be reported rather than the second, if both are as far from the start: by the order of the
// requirements, model errors last, and then by the words of the states. No two are equal in this.
bool comes_before(const Wrong &a, const Wrong &b);

// A state from which a command leads to another.
struct Predecessor {
    std::vector<Word> state{};
    std::int64_t command = none;
};

// The first of these states, by its words, that leads to the state; what it is a successor of behind a fault as well.
std::optional<Predecessor> leading_to(const Word *state, const Arena &arena, Successors &successors, Range sources);

class Rank {
  public:
    // `room` is for how many states that are on their way to one other rank. The model must outlive the rank.
    static std::unique_ptr<Rank> make(const asset_model &model, const Options &options, Place place, std::size_t room);

    virtual ~Rank() = default;

    // The states to start in that are this rank's are found. Then `end_level` makes them the first level.
    virtual void start() = 0;

    // States that were found by an earlier search, of one level, go to their owners; how many words of them were taken.
    virtual std::size_t route(std::span<const Word> states) = 0;

    // Expands states of the level, so many batches for each thread at most, or until there is no room for what is
    // found. False if none is left.
    virtual bool expand(std::size_t batches) = 0;

    // Whether the table will have to grow soon, and growing it takes long. If ranks do so at the same time, none waits
    // for another: `make_room` grows it if that is soon.
    virtual bool nearly_full() const = 0;
    virtual void make_room() = 0;

    // What was found for a rank, in pieces; of use until `clear`.
    virtual std::vector<std::span<const Word>> outgoing(unsigned owner) const = 0;
    virtual void clear() = 0;

    // These states, which are this rank's, were found by another.
    virtual void receive(std::span<const Word> states) = 0;

    // No rank has anything left of the level. How many states of the next one are this rank's.
    virtual std::uint64_t end_level() = 0;

    // The states of the level, in pieces.
    virtual std::vector<std::span<const Word>> level() const = 0;

    // What is wrong with states that were expanded, in the level that has ended; and with states of the next one.
    virtual const std::optional<Wrong> &wrong_before() const = 0;
    virtual const std::optional<Wrong> &wrong_now() const = 0;

    // What is wrong with the states of the level that were expanded until now.
    virtual std::optional<Wrong> wrong_so_far() const = 0;

    // Whether the states of all levels are still here, so that predecessors can be found.
    virtual bool complete() const = 0;

    // Of this rank's states of a level, the first by its words that leads to the state.
    virtual std::optional<Predecessor> predecessor(std::size_t level, const Word *state) = 0;

    // When everything is explored, and options ask for requirements on the graph.
    virtual Backward &backward() = 0;

    // When everything is explored: decides a formula or a recurrence, by its number among the requirements on the
    // graph. Made anew each time.
    virtual Trimming &trimming(std::size_t requirement) = 0;

    // When everything is explored with stubborn sets: what marks the states that leave nothing out for ever, as far as
    // these are decided by key steps, or by all steps and visible commands. Made anew each time.
    virtual Backward &leading_out(bool by_keys) = 0;

    // Everything is to be fired in those states of the level that were not marked: they are expanded once more. How
    // many they are.
    virtual std::size_t widen(std::size_t level) = 0;

    // The states in which everything is to be fired since this was asked last; and those, perhaps of other ranks, of
    // which an earlier search says so.
    virtual std::vector<Word> take_widened() = 0;
    virtual void widen_again(std::span<const Word> states) = 0;

    // No rank has found a state of the level that has begun: it is none.
    virtual void drop_level() = 0;

    // Of a rank that is alone, and has explored some levels and kept them: under which masks the parities of
    // a state are to say whose it is if there are so many ranks.
    virtual std::vector<Word> parities(unsigned ranks) = 0;

    const Progress &progress() const { return progress_; }
    const Budget &budget() const { return budget_; }
    std::size_t words() const { return words_; }

  protected:
    Rank(std::size_t words, std::size_t memory) : words_(words), budget_(memory) {}

    const std::size_t words_;
    Budget budget_;
    Progress progress_;
};

} // namespace asset
