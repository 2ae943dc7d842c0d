#include "letters.h"

#include "commands.h"

namespace asset {
namespace {

using Kind = Observation::Kind;

constexpr std::size_t word_bits = 64;
constexpr std::size_t most_known = std::size_t{1} << 22; // letters of steps that are remembered
constexpr std::uint64_t bit(std::size_t number) { return std::uint64_t{1} << number % word_bits; }
constexpr std::uint64_t first_bits(std::size_t count) {
    return count == 0 ? 0 : ~std::uint64_t{0} >> (word_bits - count);
}

bool observes(const AutomatonData &automaton, Kind kind) {
    return std::ranges::any_of(automaton.observations, [&](const Observation &each) { return each.kind == kind; });
}

void add(std::vector<std::uint64_t> &atoms, const std::vector<std::uint64_t> &more) {
    for (std::size_t i = 0; i < atoms.size(); ++i)
        atoms[i] |= more[i];
}

std::uint64_t mixed(std::uint64_t hash, std::uint64_t part) {
    return (std::rotl(hash, 17) ^ part) * 0x9e3779b97f4a7c15;
}

// Whether a guard, a conjunction, is true of the observations.
bool allows(const Move &move, std::span<const std::uint64_t> atoms) {
    for (std::size_t i = 0; i < atoms.size(); ++i)
        if ((atoms[i] & move.yes[i]) != move.yes[i] || atoms[i] & move.no[i])
            return false;
    return true;
}

// Whether it may stay in its initial mode whatever is observed.
bool may_stay(const AutomatonData &automaton) {
    const auto demands_nothing = [](const std::vector<std::uint64_t> &atoms) {
        return std::ranges::all_of(atoms, [](std::uint64_t word) { return word == 0; });
    };
    return std::ranges::any_of(automaton.moves, [&](const Move &move) {
        return move.source == automaton.initial && move.target == automaton.initial && demands_nothing(move.yes) &&
               demands_nothing(move.no);
    });
}

bool comes_back(const AutomatonData &automaton) {
    return std::ranges::any_of(automaton.moves, [&](const Move &move) {
        return move.source != automaton.initial && move.target == automaton.initial;
    });
}

} // namespace

Letters::Letters(const Space &space, const GraphRequirement &required)
    : space_(space), required_(required), automaton_(required.automaton),
      of_steps_matter_(observes(automaton_, Kind::of_step)),
      of_commands_matter_(of_steps_matter_ || observes(automaton_, Kind::enabled) ||
                          observes(automaton_, Kind::taken) || !automaton_.weak.empty() || !automaton_.strong.empty()),
      predicates_(space.model, required.predicates), here_(automaton_.words()), read_(here_) {
    wanted_ = {.accepting = first_bits(automaton_.acceptance), .weak = first_bits(automaton_.weak.size())};
    promising_.resize(modes());
    for (const std::uint32_t mode : automaton_.promising)
        promising_[mode] = true;
    waits_ = modes() && !promising_[initial()] && may_stay(automaton_) && !comes_back(automaton_);
    know_commands();
}

void Letters::know_commands() {
    of_commands_.assign(space_.model.nr_commands, {here_, here_});
    const auto tell = [&](std::uint32_t set, const auto &what) {
        for (const std::uint32_t command : required_.commands[set])
            what(of_commands_[command]);
    };
    for (std::size_t i = 0; i < automaton_.observations.size(); ++i) {
        const Observation &each = automaton_.observations[i];
        if (each.kind == Kind::enabled)
            tell(each.number, [&](OfCommand &command) { command.enabled[i / word_bits] |= bit(i); });
        if (each.kind == Kind::taken)
            tell(each.number, [&](OfCommand &command) { command.taken[i / word_bits] |= bit(i); });
    }
    for (std::size_t i = 0; i < automaton_.weak.size(); ++i)
        tell(automaton_.weak[i], [&](OfCommand &command) { command.weak |= bit(i); });
    for (std::size_t i = 0; i < automaton_.strong.size(); ++i)
        tell(automaton_.strong[i], [&](OfCommand &command) { command.strong |= bit(i); });
}

std::optional<asset_fault> Letters::evaluate(Range sources) {
    if (required_.predicates.empty())
        return std::nullopt;
    return predicates_.evaluate(space_.states(sources), sources.count);
}

// With stubborn sets, more commands may be enabled than were fired.
void Letters::look_at(Id state, std::size_t position, std::span<const std::uint32_t> fired) {
    std::ranges::fill(here_, 0);
    for (std::size_t i = 0; i < automaton_.observations.size(); ++i) {
        const Observation &each = automaton_.observations[i];
        if (each.kind == Kind::holds && predicates_.holds(position, each.number))
            here_[i / word_bits] |= bit(i);
    }
    weak_ = strong_ = 0;
    if (!differ())
        return;
    if (space_.options.stubborn || space_.options.derived)
        for (const std::uint32_t command : Commands(space_).enabled(state))
            look_at_enabled(command);
    else
        for (const std::uint32_t command : fired)
            look_at_enabled(command);
    recall_letters();
}

// Predicates of steps are not renamed.
void Letters::look_at(const AnnotatedGraph &graph, Id vertex, std::span<const std::uint32_t> enabled) {
    std::ranges::fill(here_, 0);
    for (std::size_t i = 0; i < automaton_.observations.size() && !unreadable_; ++i) {
        const Observation &each = automaton_.observations[i];
        if (each.kind != Kind::holds)
            continue;
        const std::int32_t holds = graph.holds(vertex, each.number);
        if (holds < 0)
            unreadable_ = {vertex, {.during = During::predicate, .predicate = each.number}};
        else if (holds)
            here_[i / word_bits] |= bit(i);
    }
    weak_ = strong_ = 0;
    for (const std::uint32_t command : enabled)
        look_at_enabled(graph.fired(vertex, command));
    recall_letters();
}

void Letters::recall_letters() {
    observed_ = here_;
    observed_.push_back(weak_);
    observed_.push_back(strong_);
    if (observed_ == last_observed_)
        return;
    const auto [known, added] = parts_.try_emplace(observed_, static_cast<std::uint32_t>(parts_.size()));
    if (added && letters_of_parts_.size() < most_known)
        letters_of_parts_.resize(letters_of_parts_.size() + of_commands_.size());
    part_ = known->second;
    last_observed_ = observed_;
}

// Where the letter of the step by the command is remembered; nowhere if it depends on more, or if there are too many.
std::uint32_t *Letters::known_letter(std::uint32_t command) {
    const std::size_t place = part_ * of_commands_.size() + command;
    return of_steps_matter_ || place >= letters_of_parts_.size() ? nullptr : &letters_of_parts_[place];
}

void Letters::look_at_enabled(std::uint32_t command) {
    const OfCommand &of_command = of_commands_[command];
    add(here_, of_command.enabled);
    weak_ |= of_command.weak;
    strong_ |= of_command.strong;
}

std::uint32_t Letters::letter_of_state(Id state, std::size_t position) {
    const bool in_one_word = predicates_.in_one_word() && !required_.predicates.empty();
    const std::uint64_t truths = in_one_word ? predicates_.truths(position) : 0;
    Known &known = known_[mixed(0, truths) >> (word_bits - most_words_known)];
    if (in_one_word && known.letter && known.truths == truths)
        return known.letter - 1;
    look_at(state, position, {});
    known = {truths, letter_of_staying(state) + 1};
    return known.letter - 1;
}

std::uint32_t Letters::letter_of_staying(Id state) {
    read_ = here_;
    if (of_steps_matter_)
        look_at_step(state, none, space_.state(state));
    return number({.weak = wanted_.weak & ~weak_, .enabled = strong_});
}

// What is not enabled need not be fired.
std::uint32_t Letters::letter_of_step(Id state, std::uint32_t command, const Word *after) {
    std::uint32_t *known = known_letter(command);
    if (known && *known)
        return *known - 1;
    const OfCommand &of_command = of_commands_[command];
    read_ = here_;
    add(read_, of_command.taken);
    look_at_step(state, command, after);
    const std::uint32_t letter =
        number({.weak = (wanted_.weak & ~weak_) | of_command.weak, .enabled = strong_, .taken = of_command.strong});
    if (known)
        *known = letter + 1;
    return letter;
}

// The first model error is noted.
void Letters::look_at_step(Id state, std::int64_t command, const Word *after) {
    for (std::size_t i = 0; of_steps_matter_ && i < automaton_.observations.size() && !unreadable_; ++i) {
        const Observation &each = automaton_.observations[i];
        if (each.kind != Kind::of_step)
            continue;
        const std::int32_t holds = space_.model.holds_of_step(space_.state(state), after, each.number);
        if (holds < 0)
            unreadable_ = {state, {.during = During::step, .predicate = each.number, .command = command}};
        else if (holds)
            read_[i / word_bits] |= bit(i);
    }
}

std::uint32_t Letters::number(const Marks &fairness) {
    const Letter letter{number_of_class(), fairness};
    if (!letters_.empty() && letters_[last_letter_] == letter)
        return last_letter_;
    const auto [known, added] = numbers_.try_emplace(letter, static_cast<std::uint32_t>(letters_.size()));
    if (added)
        letters_.push_back(letter);
    return last_letter_ = known->second;
}

std::uint32_t Letters::number_of_class() {
    if (read_ == last_read_ && !class_numbers_.empty())
        return last_class_;
    const auto [known, added] = class_numbers_.try_emplace(read_, static_cast<std::uint32_t>(class_numbers_.size()));
    if (added)
        find_steps();
    last_read_ = read_;
    return last_class_ = known->second;
}

// What the automaton does in each mode under these observations. Several guards of one move may be true.
void Letters::find_steps() {
    std::vector<std::vector<Step>> of_modes(modes());
    for (const Move &move : automaton_.moves) {
        std::vector<Step> &steps = of_modes[move.source];
        const Step step{move.target, move.marks};
        if (allows(move, read_) && std::ranges::find(steps, step) == steps.end())
            steps.push_back(step);
    }
    for (const std::vector<Step> &steps : of_modes) {
        rows_.push_back(static_cast<std::uint32_t>(steps_.size()));
        steps_.insert(steps_.end(), steps.begin(), steps.end());
    }
    rows_.push_back(static_cast<std::uint32_t>(steps_.size()));
}

std::size_t Letters::AtomsHash::operator()(const Atoms &atoms) const {
    std::uint64_t hash = 0;
    for (const std::uint64_t part : atoms)
        hash = mixed(hash, part);
    return hash ^ hash >> 32;
}

std::size_t Letters::LetterHash::operator()(const Letter &letter) const {
    std::uint64_t hash = letter.of_class;
    for (const std::uint64_t part : {letter.fairness.weak, letter.fairness.enabled, letter.fairness.taken})
        hash = mixed(hash, part);
    return hash ^ hash >> 32;
}

} // namespace asset
