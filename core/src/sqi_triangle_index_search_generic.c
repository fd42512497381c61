#define SQI_SEARCH sqi_search_generic
#include "sqi_triangle_index_search.h"
