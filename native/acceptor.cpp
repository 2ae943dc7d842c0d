#include "acceptor.h"

namespace asset {

Acceptor::Acceptor(ReadGraph &graph)
    : graph_(graph), letters_(graph.letters()), modes_(letters_.modes()), after_(letters_.size() * modes_),
      for_ever_(letters_.classes()) {
    graph.spread();
    for (std::uint32_t letter = 0; letter < letters_.size(); ++letter)
        for (std::uint32_t mode = 0; mode < modes_; ++mode)
            for (const Letters::Step &step : letters_.steps(letter, mode))
                after_[std::size_t{letter} * modes_ + mode] |= Modes{1} << step.target;
    std::vector<Arrow> all, arrows;
    for (std::uint32_t of_class = 0; of_class < letters_.classes(); ++of_class) {
        arrows.clear();
        for (std::uint32_t mode = 0; mode < modes_; ++mode)
            for (const Letters::Step &step : letters_.steps_of_class(of_class, mode))
                arrows.push_back({mode, step.target, step.marks});
        for_ever_[of_class] = accepting(arrows, true);
        all.insert(all.end(), arrows.begin(), arrows.end());
    }
    promising_ = accepting(all, false);
}

// A mode is on an accepting cycle if the modes that reach each other with it have all marks between them.
Modes Acceptor::accepting(std::span<const Arrow> arrows, bool leading) const {
    std::vector<Modes> reached(modes_);
    for (const Arrow &arrow : arrows)
        reached[arrow.source] |= Modes{1} << arrow.target;
    for (unsigned over = 0; over < modes_; ++over)
        for (unsigned mode = 0; mode < modes_; ++mode)
            if (reached[mode] >> over & 1)
                reached[mode] |= reached[over];
    Modes cyclic = 0;
    for (unsigned mode = 0; mode < modes_; ++mode) {
        std::uint64_t marks = 0;
        for (const Arrow &arrow : arrows)
            if ((arrow.source == mode || reached[mode] >> arrow.source & 1) &&
                (arrow.target == mode || reached[arrow.target] >> mode & 1))
                marks |= arrow.marks;
        if (reached[mode] >> mode & 1 && marks == wanted().accepting)
            cyclic |= Modes{1} << mode;
    }
    Modes result = cyclic;
    for (unsigned mode = 0; leading && mode < modes_; ++mode)
        if (reached[mode] & cyclic)
            result |= Modes{1} << mode;
    return result;
}

Marks Acceptor::marks(Edge edge, unsigned from, unsigned to) const {
    const std::uint32_t letter = graph_.letter(edge);
    Marks result = letters_.fairness(letter);
    for (const Letters::Step &step : letters_.steps(letter, from))
        if (step.target == to)
            result.accepting |= step.marks;
    return result;
}

} // namespace asset
