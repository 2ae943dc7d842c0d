// Searches with states of one and of two words in tables without their ids.
#include "quotient_store.h"
#include "search_with.h"

namespace asset {

template void Search::explore_with<QuotientStore<1, false>, false>();
template void Search::explore_with<QuotientStore<1, true>, true>();
template void Search::explore_with<QuotientStore<2, false>, false>();
template void Search::explore_with<QuotientStore<2, true>, true>();

} // namespace asset
