// The map on the page: two canvases, tiles and an overlay, so that hovering repaints no tile.

const ZOOM_TIME = 260;
const PRINT_SIZE = { width: 1040, height: 570, scale: 2 };

const map = {
  box: byId('map'), tiles: byId('tiles'), over: byId('over'),
  layout: null,
  picture: document.createElement('canvas'),  // what `tiles` shows when nothing moves
  before: document.createElement('canvas'),  // what it showed before a zoom
  hovered: -1,
  frame: 0,
  isPrinting: false,
  timings: {},
};

function mapScale() {
  return Math.min(Math.max(devicePixelRatio || 1, 1), 4);
}

// The size of the map in device pixels, and how many of them there are to one of the page.
function mapSize() {
  const { width, height, scale } = map.isPrinting ? PRINT_SIZE
    : { width: map.box.clientWidth, height: map.box.clientHeight, scale: mapScale() };
  const pixels = (length) => Math.max(Math.round(length * scale), 1);
  return { w: pixels(width), h: pixels(height), scale };
}

function isMapSized() {
  const { w, h, scale } = mapSize(), { layout } = map;
  return layout !== null && layout.width === w && layout.height === h && layout.scale === scale;
}

// Lays out and paints what the state says. With `isMoving` the change is shown as a zoom.
function renderMap(isMoving) {
  const { w, h, scale } = mapSize(), old = map.layout, start = performance.now();
  const isSame = isMapSized() && old.top === state.top;
  if (!isSame) {
    map.layout = layOut(state.top, w, h, scale);
    map.hovered = -1;
  }
  map.timings.layout = performance.now() - start;
  [map.before, map.picture] = [map.picture, map.before];
  paint(map.layout, map.picture, state.mode, map.isPrinting ? 'print' : shownTheme());
  map.timings.paint = performance.now() - start - map.timings.layout;
  cancelAnimationFrame(map.frame);
  map.frame = 0;
  const isSized = map.tiles.width === w && map.tiles.height === h;
  if (!isSized) {
    for (const canvas of [map.tiles, map.over]) {
      canvas.width = w;
      canvas.height = h;
    }
  }
  const motion = isMoving && isSized && !isSame && !motionMedia.matches && !document.hidden
    ? motionBetween(old, map.layout) : null;
  if (motion) animate(motion);
  else map.tiles.getContext('2d').drawImage(map.picture, 0, 0);
  drawOverlay();
}

// The rectangle that grows to the whole map, or that the whole map shrinks to.
function motionBetween(old, layout) {
  const isInward = isBelow(layout.top, old.top);
  const [wide, narrow] = isInward ? [old, layout] : [layout, old];
  if (!isInward && !isBelow(old.top, layout.top)) return null;
  const node = nodeShowing(wide, narrow.top, false);
  if (node <= 0) return null;
  const { x0, y0, x1, y1 } = wide;
  const right = Math.max(x1[node], x0[node] + 1), bottom = Math.max(y1[node], y0[node] + 1);
  return { isInward, rect: [x0[node], y0[node], right, bottom] };
}

function animate({ isInward, rect }) {
  const { width, height } = map.layout, whole = [0, 0, width, height];
  const context = map.tiles.getContext('2d');
  let start = null;
  const [outer, inner] = isInward ? [map.before, map.picture] : [map.picture, map.before];
  const draw = (now) => {
    // The time that the rest of the page takes to follow is not taken off the motion.
    start ??= performance.now();
    const time = Math.min(Math.max((now - start) / ZOOM_TIME, 0), 1);
    const eased = time < 0.5 ? 4 * time ** 3 : 1 - (2 - 2 * time) ** 3 / 2;
    const share = isInward ? eased : 1 - eased;
    const at = rect.map((edge, i) => edge + (whole[i] - edge) * share);
    const [l, t, r, b] = at;
    // The outer picture is so large that `rect` of it lies where the inner picture is drawn.
    const zoomX = (r - l) / (rect[2] - rect[0]), zoomY = (b - t) / (rect[3] - rect[1]);
    context.globalAlpha = 1;
    context.drawImage(outer, l - rect[0] * zoomX, t - rect[1] * zoomY,
      width * zoomX, height * zoomY);
    context.globalAlpha = share;
    context.drawImage(inner, l, t, r - l, b - t);
    context.globalAlpha = 1;
    map.frames?.push(now);
    if (time < 1) map.frame = requestAnimationFrame(draw);
    else {
      map.frame = 0;
      context.drawImage(map.picture, 0, 0);
      drawOverlay();
    }
  };
  map.frame = requestAnimationFrame(draw);
}

// Outlines: the tile under the pointer with the directories around it, and the selection.
function drawOverlay() {
  const { layout, over } = map, context = over.getContext('2d');
  context.clearRect(0, 0, over.width, over.height);
  if (map.frame || map.isPrinting) return;
  const theme = THEMES[shownTheme()], s = layout.scale;
  const outline = (node, color, width) => {
    const inset = width / 2;
    context.lineWidth = width;
    context.strokeStyle = color;
    context.strokeRect(layout.x0[node] + inset, layout.y0[node] + inset,
      layout.x1[node] - layout.x0[node] - width, layout.y1[node] - layout.y0[node] - width);
  };
  for (let node = map.hovered; node > 0; node = layout.parent[node]) {
    const isInnermost = node === map.hovered;
    context.globalAlpha = isInnermost ? 1 : 0.35;
    if (isInnermost) outline(node, theme.halo, 3 * s);
    outline(node, theme.outline, (isInnermost ? 1.5 : 1) * s);
  }
  context.globalAlpha = 1;
  const node = nodeShowing(layout, state.selected, state.isRest);
  if (node > 0) {
    outline(node, theme.halo, 4 * s);
    outline(node, theme.selected, 2.5 * s);
  }
}

// What a node stands for: an entry, or what is too small in it.
function itemOf(layout, node) {
  const e = layout.entry[node], from = layout.rest[node];
  if (from < 0) return { e, isRest: false };
  const isGroup = from === tree.first[e] + tree.length[e] - 1 && tree.kind[from] === KIND_GROUP;
  return isGroup ? { e: from, isRest: false } : { e, isRest: true };
}

function selectNode(node) {
  const { e, isRest } = itemOf(map.layout, node);
  select(e, isRest);
}

function nodeUnder(event) {
  const box = map.tiles.getBoundingClientRect();
  const x = (event.clientX - box.left) * map.layout.scale;
  const y = (event.clientY - box.top) * map.layout.scale;
  return nodeAt(map.layout, x, y);
}

function hover(node, event) {
  if (node !== map.hovered) {
    map.hovered = node;
    drawOverlay();
    fillCard();
    if (node > 0) fillDetails(byId('tip'), itemOf(map.layout, node), map.layout, node);
  }
  placeTip(node > 0 ? event : null);
}

function listenToPointer() {
  let touched = -1;
  map.box.addEventListener('pointermove', (event) => {
    if (event.pointerType !== 'touch') hover(nodeUnder(event), event);
  });
  map.box.addEventListener('pointerleave', () => hover(-1, null));
  map.box.addEventListener('click', (event) => {
    const node = nodeUnder(event);
    if (node === 0) return;
    const { e, isRest } = itemOf(map.layout, node);
    const isOpenable = isDirectory(e) && !isRest;
    if (event.pointerType === 'touch' && touched !== node) {
      touched = node;
      return selectNode(node);
    }
    touched = -1;
    if (isOpenable) zoomTo(e, e);
    else if (event.pointerType === 'touch') zoomTo(directoryOf(e, isRest), e);
    else selectNode(node);
  });
  map.box.addEventListener('dblclick', (event) => {
    const { e, isRest } = itemOf(map.layout, nodeUnder(event));
    if (!isDirectory(e) || isRest) zoomTo(directoryOf(e, isRest), e);
  });
}

function directoryOf(e, isRest) {
  return isRest || isDirectory(e) ? e : tree.parent[e];
}

// The node beyond an edge of the selected one, of the same depth if there is one that deep.
function neighbour(node, dx, dy) {
  const { x0, y0, x1, y1, width, height, parent, depth, scale } = map.layout;
  const isAncestor = (one) => {
    for (let n = node; ; n = parent[n]) {
      if (n === one) return true;
      if (n === 0) return false;
    }
  };
  let x = dx > 0 ? x1[node] + 0.5 : dx < 0 ? x0[node] - 0.5 : (x0[node] + x1[node]) / 2;
  let y = dy > 0 ? y1[node] + 0.5 : dy < 0 ? y0[node] - 0.5 : (y0[node] + y1[node]) / 2;
  for (; x >= 0 && y >= 0 && x < width && y < height; x += dx * scale, y += dy * scale) {
    let found = nodeAt(map.layout, x, y);
    if (isAncestor(found)) continue;
    while (depth[found] > depth[node]) found = parent[found];
    return found;
  }
  return -1;
}

const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

function pressOnMap(event) {
  const { layout } = map, node = Math.max(nodeShowing(layout, state.selected, state.isRest), 0);
  const { key } = event;
  if (ARROWS[key]) {
    const next = node > 0 ? neighbour(node, ...ARROWS[key]) : layout.first[0];
    if (next > 0 && next < layout.count) selectNode(next);
  } else if (key === ' ') {
    if (!isLeaf(layout, node)) selectNode(layout.first[node]);
  } else if (key === 'Escape') {
    if (filter.isOn) return false;
    if (node > 0) selectNode(layout.parent[node]);
  } else if (key === 'Enter') {
    const target = directoryOf(state.selected, state.isRest);
    if (target !== state.top) zoomTo(target, state.selected);
  } else if (key === 'Backspace') {
    if (state.top > 0) zoomTo(tree.parent[state.top], state.top);
  } else if (key === 'Home') {
    if (state.top > 0) zoomTo(0, state.top);
    else select(0, false);
  } else return false;
  return true;
}
