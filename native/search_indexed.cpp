// Searches with states of any width, one thread.
#include "indexed_store.h"
#include "search_with.h"

namespace asset {

template void Search::explore_with<IndexedStore<0, false>, false>();
template void Search::explore_with<IndexedStore<1, false>, false>();
template void Search::explore_with<IndexedStore<2, false>, false>();
template void Search::explore_with<IndexedStore<3, false>, false>();

} // namespace asset
