// Searches with states of any width, several threads.
#include "indexed_store.h"
#include "search_with.h"

namespace asset {

template void Search::explore_with<IndexedStore<0, true>, true>();
template void Search::explore_with<IndexedStore<1, true>, true>();
template void Search::explore_with<IndexedStore<2, true>, true>();
template void Search::explore_with<IndexedStore<3, true>, true>();

} // namespace asset
