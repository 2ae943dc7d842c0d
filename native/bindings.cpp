// The engine as seen from Python: only ints, bytes and flat lists cross.
#include <nanobind/nanobind.h>
#include <nanobind/stl/array.h>
#include <nanobind/stl/vector.h>

#include "search.h"

namespace nb = nanobind;
using asset::Finding;
using asset::Options;
using asset::Search;

namespace {

using Masks = std::array<std::uint64_t, ASSET_KINDS>;

void construct(Search *self, std::uintptr_t model, const Masks &checked, std::uint64_t max_states,
               std::uint64_t max_memory, unsigned threads) {
    new (self) Search(*reinterpret_cast<const asset_model *>(model), Options{checked, max_states, max_memory, threads});
}

// None, or (kind, index, failing, evaluating, commands, words).
nb::object finding(const Search &search) {
    if (!search.finding())
        return nb::none();
    const Finding &found = *search.finding();
    return nb::make_tuple(found.kind, found.index, found.failing, found.evaluating, nb::cast(found.commands),
                          nb::cast(found.states));
}

std::uint64_t frontier(const Search &search) {
    const std::uint64_t expanded = search.progress().expanded.load(); // first, so that the difference is never negative
    return search.progress().states.load() - expanded;
}

} // namespace

NB_MODULE(_native, module) {
    module.attr("ABI_VERSION") = ASSET_ABI_VERSION;
    nb::class_<Search>(module, "Search")
        .def("__init__", &construct, nb::arg("model"), nb::kw_only(), nb::arg("checked"), nb::arg("max_states"),
             nb::arg("max_memory"), nb::arg("threads"))
        .def("run", &Search::run, nb::call_guard<nb::gil_scoped_release>())
        .def("interrupt", &Search::interrupt)
        .def_prop_ro("stop", [](const Search &s) { return static_cast<int>(s.stop()); })
        .def_prop_ro("states", [](const Search &s) { return s.progress().states.load(); })
        .def_prop_ro("edges", [](const Search &s) { return s.progress().edges.load(); })
        .def_prop_ro("depth", [](const Search &s) { return s.progress().depth.load(); })
        .def_prop_ro("terminal_states", [](const Search &s) { return s.progress().terminal_states.load(); })
        .def_prop_ro("frontier", &frontier)
        .def_prop_ro("memory", [](const Search &s) { return s.budget().used(); })
        .def_prop_ro("memory_peak", [](const Search &s) { return s.budget().peak(); })
        .def_prop_ro("finding", &finding);
}
