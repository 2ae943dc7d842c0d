// Code for states of a width that is known when it is compiled: their words are gone through without loops.
#pragma once

#include <cstddef>
#include <type_traits>
#include <utility>

#include "simd.h"

namespace asset {

// Calls `use` with so many words as a constant if they are among these, else with 0.
template <std::size_t... Known, class Use>
bool with_width(std::size_t words, std::index_sequence<Known...>, const Use &use) {
    bool result = false;
    const bool known = ((words == Known && (result = use(std::integral_constant<std::size_t, Known>()), true)) || ...);
    return known ? result : use(std::integral_constant<std::size_t, 0>());
}

// What works with states of any width, for those of this one, if it can be had.
template <std::size_t Words, class Any> ASSET_INLINE auto of_width(const Any &any) {
    if constexpr (Words != 0 && requires { any.template of_width<Words>(); })
        return any.template of_width<Words>();
    else
        return any;
}

} // namespace asset
