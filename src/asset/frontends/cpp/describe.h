/* State variables that hold their values themselves, for the program that tells what a model has. */
#pragma once

namespace asset {

struct nothing {};

class cell_of_any : public operators<cell_of_any, nothing> {
  public:
    static constexpr std::size_t cells = 1;
    constexpr explicit cell_of_any(std::size_t) {}
    cell_of_any(const cell_of_any &) = delete;

    unsigned get() const { return value_; }
    void set(unsigned value) const {
        if (value >> bits_ % 32 && bits_ < 32)
            fail(range_fault, "%u does not fit %u bits", value, bits_);
        value_ = value;
    }
    const cell_of_any &operator=(unsigned value) const { return assign(value); }
    const cell_of_any &operator=(const cell_of_any &other) const { return assign(other.get()); }

    void has(unsigned bits) const { bits_ = bits; }

  private:
    mutable unsigned value_ = 0;
    mutable unsigned bits_ = 8;
};

template <unsigned> using cell = cell_of_any;

struct described {
    unsigned number;
    const char *name;
    long bits;
    std::vector<std::size_t> dims;
    std::vector<const cell_of_any *> cells;
};

inline std::vector<described> &variables() {
    static std::vector<described> all;
    return all;
}

inline void collect(const cell_of_any &one, described &into) {
    one.has(static_cast<unsigned>(into.bits));
    into.cells.push_back(&one);
}
template <class Item, std::size_t count> void collect(const row<Item, count> &many, described &into) {
    for (const Item &item : many)
        collect(item, into);
}

template <unsigned k, std::size_t... dims> class variable : public shape<cell_of_any, dims...>::type {
    using base = typename shape<cell_of_any, dims...>::type;

  public:
    using base::operator=;

    variable(const char *name, long bits) : base(0) {
        variables().push_back({k, name, bits, {dims...}, {}});
        collect(static_cast<const base &>(*this), variables().back());
    }
};

inline bool is_initial() { return true; }
inline bool is_zero() {
    for (const described &each : variables())
        for (const cell_of_any *one : each.cells)
            if (one->get())
                return false;
    return true;
}
inline void stb() {}
inline void stb(unsigned) {}
inline void stb(unsigned, unsigned) {}
inline void stb(unsigned, unsigned, unsigned) {}
inline void stb(unsigned, unsigned, unsigned, unsigned) {}
inline void stb_all() {}

#ifdef __linux__
extern "C" int prctl(int, ...); /* not its header, whose names a model may use for itself */
#endif

/* Writes what there is, a line for each thing, its words separated by tabs. */
class description {
  public:
    explicit description(const char *file) : out_(std::fopen(file, "w")) {
#ifdef __linux__
        prctl(1, 9); /* PR_SET_PDEATHSIG, SIGKILL: nr_transitions() may run for ever, and who would end it be ended */
#endif
    }
    ~description() { std::fclose(out_); }

    void asset_tell(const char *what, const char *name, const char *text = "") {
        std::fprintf(out_, "%s\t%s\t%s\n", what, name, text);
    }

    template <class Count> void asset_tell_model(Count count) {
        for (const described &each : variables()) {
            std::fprintf(out_, "variable\t%u\t%s\t%ld", each.number, each.name, each.bits);
            for (const std::size_t dim : each.dims)
                std::fprintf(out_, "\t%zu", dim);
            std::fprintf(out_, "\n");
        }
        std::fflush(out_);
        try {
            std::fprintf(out_, "transitions\t%u\n", static_cast<unsigned>(count()));
            for (const described &each : variables())
                for (const cell_of_any *one : each.cells)
                    std::fprintf(out_, "initial\t%u\n", one->get());
        } catch (...) {
            reason();
            asset_tell("fault", said.text);
        }
    }

  private:
    std::FILE *out_;
};

} // namespace asset

using asset_description = asset::description;
