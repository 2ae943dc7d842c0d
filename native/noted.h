// Violations that a search goes on after.
#pragma once

#include <algorithm>
#include <mutex>
#include <vector>

#include "search.h"

namespace asset {

// The way to it is looked for when no batch is needed any more.
struct Noted {
    Finding finding;
    std::uint64_t level = 0;

    template <class Archive> void archive(Archive &archive) { archive(finding, level); }
};

// In the order in which they were found, by whatever thread.
class NotedFindings {
  public:
    // Another thread may have found the same before.
    void add(Noted found) {
        const std::lock_guard lock(adding_);
        const auto is_same = [&](const Noted &each) { return each.finding.requirement == found.finding.requirement; };
        if (std::ranges::none_of(noted_, is_same))
            noted_.push_back(std::move(found));
    }

    // While nobody adds to them.
    std::vector<Noted> &all() { return noted_; }
    template <class Archive> void archive(Archive &archive) { archive(noted_); }

  private:
    std::mutex adding_;
    std::vector<Noted> noted_;
};

} // namespace asset
