// Searches with wide states as rows of numbers.
#include "collapsed_store.h"
#include "search_with.h"

namespace asset {

template void Search::explore_with<CollapsedStore<false>, false>();
template void Search::explore_with<CollapsedStore<true>, true>();

} // namespace asset
