// Searches that may omit states.
#include "approximate_stores.h"
#include "search_with.h"

namespace asset {

template void Search::explore_with<ApproximateStore<BitTable, 0, false>, false>();
template void Search::explore_with<ApproximateStore<BitTable, 0, true>, true>();
template void Search::explore_with<ApproximateStore<BitTable, 1, false>, false>();
template void Search::explore_with<ApproximateStore<BitTable, 1, true>, true>();
template void Search::explore_with<ApproximateStore<CompactTable, 0, false>, false>();
template void Search::explore_with<ApproximateStore<CompactTable, 0, true>, true>();
template void Search::explore_with<ApproximateStore<CompactTable, 1, false>, false>();
template void Search::explore_with<ApproximateStore<CompactTable, 1, true>, true>();

} // namespace asset
