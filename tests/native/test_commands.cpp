#include <set>

#include "commands.h"
#include "expect.h"
#include "fixtures.h"
#include "indexed_store.h"
#include "random.h"
#include "step_tables.h"

using namespace fixtures;

namespace {

// A space of the ring's first states, with stubborn sets by its rules.
template <class Use> void in_a_space_of_the_ring(bool stubborn, const Use &use) {
    using Model = Ring<4>;
    asset::Budget budget(std::size_t{1} << 30);
    const asset::Options options{.stubborn = stubborn};
    const asset::Effort effort(0);
    const asset::Widened widened;
    asset::Successors successors(budget, Table<Model>::model, options, effort, widened);
    asset::Arena arena(budget, 1);
    asset::IndexedStore<1, false> store(budget, arena, Table<Model>::model);
    asset::Arena::Writer writer(arena);
    std::vector<Word> pending = Table<Model>::initial();
    std::set<Word> found(pending.begin(), pending.end());
    for (std::size_t i = 0; i < pending.size() && pending.size() < 200; ++i)
        for (std::uint32_t command = 0; command < Model::commands; ++command)
            if (Word state = pending[i]; Model::fire(&state, command) == 1 && found.insert(state).second)
                pending.push_back(state);
    for (const Word &state : pending)
        store.table().insert(store.hasher()(&state), &state, writer);
    writer.publish();
    const std::atomic<bool> interrupted{false};
    asset::Unfolded room;
    use(asset::Space{Table<Model>::model, options, budget, interrupted, arena, successors, room});
}

// Whatever the stubborn set leaves out, all that are enabled can be fired, the last number first.
void what_a_stubborn_set_leaves_out_can_be_recovered() {
    std::size_t left_out = 0;
    for (const bool stubborn : {false, true})
        in_a_space_of_the_ring(stubborn, [&](const asset::Space &space) {
            const asset::Commands commands(space);
            for (asset::Id id = 0; id < space.arena.end(); ++id) {
                asset::Successors &successors = space.successors;
                successors.expand(space.arena, {id, 1});
                const std::size_t fired = successors.edges();
                successors.expand(space.arena, {id, 1}, asset::Sets::everything);
                const std::uint32_t *all = successors.commands(successors.edges());
                for (std::size_t edge = 0; edge < successors.edges(); ++edge) {
                    Word after = *space.arena[id];
                    EXPECT(space.model.fire(&after, all[edge]) == 1 && after == *successors.successor(edge));
                }
                const std::vector<std::uint32_t> enabled = commands.enabled(id);
                EXPECT(std::set<std::uint32_t>(all, all + successors.edges()) ==
                       std::set<std::uint32_t>(enabled.begin(), enabled.end()));
                EXPECT(successors.edges() == enabled.size());
                EXPECT(stubborn || successors.edges() == fired);
                left_out += successors.edges() - fired;
            }
        });
    EXPECT(left_out > 0);
}

void commands_of_edges_are_those_that_lead_along_them() {
    in_a_space_of_the_ring(true, [](const asset::Space &space) {
        std::vector<std::uint32_t> named;
        asset::Commands(space).for_each_edge([&](asset::Edge edge, std::uint32_t command) {
            EXPECT(edge == named.size());
            named.push_back(command);
        });
        std::size_t edge = 0;
        for (asset::Id id = 0; id < space.arena.end(); ++id) {
            space.successors.expand(space.arena, {id, 1});
            for (std::size_t i = 0; i < space.successors.edges(); ++i) {
                Word after = *space.arena[id];
                EXPECT(space.model.fire(&after, named[edge++]) == 1 && after == *space.successors.successor(i));
            }
        }
        EXPECT(edge == named.size());
    });
}

// What a command of the ring touches: its own station and, if it is a server's, the next one. Of one command nothing is
// said.
template <class Model> std::vector<asset::TouchedBits> touched_in_the_ring(unsigned n) {
    std::vector<asset::TouchedBits> touched;
    const auto touch = [&](std::uint32_t command, unsigned i) {
        touched.push_back({command, i % Model::words, Word{31} << Model::shift(i)});
    };
    for (std::uint32_t command = 0; command < Model::commands; ++command) {
        if (command == n)
            continue;
        touch(command, command % n);
        if (command >= 2 * n)
            touch(command, (command + 1) % n);
    }
    return touched;
}

void look_ups_tell_what_is_enabled_and_what_it_changes(bool gathers) {
    constexpr unsigned n = 24;
    constexpr std::size_t lanes = 3, told = 2;
    using Model = Ring<n, 2>;
    asset::StepTables tables(Table<Model>::model, touched_in_the_ring<Model>(n), gathers);
    EXPECT(tables.pay());
    asset::Random random(1, 0);
    std::vector<Word> states(lanes * Model::words);
    for (std::size_t lane = 0; lane < lanes; ++lane)
        Model::initial(&states[lane * Model::words]);
    for (int step = 0; step < 3000; ++step) {
        std::uint64_t enabled[lanes * told];
        EXPECT(tables.tell_enabled(states.data(), lanes, enabled));
        for (std::size_t lane = 0; lane < lanes; ++lane) {
            Word *state = &states[lane * Model::words];
            std::vector<std::uint32_t> fired;
            for (std::uint32_t command = 0; command < Model::commands; ++command) {
                Word after[] = {state[0], state[1]}, looked_up[] = {state[0], state[1]};
                const bool fires = Model::fire(after, command) == 1;
                EXPECT((enabled[lane * told + command / 64] >> command % 64 & 1) == fires);
                if (!fires)
                    continue;
                fired.push_back(command);
                tables.fire(looked_up, command);
                EXPECT(std::equal(after, after + 2, looked_up));
            }
            if (fired.empty())
                Model::initial(state);
            else
                tables.fire(state, fired[random.below(static_cast<std::uint32_t>(fired.size()))]);
        }
    }
}

// There is room for all commands being enabled in each source; but of many commands few are, and so little is counted.
// Where memory is scarce, there is as much room as is counted.
void many_sources_are_expanded_together_although_there_are_many_commands() {
    asset_model model = Table<Ring<4>>::model;
    model.nr_commands = 1600;
    model.state_words = 19;
    const asset::Effort effort(0);
    const asset::Widened widened;
    asset::Budget plenty(std::size_t{1} << 34), scarce(std::size_t{2} << 20);
    const asset::Successors many(plenty, model, {}, effort, widened), few(scarce, model, {}, effort, widened);
    EXPECT(many.capacity() >= 100);
    EXPECT(plenty.used() <= std::size_t{2} << 20);
    EXPECT(few.capacity() < 8);
    EXPECT(scarce.used() >= few.capacity() * model.nr_commands * model.state_words * sizeof(asset::Word));
}

} // namespace

int main(int argc, char **argv) {
    if (threads_only(argc, argv))
        return told();
    what_a_stubborn_set_leaves_out_can_be_recovered();
    commands_of_edges_are_those_that_lead_along_them();
    many_sources_are_expanded_together_although_there_are_many_commands();
    look_ups_tell_what_is_enabled_and_what_it_changes(false);
    if (asset::gathers_fast())
        look_ups_tell_what_is_enabled_and_what_it_changes(true);
    return told();
}
