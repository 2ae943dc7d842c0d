// Searches with states as trees.
#include "search_with.h"
#include "tree_store.h"

namespace asset {

template void Search::explore_with<TreeStore<false, false>, false>();
template void Search::explore_with<TreeStore<false, true>, false>();
template void Search::explore_with<TreeStore<true, false>, true>();

} // namespace asset
