// States in files: written one after the other, read one after the other, never at random.
#pragma once

#include <algorithm>
#include <cstdio>
#include <memory>
#include <stdexcept>
#include <string>

#include "arena.h"

namespace asset {

// A file cannot be written or read, most likely as the disk is full.
struct SpillFailed : std::runtime_error {
    using std::runtime_error::runtime_error;
};

// A file of the folder that nobody else sees; it is gone when this is, even if the process is killed, on systems where
// files can be removed while they are open.
class SpillFile {
  public:
    explicit SpillFile(const std::string &folder);
    SpillFile(const SpillFile &) = delete;
    ~SpillFile();

    std::uint64_t words() const { return words_; }
    void append(const Word *words, std::size_t count);
    void read(std::uint64_t first, Word *words, std::size_t count) const;

  private:
    [[noreturn]] void fail(const char *what) const;

    const std::string folder_, name_;
    std::FILE *file_;
    std::uint64_t words_ = 0;
};

// A part of a file that holds states, or all of it.
struct Run {
    std::shared_ptr<SpillFile> file;
    std::uint64_t first = 0, states = 0; // the first one's number among the states of the file
};

// Adds states to a file, through a piece of memory.
class RunWriter {
  public:
    RunWriter(Budget &budget, std::shared_ptr<SpillFile> file, std::size_t words, std::size_t bytes)
        : run_{std::move(file), 0, 0}, words_(words), room_(std::max<std::size_t>(bytes / sizeof(Word) / words, 1)),
          region_(budget, room_ * words * sizeof(Word)) {
        run_.first = run_.file->words() / words;
    }

    void add(const Word *state) {
        if (used_ == room_)
            flush();
        std::copy_n(state, words_, region_.as<Word>() + used_++ * words_);
        ++run_.states;
    }

    // All that was added.
    Run finish() {
        flush();
        return run_;
    }

  private:
    void flush() {
        run_.file->append(region_.as<Word>(), used_ * words_);
        used_ = 0;
    }

    Run run_;
    const std::size_t words_, room_; // states that fit
    std::size_t used_ = 0;
    Region region_;
};

class RunReader {
  public:
    RunReader(Budget &budget, Run run, std::size_t words, std::size_t bytes)
        : run_(std::move(run)), words_(words), room_(std::max<std::size_t>(bytes / sizeof(Word) / words, 1)),
          region_(budget, room_ * words * sizeof(Word)) {
        fill();
    }

    // The next state, until `pop` is called; none at the end.
    const Word *front() const { return at_ < held_ ? region_.as<Word>() + at_ * words_ : nullptr; }

    // As many states as are at hand, one after the other; none at the end.
    std::size_t ready() const { return held_ - at_; }

    void pop(std::size_t states = 1) {
        at_ += states;
        if (at_ == held_)
            fill();
    }

  private:
    void fill() {
        held_ = static_cast<std::size_t>(std::min<std::uint64_t>(room_, run_.states));
        at_ = 0;
        if (held_)
            run_.file->read(run_.first * words_, region_.as<Word>(), held_ * words_);
        run_.first += held_;
        run_.states -= held_;
    }

    Run run_; // what is still to be read
    const std::size_t words_, room_;
    std::size_t held_ = 0, at_ = 0;
    Region region_;
};

} // namespace asset
