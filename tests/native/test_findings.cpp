// What was found is told, whatever becomes of the search for the way to it.
#include <sys/resource.h>

#include <csignal>
#include <cstdlib>
#include <functional>

#include "expect.h"
#include "fixtures.h"
#include "search.h"

using asset::Options;
using asset::Stop;
using namespace fixtures;

namespace {

constexpr std::int32_t invariance = 10, termination = 11;

// Every number of `Bits` bits, by setting one bit at a time; the last of them violates all properties.
template <unsigned Bits> struct Corner {
    static constexpr std::uint32_t words = 1;
    static constexpr std::uint32_t bits = Bits;
    static constexpr std::uint32_t commands = Bits;
    static constexpr Word last = (Word{1} << Bits) - 1;

    static inline int begun = 0; // searches that expanded the initial state
    static inline std::function<void()> in_second;

    static void initial(Word *s) { *s = 0; }
    static std::int32_t fire(Word *s, std::uint32_t command) {
        const Word before = *s;
        if (in_second && before == 0 && command == 0 && ++begun == 2)
            in_second();
        *s |= Word{1} << command;
        return *s != before;
    }
    static int invariant(const Word *s) { return *s != last; }
    static int terminal(const Word *s) { return *s != last; }
};

using Model = Corner<16>;

Options asked(unsigned threads) {
    Options options{.starts = Table<Model>::initial(), .in_states = {{invariance, invariant}}, .threads = threads};
    options.few_bytes = 1; // states that were expanded are given up at once
    return options;
}

void expect_finding(const asset::Search &search) {
    EXPECT(search.stop() == Stop::finding);
    EXPECT(search.finding() && search.finding()->requirement == invariance);
    EXPECT(search.finding() && search.finding()->states.back() == Model::last);
}

void a_finding_has_its_run_though_its_states_were_given_up() {
    for (unsigned threads : {1u, 2u}) {
        asset::Search search(Table<Model>::model, asked(threads));
        search.run();
        expect_finding(search);
        EXPECT(search.finding()->whole && search.finding()->commands.size() == Model::bits + 1);
        EXPECT(search.progress().states == Model::last + 1);
    }
}

// On a full disk, for which a limit on the size of files stands, there is no room for the states of the second search.
void a_finding_is_told_if_the_disk_is_too_full_for_its_run() {
    std::signal(SIGXFSZ, SIG_IGN);
    rlimit usual;
    getrlimit(RLIMIT_FSIZE, &usual);
    const rlimit small{1 << 16, usual.rlim_max};
    setrlimit(RLIMIT_FSIZE, &small);
    for (unsigned threads : {1u, 2u}) {
        asset::Search search(Table<Model>::model, asked(threads));
        search.run();
        expect_finding(search);
        EXPECT(!search.finding()->whole && search.finding()->states.size() == 1);
        EXPECT(threads > 1 || search.progress().states == Model::last + 1);
        EXPECT(search.budget().used() == 0);
    }
    setrlimit(RLIMIT_FSIZE, &usual);
}

void a_finding_has_its_run_if_there_is_no_place_for_files() {
    setenv("TMPDIR", "/nonexistent", 1);
    asset::Search search(Table<Model>::model, asked(1));
    search.run();
    expect_finding(search);
    EXPECT(search.finding()->whole);
    unsetenv("TMPDIR");
}

void a_finding_is_told_if_the_second_search_is_interrupted() {
    asset::Search search(Table<Model>::model, asked(1));
    Model::begun = 0;
    Model::in_second = [&] { search.interrupt(); };
    search.run();
    Model::in_second = nullptr;
    expect_finding(search);
    EXPECT(!search.finding()->whole);
}

Options asked_for_all(unsigned threads) {
    Options options = asked(threads);
    options.in_terminal_states = {{termination, terminal}};
    options.keep_going = true;
    return options;
}

void expect_all(const asset::Search &search, bool whole) {
    EXPECT(search.stop() == Stop::complete && search.progress().states == Model::last + 1);
    EXPECT(search.findings().size() == 2 && search.findings()[0].requirement == invariance &&
           search.findings()[1].requirement == termination);
    for (const asset::Finding &each : search.findings())
        EXPECT(each.whole == whole && each.states.size() == (whole ? Model::bits + 1 : 1));
}

void a_search_that_keeps_going_has_the_run_to_each_violation() {
    for (unsigned threads : {1u, 2u}) {
        asset::Search search(Table<Model>::model, asked_for_all(threads));
        search.run();
        expect_all(search, true);
    }
}

void all_violations_are_told_if_the_second_search_is_interrupted() {
    asset::Search search(Table<Model>::model, asked_for_all(1));
    Model::begun = 0;
    Model::in_second = [&] { search.interrupt(); };
    search.run();
    Model::in_second = nullptr;
    expect_all(search, false);
}

} // namespace

int main(int argc, char **argv) {
    a_finding_has_its_run_though_its_states_were_given_up();
    a_search_that_keeps_going_has_the_run_to_each_violation();
    if (threads_only(argc, argv))
        return told();
    a_finding_is_told_if_the_disk_is_too_full_for_its_run();
    a_finding_has_its_run_if_there_is_no_place_for_files();
    a_finding_is_told_if_the_second_search_is_interrupted();
    all_violations_are_told_if_the_second_search_is_interrupted();
    return told();
}
