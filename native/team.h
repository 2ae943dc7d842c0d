// Work that is done by several threads at once, and is over when all have done their part.
#pragma once

#include <exception>
#include <memory>
#include <mutex>
#include <system_error>
#include <thread>
#include <vector>

namespace asset {

// Has each member of the team work, the first one in this thread. If one fails, that is told when all have ended.
template <class Member, class Work>
void in_threads(const std::vector<std::unique_ptr<Member>> &team, const Work &work) {
    std::exception_ptr failure;
    std::mutex access;
    const auto guarded = [&](Member &member) {
        try {
            work(member);
        } catch (...) {
            const std::scoped_lock lock(access);
            failure = std::current_exception();
        }
    };
    {
        std::vector<std::jthread> others;
        for (std::size_t i = 1; i < team.size(); ++i) {
            try {
                others.emplace_back([&guarded, member = team[i].get()] { guarded(*member); });
            } catch (const std::system_error &) { // no more threads: this one does its work, too
                guarded(*team[i]);
            }
        }
        guarded(*team[0]);
    }
    if (failure)
        std::rethrow_exception(failure);
}

} // namespace asset
