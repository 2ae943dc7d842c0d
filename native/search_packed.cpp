// Searches with wide states as keys.
#include "packed_store.h"
#include "search_with.h"

namespace asset {

template void Search::explore_with<PackedStore<2, false>, false>();
template void Search::explore_with<PackedStore<3, false>, false>();
template void Search::explore_with<PackedStore<4, false>, false>();

} // namespace asset
