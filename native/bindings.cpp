// The engine as seen from Python: only ints, bytes and flat lists cross.
#include <nanobind/nanobind.h>
#include <nanobind/stl/vector.h>

#include "search.h"

namespace nb = nanobind;
using asset::DerivedRules;
using asset::Finding;
using asset::Options;
using asset::Search;

namespace {

using Numbers = std::vector<std::uint32_t>;

std::vector<std::uint8_t> bytes_of(const nb::bytes &bytes) {
    const auto *data = static_cast<const std::uint8_t *>(bytes.data());
    return {data, data + bytes.size()};
}

void construct(Search *self, std::uintptr_t model, const Options &options) {
    new (self) Search(*reinterpret_cast<const asset_model *>(model), options);
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

void construct_rules(DerivedRules *self, std::uint32_t nr_nodes, const Numbers &alternatives,
                     const Numbers &obligations, const Numbers &cases, const Numbers &groups, nb::bytes truths,
                     const Numbers &far) {
    new (self) DerivedRules{nr_nodes, alternatives, obligations, cases, groups, bytes_of(truths), far};
}

void set_derived(Options &options, std::uintptr_t model, const DerivedRules &rules) {
    const auto &table = *reinterpret_cast<const asset_model *>(model);
    options.derived = std::make_shared<asset::RuleTables>(rules, table);
}

// None, or (requirement, during, predicate, command, progress_lost_at, cycle_starts_at, commands, words).
nb::object finding(const Search &search) {
    if (!search.finding())
        return nb::none();
    const Finding &found = *search.finding();
    return nb::make_tuple(found.requirement, static_cast<int>(found.during), found.predicate, found.command,
                          found.progress_lost_at, found.cycle_starts_at, nb::cast(found.commands),
                          nb::cast(found.states));
}

std::uint64_t frontier(const Search &search) {
    const std::uint64_t expanded = search.progress().expanded.load(); // first, so that the difference is never negative
    return search.progress().states.load() - expanded;
}

} // namespace

NB_MODULE(_native, module) {
    module.attr("ABI_VERSION") = ASSET_ABI_VERSION;
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
        .def_rw("repair", &Options::repair)
        .def_rw("in_order", &Options::in_order)
        .def_rw("on_the_fly", &Options::on_the_fly)
        .def_rw("idle_steps", &Options::idle_steps)
        .def_rw("max_states", &Options::max_states)
        .def_rw("max_memory", &Options::max_memory)
        .def_rw("threads", &Options::threads)
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
        .def_prop_ro("stop", [](const Search &s) { return static_cast<int>(s.stop()); })
        .def_prop_ro("states", [](const Search &s) { return s.progress().states.load(); })
        .def_prop_ro("edges", [](const Search &s) { return s.progress().edges.load(); })
        .def_prop_ro("enabled", [](const Search &s) { return s.progress().enabled.load(); })
        .def_prop_ro("depth", [](const Search &s) { return s.progress().depth.load(); })
        .def_prop_ro("terminal_states", [](const Search &s) { return s.progress().terminal_states.load(); })
        .def_prop_ro("threads", [](const Search &s) { return s.progress().threads.load(); })
        .def_prop_ro("levels", [](const Search &s) { return s.levels(); })
        .def_prop_ro("repair_seconds", [](const Search &s) { return s.repair_seconds(); })
        .def_prop_ro("product_vertices", [](const Search &s) { return s.product_vertices(); })
        .def_prop_ro("product_edges", [](const Search &s) { return s.product_edges(); })
        .def_prop_ro("frontier", &frontier)
        .def_prop_ro("memory", [](const Search &s) { return s.budget().used(); })
        .def_prop_ro("memory_peak", [](const Search &s) { return s.budget().peak(); })
        .def_prop_ro("finding", &finding);
}
