// A search that is ended at any moment goes on from its file, and ends as if it had never been ended.
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <random>
#include <thread>

#include "expect.h"
#include "fixtures.h"
#include "progress.h"
#include "search.h"

using asset::Options;
using asset::Stop;
using namespace fixtures;

namespace {

constexpr std::int32_t invariance = 10, good_end = 11, must_progress = 13;

std::mt19937 random_numbers(7);

// In memory if that can be had: what is tested is not the disk.
std::string file() {
    const std::filesystem::path memory = "/dev/shm";
    const bool has = std::filesystem::exists(memory);
    return (has ? memory : std::filesystem::temp_directory_path()) / ("asset-checkpoint-" + std::to_string(getpid()));
}

template <class Model> Options asked(unsigned threads) {
    Options options{.starts = Table<Model>::initial(),
                    .in_states = {{invariance, invariant}},
                    .in_terminal_states = {{good_end, terminal}},
                    .threads = threads};
    options.few_bytes = 1; // states that were expanded are given up at once, if they are not needed
    return options;
}

Options kept(Options options, bool resume, double every) {
    options.checkpoint = {file(), "what is searched", every, resume};
    return options;
}

// Runs the search in another process, which is killed after a while if that is given. Whether it came to its end.
bool run_in_child(const asset_model &model, const Options &options, unsigned microseconds) {
    const pid_t child = fork();
    if (child == 0) {
        asset::Search search(model, options);
        search.run();
        _exit(0);
    }
    std::this_thread::sleep_for(std::chrono::microseconds(microseconds));
    kill(child, SIGKILL);
    int status = 0;
    waitpid(child, &status, 0);
    return WIFEXITED(status);
}

void expect_same(const asset::Search &found, const asset::Search &expected, bool in_order) {
    EXPECT(found.stop() == expected.stop());
    EXPECT(found.progress().depth == expected.progress().depth);
    EXPECT(found.levels() == expected.levels());
    EXPECT(found.progress().states == expected.progress().states);
    EXPECT(found.progress().edges == expected.progress().edges);
    EXPECT(found.progress().terminal_states == expected.progress().terminal_states);
    EXPECT((found.finding() != nullptr) == (expected.finding() != nullptr));
    if (found.finding() && expected.finding() && in_order) {
        EXPECT(found.finding()->commands == expected.finding()->commands);
        EXPECT(found.finding()->states == expected.finding()->states);
    }
}

// The search is killed again and again, at random moments, until it has had the last chance to get on.
template <class Model> void expect_survival(const Options &options, unsigned kills) {
    const asset_model &model = Table<Model>::model;
    asset::Search expected(model, options);
    expected.run();
    std::filesystem::remove(file());
    for (unsigned i = 0; i < kills; ++i) {
        const bool resume = std::filesystem::exists(file());
        if (run_in_child(model, kept(options, resume, 0.0005), 500 + random_numbers() % 20000))
            break;
    }
    asset::Search last(model, kept(options, std::filesystem::exists(file()), 1000));
    last.run();
    expect_same(last, expected, true);
    EXPECT(last.budget().used() == 0);
    std::filesystem::remove(file());
}

void searches_survive_being_killed() {
    for (const unsigned threads : {1u, 2u}) {
        expect_survival<Ring<6>>(asked<Ring<6>>(threads), 6);
        expect_survival<Ring<5, 3>>(asked<Ring<5, 3>>(threads), 4);
        expect_survival<Ring<5, 9>>(asked<Ring<5, 9>>(threads), 4);
        expect_survival<Ring<6, 2>>(asked<Ring<6, 2>>(threads), 4);
        expect_survival<Ring<6, 1, Flaw::asks_for_nothing>>(asked<Ring<6, 1, Flaw::asks_for_nothing>>(threads), 4);
        Options progress = asked<Ring<5>>(threads);
        progress.on_graph = {{must_progress, static_cast<std::uint32_t>(asset::Rule::must_progress), {must}, {}, true}};
        expect_survival<Ring<5>>(progress, 5);
        Options stubborn = asked<Ring<6>>(threads);
        stubborn.stubborn = stubborn.symmetry = true;
        expect_survival<Ring<6>>(stubborn, 3);
    }
}

// Each batch is followed by a checkpoint, and the search is interrupted after some of them.
void an_interrupted_search_goes_on() {
    for (const unsigned threads : {1u, 2u}) {
        const Options options = asked<Ring<5>>(threads);
        asset::Search expected(Table<Ring<5>>::model, options);
        expected.run();
        std::filesystem::remove(file());
        asset::Search first(Table<Ring<5>>::model, kept(options, false, 1000));
        first.interrupt();
        first.run();
        EXPECT(first.stop() == Stop::interrupted && std::filesystem::exists(file()));
        asset::Search second(Table<Ring<5>>::model, kept(options, true, 0));
        second.run();
        expect_same(second, expected, true);
        asset::Search third(Table<Ring<5>>::model, kept(options, true, 1000));
        third.run();
        expect_same(third, expected, true);
    }
    std::filesystem::remove(file());
}

bool is_refused(const Options &options) {
    try {
        asset::Search search(Table<Ring<5>>::model, options);
        search.run();
    } catch (const asset::SnapshotFailed &) {
        return true;
    }
    return false;
}

void what_is_not_whole_is_refused() {
    const Options options = asked<Ring<5>>(1);
    EXPECT(is_refused(kept(options, true, 1000))); // there is none
    asset::Search search(Table<Ring<5>>::model, kept(options, false, 0));
    search.run();
    EXPECT(!is_refused(kept(options, true, 1000)));
    EXPECT(is_refused(kept(asked<Ring<5>>(2), true, 1000)));
    const std::uintmax_t size = std::filesystem::file_size(file());
    for (const std::uintmax_t at : {std::uintmax_t{0}, std::uintmax_t{100}, size / 2, size - 1}) {
        std::fstream damaged(file(), std::ios::in | std::ios::out | std::ios::binary);
        damaged.seekg(static_cast<std::streamoff>(at));
        const char byte = static_cast<char>(damaged.get());
        const auto put = [&](char value) {
            damaged.seekp(static_cast<std::streamoff>(at));
            damaged.put(value).flush();
        };
        put(static_cast<char>(byte ^ 4));
        EXPECT(is_refused(kept(options, true, 1000)));
        put(byte);
    }
    for (const std::uintmax_t shorter : {size - 1, size / 2, std::uintmax_t{3}, std::uintmax_t{0}}) {
        std::filesystem::resize_file(file(), shorter);
        EXPECT(is_refused(kept(options, true, 1000)));
    }
    std::filesystem::remove(file());
}

// For a full disk stands a limit on the size of files.
void a_full_disk_ends_no_search() {
    signal(SIGXFSZ, SIG_IGN);
    rlimit usual;
    getrlimit(RLIMIT_FSIZE, &usual);
    const Options options = asked<Ring<5>>(1);
    asset::Search first(Table<Ring<5>>::model, kept(options, false, 1000));
    first.interrupt();
    first.run();
    EXPECT(first.checkpoints().failure().empty());
    const rlimit small{1 << 10, usual.rlim_max};
    setrlimit(RLIMIT_FSIZE, &small);
    asset::Search second(Table<Ring<5>>::model, kept(options, true, 0));
    second.run();
    setrlimit(RLIMIT_FSIZE, &usual);
    EXPECT(second.stop() == Stop::complete && !second.checkpoints().failure().empty());
    EXPECT(!is_refused(kept(options, true, 1000))); // the last whole one is still there
    EXPECT(!std::filesystem::exists(file() + ".new"));
    std::filesystem::remove(file());
}

} // namespace

int main() {
    searches_survive_being_killed();
    an_interrupted_search_goes_on();
    what_is_not_whole_is_refused();
    a_full_disk_ends_no_search();
    return told();
}
