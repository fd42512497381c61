#include "bench_surface.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/** What is being read, with room to grow. */
typedef struct reader
{
  bench_surface surface;
  int64_t vertex_room;
  int64_t triangle_room;
  int bad;
} reader;

static void* grow(void* memory, int64_t* room, int64_t count, size_t item_bytes)
{
  if (count < *room)
  {
    return memory;
  }
  *room = 2 * *room + 1024;
  void* more = realloc(memory, (size_t)*room * item_bytes);
  if (!more)
  {
    fprintf(stderr, "out of memory\n");
    exit(1);
  }
  return more;
}

static void add_vertex(reader* r, double x, double y, double z)
{
  bench_surface* s = &r->surface;
  s->vertices = (double*)grow(s->vertices, &r->vertex_room, s->vertex_count, 3 * sizeof(double));
  double* v = s->vertices + 3 * s->vertex_count++;
  v[0] = x, v[1] = y, v[2] = z;
}

static void add_triangle(reader* r, int64_t a, int64_t b, int64_t c)
{
  bench_surface* s = &r->surface;
  int64_t n = s->vertex_count;
  if (a < 0 || b < 0 || c < 0 || a >= n || b >= n || c >= n)
  {
    r->bad = 1;
    return;
  }
  s->corners =
    (int32_t*)grow(s->corners, &r->triangle_room, s->triangle_count, 3 * sizeof(int32_t));
  int32_t* t = s->corners + 3 * s->triangle_count++;
  t[0] = (int32_t)a, t[1] = (int32_t)b, t[2] = (int32_t)c;
}

/** The next vertex number of a face line "f 1/2/3 4/5/6 ...", counted from 0; -1 at the end. */
static int64_t next_corner(char** at, int64_t vertex_count)
{
  char* end;
  long long id = strtoll(*at, &end, 10);
  if (end == *at)
  {
    return -1;
  }
  *at = end + strcspn(end, " \t\r\n");
  return id > 0 ? id - 1 : vertex_count + id;
}

static void read_obj(FILE* file, reader* r)
{
  char line[4096];
  while (fgets(line, sizeof(line), file))
  {
    double x, y, z;
    if (sscanf(line, "v %lf %lf %lf", &x, &y, &z) == 3)
    {
      add_vertex(r, x, y, z);
    }
    else if (line[0] == 'f' && (line[1] == ' ' || line[1] == '\t'))
    {
      char* at = line + 1;
      int64_t first = next_corner(&at, r->surface.vertex_count);
      int64_t last = next_corner(&at, r->surface.vertex_count);
      int64_t next;
      while ((next = next_corner(&at, r->surface.vertex_count)) >= 0)
      {
        add_triangle(r, first, last, next);
        last = next;
      }
    }
  }
}

static void add_last_three(reader* r)
{
  int64_t n = r->surface.vertex_count;
  add_triangle(r, n - 3, n - 2, n - 1);
}

static void read_stl_text(FILE* file, reader* r)
{
  char line[512];
  int64_t corner = 0;
  while (fgets(line, sizeof(line), file))
  {
    double x, y, z;
    if (sscanf(line, " vertex %lf %lf %lf", &x, &y, &z) == 3)
    {
      add_vertex(r, x, y, z);
      if (++corner % 3 == 0)
      {
        add_last_three(r);
      }
    }
  }
}

static void read_stl_binary(FILE* file, reader* r, uint32_t count)
{
  unsigned char record[50];
  while (count-- && fread(record, sizeof(record), 1, file) == 1)
  {
    float p[9];
    memcpy(p, record + 12, sizeof(p));
    for (int k = 0; k < 3; ++k)
    {
      add_vertex(r, (double)p[3 * k], (double)p[3 * k + 1], (double)p[3 * k + 2]);
    }
    add_last_three(r);
  }
}

/** A file is binary where its length is that of the count after its 80 byte header. */
static void read_stl(FILE* file, reader* r)
{
  unsigned char header[84];
  uint32_t count = 0;
  size_t got = fread(header, 1, sizeof(header), file);
  fseek(file, 0, SEEK_END);
  long bytes = ftell(file);
  memcpy(&count, header + 80, sizeof(count));
  if (got == sizeof(header) && bytes == 84 + 50 * (long)count)
  {
    fseek(file, sizeof(header), SEEK_SET);
    read_stl_binary(file, r, count);
  }
  else
  {
    fseek(file, 0, SEEK_SET);
    read_stl_text(file, r);
  }
}

int bench_surface_read(const char* path, bench_surface* surface)
{
  reader r;
  const char* dot = strrchr(path, '.');
  FILE* file = fopen(path, "rb");
  memset(&r, 0, sizeof(r));
  memset(surface, 0, sizeof(*surface));
  if (!file)
  {
    fprintf(stderr, "%s: cannot be read\n", path);
    return 1;
  }
  if (dot && !strcmp(dot, ".stl"))
  {
    read_stl(file, &r);
  }
  else
  {
    read_obj(file, &r);
  }
  fclose(file);
  *surface = r.surface;
  if (r.bad || !surface->triangle_count)
  {
    fprintf(stderr, "%s: %s\n", path, r.bad ? "vertex numbers out of range" : "no triangles");
    return 1;
  }
  return 0;
}

void bench_surface_free(bench_surface* surface)
{
  free(surface->vertices);
  free(surface->corners);
}
