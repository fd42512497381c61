#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* strerror_r */
#endif
#include "sqi_container_text.h"
#include "sqi_context.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static const char* const element_names[] = {
  "torch.float32",
  "torch.float64",
  "torch.int8",
  "torch.uint8",
  "torch.int16",
  "torch.uint16",
  "torch.int32",
  "torch.uint32",
  "torch.int64",
  "torch.uint64",
};
#define ELEMENT_NAMES ((int)(sizeof(element_names) / sizeof(*element_names)))

const char* sqi_element_name(sq_type type)
{
  return (int)type >= 0 && (int)type < ELEMENT_NAMES ? element_names[(int)type] : NULL;
}

int sqi_element_type(const char* name, sq_type* type)
{
  for (int i = 0; i < ELEMENT_NAMES; ++i)
  {
    if (!strcmp(name, element_names[i]))
    {
      *type = (sq_type)i;
      return 1;
    }
  }
  *type = SQ_UINT8;
  return !strcmp(name, "torch.bool");
}

int64_t sqi_array_elements(const sqi_array* array)
{
  int empty = 0;
  for (int32_t i = 0; i < array->rank; ++i)
  {
    if (array->shape[i] < 0)
    {
      return -1;
    }
    empty |= !array->shape[i];
  }
  int64_t count = empty ? 0 : 1;
  int64_t most = PTRDIFF_MAX / (int64_t)sq_type_bytes(array->type);
  for (int32_t i = 0; i < array->rank && !empty; ++i)
  {
    if (array->shape[i] > most / count)
    {
      return -1;
    }
    count *= array->shape[i];
  }
  return count;
}

int sqi_file_name(const char* name, const char* suffix, char file[NAME_MAX + 1])
{
  static const char digits[] = "0123456789ABCDEF";
  size_t at = 0;
  int dots = !strcmp(name, ".") || !strcmp(name, "..");
  if (!*name)
  {
    file[at++] = '%';
  }
  for (const char* c = name; *c; ++c)
  {
    unsigned char byte = (unsigned char)*c;
    int plain = byte > 32 && byte != 127 && !strchr("/<>:\"|?*\\%", byte) && !dots;
    if (at + 3 > NAME_MAX)
    {
      return 0;
    }
    if (plain)
    {
      file[at++] = *c;
      continue;
    }
    file[at++] = '%';
    file[at++] = digits[byte >> 4];
    file[at++] = digits[byte & 15];
  }
  size_t length = strlen(suffix);
  if (at + length > NAME_MAX)
  {
    return 0;
  }
  memcpy(file + at, suffix, length + 1);
  return 1;
}

/** Bytes that would break a line or hide text become '?'. */
static void make_printable(char* text)
{
  for (; *text; ++text)
  {
    *text = (unsigned char)*text < 32 || *text == 127 ? '?' : *text;
  }
}

/** The start of what goes on inside a character in UTF-8. */
static int continues(char c)
{
  return ((unsigned char)c & 0xC0) == 0x80;
}

sqi_printable sqi_print_name(const char* name)
{
  sqi_printable p;
  size_t length = strlen(name);
  if (length <= 80)
  {
    memcpy(p.text, name, length + 1);
  }
  else
  {
    size_t kept = 80;
    while (kept && continues(name[kept]))
    {
      --kept;
    }
    memcpy(p.text, name, kept);
    memcpy(p.text + kept, "...", 4);
  }
  make_printable(p.text);
  return p;
}

sqi_printable sqi_print_shape(int32_t rank, const int64_t* shape)
{
  sqi_printable p = { "[" };
  size_t at = 1;
  for (int32_t i = 0; i < rank; ++i)
  {
    char number[32];
    int length = shape[i] == -1 ? snprintf(number, sizeof(number), "any")
                                : snprintf(number, sizeof(number), "%lld", (long long)shape[i]);
    if (at + (size_t)length + 8 > sizeof(p.text))
    {
      memcpy(p.text + at, "...", 3);
      at += 3;
      break;
    }
    memcpy(p.text + at, number, (size_t)length);
    at += (size_t)length;
    if (i + 1 < rank)
    {
      memcpy(p.text + at, ", ", 2);
      at += 2;
    }
  }
  memcpy(p.text + at, "]", 2);
  return p;
}

#define FOLDER_SHOWN 200

sq_status sqi_container_fail(
  sq_context* context, sq_status status, const char* folder, const char* format, ...)
{
  char text[300];
  va_list args;
  va_start(args, format);
  vsnprintf(text, sizeof(text), format, args);
  va_end(args);
  char path[FOLDER_SHOWN + 8];
  size_t length = strlen(folder);
  size_t from = length > FOLDER_SHOWN ? length - FOLDER_SHOWN : 0;
  while (from && continues(folder[from]))
  {
    ++from;
  }
  snprintf(path, sizeof(path), "%s%s", from ? "..." : "", folder + from);
  make_printable(path);
  return sqi_fail(context, status, "%s: %s", path, text);
}

sq_status sqi_container_fail_io(
  sq_context* context, const char* folder, const char* action, const char* name, int error)
{
  char reason[128];
  return sqi_container_fail(context, error == ENOMEM ? SQ_OUT_OF_MEMORY : SQ_IO, folder,
    "cannot %s %s: %s", action, sqi_print_name(name).text,
    strerror_r(error, reason, sizeof(reason)));
}
