// When a search is written to a file (snapshot.h), and the one that it goes on from.
#pragma once

#include <chrono>
#include <functional>
#include <new>
#include <optional>
#include <string>

#include "snapshot.h"

namespace asset {

struct CheckpointOptions {
    std::string file{};  // none if it is empty
    std::string told{};  // what is searched, for the caller
    double every = 300;  // seconds
    bool resume = false; // the search goes on from what is in the file
};

class Checkpoints {
  public:
    // `begin` writes what comes before a search itself.
    Checkpoints(const CheckpointOptions &options, std::function<void(SnapshotWriter &)> begin)
        : options_(options), begin_(std::move(begin)) {
        if (options.resume)
            resumed_.emplace(options.file);
    }

    bool wanted() const { return !options_.file.empty(); }
    bool due() const {
        return wanted() && std::chrono::duration<double>(Clock::now() - last_).count() >= options_.every;
    }

    // What the search goes on from, as long as nobody has taken it.
    std::optional<SnapshotReader> &resumed() { return resumed_; }

    // A file that cannot be written does not end the search: the last one is still there.
    template <class Save> void write(const Save &save) {
        try {
            SnapshotWriter out(options_.file, options_.told);
            begin_(out);
            save(out);
            out.finish();
            failure_.clear();
        } catch (const SnapshotFailed &failed) {
            failure_ = failed.what();
        } catch (const std::bad_alloc &) {
            failure_ = "there is no memory for it";
        }
        last_ = Clock::now();
    }

    // Why the last one could not be written; empty if it was.
    const std::string &failure() const { return failure_; }

  private:
    using Clock = std::chrono::steady_clock;

    const CheckpointOptions options_;
    const std::function<void(SnapshotWriter &)> begin_;
    std::optional<SnapshotReader> resumed_;
    Clock::time_point last_ = Clock::now();
    std::string failure_;
};

} // namespace asset
