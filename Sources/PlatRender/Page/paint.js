// Paints a layout: rectangles into the pixels of one image, the same in every browser, then labels.

const FONT = '"Noto Sans", "DejaVu Sans", system-ui, sans-serif';

// What a node is drawn as: its class, whether it is a group, and the share that a filter matches.
function looksOf(layout, node, mode) {
  const e = layout.entry[node], { classOf } = MODES[mode];
  if (layout.rest[node] < 0) {
    const isGroup = tree.kind[e] === KIND_GROUP || isDirectory(e);
    return { index: classOf(e), isGroup, share: matchShare(e) };
  }
  const sums = new Float64Array(16), end = tree.first[e] + tree.length[e];
  let whole = 0, matching = 0;
  for (let child = layout.rest[node]; child < end; child++) {
    sums[classOf(child)] += tree.size[child];
    whole += tree.size[child];
    matching += filter.isOn ? filter.size[child] : 0;
  }
  let index = 0;
  for (let i = 1; i < 16; i++) if (sums[i] > sums[index]) index = i;
  if (whole === 0) index = classOf(e);
  return { index, isGroup: true, share: !filter.isOn ? 1 : whole > 0 ? matching / whole : 0 };
}

function matchShare(e) {
  if (!filter.isOn) return 1;
  if (tree.size[e] > 0) return Math.min(filter.size[e] / tree.size[e], 1);
  return filter.files[e] > 0 ? 1 : 0;
}

// Paints a layout on a canvas of its size.
function paint(layout, canvas, mode, themeName) {
  const { width, height } = layout;
  canvas.width = width;
  canvas.height = height;
  const context = canvas.getContext('2d');
  const image = context.createImageData(width, height);
  const painter = makePainter(layout, new Uint32Array(image.data.buffer), mode, themeName);
  painter.paintAll();
  context.putImageData(image, 0, 0);
  drawLabels(layout, context, painter.labels, themeName);
  layout.drawn = painter.drawn;
}

function makePainter(layout, pixels, mode, themeName) {
  const { width, scale, x0, y0, x1, y1 } = layout;
  const theme = THEMES[themeName], styles = stylesOf(mode, themeName);
  const line = Math.max(1, Math.round(scale));
  const labels = [], drawn = { files: 0 };
  const grounds = Array.from({ length: 7 }, (_, depth) => {
    const [l, c, h] = theme.directory(depth);
    const fill = rgbOf([l, c, h]), frame = rgbOf([l + theme.frame, c * 1.4, h]);
    return { fill: pixel(fill), frame: pixel(frame), text: theme.text, soft: theme.soft,
      faint: css(mixed(fill, theme.text, 0.4)) };
  });
  return { labels, drawn, paintAll };

  function fillRect(left, top, right, bottom, color) {
    for (let y = top; y < bottom; y++) pixels.fill(color, y * width + left, y * width + right);
  }

  function paintAll() {
    fillRect(0, 0, width, layout.height, grounds[0].fill);
    for (let node = 0; node < layout.count; node++) {
      if (x1[node] <= x0[node] || y1[node] <= y0[node]) continue;
      if (!isLeaf(layout, node)) paintDirectory(node);
      else if (node > 0) paintTile(node);
    }
  }

  function paintDirectory(node) {
    const kind = layout.decoration[node];
    if (kind === NONE) return;
    const ground = grounds[Math.min(layout.depth[node], 6)];
    // With a header, the outermost line is left to the directory above, to part neighbours.
    const inset = kind === HEADER ? line : 0;
    const [l, t, r, b] = [x0[node] + inset, y0[node] + inset, x1[node] - inset, y1[node] - inset];
    const isDimmed = filter.isOn && !(matchShare(layout.entry[node]) > 0);
    fillRect(l, t, r, b, isDimmed ? ground.fill : ground.frame);
    fillRect(l + line, t + line, r - line, b - line, ground.fill);
    if (kind === HEADER) labels.push({ node, ground, isDimmed });
  }

  function paintTile(node) {
    const { index, isGroup, share } = looksOf(layout, node, mode);
    const e = layout.entry[node];
    if (layout.rest[node] < 0 && !isGroup && tree.kind[e] === KIND_FILE) drawn.files++;
    const isDimmed = filter.isOn && (isGroup ? share < 0.999 : !(share > 0));
    const style = styles[index * 4 + (isDimmed ? 2 : 0) + (isGroup ? 1 : 0)];
    const [l, t, r, b] = [x0[node], y0[node], x1[node], y1[node]];
    shade(l, t, r, b, style.shades);
    if (isDimmed && share > 0) {
      // What matches of a group is a level at its bottom.
      const level = Math.max(1, Math.round((b - t) * share));
      shade(l, b - level, r, b, styles[index * 4 + 1].shades);
    }
    if (style.dots !== null) dot(l, t, r, b, style.dots);
    edges(l, t, r, b, isDimmed);
    if (style.outline !== null) outline(l, t, r, b, style.outline);
    if (r - l >= 34 * scale && b - t >= 15 * scale) labels.push({ node, style });
  }

  // From light at the top left to dark at the bottom right.
  function shade(left, top, right, bottom, shades) {
    const w = right - left, h = bottom - top;
    if (!theme.isShaded) return fillRect(left, top, right, bottom, shades[REACH]);
    const depth = Math.min(1, Math.min(w, h) / scale / 24 + 0.35) * 1.48 * REACH;
    const across = (0.45 * depth) / w, down = (0.9 * depth) / h;
    const corner = 0.675 * depth + REACH + 0.5 - (across + down) / 2;
    for (let y = 0; y < h; y++) {
      let level = corner - down * y, i = (top + y) * width + left;
      for (const end = i + w; i < end; i++, level -= across) {
        pixels[i] = shades[level < 0 ? 0 : level > 2 * REACH ? 2 * REACH : level | 0];
      }
    }
  }

  function dot(left, top, right, bottom, color) {
    for (let y = top + 2 * line; y < bottom - line; y += 4 * line) {
      for (let x = left + 2 * line; x < right - line; x += 4 * line) {
        fillRect(x, y, Math.min(x + line, right), Math.min(y + line, bottom), color);
      }
    }
  }

  function outline(left, top, right, bottom, color) {
    if (Math.min(right - left, bottom - top) < 6 * line) return;
    fillRect(left, top, right, top + line, color);
    fillRect(left, bottom - line, right, bottom, color);
    fillRect(left, top, left + line, bottom, color);
    fillRect(right - line, top, right, bottom, color);
  }

  // Seams at the right and the bottom, and a light line at the top, all inside the tile.
  function edges(left, top, right, bottom, isDimmed) {
    const side = Math.min(right - left, bottom - top) / scale;
    if (theme.isShaded && side >= 8) {
      const raise = isDimmed ? 4 : 14;
      const lighter = (v) => Math.min(v + raise, 255);
      for (let y = top; y < top + line; y++) change(left, y, right, lighter);
    }
    const strength = theme.seam * Math.min(1, side / 10 + 0.15);
    const seam = strength < 0 ? (v) => v + (255 - v) * -strength : (v) => v * (1 - strength);
    const r = Math.max(right - line, left), b = Math.max(bottom - line, top);
    for (let y = top; y < b; y++) change(r, y, right, seam);
    for (let y = b; y < bottom; y++) change(left, y, right, seam);
  }

  function change(left, y, right, body) {
    for (let i = y * width + left, end = y * width + right; i < end; i++) {
      const p = pixels[i];
      pixels[i] = (0xff000000 | (body((p >> 16) & 255) << 16) | (body((p >> 8) & 255) << 8)
        | body(p & 255)) >>> 0;
    }
  }
}

const widthCache = new Map();

function textWidth(context, text) {
  const key = context.font + '\0' + text;
  let width = widthCache.get(key);
  if (width === undefined) {
    if (widthCache.size > 20000) widthCache.clear();
    width = context.measureText(text).width;
    widthCache.set(key, width);
  }
  return width;
}

// Shortens a text in the middle to fit a width; nothing if too few characters would be left.
function fitText(context, text, width, fewest) {
  if (textWidth(context, text) <= width) return text;
  const characters = Array.from(text.slice(0, 400));
  let low = fewest, high = characters.length - 1, best = '';
  while (low <= high) {
    const count = (low + high) >> 1, head = Math.ceil((count * 2) / 3);
    const short = characters.slice(0, head).join('') + '…'
      + characters.slice(characters.length - (count - head)).join('');
    if (textWidth(context, short) <= width) {
      best = short;
      low = count + 1;
    } else high = count - 1;
  }
  return best;
}

function drawLabels(layout, context, labels, themeName) {
  const theme = THEMES[themeName];
  context.direction = 'ltr';
  context.textBaseline = 'alphabetic';
  if (layout.count === 1) {
    setFont(context, 13, layout.scale);
    context.fillStyle = css(theme.soft);
    context.fillText('Nothing here takes up space.', 16 * layout.scale, 32 * layout.scale);
  }
  for (const label of labels) {
    if (label.ground) drawHeader(layout, context, label, theme);
    else drawTileLabel(layout, context, label);
  }
}

function setFont(context, size, scale, weight = '') {
  const font = `${weight} ${size * scale}px ${FONT}`;
  if (context.plainFont !== font) context.font = context.plainFont = font;
}

// The names of a chain of directories that are drawn as one.
function chainName(layout, node) {
  const names = [];
  for (let e = layout.entry[node]; ; e = tree.parent[e]) {
    names.push(nameOf(e));
    if (e === layout.outer[node] || e <= 0) break;
  }
  return names.reverse().join('/');
}

function drawHeader(layout, context, { node, ground, isDimmed }, theme) {
  const { scale: s } = layout, depth = layout.depth[node];
  const size = depth <= 1 ? 12 : depth === 2 ? 11 : 10.5;
  const left = layout.x0[node] + 6 * s, right = layout.x1[node] - 6 * s;
  const baseline = layout.y0[node] + s + headerHeight(depth) * s - 5.5 * s;
  const name = chainName(layout, node), sizeLabel = sizeText(tree.size[layout.outer[node]]);
  let room = right - left;
  setFont(context, size - 1, s);
  const sizeWidth = textWidth(context, sizeLabel);
  setFont(context, size, s, 'bold');
  if (textWidth(context, name.slice(0, 6)) + sizeWidth + 14 * s <= room) {
    setFont(context, size - 1, s);
    context.fillStyle = isDimmed ? ground.faint : css(theme.soft);
    context.fillText(sizeLabel, right - sizeWidth, baseline);
    room -= sizeWidth + 8 * s;
  }
  setFont(context, size, s, 'bold');
  context.fillStyle = isDimmed ? ground.faint : css(theme.text);
  context.fillText(fitText(context, name, room, 4), left, baseline);
}

// What a tile may say: a name, or for a group the longest that fits.
function labelCandidates(layout, node) {
  const e = layout.entry[node];
  if (layout.rest[node] < 0 && tree.kind[e] !== KIND_GROUP) return [chainName(layout, node)];
  const items = itemsOf(layout, node);
  if (items === 0) return [];
  const count = grouped(items);
  return [counted(items, 'smaller item'), count + ' smaller', '+' + count];
}

// How many items a group stands for; a directory counts as the files in it.
function itemsOf(layout, node) {
  const e = layout.entry[node];
  if (layout.rest[node] < 0) return tree.items[e];
  let items = 0;
  for (let child = layout.rest[node]; child < tree.first[e] + tree.length[e]; child++) {
    items += tree.kind[child] === KIND_GROUP ? tree.items[child] : Math.max(tree.files[child], 1);
  }
  return items;
}

function drawTileLabel(layout, context, { node, style }) {
  const { scale: s } = layout;
  const left = layout.x0[node], top = layout.y0[node];
  const width = layout.x1[node] - left, height = layout.y1[node] - top;
  const area = (width * height) / (s * s);
  const size = area < 9000 ? 10.5 : area < 40000 ? 11.5 : area < 120000 ? 13 : 15;
  const margin = (width < 60 * s ? 3 : 5) * s, room = width - 2 * margin;
  setFont(context, size, s);
  const candidates = labelCandidates(layout, node);
  const text = candidates.length === 1 ? fitText(context, candidates[0], room, 6)
    : candidates.find((candidate) => textWidth(context, candidate) <= room);
  if (!text) return;
  const baseline = top + (size + 2.5) * s;
  context.fillStyle = style.ink;
  context.fillText(text, left + margin, baseline);
  if (height < (2 * size + 11) * s) return;
  const sizeLabel = sizeText(layout.weight[node]);
  setFont(context, size - 1, s);
  if (textWidth(context, sizeLabel) > room) return;
  context.fillStyle = style.soft;
  context.fillText(sizeLabel, left + margin, baseline + 1.28 * size * s);
}
