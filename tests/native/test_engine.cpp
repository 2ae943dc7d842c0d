#include <cstdio>
#include <set>
#include <stdexcept>
#include <thread>

#include "fixtures.h"
#include "quotient_store.h"
#include "reference.h"
#include "search.h"

using asset::Options;
using asset::Stop;
using namespace fixtures;

namespace {

int failures = 0;

#define EXPECT(condition)                                                                                              \
    ((condition) ? void() : (++failures, void(std::printf("%s:%d: expected %s\n", __FILE__, __LINE__, #condition))))

constexpr Options everything{.checked = {1, 1, 0, 0}};

Options with_threads(unsigned threads, Options options = everything) {
    options.threads = threads;
    return options;
}

template <class Model> void expect_agreement(const Options &options) {
    const reference::Outcome expected = reference::Search(Table<Model>::model, options).run();
    asset::Search search(Table<Model>::model, options);
    search.run();
    EXPECT(search.stop() == expected.stop);
    EXPECT(search.progress().states == expected.states);
    EXPECT(search.progress().edges == expected.edges);
    EXPECT(search.progress().depth == expected.depth);
    EXPECT(search.progress().terminal_states == expected.terminal_states);
    EXPECT(search.finding().has_value() == expected.finding.has_value());
    if (!search.finding() || !expected.finding)
        return;
    EXPECT(search.finding()->kind == expected.finding->kind);
    EXPECT(search.finding()->index == expected.finding->index);
    EXPECT(search.finding()->failing == expected.finding->failing);
    EXPECT(search.finding()->evaluating == expected.finding->evaluating);
    EXPECT(search.finding()->commands == expected.finding->commands);
    EXPECT(search.finding()->states == expected.finding->states);
}

template <class Model> void expect_counts(const Options &options, std::uint64_t states, std::uint64_t edges) {
    asset::Search search(Table<Model>::model, options);
    search.run();
    EXPECT(search.stop() == Stop::complete);
    EXPECT(search.progress().states == states);
    EXPECT(search.progress().edges == edges);
    EXPECT(search.progress().expanded == states);
    EXPECT(search.budget().used() == 0);
}

void the_ring_has_the_published_numbers_of_states_and_edges() {
    expect_counts<Ring<2>>(everything, 68, 140);
    expect_counts<Ring<3>>(everything, 468, 1350);
    expect_counts<Ring<4>>(everything, 2928, 10880);
    expect_counts<Ring<6>>(everything, 98064, 527760);
}

void every_width_of_state_gives_the_same_counts() {
    expect_counts<Ring<5, 2>>(everything, 17280, 78600);
    expect_counts<Ring<5, 3>>(everything, 17280, 78600);
    expect_counts<Ring<5, 20>>(everything, 17280, 78600);
    expect_counts<Ring<3, 3000>>(everything, 468, 1350);
}

void threads_do_not_change_the_counts() {
    for (unsigned threads : {2u, 3u}) {
        expect_counts<Ring<6>>(with_threads(threads), 98064, 527760);
        expect_counts<Ring<6, 2>>(with_threads(threads), 98064, 527760);
        expect_counts<Ring<5, 20>>(with_threads(threads), 17280, 78600);
        expect_counts<Cube<16>>(with_threads(threads), 1 << 16, 16 << 16);
    }
}

template <Trap trap> void expect_agreement_on_grids() {
    for (unsigned threads : {1u, 2u}) {
        expect_agreement<Grid<trap>>(with_threads(threads));
        expect_agreement<Grid<trap, 2>>(with_threads(threads));
        expect_agreement<Grid<trap, 20>>(with_threads(threads));
    }
}

void findings_are_those_of_the_plain_search() {
    expect_agreement_on_grids<Trap::none>();
    expect_agreement_on_grids<Trap::violation>();
    expect_agreement_on_grids<Trap::initial_violation>();
    expect_agreement_on_grids<Trap::invariant_fault>();
    expect_agreement_on_grids<Trap::terminal_violation>();
    expect_agreement_on_grids<Trap::terminal_fault>();
    expect_agreement_on_grids<Trap::command_fault>();
}

void what_is_not_checked_is_not_found() {
    for (const auto &checked : {std::array<std::uint64_t, 4>{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 0, 0}}) {
        expect_agreement<Grid<Trap::violation>>({.checked = checked});
        expect_agreement<Grid<Trap::terminal_violation>>({.checked = checked});
        expect_agreement<Grid<Trap::invariant_fault>>({.checked = checked});
    }
}

void a_limit_on_states_is_met_exactly() {
    for (std::uint64_t limit = 1; limit < 300; limit += 7)
        expect_agreement<Ring<3>>({.checked = {1, 1, 0, 0}, .max_states = limit});
    expect_agreement<Ring<3>>({.max_states = 468});
    expect_agreement<Grid<Trap::violation>>({.checked = {1, 1, 0, 0}, .max_states = 80});
    expect_agreement<Ring<5>>({.max_states = 10000});
}

void a_table_that_grows_loses_nothing() {
    expect_counts<Cube<8>>(everything, 1 << 8, 8 << 8);
    expect_counts<Cube<10>>(everything, 1 << 10, 10 << 10);
    expect_counts<Cube<17>>(everything, 1 << 17, 17 << 17);
    expect_counts<Ring<7>>(everything, 541296, 3364200);
    expect_counts<Ring<6, 3>>(everything, 98064, 527760);
}

void a_path_as_long_as_the_state_space_is_found_back() {
    asset::Search search(Table<Chain<100000>>::model, everything);
    search.run();
    EXPECT(search.stop() == Stop::finding);
    EXPECT(search.progress().depth == 100000);
    EXPECT(search.finding()->commands.size() == 100001);
    EXPECT(search.finding()->states[70000] == 70000);
}

void a_limit_on_memory_ends_the_search_and_keeps_the_counts() {
    for (unsigned threads : {1u, 2u})
        for (std::uint64_t limit = 6 << 20; limit <= 14 << 20; limit += 2 << 20) {
            asset::Search search(Table<Ring<8>>::model, {.max_memory = limit, .threads = threads});
            search.run();
            EXPECT(search.stop() == Stop::max_memory);
            EXPECT(search.progress().states > 10000);
            EXPECT(search.budget().peak() <= limit);
            EXPECT(search.budget().used() == 0);
        }
}

void a_limit_that_leaves_no_room_at_all_ends_the_search() {
    asset::Search search(Table<Ring<3>>::model, {.max_memory = 1000});
    search.run();
    EXPECT(search.stop() == Stop::max_memory);
}

void an_interrupt_ends_the_search() {
    for (unsigned threads : {1u, 2u}) {
        asset::Search search(Table<Ring<10>>::model, with_threads(threads));
        std::jthread other([&] {
            while (search.progress().states < 10000)
                std::this_thread::yield();
            search.interrupt();
        });
        search.run();
        EXPECT(search.stop() == Stop::interrupted);
        EXPECT(search.progress().states >= 10000);
    }
}

void a_model_of_another_version_is_refused() {
    asset_model model = Table<Ring<3>>::model;
    model.abi_version = ASSET_ABI_VERSION + 1;
    bool refused = false;
    try {
        asset::Search search(model, everything);
    } catch (const std::invalid_argument &) {
        refused = true;
    }
    EXPECT(refused);
}

// Two invariants, both wrong in the same states: the first is violated, the second faults.
template <bool labels_faulty_state>
void two_invariants(const Word *states, std::uint64_t count, std::uint64_t *out, asset_fault *fault) {
    for (std::uint64_t k = 0; k < count; ++k)
        if (Grid<Trap::violation>::invariant(states + k)) {
            out[k] = 3;
        } else {
            if (labels_faulty_state)
                out[k] = 0;
            *fault = {k, 1, 4};
            return;
        }
}

void in_one_state_the_first_property_that_is_wrong_is_reported() {
    asset_model model = Table<Grid<Trap::none>>::model;
    model.nr_labels[ASSET_INVARIANT] = 2;
    model.labels[ASSET_INVARIANT] = &two_invariants<true>;
    asset::Search both(model, {.checked = {3, 0, 0, 0}});
    both.run();
    EXPECT(both.finding() && both.finding()->kind == ASSET_INVARIANT && both.finding()->index == 0);
    asset::Search second(model, {.checked = {2, 0, 0, 0}});
    second.run();
    EXPECT(second.finding() && second.finding()->evaluating == ASSET_INVARIANT && second.finding()->index == 1);
    model.labels[ASSET_INVARIANT] = &two_invariants<false>;
    asset::Search left_alone(model, {.checked = {3, 0, 0, 0}});
    left_alone.run();
    EXPECT(left_alone.finding() && left_alone.finding()->kind == asset::none && left_alone.finding()->index == 1);
    EXPECT(left_alone.progress().states == both.progress().states);
}

void mixing_is_a_bijection() {
    for (unsigned bits : {1u, 2u, 7u, 16u}) {
        const asset::Mixer mixer(bits);
        std::set<std::uint64_t> images;
        for (std::uint64_t x = 0; x < std::uint64_t{1} << bits; ++x)
            images.insert(mixer(x));
        EXPECT(images.size() == std::size_t{1} << bits);
        EXPECT(*images.rbegin() == (std::uint64_t{1} << bits) - 1);
    }
}

} // namespace

int main() {
    the_ring_has_the_published_numbers_of_states_and_edges();
    every_width_of_state_gives_the_same_counts();
    threads_do_not_change_the_counts();
    findings_are_those_of_the_plain_search();
    what_is_not_checked_is_not_found();
    a_limit_on_states_is_met_exactly();
    a_table_that_grows_loses_nothing();
    a_path_as_long_as_the_state_space_is_found_back();
    a_limit_on_memory_ends_the_search_and_keeps_the_counts();
    a_limit_that_leaves_no_room_at_all_ends_the_search();
    an_interrupt_ends_the_search();
    a_model_of_another_version_is_refused();
    in_one_state_the_first_property_that_is_wrong_is_reported();
    mixing_is_a_bijection();
    std::printf(failures ? "%d expectations failed\n" : "all expectations met\n", failures);
    return failures != 0;
}
