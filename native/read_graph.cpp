#include "read_graph.h"

#include <map>

#include "commands.h"

namespace asset {
namespace {

// Sets of letters are words, and what is expected is found in time that grows with the cube of this.
constexpr std::uint32_t most_letters = 64;
constexpr std::uint32_t most_expected = 256;

// How often vertices may be trimmed: more often if few are left.
constexpr std::uint64_t rounds_at_least = 6;

} // namespace

ReadGraph::ReadGraph(const Space &space, const Graph &graph, const GraphRequirement &required,
                     const AnnotatedGraph *annotated)
    : graph_(graph), letters_(space, required), of_edges_(space.budget),
      states_region_(space.budget, (std::size_t{graph.ids()} + 1) * sizeof(std::uint32_t)),
      of_states_(states_region_.as<std::uint32_t>()) {
    std::fill_n(of_states_, graph.ids(), no_letter);
    if (letters_.differ())
        of_edges_.make_room(graph.edges());
    if (annotated) {
        starts_.assign(annotated->starts().begin(), annotated->starts().end());
        read(space, *annotated);
    } else {
        find_starts(space);
        read(space);
    }
    if (!letters_.differ() && !faulty_)
        find_prospects(space);
}

// The start states, or their representatives, are the first states that were found, in their order.
void ReadGraph::find_starts(const Space &space) {
    std::map<std::vector<Word>, Id> ids;
    const std::vector<Word> &starts = space.options.starts;
    for (auto start = starts.begin(); start != starts.end(); start += space.model.state_words) {
        std::vector<Word> state(start, start + space.model.state_words);
        represent(space.model, space.options, state.data());
        const auto [known, added] = ids.try_emplace(std::move(state), static_cast<Id>(ids.size()));
        if (added)
            starts_.push_back(known->second);
    }
}

void ReadGraph::read(const Space &space) {
    const auto degree = [&](Id state) { return graph_.end_edge(state) - graph_.first_edge(state); };
    const auto use = [&](Id state, std::uint32_t letter) { add(state, letter); };
    for_each_batch(space.arena, space.successors.capacity(), [&](Range sources) {
        space.heed_interrupt();
        if (faulty_)
            return;
        if (letters_.differ())
            space.successors.expand(space.arena, sources);
        if (const auto unreadable = letters_.read(sources, degree, use))
            faulty_ = Lost{unreadable->finding, unreadable->state};
    });
}

void ReadGraph::spread(const Space &space) {
    if (letters_.differ() || !of_edges_.empty())
        return;
    of_edges_.make_room(graph_.edges());
    for (Id state = 0; state < graph_.ids(); ++state) {
        space.heed_interrupt(state);
        for (Edge edge = graph_.first_edge(state); edge < graph_.end_edge(state); ++edge)
            of_edges_.push_back(of_states_[state]);
    }
}

// The letter of an edge, of all edges of a state if they have the same, or of staying in it.
void ReadGraph::add(Id state, std::uint32_t letter) {
    if (letters_.differ() && !terminal(state))
        of_edges_.push_back(letter);
    else
        of_states_[state] = letter;
}

// States with the same letter are taken for one: a letter leads to another if a state with the one leads to a state
// with the other. Each run of the space is a run of this small graph too. So a vertex can be on a cycle that is
// accepted only if its letter and mode are on one in the product of the small graph with the automaton, and lead to one
// only if these do. Often there is none: what a formula speaks of is one process that goes round in its own way,
// whatever the others do.
void ReadGraph::find_prospects(const Space &space) {
    const std::uint32_t modes = letters_.modes();
    const auto letters = static_cast<std::uint32_t>(letters_.size());
    if (letters > most_letters || letters * modes > most_expected)
        return;
    std::vector<std::uint32_t> starts;
    for (const Id start : starts_)
        starts.push_back(of_states_[start] * modes + letters_.initial());
    const std::vector<Arrow> met = reachable(arrows(space), letters * modes, starts);
    expected_ = prospects(letters * modes, met, letters_.wanted().accepting);
    hopeless_ = std::ranges::none_of(expected_, [](Prospect each) { return each == Prospect::here; });
    if (!hopeless_ && modes <= most_in_byte)
        trim(space);
}

// Of the small graph in its product with the automaton.
std::vector<Arrow> ReadGraph::arrows(const Space &space) const {
    const std::uint32_t modes = letters_.modes();
    const std::vector<std::uint64_t> follow = followers(space);
    std::vector<Arrow> result;
    for (std::uint32_t letter = 0; letter < letters_.size(); ++letter)
        for (std::uint64_t left = follow[letter]; left; left &= left - 1)
            for (std::uint32_t mode = 0; mode < modes; ++mode)
                for (const Letters::Step &step : letters_.steps(letter, mode)) {
                    const auto next = static_cast<std::uint32_t>(std::countr_zero(left));
                    result.push_back({letter * modes + mode, next * modes + step.target, step.marks});
                }
    return result;
}

// A cycle that is accepted has only vertices of which it is expected, and each of them leads to one of them. So those
// that lead to none are left out, over and over: what is left has all such cycles. Most edges lead to states that were
// found later, so that going from the last state to the first leaves out long ways at once. It is cheap beside a
// search, and often nothing is left.
void ReadGraph::trim(const Space &space) {
    const std::uint32_t modes = letters_.modes();
    std::vector<ModesByte> here(letters_.size()), after(letters_.size() * modes);
    for (std::uint32_t letter = 0; letter < letters_.size(); ++letter)
        for (std::uint32_t mode = 0; mode < modes; ++mode) {
            if (expected_[letter * modes + mode] == Prospect::here)
                here[letter] |= static_cast<ModesByte>(1u << mode);
            for (const Letters::Step &step : letters_.steps(letter, mode))
                after[letter * modes + mode] |= static_cast<ModesByte>(1u << step.target);
        }
    going_on_region_ = Region(space.budget, graph_.ids());
    going_on_ = going_on_region_.as<ModesByte>();
    std::uint64_t left = 0;
    for (Id state = 0; state < graph_.ids(); ++state) {
        space.heed_interrupt(state);
        if (const std::uint32_t letter = of_states_[state]; letter != no_letter)
            left += static_cast<unsigned>(std::popcount(going_on_[state] = here[letter]));
    }
    std::uint64_t patience = rounds_at_least * left;
    for (std::uint64_t before = left + 1; left && left < before && left <= patience;) {
        patience -= left;
        before = std::exchange(left, trim_once(space, after));
    }
    hopeless_ = left == 0;
}

// How many are left.
std::uint64_t ReadGraph::trim_once(const Space &space, std::span<const ModesByte> after) {
    std::uint64_t left = 0;
    for (Id state = graph_.ids(); state-- > 0;) {
        space.heed_interrupt(state);
        if (!going_on_[state])
            continue;
        const ModesByte *follow = &after[of_states_[state] * letters_.modes()];
        const auto ends = [&](ModesByte modes, ModesByte next) {
            ModesByte result = 0;
            for (; modes; modes &= static_cast<ModesByte>(modes - 1))
                if (!(follow[std::countr_zero(modes)] & next))
                    result |= static_cast<ModesByte>(modes & -modes);
            return result;
        };
        ModesByte ended = ends(going_on_[state], terminal(state) ? going_on_[state] : 0);
        const std::span<const Id> targets = graph_.successors(state);
        for (std::size_t i = 0; ended && i < targets.size(); ++i)
            ended = ends(ended, going_on_[targets[i]]);
        going_on_[state] &= static_cast<ModesByte>(~ended);
        left += static_cast<unsigned>(std::popcount(going_on_[state]));
    }
    return left;
}

// For each letter, those that come after it, a bit for each. Letters are few: as bytes, those of more states are in the
// processor's cache.
std::vector<std::uint64_t> ReadGraph::followers(const Space &space) const {
    std::vector<std::uint64_t> result(letters_.size());
    const Region region(space.budget, graph_.ids());
    auto *letters = region.as<std::uint8_t>();
    std::transform(of_states_, of_states_ + graph_.ids(), letters,
                   [](std::uint32_t letter) { return static_cast<std::uint8_t>(letter); });
    for (Id state = 0; state < graph_.ids(); ++state) {
        space.heed_interrupt(state);
        std::uint64_t next = 0;
        for (const Id target : graph_.successors(state))
            next |= std::uint64_t{1} << letters[target];
        if (const std::uint32_t letter = of_states_[state]; letter != no_letter)
            result[letter] |= terminal(state) ? std::uint64_t{1} << letter : next;
    }
    return result;
}

// All vertices of a state together, as the same commands are fired in them. With stubborn sets, more may be enabled.
void ReadGraph::read(const Space &space, const AnnotatedGraph &annotated) {
    Successors &successors = space.successors;
    const bool sets = space.options.stubborn || space.options.derived;
    std::unordered_map<Id, Finding> faulty;
    const auto use = [&](Id vertex, std::uint32_t letter) { add(vertex, letter); };
    for_each_batch(space.arena, successors.capacity(), [&](Range sources) {
        space.heed_interrupt();
        if (letters_.differ())
            successors.expand(space.arena, sources);
        const std::uint32_t *commands = letters_.differ() ? successors.commands(successors.edges()) : nullptr;
        std::size_t edge = 0;
        for (Id i = 0; i < sources.count; ++i) {
            const Id state = sources.first + i;
            const std::size_t degree = letters_.differ() ? successors.degree(i) : 0;
            const std::span<const std::uint32_t> fired{commands + edge, degree};
            const std::vector<std::uint32_t> enabled =
                letters_.differ() && sets ? Commands(space).enabled(state) : std::vector(fired.begin(), fired.end());
            const Range vertices = annotated.of(state);
            for (Id vertex = vertices.first; vertex < vertices.first + vertices.count; ++vertex)
                if (const auto unreadable = letters_.read(annotated, vertex, fired, enabled, use))
                    faulty.emplace(vertex, unreadable->finding);
            edge += degree;
        }
    });
    if (!faulty.empty())
        faulty_ = annotated.first_of(faulty);
}

} // namespace asset
