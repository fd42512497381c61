#define SQI_SEARCH sqi_search_avx512
#include "sqi_triangle_index_search.h"
