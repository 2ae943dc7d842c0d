#include "acceptor.h"

#include <map>

#include "commands.h"
#include "predicates.h"

namespace asset {
namespace {

using Kind = Observation::Kind;

constexpr std::uint64_t bit(std::size_t number) { return std::uint64_t{1} << number; }
constexpr std::uint64_t first_bits(std::size_t count) { return count == 0 ? 0 : ~std::uint64_t{0} >> (64 - count); }

bool speaks_of_commands(const AutomatonData &automaton) {
    const auto of_commands = [](const Observation &each) {
        return each.kind == Kind::enabled || each.kind == Kind::taken;
    };
    return !automaton.weak.empty() || !automaton.strong.empty() ||
           std::ranges::any_of(automaton.observations, of_commands);
}

bool speaks_of_steps(const AutomatonData &automaton) {
    return std::ranges::any_of(automaton.observations, [](const auto &each) { return each.kind == Kind::of_step; });
}

} // namespace

Acceptor::Acceptor(const Space &space, const Graph &graph, const GraphRequirement &required)
    : automaton_(required.automaton), required_(required), modes_(automaton_.modes),
      commands_matter_(speaks_of_commands(automaton_) || speaks_of_steps(automaton_)),
      steps_matter_(speaks_of_steps(automaton_)), of_commands_(space.model.nr_commands), of_edges_(space.budget),
      ends_region_(space.budget, (std::size_t{graph.ids()} + 1) * sizeof(std::uint32_t)),
      of_ends_(ends_region_.as<std::uint32_t>()) {
    wanted_ = {.accepting = first_bits(automaton_.acceptance), .weak = first_bits(automaton_.weak.size())};
    std::vector<const Move *> all;
    for (const Move &move : automaton_.moves)
        all.push_back(&move);
    promising_ = accepting(all, false);
    know_commands();
    find_starts(space);
    of_edges_.make_room(graph.edges());
    read(space, graph);
}

void Acceptor::know_commands() {
    const auto tell = [&](std::uint32_t set, std::uint64_t OfCommand::*what, std::size_t number) {
        for (const std::uint32_t command : required_.commands[set])
            of_commands_[command].*what |= bit(number);
    };
    for (std::size_t i = 0; i < automaton_.observations.size(); ++i) {
        const Observation &each = automaton_.observations[i];
        if (each.kind == Kind::enabled)
            tell(each.number, &OfCommand::enabled_atoms, i);
        if (each.kind == Kind::taken)
            tell(each.number, &OfCommand::taken_atoms, i);
    }
    for (std::size_t i = 0; i < automaton_.weak.size(); ++i)
        tell(automaton_.weak[i], &OfCommand::weak, i);
    for (std::size_t i = 0; i < automaton_.strong.size(); ++i)
        tell(automaton_.strong[i], &OfCommand::strong, i);
}

// The start states, or their representatives, are the first states that were found, in their order.
void Acceptor::find_starts(const Space &space) {
    std::map<std::vector<Word>, Id> ids;
    const std::vector<Word> &starts = space.options.starts;
    for (auto start = starts.begin(); start != starts.end(); start += space.model.state_words) {
        std::vector<Word> state(start, start + space.model.state_words);
        asset_fault fault{};
        if (space.options.symmetry && space.model.representatives)
            space.model.representatives(state.data(), 1, &fault);
        const auto [known, added] = ids.try_emplace(std::move(state), static_cast<Id>(ids.size()));
        if (added)
            starts_.push_back({known->second, static_cast<std::uint8_t>(automaton_.initial)});
    }
}

void Acceptor::read(const Space &space, const Graph &graph) {
    Predicates predicates(space.model, required_.predicates);
    for_each_batch(space.arena, space.successors.capacity(), [&](Range sources) {
        if (space.interrupted.load(std::memory_order_relaxed))
            throw Interrupted();
        if (faulty_)
            return;
        if (!required_.predicates.empty())
            if (const auto fault = predicates.evaluate(space.arena[sources.first], sources.count)) {
                const Finding finding{.during = During::predicate, .predicate = fault->number};
                faulty_ = Lost{finding, sources.first + static_cast<Id>(fault->state)};
                return;
            }
        const std::uint32_t *commands = nullptr;
        if (commands_matter_) {
            space.successors.expand(space.arena, sources);
            commands = space.successors.commands(space.successors.edges());
        }
        std::size_t first = 0;
        for (Id i = 0; i < sources.count; ++i) {
            std::uint64_t atoms = 0;
            for (std::size_t k = 0; k < automaton_.observations.size(); ++k) {
                const Observation &each = automaton_.observations[k];
                if (each.kind == Kind::holds && predicates.holds(i, each.number))
                    atoms |= bit(k);
            }
            const Id state = sources.first + i;
            const std::size_t degree = graph.end_edge(state) - graph.first_edge(state);
            read_state({space, graph, state}, atoms, {commands ? commands + first : nullptr, degree});
            first += degree;
        }
    });
}

// With stubborn sets, more commands may be enabled than were fired.
Acceptor::OfCommand Acceptor::enabled_in(const Place &place, std::span<const std::uint32_t> fired) const {
    OfCommand all;
    const auto add = [&](std::uint32_t command) {
        all.enabled_atoms |= of_commands_[command].enabled_atoms;
        all.weak |= of_commands_[command].weak;
        all.strong |= of_commands_[command].strong;
    };
    if (!commands_matter_)
        return all;
    if (place.space.options.stubborn || place.space.options.derived)
        std::ranges::for_each(Commands(place.space).enabled(place.state), add);
    else
        std::ranges::for_each(fired, add);
    return all;
}

void Acceptor::read_state(const Place &place, std::uint64_t atoms, std::span<const std::uint32_t> fired) {
    const OfCommand enabled = enabled_in(place, commands_matter_ ? fired : std::span<const std::uint32_t>{});
    const Reading here{.atoms = atoms | enabled.enabled_atoms,
                       .weak = wanted_.weak & ~enabled.weak, // what is not enabled need not be fired
                       .enabled = enabled.strong};
    if (fired.empty())
        of_ends_[place.state] =
            1 + number({here.atoms | step_atoms(place, place.state, none), here.weak, here.enabled, 0});
    else
        read_steps(place, here, fired);
}

void Acceptor::read_steps(const Place &place, const Reading &here, std::span<const std::uint32_t> fired) {
    const Edge first = place.graph.first_edge(place.state);
    for (std::size_t i = 0; i < fired.size(); ++i) {
        Reading reading = here;
        if (commands_matter_) {
            const OfCommand &command = of_commands_[fired[i]];
            reading.atoms |= command.taken_atoms | step_atoms(place, place.graph.target(first + i), fired[i]);
            reading.weak |= command.weak;
            reading.taken = command.strong;
        }
        of_edges_.push_back(reading == last_reading_ ? last_number_ : number(reading));
    }
}

// The observations of the step to a state. The first model error in one of them is noted.
std::uint64_t Acceptor::step_atoms(const Place &place, Id target, std::int64_t command) {
    std::uint64_t atoms = 0;
    for (std::size_t i = 0; steps_matter_ && i < automaton_.observations.size() && !faulty_; ++i) {
        const Observation &each = automaton_.observations[i];
        if (each.kind != Kind::of_step)
            continue;
        const Arena &arena = place.space.arena;
        const std::int32_t holds = place.space.model.holds_of_step(arena[place.state], arena[target], each.number);
        if (holds < 0)
            faulty_ = Lost{{.during = During::step, .predicate = each.number, .command = command}, place.state};
        else if (holds)
            atoms |= bit(i);
    }
    return atoms;
}

std::uint32_t Acceptor::number(const Reading &reading) {
    const auto [known, added] = numbers_.try_emplace(reading, static_cast<std::uint32_t>(letters_.size()));
    if (added) {
        letters_.push_back(
            {class_of(reading.atoms), {.weak = reading.weak, .enabled = reading.enabled, .taken = reading.taken}});
        after_.resize(letters_.size() * modes_);
        for (const Move *move : classes_[letters_.back().atoms].moves)
            after_[(letters_.size() - 1) * modes_ + move->source] |= Modes{1} << move->target;
    }
    last_reading_ = reading;
    return last_number_ = known->second;
}

std::uint32_t Acceptor::class_of(std::uint64_t atoms) {
    const auto [known, added] = class_numbers_.try_emplace(atoms, static_cast<std::uint32_t>(classes_.size()));
    if (!added)
        return known->second;
    Class made;
    for (const Move &move : automaton_.moves)
        if ((atoms & move.yes) == move.yes && !(atoms & move.no))
            made.moves.push_back(&move);
    made.for_ever = accepting(made.moves, true);
    classes_.push_back(std::move(made));
    return known->second;
}

// A mode is on an accepting cycle if the modes that reach each other with it have all marks between them.
Modes Acceptor::accepting(std::span<const Move *const> moves, bool leading) const {
    std::vector<Modes> reached(modes_);
    for (const Move *move : moves)
        reached[move->source] |= Modes{1} << move->target;
    for (unsigned over = 0; over < modes_; ++over)
        for (unsigned mode = 0; mode < modes_; ++mode)
            if (reached[mode] >> over & 1)
                reached[mode] |= reached[over];
    Modes cyclic = 0;
    for (unsigned mode = 0; mode < modes_; ++mode) {
        std::uint64_t marks = 0;
        for (const Move *move : moves)
            if (reached[mode] >> move->source & 1 && (move->target == mode || reached[move->target] >> mode & 1))
                marks |= move->marks;
        if (reached[mode] >> mode & 1 && marks == wanted_.accepting)
            cyclic |= Modes{1} << mode;
    }
    Modes result = cyclic;
    for (unsigned mode = 0; leading && mode < modes_; ++mode)
        if (reached[mode] & cyclic)
            result |= Modes{1} << mode;
    return result;
}

Marks Acceptor::marks(Edge edge, unsigned from, unsigned to) const {
    const Letter &letter = letters_[of_edges_[edge]];
    Marks result = letter.fairness;
    for (const Move *move : classes_[letter.atoms].moves)
        if (move->source == from && move->target == to)
            result.accepting |= move->marks;
    return result;
}

std::size_t Acceptor::ReadingHash::operator()(const Reading &reading) const {
    std::uint64_t hash = 0;
    for (const std::uint64_t part : {reading.atoms, reading.weak, reading.enabled, reading.taken})
        hash = (std::rotl(hash, 17) ^ part) * 0x9e3779b97f4a7c15;
    return hash ^ hash >> 32;
}

} // namespace asset
