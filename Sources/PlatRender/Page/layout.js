// The area-true nested treemap, as PlatLayout has it: headers and frames, and yet the area of every
// file is in proportion to its size over the whole map. Lengths are device pixels.

const HEADER = 2, FRAME = 1, NONE = 0;
const MARGIN = 3;
const STRETCH = 1.5;
// Deep trees come to rest late: with 20 levels areas are off by 0.6 % after 8 rounds, and by 0.1 %
// after 12.
const ROUNDS = 12, STRUCTURE_ROUNDS = 3;
const LARGEST_OVERHEAD = 0.32;

function headerHeight(depth) {
  return depth <= 1 ? 20 : depth === 2 ? 18 : 16;
}

// Chooses what is large enough to be seen, in level order. A node stands for an entry; one with
// `rest >= 0` for the children of its entry from that one on, which are too small.
function selectNodes(top, area, scale) {
  // Decorations take about a quarter of the map; at a high density smaller tiles can be seen.
  const leastArea = (9 * scale * scale) / Math.min(2, scale);
  const least = Math.max((leastArea * tree.size[top]) / (0.75 * area), 1e-9);
  const nodes = {
    entry: [top], outer: [top], rest: [-1], parent: [0], depth: [0], weight: [tree.size[top]],
    first: [], count: 0,
  };
  for (let node = 0; node < nodes.entry.length; node++) {
    nodes.first.push(nodes.entry.length);
    const e = nodes.entry[node];
    if (nodes.rest[node] >= 0 || !isDirectory(e)) continue;
    const end = tree.first[e] + tree.length[e];
    let child = tree.first[e], rest = 0;
    const isWorthOpening = node === 0 || tree.size[e] >= 150 * least
      || (child < end && tree.size[child] >= least && tree.kind[child] !== KIND_GROUP);
    if (!isWorthOpening) continue;
    for (; child < end && tree.kind[child] !== KIND_GROUP && tree.size[child] >= least; child++) {
      append(innermost(child), child, -1, node, tree.size[child]);
    }
    for (let i = child; i < end; i++) rest += tree.size[i];
    // The blocks of the directory itself go with what is small, or stand for it if they are many.
    if (rest > 0 || tree.own[e] >= least) rest += tree.own[e];
    if (rest > 0) append(e, e, child, node, rest);
  }
  nodes.count = nodes.entry.length;
  nodes.first.push(nodes.count);
  return nodes;

  function append(entry, outer, rest, parent, weight) {
    nodes.entry.push(entry);
    nodes.outer.push(outer);
    nodes.rest.push(rest);
    nodes.parent.push(parent);
    nodes.depth.push(nodes.depth[parent] + 1);
    nodes.weight.push(weight);
  }
}

// A directory that holds nothing but another directory is drawn as one with it.
function innermost(e) {
  while (isDirectory(e) && tree.length[e] === 1
    && isDirectory(tree.first[e])) e = tree.first[e];
  return e;
}

// Lays out a directory in a rectangle of device pixels.
function layOut(top, width, height, scale) {
  const nodes = selectNodes(top, width * height, scale), n = nodes.count;
  const layout = {
    top, width, height, scale, count: n,
    entry: Int32Array.from(nodes.entry), outer: Int32Array.from(nodes.outer),
    rest: Int32Array.from(nodes.rest), parent: Int32Array.from(nodes.parent),
    depth: Uint16Array.from(nodes.depth), first: Int32Array.from(nodes.first),
    x0: new Float64Array(n), y0: new Float64Array(n),
    x1: new Float64Array(n), y1: new Float64Array(n),
    decoration: new Uint8Array(n), weight: new Float64Array(n),
  };
  const { first, weight } = layout;
  for (let i = n - 1; i >= 0; i--) {
    weight[i] = 0;
    for (let child = first[i]; child < first[i + 1]; child++) weight[i] += weight[child];
    if (first[i] === first[i + 1]) weight[i] = nodes.weight[i];
  }
  const rounds = {
    layout, need: weight.slice(), content: new Float64Array(n),
    order: Int32Array.from({ length: n }, (_, i) => i), row: new Uint8Array(n),
  };
  layout.x1[0] = width;
  layout.y1[0] = height;
  placeAll(rounds, true);
  for (let round = 0; round < ROUNDS; round++) {
    updateNeeds(rounds);
    placeAll(rounds, round < STRUCTURE_ROUNDS);
  }
  snap(layout);
  layout.nodeOf = new Map();
  for (let i = 0; i < n; i++) {
    layout.nodeOf.set(layout.rest[i] < 0 ? layout.entry[i] : -1 - layout.entry[i], i);
  }
  return layout;
}

// Rounds edges; those that were shared are shared afterwards.
function snap(layout) {
  const { x0, y0, x1, y1, count } = layout;
  layout.trueArea = new Float64Array(count);
  for (let i = 0; i < count; i++) {
    layout.trueArea[i] = (x1[i] - x0[i]) * (y1[i] - y0[i]);
    x0[i] = Math.round(x0[i]);
    y0[i] = Math.round(y0[i]);
    x1[i] = Math.round(x1[i]);
    y1[i] = Math.round(y1[i]);
  }
}

function overhead(w, h, side, top, bottom) {
  return 1 - (Math.max(w - 2 * side, 0) * Math.max(h - top - bottom, 0)) / (w * h);
}

function decorationFor(w, h, depth, s) {
  const t = headerHeight(depth) * s;
  const isRoomy = w >= 52 * s && h >= 2.4 * t;
  if (isRoomy && overhead(w, h, MARGIN * s, t, MARGIN * s) <= LARGEST_OVERHEAD) return HEADER;
  return Math.min(w, h) >= 14 * s && overhead(w, h, s, s, s) <= LARGEST_OVERHEAD ? FRAME : NONE;
}

// Sets every rectangle from the needs, parents first. With `isChoosing` decorations and rows are
// chosen by the way, otherwise those there are stay, or the rounds would not come to rest.
function placeAll(rounds, isChoosing) {
  const { layout, need, content, order, row } = rounds;
  const { first, x0, y0, x1, y1, decoration, depth, scale: s } = layout;
  for (let node = 0; node < layout.count; node++) {
    const from = first[node], to = first[node + 1];
    if (from === to) continue;
    let left = x0[node], top = y0[node], right = x1[node], bottom = y1[node];
    if (isChoosing && node > 0) {
      decoration[node] = decorationFor(right - left, bottom - top, depth[node], s);
    }
    const kind = decoration[node];
    if (kind !== NONE) {
      const margin = (kind === HEADER ? MARGIN : 1) * s;
      const bar = kind === HEADER ? headerHeight(depth[node]) * s : margin;
      left = Math.min(left + margin, right);
      right = Math.max(right - margin, left);
      top = Math.min(top + bar, bottom);
      bottom = Math.max(bottom - margin, top);
    }
    content[node] = (right - left) * (bottom - top);
    let total = 0;
    for (let child = from; child < to; child++) total += need[child];
    if (isChoosing) {
      sortByNeed(order, need, from, layout.rest[to - 1] >= 0 ? to - 1 : to);
      chooseRows(order, need, row, from, to, total, (right - left) / STRETCH, bottom - top);
    }
    placeRows(rounds, from, to, total, left, top, right, bottom);
  }
}

// Insertion: the order of the round before is nearly right.
function sortByNeed(order, need, from, to) {
  for (let i = from + 1; i < to; i++) {
    const node = order[i], value = need[node];
    let place = i;
    for (; place > from && need[order[place - 1]] < value; place--) order[place] = order[place - 1];
    order[place] = node;
  }
}

// Marks where rows start: 1 for one that is a column at the left, 3 for one along the top.
function chooseRows(order, need, row, from, to, total, width, height) {
  let w = width, h = height, left = total;
  for (let start = from; start < to;) {
    const isDiced = w < h;
    const alpha = Math.max(h / w, w / h) / left;
    let end = start + 1, sum = need[order[start]], least = sum;
    const most = sum;
    let worst = Math.max(most / (sum * sum * alpha), (sum * sum * alpha) / least);
    for (; end < to; end++) {
      const value = need[order[end]], beta = (sum + value) * (sum + value) * alpha;
      const next = Math.max(Math.max(most, value) / beta, beta / Math.min(least, value));
      if (next > worst) break;
      sum += value;
      least = Math.min(least, value);
      worst = next;
    }
    row[start] = isDiced ? 3 : 1;
    row.fill(0, start + 1, end);
    const share = left > 0 ? Math.min(sum / left, 1) : 1;
    if (isDiced) h -= h * share;
    else w -= w * share;
    left = Math.max(left - sum, 0);
    start = end;
  }
}

// Fills a rectangle with rows exactly: the last row and the last of each row end where it does.
function placeRows({ layout, need, order, row }, from, to, total, left, top, right, bottom) {
  const { x0, y0, x1, y1 } = layout;
  let remaining = total;
  for (let start = from; start < to;) {
    const isDiced = row[start] === 3;
    let end = start + 1, sum = need[order[start]];
    for (; end < to && row[end] === 0; end++) sum += need[order[end]];
    const share = end < to && sum < remaining ? sum / remaining : 1;
    const edge = share === 1 ? (isDiced ? bottom : right)
      : isDiced ? top + (bottom - top) * share : left + (right - left) * share;
    const finish = isDiced ? right : bottom;
    let at = isDiced ? left : top;
    const factor = sum > 0 ? (finish - at) / sum : 0;
    for (let i = start; i < end; i++) {
      const node = order[i];
      const next = i + 1 < end ? Math.min(at + need[node] * factor, finish) : finish;
      x0[node] = isDiced ? at : left;
      x1[node] = isDiced ? next : edge;
      y0[node] = isDiced ? top : at;
      y1[node] = isDiced ? edge : next;
      at = next;
    }
    if (isDiced) top = edge;
    else left = edge;
    remaining = Math.max(remaining - sum, 0);
    start = end;
  }
}

// A leaf needs its share of the area that all leaves have; a directory what its children need, and
// the area of its decoration.
function updateNeeds({ layout, need, content }) {
  const { first, x0, y0, x1, y1, weight } = layout;
  let leafArea = 0;
  for (let i = 0; i < layout.count; i++) {
    if (first[i] === first[i + 1]) leafArea += (x1[i] - x0[i]) * (y1[i] - y0[i]);
  }
  const areaPerByte = weight[0] > 0 ? leafArea / weight[0] : 0;
  for (let i = layout.count - 1; i >= 0; i--) {
    if (first[i] === first[i + 1]) need[i] = areaPerByte * weight[i];
    else {
      need[i] = (x1[i] - x0[i]) * (y1[i] - y0[i]) - content[i];
      for (let child = first[i]; child < first[i + 1]; child++) need[i] += need[child];
    }
  }
}

// The innermost node at a point of device pixels.
function nodeAt(layout, x, y) {
  const { first, x0, y0, x1, y1 } = layout;
  let node = 0;
  for (let child = first[0], end = first[1]; child < end; child++) {
    if (x >= x0[child] && x < x1[child] && y >= y0[child] && y < y1[child]) {
      node = child;
      child = first[node] - 1;
      end = first[node + 1];
    }
  }
  return node;
}

// The node that shows an entry: its own, or what it is drawn as a part of; -1 outside of the map.
function nodeShowing(layout, e, isRest) {
  if (isRest && layout.nodeOf.has(-1 - e)) return layout.nodeOf.get(-1 - e);
  for (let at = e; at >= 0; at = tree.parent[at]) {
    const node = layout.nodeOf.get(at);
    if (node !== undefined) return node;
    const chain = innermost(at);
    if (layout.nodeOf.has(chain)) return layout.nodeOf.get(chain);
    const rest = layout.nodeOf.get(-1 - tree.parent[at]);
    if (rest !== undefined && at >= layout.rest[rest]) return rest;
  }
  return -1;
}

function isLeaf(layout, node) {
  return layout.first[node] === layout.first[node + 1];
}
