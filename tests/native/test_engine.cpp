#include <pthread.h>

#include <set>
#include <stdexcept>
#include <thread>

#include "expect.h"
#include "fixtures.h"
#include "frontier.h"
#include "quotient_store.h"
#include "reference.h"
#include "search.h"

using asset::Finding;
using asset::Options;
using asset::Stop;
using namespace fixtures;

namespace {

// Numbers of requirements, as the tests give them.
enum : std::int32_t { invariance = 10, good_end = 11, may_progress = 12, must_progress = 13, terminates = 14 };

const Options everything{.in_states = {{invariance, invariant}}, .in_terminal_states = {{good_end, terminal}}};
using Numbers = std::vector<std::uint32_t>;

asset::GraphRequirement required(std::int32_t number, asset::Rule rule, Numbers predicates,
                                 bool terminal_counts = true) {
    return {number, static_cast<std::uint32_t>(rule), std::move(predicates), {}, terminal_counts};
}

asset::GraphRequirement recurrence(std::int32_t number, Numbers again, Numbers then) {
    return {.requirement = number,
            .rule = static_cast<std::uint32_t>(asset::Rule::recurrence),
            .commands = {std::move(again), std::move(then)},
            .idle_steps = true};
}

const asset::GraphRequirement may_required = required(may_progress, asset::Rule::may_progress, {may});
const asset::GraphRequirement must_required = required(must_progress, asset::Rule::must_progress, {must});
const asset::GraphRequirement termination_required = required(terminates, asset::Rule::termination, {});

// The options with the model's own state to start in, unless they have others.
template <class Model> Options started(Options options = everything) {
    if (options.starts.empty())
        options.starts = Table<Model>::initial();
    return options;
}

Options with_threads(unsigned threads, Options options = everything) {
    options.threads = threads;
    return options;
}

Options with_limit(std::uint64_t states) {
    Options options = everything;
    options.max_states = states;
    return options;
}

void expect_same(const Finding &found, const Finding &expected) {
    EXPECT(found.requirement == expected.requirement);
    EXPECT(found.during == expected.during);
    EXPECT(found.predicate == expected.predicate);
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

template <class Model> void expect_agreement(const Options &asked) {
    const Options options = started<Model>(asked);
    const reference::Outcome expected = reference::Search(Table<Model>::model, options).run();
    asset::Search search(Table<Model>::model, options);
    search.run();
    EXPECT(search.stop() == expected.stop);
    EXPECT(search.progress().states == expected.states);
    EXPECT(search.progress().edges == expected.edges);
    EXPECT(search.progress().depth == expected.depth);
    EXPECT(search.progress().terminal_states == expected.terminal_states);
    EXPECT((search.finding() != nullptr) == expected.finding.has_value());
    if (!search.finding() || !expected.finding)
        return;
    expect_same(*search.finding(), *expected.finding);
    expect_run(Table<Model>::model, options, *search.finding());
}

template <class Model> void expect_counts(const Options &options, std::uint64_t states, std::uint64_t edges) {
    asset::Search search(Table<Model>::model, started<Model>(options));
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
    expect_counts<Ring<5, 5>>(everything, 17280, 78600);
    expect_counts<Ring<5, 20>>(everything, 17280, 78600);
    expect_counts<Ring<3, 3000>>(everything, 468, 1350);
}

void threads_do_not_change_the_counts() {
    for (unsigned threads : {2u, 3u}) {
        expect_counts<Ring<6>>(with_threads(threads), 98064, 527760);
        expect_counts<Ring<6, 2>>(with_threads(threads), 98064, 527760);
        expect_counts<Ring<5, 5>>(with_threads(threads), 17280, 78600);
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

#if defined(__GLIBC__)
// Threads are refused as if there were no memory for their stacks.
// Each has a part of a level, whose batches follow each other, and then helps the others.
void every_state_of_a_level_is_taken_once() {
    asset::Budget budget(std::size_t{1} << 30);
    asset::Arena arena(budget, 1);
    asset::Levels levels(3);
    const asset::Range found[] = {{0, 70}, {100, 30}};
    EXPECT(levels.refill(found, arena, 10) == 100);
    EXPECT(levels.take(0)->first == 0 && levels.take(1)->first == 30 && levels.take(0)->first == 10);
    std::uint64_t left = 0, taken = 0;
    for (const asset::Range &each : levels.left())
        left += each.count;
    while (const auto states = levels.take(2))
        taken += states->count;
    EXPECT(left == 70 && taken == 70 && !levels.take(0) && !levels.take(1) && levels.left().empty());
}

void threads_that_the_system_refuses_are_done_without() {
    pthread_attr_t usual, enormous;
    EXPECT(!pthread_getattr_default_np(&usual) && !pthread_getattr_default_np(&enormous));
    EXPECT(!pthread_attr_setstacksize(&enormous, std::size_t{1} << 60) && !pthread_setattr_default_np(&enormous));
    asset::Search search(Table<Ring<5>>::model, started<Ring<5>>(with_threads(3)));
    search.run();
    EXPECT(!pthread_setattr_default_np(&usual));
    EXPECT(search.stop() == Stop::complete && search.progress().states == 17280);
    EXPECT(search.progress().threads == 1);
}
#else
void threads_that_the_system_refuses_are_done_without() {}
#endif

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
    for (const Options &asked : {Options{.in_states = everything.in_states},
                                 Options{.in_terminal_states = everything.in_terminal_states}, Options{}}) {
        expect_agreement<Grid<Trap::violation>>(asked);
        expect_agreement<Grid<Trap::terminal_violation>>(asked);
        expect_agreement<Grid<Trap::invariant_fault>>(asked);
    }
}

void a_limit_on_states_is_met_exactly() {
    for (std::uint64_t limit = 1; limit < 300; limit += 7)
        expect_agreement<Ring<3>>(with_limit(limit));
    expect_agreement<Ring<3>>({.max_states = 468});
    expect_agreement<Grid<Trap::violation>>(with_limit(80));
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
    asset::Search search(Table<Chain<100000>>::model, started<Chain<100000>>());
    search.run();
    EXPECT(search.stop() == Stop::finding);
    EXPECT(search.progress().depth == 100000);
    EXPECT(search.finding()->commands.size() == 100001);
    EXPECT(search.finding()->states[70000] == 70000);
}

void a_limit_on_memory_ends_the_search_and_keeps_the_counts() {
    unsigned turn = 0;
    for (std::uint64_t limit = 9 << 20; limit <= 17 << 20; limit += 1 << 19) {
        const unsigned threads = 1 + turn++ % 3;
        asset::Search search(Table<Ring<8>>::model, started<Ring<8>>({.max_memory = limit, .threads = threads}));
        search.run();
        EXPECT(search.stop() == Stop::max_memory);
        EXPECT(search.progress().states > 1000); // how many depends on which thread asks for memory first
        EXPECT(search.budget().peak() <= limit);
        EXPECT(search.budget().used() == 0);
    }
}

void a_limit_that_leaves_no_room_at_all_ends_the_search() {
    asset::Search search(Table<Ring<3>>::model, started<Ring<3>>({.max_memory = 1000}));
    search.run();
    EXPECT(search.stop() == Stop::max_memory);
}

void an_interrupt_ends_the_search() {
    for (unsigned threads : {1u, 2u}) {
        asset::Search search(Table<Ring<10>>::model, started<Ring<10>>(with_threads(threads)));
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

bool is_refused(const asset_model &model, const Options &options) {
    try {
        asset::Search search(model, options);
    } catch (const std::invalid_argument &) {
        return true;
    }
    return false;
}

void what_does_not_fit_the_model_is_refused() {
    asset_model model = Table<Ring<3>>::model;
    const Options good = started<Ring<3>>();
    EXPECT(!is_refused(model, good));
    const auto with = [&](auto member, auto value) {
        Options options = good;
        options.*member = value;
        return is_refused(model, options);
    };
    using Required = std::vector<asset::StateRequirement>;
    using OnGraph = std::vector<asset::GraphRequirement>;
    EXPECT(with(&Options::starts, std::vector<Word>{}));
    EXPECT(with(&Options::in_states, Required{{0, 4}}));
    EXPECT(with(&Options::in_terminal_states, Required{{0, 4}}));
    EXPECT(with(&Options::on_graph, OnGraph{required(0, asset::Rule::may_progress, {4})}));
    EXPECT(with(&Options::on_graph, OnGraph{recurrence(0, {9}, {})}));
    EXPECT(with(&Options::on_graph, OnGraph{recurrence(0, {}, {9})}));
    EXPECT(with(&Options::followed, std::vector<asset::Followed>{{.meanings = 2}}));
    EXPECT(with(&Options::on_graph, OnGraph{required(0, asset::Rule::must_progress, {})}));
    EXPECT(with(&Options::on_graph, OnGraph{required(0, static_cast<asset::Rule>(9), {})}));
    EXPECT(!with(&Options::on_graph, OnGraph{required(0, asset::Rule::may_progress, {3})}));
    EXPECT(is_refused(Table<Ring<3, 2>>::model, good));
    model.abi_version = ASSET_ABI_VERSION + 1;
    EXPECT(is_refused(model, good));
}

// Of 70 predicates, 66 and 68 are false in the states where the grid's invariant is; 67 faults there, and 69 always.
void many_predicates(const Word *states, std::uint64_t count, const std::uint64_t *wanted, std::uint64_t *out,
                     asset_fault *fault) {
    for (std::uint64_t k = 0; k < count; ++k) {
        const bool fine = Grid<Trap::violation>::invariant(states + k);
        out[2 * k] = wanted[0];
        out[2 * k + 1] = wanted[1] & (fine ? 31 : 11);
        for (const std::uint32_t faulty : {67u, 69u})
            if (wanted[1] >> (faulty - 64) & 1 && (faulty == 69 || !fine)) {
                out[2 * k + 1] &= (1u << (faulty - 64)) - 1;
                *fault = {k, faulty, 4};
                return;
            }
    }
}

void of_the_requirements_that_a_state_violates_the_first_is_found() {
    asset_model model = Table<Grid<Trap::none>>::model;
    model.nr_predicates = 70;
    model.predicates = &many_predicates;
    const auto found = [&](std::initializer_list<std::uint32_t> predicates) {
        Options options = started<Grid<Trap::none>>({});
        for (const std::uint32_t predicate : predicates)
            options.in_states.push_back({static_cast<std::int32_t>(100 + predicate), predicate});
        asset::Search search(model, options);
        search.run();
        return search.finding() ? std::optional(*search.finding()) : std::nullopt;
    };
    EXPECT(!found({0, 63, 64, 65}));
    EXPECT(found({66})->requirement == 166);
    EXPECT(found({66, 68})->requirement == 166);
    EXPECT(found({68, 66})->requirement == 168);
    EXPECT(found({65, 66, 67})->requirement == 166);
    EXPECT(found({67, 66})->requirement == 166); // before a fault, what is known to be violated
    EXPECT(found({67, 68})->requirement == asset::none && found({67, 68})->predicate == 67);
    EXPECT(found({67})->during == asset::During::predicate);
    EXPECT(found({69, 66})->predicate == 69 && found({69, 66})->commands.size() == 1);
    EXPECT(found({67})->commands.size() == found({66})->commands.size());
}

void several_start_states_are_one_level() {
    std::vector<Word> starts;
    for (const Word start : {0x00, 0x2f, 0x00, 0xf1, 0x58, 0x2f})
        starts.push_back(start);
    for (unsigned threads : {1u, 2u}) {
        Options options = with_threads(threads);
        options.starts = starts;
        expect_agreement<Grid<Trap::none>>(options);
        expect_agreement<Grid<Trap::violation>>(options);
        expect_agreement<Grid<Trap::invariant_fault>>(options);
        expect_agreement<Grid<Trap::terminal_fault>>(options);
        expect_agreement<Grid<Trap::command_fault>>(options);
        options.starts.push_back(0xff);
        expect_agreement<Grid<Trap::violation>>(options);
        for (options.max_states = 1; options.max_states < 8; ++options.max_states)
            expect_agreement<Grid<Trap::none>>(options);
    }
}

// More than the smallest table has room for.
void any_number_of_start_states_is_taken() {
    std::vector<Word> starts;
    for (Word start = 0; start < 100'000; ++start)
        starts.push_back(start * 7 % 100'000);
    for (unsigned threads : {1u, 2u}) {
        Options options = with_threads(threads, Options());
        options.starts = starts;
        expect_counts<Cube<17>>(options, 1 << 17, 17 << 17);
        options.on_graph = {termination_required};
        expect_counts<Chain<99'999>>(options, 100'000, 99'999);
    }
}

void mixing_is_a_bijection() {
    for (unsigned bits : {1u, 2u, 7u, 16u}) {
        const asset::Mixer<1> mixer(bits); // into the upper bits of a word
        std::set<std::uint64_t> images;
        for (std::uint64_t x = 0; x < std::uint64_t{1} << bits; ++x)
            images.insert(mixer(&x));
        EXPECT(images.size() == std::size_t{1} << bits);
        EXPECT(*images.rbegin() == ~std::uint64_t{0} << (64 - bits));
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
    options.on_graph = {may_required, must_required};
    return options;
}

template <class Model>
void expect_loss(const Options &options, std::int32_t requirement, std::uint64_t states, std::uint64_t edges) {
    expect_agreement<Model>(options);
    asset::Search search(Table<Model>::model, started<Model>(options));
    search.run();
    EXPECT(search.finding() && search.finding()->requirement == requirement);
    EXPECT(search.progress().states == states && search.progress().edges == edges);
}

void progress_holds_in_the_ring_and_fails_where_the_papers_say() {
    expect_counts<Ring<3>>(with_progress(), 468, 1350);
    expect_counts<Ring<6>>(with_progress(), 98064, 527760);
    expect_counts<Ring<6, 3>>(with_threads(2, with_progress()), 98064, 527760);
    expect_counts<Ring<5, 20>>(with_threads(2, with_progress()), 17280, 78600);
    expect_counts<Ring<5, 20>>(with_progress(), 17280, 78600);
    for (unsigned threads : {1u, 2u})
        expect_loss<Ring<2, 1, Flaw::keeps_token>>(with_threads(threads, with_progress(reduced(true, false))),
                                                   must_progress, 46, 66);
    Options terminating = reduced(true, false);
    terminating.on_graph = {termination_required};
    expect_counts<Ring<4>>(terminating, 920, 1432);
    expect_loss<Ring<2, 1, Flaw::asks_for_nothing>>(terminating, terminates, 67, 93);
}

// Whenever client 0 asks again and again, so it is served; but somebody can ask without client 1 ever leaving.
void recurrences_are_those_of_the_plain_search() {
    Options options = everything;
    options.on_graph = {recurrence(3, {0}, {6})};
    expect_agreement<Ring<3>>(options);
    options.on_graph.push_back(recurrence(5, {0, 1, 2}, {1}));
    for (const bool symmetry : {true, false}) {
        options.symmetry = symmetry;
        expect_agreement<Ring<3>>(options);
    }
    asset::Search search(Table<Ring<3>>::model, started<Ring<3>>(options));
    search.run();
    EXPECT(search.finding() && search.finding()->requirement == 5);
    EXPECT(search.finding()->cycle_starts_at == search.finding()->progress_lost_at);
}

// Requirements on the graph in any order.
template <class Model> std::vector<asset::GraphRequirement> random_requirements() {
    std::vector<asset::GraphRequirement> all{
        required(1, asset::Rule::may_progress, {may}, Model::draw(61, 1) % 2 == 0),
        required(2, asset::Rule::must_progress, {must}, Model::draw(61, 2) % 2 == 0),
        recurrence(3, {0}, {1, 2}),
        recurrence(4, {0, 1, 2}, {0}),
        termination_required,
        required(5, asset::Rule::must_progress, {may}),
    };
    std::vector<asset::GraphRequirement> chosen;
    while (!all.empty()) {
        const std::size_t drawn = Model::draw(62, all.size());
        if (drawn % 3)
            chosen.push_back(all[drawn / 3 % all.size()]);
        all.erase(all.begin() + static_cast<std::ptrdiff_t>(drawn / 3 % all.size()));
    }
    return chosen;
}

template <class Model> void expect_agreement_on_random_models() {
    for (Model::seed = 1; Model::seed <= 200; ++Model::seed) {
        Options options;
        if (Model::draw(60, 0) % 4)
            options.in_states = everything.in_states;
        if (Model::draw(60, 1) % 4)
            options.in_terminal_states = everything.in_terminal_states;
        options.on_graph = random_requirements<Model>();
        options.stubborn = Model::draw(61, 3) % 2;
        options.symmetry = Model::draw(61, 4) % 2;
        options.threads = Model::draw(61, 6) % 10 ? 1 : 2;
        options.idle_steps = Model::draw(61, 7) % 2;
        for (asset::GraphRequirement &each : options.on_graph)
            each.idle_steps = each.idle_steps || options.idle_steps || Model::draw(64, each.rule) % 4 == 0;
        options.starts = Table<Model>::initial();
        for (Word more = Model::draw(63, 0); more % 3 == 0; more /= 64)
            options.starts.push_back(more / 3 % 64);
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
    asset::Search search(model, started<Ring<3>>(reduced(true, false)));
    search.run();
    EXPECT(search.progress().states == 468 && search.progress().edges == 1350);
}

void the_graph_is_within_the_limit_on_memory() {
    for (std::uint64_t limit = 6 << 20; limit <= 22 << 20; limit += 4 << 20) {
        Options options = with_progress();
        options.max_memory = limit;
        asset::Search search(Table<Ring<7>>::model, started<Ring<7>>(options));
        search.run();
        EXPECT(search.stop() == Stop::max_memory);
        EXPECT(search.budget().peak() <= limit);
        EXPECT(search.budget().used() == 0);
    }
}

void an_interrupt_ends_the_check_of_progress() {
    asset::Search search(Table<Ring<7>>::model, started<Ring<7>>(with_progress()));
    std::jthread other([&] {
        while (search.progress().expanded < 541296)
            std::this_thread::yield();
        search.interrupt();
    });
    search.run();
    EXPECT(search.stop() == Stop::interrupted);
    EXPECT(search.progress().states == 541296);
}

// A ring whose functions ask for the other one's at each call.
template <int Tier> struct Exchanged : Table<Ring<4>> {
    static inline asset::Search *search = nullptr;
    static inline std::atomic<int> calls = 0;

    static std::uint64_t successors(const Word *states, std::uint64_t count, Word *out, std::uint32_t *degrees,
                                    asset_fault *fault) {
        ++calls;
        Exchanged<0>::search->improve(Exchanged<1 - Tier>::model);
        return Table<Ring<4>>::successors(states, count, out, degrees, fault);
    }

    static constexpr asset_model exchanged() {
        asset_model result = Table<Ring<4>>::table();
        result.successors = &successors;
        return result;
    }

    static const asset_model model;
};
template <int Tier> const asset_model Exchanged<Tier>::model = Exchanged<Tier>::exchanged();

void better_code_takes_over_at_the_end_of_each_level() {
    for (const unsigned threads : {1u, 3u}) {
        Options options = everything;
        options.threads = threads;
        asset::Search search(Exchanged<0>::model, started<Ring<4>>(options));
        Exchanged<0>::search = &search;
        Exchanged<0>::calls = Exchanged<1>::calls = 0;
        search.run();
        EXPECT(search.stop() == Stop::complete && search.progress().states == 2928 && search.progress().edges == 10880);
        // A level has at least one call, all of them to the same code.
        EXPECT(Exchanged<0>::calls >= static_cast<int>(search.levels().size() + 1) / 2);
        EXPECT(Exchanged<1>::calls >= static_cast<int>(search.levels().size()) / 2);
    }
}

} // namespace

int main(int argc, char **argv) {
    threads_do_not_change_the_counts();
    every_state_of_a_level_is_taken_once();
    threads_that_the_system_refuses_are_done_without();
    findings_are_those_of_the_plain_search();
    several_start_states_are_one_level();
    progress_holds_in_the_ring_and_fails_where_the_papers_say();
    an_interrupt_ends_the_search();
    better_code_takes_over_at_the_end_of_each_level();
    if (threads_only(argc, argv))
        return told();
    the_ring_has_the_published_numbers_of_states_and_edges();
    every_width_of_state_gives_the_same_counts();
    what_is_not_checked_is_not_found();
    a_limit_on_states_is_met_exactly();
    a_table_that_grows_loses_nothing();
    a_path_as_long_as_the_state_space_is_found_back();
    a_limit_on_memory_ends_the_search_and_keeps_the_counts();
    a_limit_that_leaves_no_room_at_all_ends_the_search();
    what_does_not_fit_the_model_is_refused();
    of_the_requirements_that_a_state_violates_the_first_is_found();
    any_number_of_start_states_is_taken();
    mixing_is_a_bijection();
    reductions_of_the_ring_have_the_published_numbers_of_states_and_edges();
    recurrences_are_those_of_the_plain_search();
    random_models_have_the_findings_of_the_plain_search();
    without_rules_a_stubborn_set_is_everything();
    the_graph_is_within_the_limit_on_memory();
    an_interrupt_ends_the_check_of_progress();
    return told();
}
