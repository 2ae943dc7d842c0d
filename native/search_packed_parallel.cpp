// The same with several threads.
#include "packed_store.h"
#include "search_with.h"

namespace asset {

template void Search::explore_with<PackedStore<2, true>, true>();
template void Search::explore_with<PackedStore<3, true>, true>();
template void Search::explore_with<PackedStore<4, true>, true>();

} // namespace asset
