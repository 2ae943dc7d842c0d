/* What a .model file may use: state_var, err_msg, stb, stb_all, is_initial, is_zero, and the headers that such files
 * use without including them. The front end puts it before the text of the model; end.h comes after.
 *
 * It is compiled twice. With ASSET_DESCRIBE it makes a program that tells what variables and how many transitions the
 * model has. From that the front end chooses where in the state each variable is, and the model is compiled again with
 * these places as constants: then to read a variable is to shift and mask a word.
 *
 * Macros of the model cannot change the meaning of this file, as it comes first; names in end.h begin with asset_.
 */
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdarg>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <iostream>
#include <iterator>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace asset {

/* Model errors, as in asset.ir.faults.FaultKind. */
enum : std::uint32_t { range_fault = 1, index_fault = 2, division_fault = 3, raise_fault = 7, changed_fault = 10 };

/* What is thrown where a model goes wrong. */
struct fault {
    std::uint32_t code;
};

/* What was said first of what is wrong, until it is taken: that is what a search ends with. */
struct saying {
    std::atomic_flag taken = ATOMIC_FLAG_INIT;
    char text[1024] = "";
};
inline saying said;

[[gnu::cold, gnu::noinline]] inline void say(const char *text) {
    if (!said.taken.test_and_set())
        std::snprintf(said.text, sizeof said.text, "%s", text);
}

[[noreturn, gnu::cold, gnu::noinline]] inline void fail(std::uint32_t code, const char *format, ...) {
    char text[sizeof said.text];
    va_list arguments;
    va_start(arguments, format);
    std::vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    say(text);
    throw fault{code};
}

/* The code of the exception being handled. */
[[gnu::cold, gnu::noinline]] inline std::uint32_t reason() {
    try {
        throw;
    } catch (const fault &known) {
        return known.code;
    } catch (const std::exception &thrown) {
        say(thrown.what());
    } catch (...) {
        say("an exception that is no std::exception");
    }
    return raise_fault;
}

/* Assigning a text to it is a model error. */
struct error_message {
    const error_message &operator=(const char *text) const {
        if (text)
            fail(raise_fault, "%s", text);
        return *this;
    }
    const error_message &operator=(const std::string &text) const { return *this = text.c_str(); }
    operator const char *() const { return nullptr; }
};

/* The operators of a state variable, from what `Self` has: get() and set(value). Values are of type unsigned. */
template <class Self, class Base> class operators : public Base {
  public:
    using Base::Base;

    operator unsigned() const { return self().get(); }

    const Self &operator++() const { return assign(self().get() + 1); }
    const Self &operator--() const { return assign(self().get() - 1); }
    const Self &operator+=(unsigned other) const { return assign(self().get() + other); }
    const Self &operator-=(unsigned other) const { return assign(self().get() - other); }
    const Self &operator*=(unsigned other) const { return assign(self().get() * other); }
    const Self &operator/=(unsigned other) const { return assign(self().get() / divisor(other)); }
    const Self &operator%=(unsigned other) const { return assign(self().get() % divisor(other)); }
    const Self &operator&=(unsigned other) const { return assign(self().get() & other); }
    const Self &operator|=(unsigned other) const { return assign(self().get() | other); }
    const Self &operator^=(unsigned other) const { return assign(self().get() ^ other); }

  protected:
    const Self &assign(unsigned value) const {
        self().set(value);
        return self();
    }

  private:
    const Self &self() const { return static_cast<const Self &>(*this); }

    static unsigned divisor(unsigned value) {
        if (value == 0)
            fail(division_fault, "a division by zero");
        return value;
    }
};

/* `count` things in a row, whose index is checked. The first of them is number `first` of all. */
template <class Item, std::size_t count> class row {
  public:
    static constexpr std::size_t cells = count * Item::cells;

    constexpr explicit row(std::size_t first) : row(first, std::make_index_sequence<count>()) {}
    row(const row &) = delete;

    template <class Index> const Item &operator[](const Index &index) const {
        const auto at = static_cast<std::size_t>(index);
        if (at >= count)
            fail(index_fault, "index %lld is out of bounds: there are %zu", static_cast<long long>(at), count);
        return items_[at];
    }
    operator const Item *() const { return items_; }
    const Item *begin() const { return items_; }
    const Item *end() const { return items_ + count; }
    std::size_t size() const { return count; }

  private:
    template <std::size_t... i>
    constexpr row(std::size_t first, std::index_sequence<i...>) : items_{Item(first + i * Item::cells)...} {}

    Item items_[count];
};

template <class Cell, std::size_t... dims> struct shape {
    using type = Cell;
};
template <class Cell, std::size_t first, std::size_t... rest> struct shape<Cell, first, rest...> {
    using type = row<typename shape<Cell, rest...>::type, first>;
};

/* What a function of the model is where the model has none, and what it takes: anything, but rather let another. */
struct absent {};
struct anything {
    template <class Value> anything(const Value &) {}
};

} // namespace asset

/* What end.h needs, by names that are no macros of the model. */
using asset_missing = asset::absent;
using asset_anything = asset::anything;
template <class asset_type> constexpr bool asset_present = !std::is_same_v<asset_type, asset_missing>;
inline bool asset_holds(asset_missing) { return true; }
inline bool asset_holds(bool value) { return value; }
inline const char *asset_complaint(asset_missing) { return nullptr; }
inline const char *asset_complaint(const char *text) { return text; }
inline unsigned asset_count(asset_missing) { return 0; }
inline unsigned asset_count(unsigned value) { return value; }

static const asset::error_message err_msg{};

#ifdef ASSET_DESCRIBE
#include "describe.h"
#else
#include "packed.h"
#endif

using state_var = const asset::cell_of_any;
template <unsigned k, std::size_t... dims> using asset_variable = asset::variable<k, dims...>;
using asset::is_initial;
using asset::is_zero;
using asset::stb;
using asset::stb_all;
