// A stand-in for the original tool, which is not ours to ship: a state space explorer as one would write it first.
//
// One file, the token ring compiled in. State variables are objects that know in which word and at which bits of the
// current state their value is; states are appended to one std::vector; a chained hash table finds them by number. It
// checks mutual exclusion in each new state, and that everybody has stopped in each terminal one.
//
//     c++ -O2 -DN=9 token_ring.cpp -o ring && ./ring
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <iostream>
#include <vector>

#ifndef N
#define N 6
#endif

using Word = std::uint64_t;

static std::vector<Word> current;
static unsigned used_bits = 64;

class Variable {
  public:
    explicit Variable(unsigned bits) : mask_((Word{1} << bits) - 1) {
        if (used_bits + bits > 64) {
            current.push_back(0);
            used_bits = 0;
        }
        word_ = current.size() - 1;
        shift_ = used_bits;
        used_bits += bits;
    }
    operator unsigned() const { return static_cast<unsigned>(current[word_] >> shift_ & mask_); }
    Variable &operator=(unsigned value) {
        if (value > mask_) {
            std::cerr << value << " is out of range\n";
            std::exit(1);
        }
        current[word_] = (current[word_] & ~(mask_ << shift_)) | Word{value} << shift_;
        return *this;
    }

  private:
    Word mask_;
    std::size_t word_;
    unsigned shift_;
};

// --- the model --------------------------------------------------------------------------------------------------

enum { idle, requested, critical, stopped };
enum { resting, waiting, serving };

static std::vector<Variable> client, server, token;

static void declare() {
    for (unsigned i = 0; i < N; ++i)
        client.emplace_back(2);
    for (unsigned i = 0; i < N; ++i)
        server.emplace_back(2);
    for (unsigned i = 0; i < N; ++i)
        token.emplace_back(1);
    token[1] = 1;
}

static bool go(Variable &process, unsigned place) {
    process = place;
    return true;
}

static void pass_token(unsigned i) {
    token[i] = 0;
    token[(i + 1) % N] = 1;
}

static bool fire_server(unsigned i) {
    const unsigned next = (i + 1) % N;
    switch (server[i]) {
    case resting:
        if (client[i] == requested || (server[next] == waiting && !token[next]))
            return go(server[i], waiting);
        return false;
    case waiting:
        if (!token[i])
            return false;
        if (client[i] == requested) {
            client[i] = critical;
            return go(server[i], serving);
        }
        if (server[next] != waiting)
            return false;
        pass_token(i);
        return go(server[i], resting);
    default:
        if (client[i] == critical)
            return false;
        pass_token(i);
        return go(server[i], resting);
    }
}

static bool fire(unsigned transition) {
    const unsigned i = transition % N;
    switch (transition / N) {
    case 0:
        if (client[i] == idle)
            return go(client[i], requested);
        return client[i] == critical && go(client[i], idle);
    case 1:
        return client[i] == idle && go(client[i], stopped);
    default:
        return fire_server(i);
    }
}

static bool good_state() {
    unsigned inside = 0;
    for (unsigned i = 0; i < N; ++i)
        inside += client[i] == critical;
    return inside < 2;
}

static bool good_terminal() {
    for (unsigned i = 0; i < N; ++i)
        if (client[i] != stopped)
            return false;
    return true;
}

// --- the explorer -----------------------------------------------------------------------------------------------

class Explorer {
  public:
    Explorer() : buckets_(std::size_t{1} << 22, none) {}

    std::uint64_t states() const { return next_.size(); }
    std::uint64_t edges() const { return edges_; }

    bool run() {
        if (add() && !good_state())
            return false;
        for (std::uint32_t state = 0; state < next_.size(); ++state)
            if (!expand(state))
                return false;
        return true;
    }

  private:
    static constexpr std::uint32_t none = ~std::uint32_t{0};

    bool expand(std::uint32_t state) {
        const std::uint64_t before = edges_;
        upload(state);
        for (unsigned transition = 3 * N; transition-- > 0;)
            if (fire(transition)) {
                ++edges_;
                if (add() && !good_state())
                    return false;
                upload(state);
            }
        return edges_ > before || good_terminal();
    }

    void upload(std::uint32_t state) {
        for (std::size_t i = 0; i < current.size(); ++i)
            current[i] = words_[state * current.size() + i];
    }

    // Whether the current state is new; then it is added.
    bool add() {
        std::uint32_t &bucket = buckets_[hash() & (buckets_.size() - 1)];
        for (std::uint32_t state = bucket; state != none; state = next_[state])
            if (is(state))
                return false;
        words_.insert(words_.end(), current.begin(), current.end());
        next_.push_back(bucket);
        bucket = static_cast<std::uint32_t>(next_.size() - 1);
        return true;
    }

    bool is(std::uint32_t state) const {
        for (std::size_t i = 0; i < current.size(); ++i)
            if (words_[state * current.size() + i] != current[i])
                return false;
        return true;
    }

    static std::size_t hash() {
        Word result = 0;
        for (const Word word : current)
            result = (result ^ word) * 0x9E3779B97F4A7C15u;
        return result >> 32;
    }

    std::vector<Word> words_;
    std::vector<std::uint32_t> next_; // in the chain, by state
    std::vector<std::uint32_t> buckets_;
    std::uint64_t edges_ = 0;
};

int main() {
    declare();
    const auto start = std::chrono::steady_clock::now();
    Explorer explorer;
    const bool good = explorer.run();
    const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
    std::cout << explorer.states() << " states, " << explorer.edges() << " edges, " << seconds.count() << " s\n";
    return !good;
}
