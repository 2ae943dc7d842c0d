#include "search.h"

#include <stdexcept>

#include "explorer.h"
#include "indexed_store.h"
#include "quotient_store.h"

namespace asset {
namespace {

const asset_model &checked_model(const asset_model &model) {
    if (model.abi_version != ASSET_ABI_VERSION)
        throw std::invalid_argument("the model was compiled for another version of the engine");
    return model;
}

void reset(Progress &progress) {
    for (auto *count : {&progress.states, &progress.edges, &progress.expanded, &progress.terminal_states})
        *count = 0;
    progress.depth = 0;
}

} // namespace

Search::Search(const asset_model &model, const Options &options)
    : model_(checked_model(model)), options_(options),
      budget_(options.max_memory ? options.max_memory : available_memory()) {}

void Search::run() {
    if (options_.threads > 1)
        explore<true>();
    // With threads, what is found first depends on chance; the search in one thread says what is to be reported.
    if (options_.threads <= 1 || stop_ == Stop::finding)
        explore<false>();
}

template <bool Parallel> void Search::explore() {
    if (QuotientStore<Parallel>::suits(model_))
        return explore_with<QuotientStore<Parallel>, Parallel>();
    switch (model_.state_words) {
    case 1:
        return explore_with<IndexedStore<1, Parallel>, Parallel>();
    case 2:
        return explore_with<IndexedStore<2, Parallel>, Parallel>();
    case 3:
        return explore_with<IndexedStore<3, Parallel>, Parallel>();
    default:
        return explore_with<IndexedStore<0, Parallel>, Parallel>();
    }
}

template <class Store, bool Parallel> void Search::explore_with() {
    reset(progress_);
    Options options = options_;
    options.threads = Parallel ? options_.threads : 1;
    try {
        Explorer<Store, Parallel> explorer(model_, options, budget_, progress_, interrupted_);
        stop_ = explorer.run();
        finding_ = explorer.finding();
    } catch (const std::bad_alloc &) {
        stop_ = Stop::max_memory;
    }
}

} // namespace asset
