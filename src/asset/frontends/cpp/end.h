/* After the text of a model: what it has of the functions that a model may have, and what is made of them.
 *
 * Every name but those of these functions begins with asset_, since any other might be a macro of the model's.
 */
namespace asset_absent {
template <class... asset_t> asset_missing nr_transitions(asset_t...) { return {}; }
template <class... asset_t> asset_missing print_state(asset_t...) { return {}; }
template <class... asset_t> asset_missing check_state(asset_t...) { return {}; }
template <class... asset_t> asset_missing check_deadlock(asset_t...) { return {}; }
template <class... asset_t> asset_missing is_may_progress(asset_t...) { return {}; }
template <class... asset_t> asset_missing is_must_progress(asset_t...) { return {}; }
template <class... asset_t> asset_missing symmetry_representative(asset_t...) { return {}; }
inline asset_missing fire_transition(asset_anything) { return {}; }
inline asset_missing next_stubborn(asset_anything) { return {}; }
} // namespace asset_absent
using namespace asset_absent;

struct asset_functions {
#ifdef chk_state
    static constexpr bool asset_has_state = true;
#else
    static constexpr bool asset_has_state = false;
#endif
#ifdef chk_deadlock
    static constexpr bool asset_has_deadlock = true;
#else
    static constexpr bool asset_has_deadlock = false;
#endif
#ifdef chk_may_progress
    static constexpr bool asset_has_may = true;
#else
    static constexpr bool asset_has_may = false;
#endif
#ifdef chk_must_progress
    static constexpr bool asset_has_must = true;
#else
    static constexpr bool asset_has_must = false;
#endif
    static constexpr bool asset_has_rules = asset_present<decltype(next_stubborn(0u))>;
    static constexpr bool asset_has_symmetry = asset_present<decltype(symmetry_representative())>;

    static unsigned asset_initialise() { return asset_count(nr_transitions()); }
    static bool asset_fires(unsigned asset_transition) { return asset_holds(fire_transition(asset_transition)); }
    static const char *asset_state() { return asset_complaint(check_state()); }
    static const char *asset_deadlock() { return asset_complaint(check_deadlock()); }
    static bool asset_may() { return asset_holds(is_may_progress()); }
    static bool asset_must() { return asset_holds(is_must_progress()); }
    static void asset_rule(unsigned asset_transition) { next_stubborn(asset_transition); }
    static void asset_represents() { symmetry_representative(); }
    static void asset_prints() { print_state(); }
};

#ifdef ASSET_DESCRIBE

#define ASSET_TEXT_OF(asset_text) #asset_text
#define ASSET_TEXT(asset_macro) ASSET_TEXT_OF(asset_macro)

void asset_tell_switches(asset_description &);

int main(int, char **asset_arguments) {
    asset_description asset_told(asset_arguments[1]);
#define ASSET_TELL(asset_name, asset_call)                                                                             \
    if (asset_present<decltype(asset_call)>)                                                                           \
        asset_told.asset_tell("function", #asset_name);
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
    asset_told.asset_tell_model(asset_functions::asset_initialise);
}

#else

using asset_library = asset_exports<asset_functions>;
#define ASSET_EXPORTED extern "C" __attribute__((__visibility__("default"), __externally_visible__))

ASSET_EXPORTED const struct asset_model *asset_table() { return &asset_library::asset_table; }

/* Runs nr_transitions(), which may initialise. */
ASSET_EXPORTED void asset_begin() { asset_library::asset_begin(); }

ASSET_EXPORTED void asset_observe(void *asset_place) { asset_library::asset_observe(asset_place); }

/* From now on this call is not made, but is a model error; 0 where there are too many of them. */
ASSET_EXPORTED asset_integer asset_add_trap(asset_natural asset_what, asset_natural asset_number,
                                            asset_natural asset_code, const asset_word *asset_at) {
    return asset_library::asset_add_trap(asset_what, asset_number, asset_code, asset_at);
}

/* What was said of what went wrong; then it is forgotten. */
ASSET_EXPORTED void asset_said(char *asset_out, asset_word asset_room) {
    asset_library::asset_said(asset_out, asset_room);
}

/* Single calls, as those of the table: what a function returns, or minus the code of a model error. */
ASSET_EXPORTED asset_integer asset_fire(asset_word *asset_at, asset_natural asset_command) {
    return asset_library::asset_fire(asset_at, asset_command);
}
ASSET_EXPORTED asset_integer asset_evaluate(const asset_word *asset_at, asset_natural asset_predicate) {
    return asset_library::asset_evaluate(asset_at, asset_predicate);
}
ASSET_EXPORTED asset_long asset_oblige(const asset_word *asset_at, asset_natural asset_command,
                                       asset_natural *asset_out, asset_word asset_room) {
    return asset_library::asset_oblige(asset_at, asset_command, asset_out, asset_room);
}
ASSET_EXPORTED asset_integer asset_represent(asset_word *asset_at) { return asset_library::asset_represent(asset_at); }
ASSET_EXPORTED asset_integer asset_print(const asset_word *asset_at) { return asset_library::asset_print(asset_at); }

#endif
