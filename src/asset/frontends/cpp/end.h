/* After the text of a model: what it has of the functions that a model may have, and what is made of them.
 *
 * Every name of ours begins with asset_, since any other might be a macro of the model's.
 */
namespace asset_absent {
template <class... asset_t> ::asset::absent nr_transitions(asset_t...) { return {}; }
inline ::asset::absent fire_transition(::asset::anything) { return {}; }
template <class... asset_t> ::asset::absent print_state(asset_t...) { return {}; }
template <class... asset_t> ::asset::absent check_state(asset_t...) { return {}; }
template <class... asset_t> ::asset::absent check_deadlock(asset_t...) { return {}; }
template <class... asset_t> ::asset::absent is_may_progress(asset_t...) { return {}; }
template <class... asset_t> ::asset::absent is_must_progress(asset_t...) { return {}; }
inline ::asset::absent next_stubborn(::asset::anything) { return {}; }
template <class... asset_t> ::asset::absent symmetry_representative(asset_t...) { return {}; }
} // namespace asset_absent
using namespace asset_absent;

#define ASSET_IS(asset_call) (!std::is_same_v<decltype(asset_call), ::asset::absent>)

struct asset_functions {
#ifdef chk_state
    static constexpr bool has_state = true;
#else
    static constexpr bool has_state = false;
#endif
#ifdef chk_deadlock
    static constexpr bool has_deadlock = true;
#else
    static constexpr bool has_deadlock = false;
#endif
#ifdef chk_may_progress
    static constexpr bool has_may = true;
#else
    static constexpr bool has_may = false;
#endif
#ifdef chk_must_progress
    static constexpr bool has_must = true;
#else
    static constexpr bool has_must = false;
#endif
    static constexpr bool has_rules = ASSET_IS(next_stubborn(0u));
    static constexpr bool has_symmetry = ASSET_IS(symmetry_representative());

    static bool fire(unsigned asset_transition) { return ::asset::holds(fire_transition(asset_transition)); }
    static const char *state() { return ::asset::complaint(check_state()); }
    static const char *deadlock() { return ::asset::complaint(check_deadlock()); }
    static bool may() { return ::asset::holds(is_may_progress()); }
    static bool must() { return ::asset::holds(is_must_progress()); }
    static void rule(unsigned asset_transition) { next_stubborn(asset_transition); }
    static void represent() { symmetry_representative(); }
};

#ifdef ASSET_DESCRIBE

#define ASSET_TEXT_OF(asset_text) #asset_text
#define ASSET_TEXT(asset_macro) ASSET_TEXT_OF(asset_macro)

void asset_tell_switches(::asset::description &);

int main(int, char **asset_arguments) {
    ::asset::description asset_told(asset_arguments[1]);
#define ASSET_TELL(asset_name, asset_call)                                                                             \
    if (ASSET_IS(asset_call))                                                                                          \
        asset_told.tell("function", #asset_name);
    ASSET_TELL(nr_transitions, nr_transitions())
    ASSET_TELL(fire_transition, fire_transition(0u))
    ASSET_TELL(print_state, print_state())
    ASSET_TELL(check_state, check_state())
    ASSET_TELL(check_deadlock, check_deadlock())
    ASSET_TELL(is_may_progress, is_may_progress())
    ASSET_TELL(is_must_progress, is_must_progress())
    ASSET_TELL(next_stubborn, next_stubborn(0u))
    ASSET_TELL(symmetry_representative, symmetry_representative())
    asset_tell_switches(asset_told);
    asset_told.tell_model([] { return ::asset::number(nr_transitions()); });
}

#else

#define ASSET_EXPORTED __attribute__((__visibility__("default"), __externally_visible__))
extern "C" {

ASSET_EXPORTED const struct asset_model *asset_table() { return &::asset::table<asset_functions>::value; }

/* Runs nr_transitions(), which may initialise. A search then begins in `asset_state`. */
ASSET_EXPORTED void asset_begin(const std::uint64_t *asset_state) {
    nr_transitions();
    ::asset::copy(::asset::initialised, ::asset::current);
    ::asset::copy(::asset::start, asset_state);
}

ASSET_EXPORTED void asset_observe(void *asset_place) {
    ::asset::observed = static_cast<::asset::activity *>(asset_place);
}

/* From now on this call is not made, but is a model error; 0 where there are too many of them. */
ASSET_EXPORTED std::int32_t asset_add_trap(std::uint32_t asset_what, std::uint32_t asset_number,
                                           std::uint32_t asset_code, const std::uint64_t *asset_state) {
    if (::asset::nr_traps == std::size(::asset::traps))
        return 0;
    ::asset::trap &asset_one = ::asset::traps[::asset::nr_traps++];
    asset_one.what = asset_what;
    asset_one.number = asset_number;
    asset_one.code = asset_code;
    ::asset::copy(asset_one.state, asset_state);
    return 1;
}

/* What was said of what went wrong; then it is forgotten. */
ASSET_EXPORTED void asset_said(char *asset_out, std::uint64_t asset_room) {
    std::snprintf(asset_out, asset_room, "%s", ::asset::said.text);
    ::asset::said.text[0] = 0;
    ::asset::said.taken.clear();
}

/* Single calls, as those of the table: what a function returns, or minus the code of a model error. */
ASSET_EXPORTED std::int32_t asset_fire(std::uint64_t *asset_state, std::uint32_t asset_command) {
    return asset_table()->fire(asset_state, asset_command);
}

ASSET_EXPORTED std::int32_t asset_label(const std::uint64_t *asset_state, std::uint32_t asset_kind) {
    std::uint64_t asset_out = 0;
    asset_fault asset_wrong{};
    asset_table()->labels[asset_kind](asset_state, 1, &asset_out, &asset_wrong);
    return asset_wrong.code ? -static_cast<std::int32_t>(asset_wrong.code) : static_cast<std::int32_t>(asset_out);
}

ASSET_EXPORTED std::int64_t asset_oblige(const std::uint64_t *asset_state, std::uint32_t asset_command,
                                         std::uint32_t *asset_out, std::uint64_t asset_room) {
    return asset_table()->obligations(asset_state, asset_command, asset_out, asset_room);
}

ASSET_EXPORTED std::int32_t asset_represent(std::uint64_t *asset_state) {
    asset_fault asset_wrong{};
    asset_table()->representatives(asset_state, 1, &asset_wrong);
    return -static_cast<std::int32_t>(asset_wrong.code);
}

ASSET_EXPORTED std::int32_t asset_print(const std::uint64_t *asset_state) {
    std::int32_t asset_result = 0;
    ::asset::enter(asset_state, ::asset::printing, 0);
    try {
        print_state();
    } catch (...) {
        asset_result = -static_cast<std::int32_t>(::asset::reason());
    }
    std::cout << std::flush;
    std::fflush(stdout);
    ::asset::leave();
    return asset_result;
}

} // extern "C"

#endif
