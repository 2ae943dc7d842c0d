#include <cstdio>
#include <set>
#include <stdexcept>
#include <thread>

#include "fixtures.h"
#include "quotient_store.h"
#include "reference.h"
#include "search.h"

using asset::Finding;
using asset::Options;
using asset::Stop;
using asset::Wrong;
using namespace fixtures;

namespace {

int failures = 0;

#define EXPECT(condition)                                                                                              \
    ((condition) ? void() : (++failures, void(std::printf("%s:%d: expected %s\n", __FILE__, __LINE__, #condition))))

const Options everything{.checked = {1, 1, 0, 0}};

Options with_threads(unsigned threads, Options options = everything) {
    options.threads = threads;
    return options;
}

void expect_same(const Finding &found, const Finding &expected) {
    EXPECT(found.wrong == expected.wrong);
    EXPECT(found.index == expected.index);
    EXPECT(found.during == expected.during);
    EXPECT(found.kind == expected.kind);
    EXPECT(found.command == expected.command);
    EXPECT(found.progress_lost_at == expected.progress_lost_at);
    EXPECT(found.commands.size() == expected.commands.size());
    if (expected.progress_lost_at != asset::none) // of several lassos that are as short, any will do
        return;
    EXPECT(found.commands == expected.commands);
    EXPECT(found.states == expected.states);
}

// The path is a run of the model, with representatives where there is symmetry, and closes where it says it does.
void expect_run(const asset_model &model, const Options &options, const Finding &found) {
    const std::size_t words = model.state_words;
    for (std::size_t i = 1; i < found.commands.size(); ++i) {
        const auto before = found.states.begin() + static_cast<std::ptrdiff_t>((i - 1) * words);
        std::vector<Word> state(before, before + static_cast<std::ptrdiff_t>(words));
        EXPECT(model.fire(state.data(), static_cast<std::uint32_t>(found.commands[i])) == 1);
        asset_fault fault{};
        if (options.symmetry)
            model.representatives(state.data(), 1, &fault);
        EXPECT(!fault.code && std::equal(state.begin(), state.end(), before + static_cast<std::ptrdiff_t>(words)));
    }
    if (found.cycle_starts_at != asset::none)
        EXPECT(std::equal(found.states.end() - static_cast<std::ptrdiff_t>(words), found.states.end(),
                          found.states.begin() + found.cycle_starts_at * static_cast<std::ptrdiff_t>(words)));
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
    expect_same(*search.finding(), *expected.finding);
    expect_run(Table<Model>::model, options, *search.finding());
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
    EXPECT(both.finding() && both.finding()->wrong == Wrong::invariant && both.finding()->index == 0);
    asset::Search second(model, {.checked = {2, 0, 0, 0}});
    second.run();
    EXPECT(second.finding() && second.finding()->kind == ASSET_INVARIANT && second.finding()->index == 1);
    model.labels[ASSET_INVARIANT] = &two_invariants<false>;
    asset::Search left_alone(model, {.checked = {3, 0, 0, 0}});
    left_alone.run();
    EXPECT(left_alone.finding() && left_alone.finding()->wrong == Wrong::fault && left_alone.finding()->index == 1);
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

Options reduced(bool stubborn, bool symmetry) {
    Options options = everything;
    options.stubborn = stubborn;
    options.symmetry = symmetry;
    return options;
}

void reductions_of_the_ring_have_the_published_numbers_of_states_and_edges() {
    expect_counts<Ring<2>>(reduced(true, false), 44, 60);
    expect_counts<Ring<3>>(reduced(true, false), 219, 327);
    expect_counts<Ring<6>>(reduced(true, false), 12540, 20772);
    expect_counts<Ring<2>>(reduced(false, true), 34, 70);
    expect_counts<Ring<3>>(reduced(false, true), 156, 450);
    expect_counts<Ring<6>>(reduced(false, true), 16344, 87960);
    expect_counts<Ring<2>>(reduced(true, true), 22, 30);
    expect_counts<Ring<3>>(reduced(true, true), 73, 109);
    expect_counts<Ring<6>>(reduced(true, true), 2090, 3462);
    expect_counts<Ring<6, 2>>(with_threads(2, reduced(true, true)), 2090, 3462);
}

Options with_progress(Options options = everything) {
    options.checked = {1, 1, 1, 1};
    return options;
}

template <class Model>
void expect_loss(const Options &options, Wrong wrong, std::uint64_t states, std::uint64_t edges) {
    expect_agreement<Model>(options);
    asset::Search search(Table<Model>::model, options);
    search.run();
    EXPECT(search.finding() && search.finding()->wrong == wrong);
    EXPECT(search.progress().states == states && search.progress().edges == edges);
}

void progress_holds_in_the_ring_and_fails_where_the_papers_say() {
    expect_counts<Ring<3>>(with_progress(), 468, 1350);
    expect_counts<Ring<6>>(with_progress(), 98064, 527760);
    expect_counts<Ring<6, 3>>(with_threads(2, with_progress()), 98064, 527760);
    for (unsigned threads : {1u, 2u})
        expect_loss<Ring<2, 1, Flaw::keeps_token>>(with_threads(threads, with_progress(reduced(true, false))),
                                                   Wrong::must_progress, 46, 66);
    Options terminating = reduced(true, false);
    terminating.terminates = true;
    expect_counts<Ring<4>>(terminating, 920, 1432);
    expect_loss<Ring<2, 1, Flaw::asks_for_nothing>>(terminating, Wrong::termination, 67, 93);
}

// Whenever client 0 asks again and again, so it is served; but somebody can ask without client 1 ever leaving.
void recurrences_are_those_of_the_plain_search() {
    Options options = everything;
    options.recurrences = {{.index = 3, .again = {0}, .then = {6}}};
    expect_agreement<Ring<3>>(options);
    options.recurrences.push_back({.index = 5, .again = {0, 1, 2}, .then = {1}});
    for (const bool symmetry : {false, true}) {
        options.symmetry = symmetry;
        expect_agreement<Ring<3>>(options);
    }
    asset::Search search(Table<Ring<3>>::model, options);
    search.run();
    EXPECT(search.finding() && search.finding()->wrong == Wrong::recurrence);
    EXPECT(search.finding()->cycle_starts_at == search.finding()->progress_lost_at);
}

template <class Model> void expect_agreement_on_random_models() {
    for (Model::seed = 1; Model::seed <= 400; ++Model::seed) {
        Options options = with_progress();
        for (int i = 0; i < 4; ++i)
            options.checked[i] = Model::draw(60, i) % 4 > 0;
        options.terminates = Model::draw(61, 0) % 2;
        options.terminal_is_no_may_progress = Model::draw(61, 1) % 2;
        options.terminal_is_no_must_progress = Model::draw(61, 2) % 2;
        options.stubborn = Model::draw(61, 3) % 2;
        options.symmetry = Model::draw(61, 4) % 2;
        if (Model::draw(61, 5) % 2)
            options.recurrences = {{.index = 1, .again = {0}, .then = {1, 2}},
                                   {.index = 2, .again = {0, 1, 2}, .then = {0}}};
        options.threads = Model::draw(61, 6) % 10 ? 1 : 2;
        const int before = failures;
        expect_agreement<Model>(options);
        if (failures > before)
            std::printf("on the random model with seed %u\n", static_cast<unsigned>(Model::seed));
    }
}

void random_models_have_the_findings_of_the_plain_search() {
    expect_agreement_on_random_models<Random<false>>();
    expect_agreement_on_random_models<Random<true>>();
}

void without_rules_a_stubborn_set_is_everything() {
    asset_model model = Table<Ring<3>>::model;
    model.obligations = nullptr;
    asset::Search search(model, reduced(true, false));
    search.run();
    EXPECT(search.progress().states == 468 && search.progress().edges == 1350);
}

void the_graph_is_within_the_limit_on_memory() {
    for (std::uint64_t limit = 6 << 20; limit <= 22 << 20; limit += 4 << 20) {
        Options options = with_progress();
        options.max_memory = limit;
        asset::Search search(Table<Ring<7>>::model, options);
        search.run();
        EXPECT(search.stop() == Stop::max_memory);
        EXPECT(search.budget().peak() <= limit);
        EXPECT(search.budget().used() == 0);
    }
}

void an_interrupt_ends_the_check_of_progress() {
    asset::Search search(Table<Ring<7>>::model, with_progress());
    std::jthread other([&] {
        while (search.progress().expanded < 541296)
            std::this_thread::yield();
        search.interrupt();
    });
    search.run();
    EXPECT(search.stop() == Stop::interrupted);
    EXPECT(search.progress().states == 541296);
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
    reductions_of_the_ring_have_the_published_numbers_of_states_and_edges();
    progress_holds_in_the_ring_and_fails_where_the_papers_say();
    recurrences_are_those_of_the_plain_search();
    random_models_have_the_findings_of_the_plain_search();
    without_rules_a_stubborn_set_is_everything();
    the_graph_is_within_the_limit_on_memory();
    an_interrupt_ends_the_check_of_progress();
    std::printf(failures ? "%d expectations failed\n" : "all expectations met\n", failures);
    return failures != 0;
}
