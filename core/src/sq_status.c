#include "spatialqueries/sq_types.h"

const char* sq_status_text(sq_status status)
{
#define STATUS_CASE(name, value, text) \
  case name:                           \
    return text;
  switch (status)
  {
    SQ_STATUS_LIST(STATUS_CASE)
  }
#undef STATUS_CASE
  return "unknown status";
}

size_t sq_type_bytes(sq_type type)
{
  static const uint8_t bytes[] = { 4, 8, 1, 1, 2, 2, 4, 4, 8, 8 };
  return (unsigned)type < sizeof(bytes) ? bytes[type] : 0;
}
