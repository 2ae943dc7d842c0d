// The engine as seen from Python: only ints, bytes and flat lists cross.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/array.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/unique_ptr.h>
#include <nanobind/stl/vector.h>

#include "backward.h"
#include "rank.h"
#include "search.h"
#include "simulation.h"
#include "trimming.h"

namespace nb = nanobind;
using asset::DerivedRules;
using asset::Finding;
using asset::Options;
using asset::Rank;
using asset::Search;
using asset::Simulation;

namespace {

using Numbers = std::vector<std::uint32_t>;

std::vector<std::uint8_t> bytes_of(const nb::bytes &bytes) {
    const auto *data = static_cast<const std::uint8_t *>(bytes.data());
    return {data, data + bytes.size()};
}

void construct(Search *self, std::uintptr_t model, const Options &options) {
    new (self) Search(*reinterpret_cast<const asset_model *>(model), options);
}

void approximate(Options &options, std::uint32_t kind, std::uint32_t parameter, std::uint64_t bytes,
                 std::uint64_t seed) {
    options.approximation = {static_cast<asset::Approximation::Kind>(kind), parameter, bytes, seed};
}

void require_in_states(Options &options, std::int32_t requirement, std::uint32_t predicate) {
    options.in_states.push_back({requirement, predicate});
}

void require_in_terminal_states(Options &options, std::int32_t requirement, std::uint32_t predicate) {
    options.in_terminal_states.push_back({requirement, predicate});
}

void require_on_graph(Options &options, std::int32_t requirement, std::uint32_t rule, const Numbers &predicates,
                      const std::vector<Numbers> &commands, bool terminal_counts, bool idle_steps) {
    options.on_graph.push_back({requirement, rule, predicates, commands, terminal_counts, idle_steps});
}

// Of the requirement on the graph that was added last. The shape is the number of modes, the initial one, the number of
// acceptance sets, and the modes that are promising. The observations are pairs of kind and number. A move has three
// numbers: source, target, marks; then the words with the observations that it demands, and those that it excludes.
void set_automaton(Options &options, const Numbers &shape, const Numbers &observations,
                   const std::vector<std::uint64_t> &moves, const Numbers &weak, const Numbers &strong) {
    asset::AutomatonData automaton{.modes = shape.at(0), .initial = shape.at(1), .acceptance = shape.at(2)};
    automaton.promising.assign(shape.begin() + 3, shape.end());
    for (std::size_t i = 0; i + 1 < observations.size(); i += 2)
        automaton.observations.push_back({static_cast<asset::Observation::Kind>(observations[i]), observations[i + 1]});
    const std::size_t words = automaton.words();
    for (auto move = moves.begin(); moves.end() - move >= static_cast<std::ptrdiff_t>(3 + 2 * words);) {
        const auto yes = move + 3, no = yes + static_cast<std::ptrdiff_t>(words);
        const auto end = no + static_cast<std::ptrdiff_t>(words);
        automaton.moves.push_back({.source = static_cast<std::uint32_t>(move[0]),
                                   .target = static_cast<std::uint32_t>(move[1]),
                                   .marks = move[2],
                                   .yes = {yes, no},
                                   .no = {no, end}});
        move = end;
    }
    automaton.weak = weak;
    automaton.strong = strong;
    options.on_graph.back().automaton = std::move(automaton);
}

// Of the requirement on the graph that was added last: three numbers for each part.
void set_formula(Options &options, const Numbers &parts) {
    for (std::size_t i = 0; i + 2 < parts.size(); i += 3)
        options.on_graph.back().formula.push_back(
            {static_cast<asset::BranchingPart::Op>(parts[i]), parts[i + 1], parts[i + 2]});
}

void add_followed(Options &options, std::int32_t requirement, std::uint32_t first, std::uint32_t meanings,
                  nb::bytes images, const Numbers &commands) {
    options.followed.push_back({requirement, first, meanings, bytes_of(images), commands});
}

void set_checkpoint(Options &options, const std::string &file, nb::bytes told, double every, bool resume) {
    options.checkpoint = {file, std::string(told.c_str(), told.size()), every, resume};
}

void construct_rules(DerivedRules *self, std::uint32_t nr_nodes, const Numbers &alternatives,
                     const Numbers &obligations, const Numbers &cases, const Numbers &groups, nb::bytes truths,
                     const Numbers &far) {
    new (self) DerivedRules{nr_nodes, alternatives, obligations, cases, groups, bytes_of(truths), far};
}

void set_derived(Options &options, std::uintptr_t model, const DerivedRules &rules) {
    const auto &table = *reinterpret_cast<const asset_model *>(model);
    options.derived = std::make_shared<asset::RuleTables>(rules, table);
}

// (requirement, during, predicate, command, progress_lost_at, cycle_starts_at, commands, words, whole).
nb::tuple told(const Finding &found) {
    return nb::make_tuple(found.requirement, static_cast<int>(found.during), found.predicate, found.command,
                          found.progress_lost_at, found.cycle_starts_at, nb::cast(found.commands),
                          nb::cast(found.states), found.whole);
}

nb::list findings(const Search &search) {
    nb::list result;
    for (const Finding &each : search.findings())
        result.append(told(each));
    return result;
}

// None, or (seconds by kind of work, the words of the sample).
nb::list standings(const Search &search) {
    nb::list result;
    for (const asset::Standing &each : search.standings())
        result.append(nb::make_tuple(each.levels, each.states, each.edges));
    return result;
}

nb::object profile(const Search &search) {
    const asset::Profile *profile = search.profile();
    return profile ? nb::object(nb::make_tuple(profile->seconds(), profile->sample())) : nb::none();
}

// The bounds are the length of a run, the steps of all, and how many runs a thread makes side by side. A counted cell
// is four numbers: its word, shift and width, and how many values it can have. What commands touch is three for each
// word: the command, the word and bits of it.
void construct_simulation(Simulation *self, std::uintptr_t model, const Options &options, std::uint64_t seed,
                          const std::vector<std::uint64_t> &bounds, const Numbers &cells, std::uintptr_t enabled,
                          const std::vector<std::uint64_t> &touched) {
    asset::Sampling sampling{
        .seed = seed, .length = bounds.at(0), .steps = bounds.at(1), .lanes = bounds.at(2), .cells = {}};
    for (std::size_t i = 0; i + 3 < cells.size(); i += 4)
        sampling.cells.push_back({cells[i], cells[i + 1], cells[i + 2], cells[i + 3]});
    sampling.enabled = reinterpret_cast<asset::TellEnabled>(enabled);
    for (std::size_t i = 0; i + 2 < touched.size(); i += 3)
        sampling.touched.push_back(
            {static_cast<std::uint32_t>(touched[i]), static_cast<std::uint32_t>(touched[i + 1]), touched[i + 2]});
    new (self) Simulation(*reinterpret_cast<const asset_model *>(model), options, sampling);
}

std::uint64_t frontier(const Search &search) {
    const std::uint64_t expanded = search.progress().expanded.load(); // first, so that the difference is never negative
    return search.progress().states.load() - expanded;
}

// --- ranks of a cluster ---

using Words = nb::ndarray<const std::uint64_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Release = nb::call_guard<nb::gil_scoped_release>;

std::span<const asset::Word> span_of(const Words &words) { return {words.data(), words.size()}; }

std::unique_ptr<Rank> make_rank(std::uintptr_t model, Options options, unsigned number, unsigned ranks,
                                std::vector<std::uint64_t> masks, std::size_t room, bool keep) {
    options.keeping = keep ? asset::Keeping::in_file : asset::Keeping::while_few;
    return Rank::make(*reinterpret_cast<const asset_model *>(model), options, {number, ranks, std::move(masks)}, room);
}

// The pieces as they are in memory, without those that are empty.
nb::list views(const std::vector<std::span<const asset::Word>> &pieces) {
    nb::list result;
    for (const auto &piece : pieces)
        if (!piece.empty()) {
            char *start = const_cast<char *>(reinterpret_cast<const char *>(piece.data()));
            const auto bytes = static_cast<Py_ssize_t>(piece.size_bytes());
            result.append(nb::steal(PyMemoryView_FromMemory(start, bytes, PyBUF_READ)));
        }
    return result;
}

// None, or (requirement, during, predicate, command, words).
nb::object wrong(const std::optional<asset::Wrong> &found) {
    if (!found)
        return nb::none();
    const Finding &what = found->finding;
    return nb::make_tuple(what.requirement, static_cast<int>(what.during), what.predicate, what.command,
                          nb::cast(found->state));
}

// What was counted since a search went on: less than nothing, if what was counted before is counted again.
std::int64_t more(const std::atomic<std::uint64_t> &count) { return static_cast<std::int64_t>(count.load()); }

// None, or (words, command).
nb::object predecessor(Rank &rank, std::size_t level, const std::vector<std::uint64_t> &state) {
    std::optional<asset::Predecessor> found;
    {
        const nb::gil_scoped_release release;
        found = rank.predecessor(level, state.data());
    }
    return found ? nb::make_tuple(nb::cast(found->state), found->command) : nb::object(nb::none());
}

// None, or the level and what is wrong there.
nb::object loss(const std::optional<asset::Loss> &found) {
    return found ? nb::make_tuple(found->level, wrong(found->wrong)) : nb::object(nb::none());
}

nb::list steps(asset::Backward &backward, const std::vector<std::uint64_t> &state) {
    nb::list result;
    for (const asset::Predecessor &step : backward.steps(state.data()))
        result.append(nb::make_tuple(step.command, nb::cast(step.state)));
    return result;
}

void bind_backward(nb::module_ &module) {
    using asset::Backward;
    nb::class_<Backward>(module, "Backward")
        .def("link", &Backward::link, Release())
        .def(
            "receive_links", [](Backward &b, const Words &links) { b.receive_links(span_of(links)); }, nb::arg("links"),
            Release())
        .def("end_linking", &Backward::end_linking, Release())
        .def(
            "begin", [](Backward &b, std::size_t requirement) { return loss(b.begin(requirement)); },
            nb::arg("requirement"))
        .def("begin_leading_out", &Backward::begin_leading_out, Release())
        .def("last_unmarked_level", &Backward::last_unmarked_level, Release())
        .def("go_back", &Backward::go_back, Release())
        .def(
            "receive", [](Backward &b, const Words &sources) { b.receive(span_of(sources)); }, nb::arg("sources"),
            Release())
        .def(
            "outgoing", [](const Backward &b, unsigned owner) { return views(b.outgoing(owner)); }, nb::arg("owner"))
        .def("clear", &Backward::clear)
        .def("first_unmarked", [](const Backward &b) { return loss(b.first_unmarked()); })
        .def("steps", &steps, nb::arg("state"))
        .def(
            "is_unmarked",
            [](const Backward &b, const std::vector<std::uint64_t> &state) { return b.is_unmarked(state.data()); },
            nb::arg("state"));
}

using State = std::vector<std::uint64_t>;

// Of what a cycle must have: acceptance sets, weak fairness, strong fairness.
using Wanted = std::array<std::uint64_t, 3>;

asset::Marks marks(const Wanted &wanted) { return {.accepting = wanted[0], .weak = wanted[1], .taken = wanted[2]}; }
Wanted wanted(const asset::Marks &marks) { return {marks.accepting, marks.weak, marks.taken}; }

nb::list steps_of_vertex(asset::Trimming &trimming, const State &state, std::uint32_t mode) {
    nb::list result;
    for (const asset::Trimming::Step &step : trimming.steps(state.data(), mode))
        result.append(nb::make_tuple(step.command, nb::cast(step.state), step.mode, nb::cast(wanted(step.marks))));
    return result;
}

void bind_trimming(nb::module_ &module) {
    using asset::Trimming;
    nb::class_<Trimming>(module, "Trimming")
        .def("link", &Trimming::link, Release())
        .def(
            "receive_links", [](Trimming &t, const Words &links) { t.receive_links(span_of(links)); }, nb::arg("links"),
            Release())
        .def("end_linking", [](Trimming &t) { return loss(t.end_linking()); })
        .def("revive", &Trimming::revive, Release())
        .def_prop_ro("alive", &Trimming::alive)
        .def("begin_counting", &Trimming::begin_counting, Release())
        .def("begin_removing", &Trimming::begin_removing, Release())
        .def(
            "begin_seeking", [](Trimming &t, const Wanted &sought) { t.begin_seeking(marks(sought)); },
            nb::arg("sought"))
        .def("begin_going_back", &Trimming::begin_going_back, nb::arg("by_layers"), Release())
        .def(
            "keep_reached", [](Trimming &t, const Wanted &sought) { t.keep_reached(marks(sought)); }, nb::arg("sought"))
        .def("begin_from_alive", &Trimming::begin_from_alive, Release())
        .def(
            "begin_from", [](Trimming &t, const State &state, std::uint32_t mode) { t.begin_from(state.data(), mode); },
            nb::arg("state"), nb::arg("mode"))
        .def("next_layer", &Trimming::next_layer)
        .def("tell", &Trimming::tell, Release())
        .def(
            "receive", [](Trimming &t, const Words &told) { t.receive(span_of(told)); }, nb::arg("told"), Release())
        .def(
            "outgoing", [](const Trimming &t, unsigned owner) { return views(t.outgoing(owner)); }, nb::arg("owner"))
        .def("clear", &Trimming::clear)
        .def_prop_ro("first_start", &Trimming::first_start)
        .def_prop_ro("initial", &Trimming::initial)
        .def_prop_ro("wanted", [](const Trimming &t) { return wanted(t.wanted()); })
        .def("steps", &steps_of_vertex, nb::arg("state"), nb::arg("mode"))
        .def(
            "layer_of",
            [](const Trimming &t, const State &state, std::uint32_t mode) { return t.layer_of(state.data(), mode); },
            nb::arg("state"), nb::arg("mode"))
        .def(
            "is_alive",
            [](const Trimming &t, const State &state, std::uint32_t mode) { return t.is_alive(state.data(), mode); },
            nb::arg("state"), nb::arg("mode"));
}

constexpr std::size_t most_batches = 4096; // that a thread expands before ranks exchange what they have found

void bind_rank(nb::module_ &module) {
    nb::class_<Rank>(module, "Rank")
        .def("start", &Rank::start, Release())
        .def(
            "route", [](Rank &r, const Words &states) { return r.route(span_of(states)); }, nb::arg("states"))
        .def("expand", &Rank::expand, nb::arg("batches") = most_batches, Release())
        .def_prop_ro("nearly_full", &Rank::nearly_full)
        .def("make_room", &Rank::make_room, Release())
        .def(
            "outgoing", [](const Rank &r, unsigned owner) { return views(r.outgoing(owner)); }, nb::arg("owner"))
        .def("clear", &Rank::clear)
        .def(
            "receive", [](Rank &r, const Words &states) { r.receive(span_of(states)); }, nb::arg("states"), Release())
        .def("end_level", &Rank::end_level, Release())
        .def("level", [](const Rank &r) { return views(r.level()); })
        .def("predecessor", &predecessor, nb::arg("level"), nb::arg("state"))
        .def_prop_ro("wrong_before", [](const Rank &r) { return wrong(r.wrong_before()); })
        .def_prop_ro("wrong_now", [](const Rank &r) { return wrong(r.wrong_now()); })
        .def_prop_ro("wrong_so_far", [](const Rank &r) { return wrong(r.wrong_so_far()); })
        .def_prop_ro("complete", &Rank::complete)
        .def_prop_ro("words", &Rank::words)
        .def_prop_ro(
            "backward", [](Rank &r) -> asset::Backward & { return r.backward(); }, nb::rv_policy::reference_internal)
        .def("trimming", &Rank::trimming, nb::arg("requirement"), nb::rv_policy::reference_internal)
        .def("leading_out", &Rank::leading_out, nb::arg("by_keys"), nb::rv_policy::reference_internal)
        .def("widen", &Rank::widen, nb::arg("level"), Release())
        .def("take_widened", &Rank::take_widened)
        .def(
            "widen_again", [](Rank &r, const Words &states) { r.widen_again(span_of(states)); }, nb::arg("states"))
        .def("drop_level", &Rank::drop_level)
        .def("parities", &Rank::parities, nb::arg("ranks"), Release())
        .def_prop_ro("states", [](const Rank &r) { return r.progress().states.load(); })
        .def_prop_ro("edges", [](const Rank &r) { return more(r.progress().edges); })
        .def_prop_ro("enabled", [](const Rank &r) { return more(r.progress().enabled); })
        .def_prop_ro("expanded", [](const Rank &r) { return more(r.progress().expanded); })
        .def_prop_ro("terminal_states", [](const Rank &r) { return more(r.progress().terminal_states); })
        .def_prop_ro("threads", [](const Rank &r) { return r.progress().threads.load(); })
        .def_prop_ro("memory", [](const Rank &r) { return r.budget().used(); })
        .def_prop_ro("memory_peak", [](const Rank &r) { return r.budget().peak(); });
    module.def("rank", &make_rank, nb::arg("model"), nb::arg("options"), nb::arg("number"), nb::arg("ranks"),
               nb::arg("masks"), nb::arg("room"), nb::arg("keep"));
}

} // namespace

NB_MODULE(_native, module) {
    module.attr("ABI_VERSION") = ASSET_ABI_VERSION;
    module.def("available_memory", &asset::available_memory);
    nb::class_<DerivedRules>(module, "DerivedRules")
        .def("__init__", &construct_rules, nb::arg("nr_nodes"), nb::arg("alternatives"), nb::arg("obligations"),
             nb::arg("cases"), nb::arg("groups"), nb::arg("truths"), nb::arg("far"))
        .def_rw("initial", &DerivedRules::initial)
        .def_rw("writes", &DerivedRules::writes)
        .def_rw("keys", &DerivedRules::keys);
    nb::class_<Options>(module, "Options")
        .def(nb::init<>())
        .def_rw("starts", &Options::starts)
        .def_rw("stubborn", &Options::stubborn)
        .def_rw("symmetry", &Options::symmetry)
        .def_rw("matters", &Options::matters)
        .def_rw("visible", &Options::visible)
        .def_rw("only_changes", &Options::only_changes)
        .def_rw("repair", &Options::repair)
        .def_rw("in_order", &Options::in_order)
        .def_rw("on_the_fly", &Options::on_the_fly)
        .def_rw("idle_steps", &Options::idle_steps)
        .def_rw("keep_going", &Options::keep_going)
        .def_rw("max_states", &Options::max_states)
        .def_rw("stations", &Options::stations)
        .def_rw("max_memory", &Options::max_memory)
        .def_rw("threads", &Options::threads)
        .def_rw("sharing", &Options::sharing)
        .def_rw("spill", &Options::spill)
        .def_prop_rw(
            "storing", [](const Options &o) { return static_cast<std::uint32_t>(o.storing); },
            [](Options &o, std::uint32_t storing) { o.storing = static_cast<asset::Storing>(storing); })
        .def("ask_profile", [](Options &o) { o.profile = std::make_shared<asset::Profile>(); })
        .def("approximate", &approximate, nb::arg("kind"), nb::arg("parameter"), nb::arg("bytes"), nb::arg("seed"))
        .def("set_checkpoint", &set_checkpoint, nb::arg("file"), nb::arg("told"), nb::arg("every"), nb::arg("resume"))
        .def("set_derived", &set_derived, nb::arg("model"), nb::arg("rules"))
        .def("require_in_states", &require_in_states, nb::arg("requirement"), nb::arg("predicate"))
        .def("require_in_terminal_states", &require_in_terminal_states, nb::arg("requirement"), nb::arg("predicate"))
        .def("require_on_graph", &require_on_graph, nb::arg("requirement"), nb::arg("rule"), nb::arg("predicates"),
             nb::arg("commands"), nb::arg("terminal_counts"), nb::arg("idle_steps"))
        .def("set_automaton", &set_automaton, nb::arg("shape"), nb::arg("observations"), nb::arg("moves"),
             nb::arg("weak"), nb::arg("strong"))
        .def("set_formula", &set_formula, nb::arg("parts"))
        .def("add_followed", &add_followed, nb::arg("requirement"), nb::arg("first"), nb::arg("meanings"),
             nb::arg("images"), nb::arg("commands"));
    nb::class_<Search>(module, "Search")
        .def("__init__", &construct, nb::arg("model"), nb::arg("options"))
        .def("run", &Search::run, nb::call_guard<nb::gil_scoped_release>())
        .def("interrupt", &Search::interrupt)
        .def("go_on", &Search::go_on)
        .def_prop_ro("standings", &standings)
        .def_prop_ro("waited_seconds", [](const Search &s) { return s.waited_seconds(); })
        .def(
            "improve",
            [](Search &s, std::uintptr_t model) { s.improve(*reinterpret_cast<const asset_model *>(model)); },
            nb::arg("model"))
        .def_prop_ro("stop", [](const Search &s) { return static_cast<int>(s.stop()); })
        .def_prop_ro("states", [](const Search &s) { return s.progress().states.load(); })
        .def_prop_ro("edges", [](const Search &s) { return s.progress().edges.load(); })
        .def_prop_ro("enabled", [](const Search &s) { return s.progress().enabled.load(); })
        .def_prop_ro("depth", [](const Search &s) { return s.progress().depth.load(); })
        .def_prop_ro("terminal_states", [](const Search &s) { return s.progress().terminal_states.load(); })
        .def_prop_ro("threads", [](const Search &s) { return s.progress().threads.load(); })
        .def_prop_ro("levels", [](const Search &s) { return s.levels(); })
        .def_prop_ro("nodes", [](const Search &s) { return s.nodes() ? nb::cast(*s.nodes()) : nb::none(); })
        .def_prop_ro("spilled", [](const Search &s) { return s.spilled() ? nb::cast(*s.spilled()) : nb::none(); })
        .def_prop_ro("spill_failure", [](const Search &s) { return s.spill_failure(); })
        .def_prop_ro("explored", [](const Search &s) { return s.explored(); })
        .def_prop_ro("repair_seconds", [](const Search &s) { return s.repair_seconds(); })
        .def_prop_ro("product_vertices", [](const Search &s) { return s.product_vertices(); })
        .def_prop_ro("product_edges", [](const Search &s) { return s.product_edges(); })
        .def_prop_ro("frontier", &frontier)
        .def_prop_ro("memory", [](const Search &s) { return s.budget().used(); })
        .def_prop_ro("memory_peak", [](const Search &s) { return s.budget().peak(); })
        .def_prop_ro("checkpoint_failure", [](const Search &s) { return s.checkpoints().failure(); })
        .def_prop_ro("findings", &findings)
        .def_prop_ro("profile", &profile);
    nb::class_<Simulation>(module, "Simulation")
        .def("__init__", &construct_simulation, nb::arg("model"), nb::arg("options"), nb::arg("seed"),
             nb::arg("bounds"), nb::arg("cells"), nb::arg("enabled"), nb::arg("touched"))
        .def("run", &Simulation::run, nb::call_guard<nb::gil_scoped_release>())
        .def("interrupt", &Simulation::interrupt)
        .def_prop_ro("interrupted", &Simulation::interrupted)
        .def_prop_ro("steps", &Simulation::steps)
        .def_prop_ro("runs", &Simulation::runs)
        .def_prop_ro("longest", &Simulation::longest)
        .def_prop_ro("threads", &Simulation::threads)
        .def_prop_ro("terminal", &Simulation::terminal)
        .def_prop_ro("fired", &Simulation::fired)
        .def_prop_ro("values", &Simulation::values)
        .def_prop_ro("distinct", &Simulation::distinct)
        .def_prop_ro("found_length", &Simulation::found_length)
        .def_prop_ro("finding",
                     [](const Simulation &s) { return s.finding() ? nb::object(told(*s.finding())) : nb::none(); });
    bind_backward(module);
    bind_trimming(module);
    bind_rank(module);
}
