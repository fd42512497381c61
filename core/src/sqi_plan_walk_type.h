/**
 * The traversal for one type; included once for each by sqi_plan_walk_run.c, with REAL (the type), VEC (eight of it), MASK (eight
 * integers of its size), NAME(x), bits_of(MASK), larger(VEC, VEC) and smaller.
 *
 * Node test (reference): far if r2 theta2 > (sqrt(D_T^2) + sqrt(D_S^2))^2, r2 the squared gap of the boxes summed from left to right;
 * each step is rounded to the type. Split the target where its diameter is not the smaller one, the source likewise.
 */

static inline VEC NAME(set)(REAL x)
{
  VEC v = { x, x, x, x, x, x, x, x };
  return v;
}

static inline VEC NAME(load)(const REAL* p)
{
  VEC v;
  memcpy(&v, p, sizeof(v));
  return v;
}

/** Rows of eight nodes to columns: column k holds scalar k of each. */
static inline void NAME(columns)(const REAL* rows, const uint32_t nodes[8], VEC c[8])
{
  VEC r[8], a[8], b[8];
  for (int k = 0; k < 8; ++k)
  {
    r[k] = NAME(load)(rows + (size_t)nodes[k] * SQI_PLAN_ROW);
  }
  for (int k = 0; k < 8; k += 2)
  {
    a[k] = __builtin_shufflevector(r[k], r[k + 1], 0, 8, 1, 9, 4, 12, 5, 13);
    a[k + 1] = __builtin_shufflevector(r[k], r[k + 1], 2, 10, 3, 11, 6, 14, 7, 15);
  }
  for (int k = 0; k < 8; k += 4)
  {
    b[k] = __builtin_shufflevector(a[k], a[k + 2], 0, 1, 8, 9, 4, 5, 12, 13);
    b[k + 1] = __builtin_shufflevector(a[k], a[k + 2], 2, 3, 10, 11, 6, 7, 14, 15);
    b[k + 2] = __builtin_shufflevector(a[k + 1], a[k + 3], 0, 1, 8, 9, 4, 5, 12, 13);
    b[k + 3] = __builtin_shufflevector(a[k + 1], a[k + 3], 2, 3, 10, 11, 6, 7, 14, 15);
  }
  for (int k = 0; k < 4; ++k)
  {
    c[k] = __builtin_shufflevector(b[k], b[k + 4], 0, 1, 2, 3, 8, 9, 10, 11);
    c[k + 4] = __builtin_shufflevector(b[k], b[k + 4], 4, 5, 6, 7, 12, 13, 14, 15);
  }
}

static inline VEC NAME(magnitude)(VEC a)
{
  return (VEC)((MASK)a & ~(MASK)NAME(set)((REAL)-0.0));
}

/** What the node test says of eight pairs; a bit each. */
typedef struct NAME(verdict)
{
  unsigned far;
  unsigned target_wide; /* D_T^2 >= D_S^2 */
  unsigned source_wide; /* D_S^2 >= D_T^2 */
} NAME(verdict);

static inline NAME(verdict) NAME(test)(const VEC t[8], const VEC s[8], VEC theta2)
{
  VEC zero = NAME(set)(0), r2 = zero;
  for (int axis = 0; axis < 3; ++axis)
  {
    VEC gap = larger(t[axis] - s[3 + axis], s[axis] - t[3 + axis]);
    gap = larger(gap, zero);
    r2 = axis ? r2 + gap * gap : gap * gap;
  }
  VEC sum = NAME(magnitude)(t[7]) + NAME(magnitude)(s[7]);
  NAME(verdict)
  v = { bits_of(r2 * theta2 > sum * sum), bits_of(t[6] >= s[6]), bits_of(s[6] >= t[6]) };
  return v;
}

/** Moves the chosen ones of a batch to the end of a list. */
static inline int NAME(append)(uint32_t* list, int count, const uint32_t items[8], unsigned mask)
{
  for (int k = 0; k < 8; ++k)
  {
    list[count] = items[k];
    count += (int)(mask >> k & 1);
  }
  return count;
}

static inline int NAME(append_children)(const sqi_plan_tree* tree, uint32_t node, uint32_t step,
  uint32_t* list, uint32_t* steps, int count)
{
  const uint32_t* child = tree->child + 2 * (size_t)node;
  list[count] = child[0];
  steps[count] = step;
  count += child[0] != SQI_PLAN_NONE;
  list[count] = child[1];
  steps[count] = step;
  count += child[1] != SQI_PLAN_NONE;
  return count;
}

/** The next batch: from the stack while it holds a whole one, else from the list, topped up from the stack. */
static inline int NAME(batch)(sqi_plan_level* l, const uint32_t* list, const uint32_t* list_steps,
  int64_t count, int64_t* at, int* top, uint32_t items[8], uint32_t steps[8])
{
  int n = 0;
  if (*top < 8)
  {
    for (; n < 8 && *at < count; ++n, ++*at)
    {
      items[n] = list[*at];
      steps[n] = list_steps[*at];
    }
  }
  for (; n < 8 && *top > 0; ++n)
  {
    --*top;
    items[n] = l->stack[*top];
    steps[n] = l->stack_steps[*top];
  }
  for (int k = n; k < 8; ++k)
  {
    items[k] = items[0];
    steps[k] = 0;
  }
  return n;
}

static void NAME(visit)(sqi_plan_walker* w, uint32_t target, int32_t depth, const uint32_t* list,
  const uint32_t* list_steps, int64_t count);

static void NAME(descend)(
  sqi_plan_walker* w, uint32_t target, int32_t depth, const sqi_plan_level* l, int count)
{
  if (!count || (w->stop && depth + 1 >= w->path_length))
  {
    return;
  }
  if (depth + 1 < w->path_length)
  {
    NAME(visit)(w, w->path[depth + 1], depth + 1, l->list, l->list_steps, count);
    return;
  }
  for (int k = 0; k < 2; ++k)
  {
    uint32_t child = w->targets->child[2 * (size_t)target + (size_t)k];
    if (child != SQI_PLAN_NONE)
    {
      NAME(visit)(w, child, depth + 1, l->list, l->list_steps, count);
    }
  }
}

/** Squared distance of eight points to a box: (p - clamp(p))^2 from left to right, and whether it is far for that diameter. */
static inline unsigned NAME(points_far)(
  const sqi_plan_tree* tree, int64_t position, const VEC box[8], VEC theta2)
{
  VEC d2 = NAME(set)(0);
  for (int axis = 0; axis < 3; ++axis)
  {
    VEC p = NAME(load)((const REAL*)tree->coordinates[axis] + position);
    VEC d = p - smaller(larger(p, box[axis]), box[3 + axis]);
    d2 = axis ? d2 + d * d : d * d;
  }
  return bits_of(d2 * theta2 > box[6]);
}

/** Which points of a leaf are far from a box, and which are not; counts of both. */
static inline void NAME(masks)(const sqi_plan_tree* tree, uint32_t leaf, const REAL* row,
  VEC theta2, uint64_t* far, uint64_t* near, int64_t* far_count, int64_t* near_count)
{
  VEC box[8];
  for (int k = 0; k < 8; ++k)
  {
    box[k] = NAME(set)(row[k]);
  }
  int64_t begin = tree->begin[leaf], range = tree->range[leaf];
  *far_count = *near_count = 0;
  for (int64_t base = 0; base < range; base += 64)
  {
    int64_t n = range - base < 64 ? range - base : 64;
    uint64_t live = (~(uint64_t)0 >> (64 - n)) & sqi_plan_present(tree, begin + base);
    uint64_t bits = 0;
    for (int64_t k = 0; k < n; k += 8)
    {
      bits |= (uint64_t)NAME(points_far)(tree, begin + base + k, box, theta2) << k;
    }
    far[base >> 6] = bits & live;
    near[base >> 6] = ~bits & live;
    *far_count += __builtin_popcountll(bits & live);
    *near_count += __builtin_popcountll(~bits & live);
  }
}

static void NAME(leaf_masks)(
  sqi_plan_walker* w, uint32_t target, uint32_t source, sqi_plan_leaf_pair* pair)
{
  const REAL* target_row = (const REAL*)w->targets->rows + (size_t)target * SQI_PLAN_ROW;
  const REAL* source_row = (const REAL*)w->sources->rows + (size_t)source * SQI_PLAN_ROW;
  VEC theta2 = NAME(set)((REAL)w->theta2);
  uint64_t* passed = w->masks;
  uint64_t* kept = passed + w->target_words;
  uint64_t* far = kept + w->target_words;
  uint64_t* near = far + w->source_words;
  pair->target = target;
  pair->source = source;
  pair->passed = passed;
  pair->kept = kept;
  pair->far = far;
  pair->near = near;
  NAME(masks)
  (w->targets, target, source_row, theta2, passed, kept, &pair->passed_count, &pair->kept_count);
  NAME(masks)
  (w->sources, source, target_row, theta2, far, near, &pair->far_count, &pair->near_count);
}

static void NAME(leaves)(sqi_plan_walker* w, uint32_t target, const uint32_t* sources, int count)
{
  sqi_plan_leaf_pair pair;
  for (int k = 0; k < count; ++k)
  {
    NAME(leaf_masks)(w, target, sources[k], &pair);
    w->visitor->leaf(w->data, &pair);
  }
}

/** What one target node has found so far. */
typedef struct NAME(found)
{
  int list;
  int top;
  int far;
  int leaves;
} NAME(found);

/** Sorts a tested batch into far, leaf pairs, the list for the children and the stack. */
static inline void NAME(sort_batch)(sqi_plan_walker* w, int target_leaf, NAME(verdict) v,
  unsigned live, unsigned source_leaf, const uint32_t items[8], const uint32_t steps[8],
  NAME(found) * f, sqi_plan_level* l)
{
  unsigned open = live & ~v.far;
  unsigned source_only, both = 0;
  f->far = NAME(append)(l->far, f->far, items, live & v.far);
  if (target_leaf)
  {
    f->leaves = NAME(append)(l->leaves, f->leaves, items, open & source_leaf);
    source_only = open & ~source_leaf;
  }
  else
  {
    source_only = open & ~source_leaf & ~v.target_wide & v.source_wide;
    both = open & ~source_leaf & v.target_wide & v.source_wide;
    for (unsigned m = open & (source_leaf | (v.target_wide & ~v.source_wide)); m; m &= m - 1)
    {
      int k = __builtin_ctz(m);
      l->list[f->list] = items[k];
      l->list_steps[f->list++] = steps[k] + 1;
    }
  }
  for (unsigned m = both; m; m &= m - 1)
  {
    int k = __builtin_ctz(m);
    f->list =
      NAME(append_children)(w->sources, items[k], steps[k] + 1, l->list, l->list_steps, f->list);
  }
  for (unsigned m = source_only; m; m &= m - 1)
  {
    int k = __builtin_ctz(m);
    f->top =
      NAME(append_children)(w->sources, items[k], steps[k] + 1, l->stack, l->stack_steps, f->top);
  }
}

static void NAME(visit)(sqi_plan_walker* w, uint32_t target, int32_t depth, const uint32_t* list,
  const uint32_t* list_steps, int64_t count)
{
  sqi_plan_level* l = w->levels + depth;
  const REAL* row = (const REAL*)w->targets->rows + (size_t)target * SQI_PLAN_ROW;
  int leaf = sqi_plan_is_leaf(w->targets, target);
  int emit = depth + 1 >= w->path_length || w->emit[depth];
  VEC t[8], theta2 = NAME(set)((REAL)w->theta2);
  for (int k = 0; k < 8; ++k)
  {
    t[k] = NAME(set)(row[k]);
  }
  NAME(found) f = { 0, 0, 0, 0 };
  uint32_t steps_max = w->steps;
  for (int64_t at = 0; at < count || f.top;)
  {
    uint32_t items[8], steps[8];
    int n = NAME(batch)(l, list, list_steps, count, &at, &f.top, items, steps);
    VEC s[8];
    NAME(columns)((const REAL*)w->sources->rows, items, s);
    for (int k = 0; k < 8; ++k)
    {
      steps_max = steps[k] > steps_max ? steps[k] : steps_max;
    }
    w->node_pairs += emit ? n : 0;
    NAME(sort_batch)
    (w, leaf, NAME(test)(t, s, theta2), (1u << n) - 1, bits_of((MASK)s[7]), items, steps, &f, l);
    if (f.far > SQI_PLAN_FOUND - 8)
    {
      if (emit)
      {
        w->visitor->far(w->data, target, l->far, f.far);
      }
      f.far = 0;
    }
    if (f.leaves > SQI_PLAN_FOUND - 8)
    {
      NAME(leaves)(w, target, l->leaves, f.leaves);
      f.leaves = 0;
    }
    if (f.list > SQI_PLAN_LIST - 16)
    {
      NAME(descend)(w, target, depth, l, f.list);
      f.list = 0;
    }
  }
  w->steps = steps_max > w->steps ? steps_max : w->steps;
  if (f.far && emit)
  {
    w->visitor->far(w->data, target, l->far, f.far);
  }
  NAME(leaves)(w, target, l->leaves, f.leaves);
  NAME(descend)(w, target, depth, l, f.list);
}

/** What becomes of each pair of a round, eight at a time. */
static void NAME(sort_pairs)(const sqi_plan_tree* targets, const sqi_plan_tree* sources,
  double theta2, const sqi_plan_node_pair* pairs, int64_t count, uint8_t* kinds)
{
  const REAL* target_rows = (const REAL*)targets->rows;
  const REAL* source_rows = (const REAL*)sources->rows;
  VEC limit = NAME(set)((REAL)theta2);
  for (int64_t base = 0; base < count; base += 8)
  {
    int64_t n = count - base < 8 ? count - base : 8;
    uint32_t target[8], source[8];
    for (int64_t k = 0; k < 8; ++k)
    {
      const sqi_plan_node_pair* p = pairs + base + (k < n ? k : 0);
      target[k] = p->target;
      source[k] = p->source;
      p = pairs + (base + 16 + k < count ? base + 16 + k : base);
      __builtin_prefetch(target_rows + (size_t)p->target * SQI_PLAN_ROW);
      __builtin_prefetch(source_rows + (size_t)p->source * SQI_PLAN_ROW);
    }
    VEC t[8], s[8];
    NAME(columns)(target_rows, target, t);
    NAME(columns)(source_rows, source, s);
    NAME(verdict) v = NAME(test)(t, s, limit);
    unsigned target_leaf = bits_of((MASK)t[7]), source_leaf = bits_of((MASK)s[7]);
    unsigned open = 0xffu & ~v.far;
    unsigned leaf = open & target_leaf & source_leaf;
    unsigned target_only = open & ~target_leaf & (source_leaf | (v.target_wide & ~v.source_wide));
    unsigned source_only = open & ~source_leaf & (target_leaf | (v.source_wide & ~v.target_wide));
    unsigned both = open & ~target_leaf & ~source_leaf & v.target_wide & v.source_wide;
    for (int64_t k = 0; k < n; ++k)
    {
      unsigned kind = (v.far >> k & 1) * SQI_PLAN_KIND_FAR + (leaf >> k & 1) * SQI_PLAN_KIND_LEAF +
        (target_only >> k & 1) * SQI_PLAN_KIND_TARGET +
        (source_only >> k & 1) * SQI_PLAN_KIND_SOURCE + (both >> k & 1) * SQI_PLAN_KIND_BOTH;
      kinds[base + k] = (uint8_t)kind;
    }
  }
}
