#include "acceptor.h"

namespace asset {

Acceptor::Acceptor(const Space &space, ReadGraph &graph)
    : graph_(graph), letters_(graph.letters()), modes_(letters_.modes()), after_(letters_.size() * modes_),
      for_ever_(letters_.classes()) {
    graph.spread(space);
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
        for_ever_[of_class] = those_with(Prospect::elsewhere, arrows);
        all.insert(all.end(), arrows.begin(), arrows.end());
    }
    promising_ = those_with(Prospect::here, all);
}

Modes Acceptor::those_with(Prospect least, std::span<const Arrow> arrows) const {
    const std::vector<Prospect> expected = prospects(modes_, arrows, wanted().accepting);
    Modes result = 0;
    for (unsigned mode = 0; mode < modes_; ++mode)
        result |= Modes{expected[mode] >= least} << mode;
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
