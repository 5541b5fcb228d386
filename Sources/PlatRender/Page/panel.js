// The words around the map: the path, totals, the card of an entry, the tip, and the legend.

function kindText(e, isRest) {
  if (isRest || tree.kind[e] === KIND_GROUP) return 'grouped, too small to be drawn';
  if (tree.isUnreadable[e]) return (isDirectory(e) ? 'directory that ' : '') + 'could not be read';
  if (isDirectory(e)) return 'directory';
  if (tree.kind[e] === KIND_LINK) return 'symbolic link';
  if (tree.kind[e] === KIND_OTHER) return 'special file';
  const category = CATEGORIES[tree.category[e]][0];
  return tree.kind[e] === KIND_ELSEWHERE ? category + ', hard link counted elsewhere' : category;
}

// The lines about an entry: pairs of a word and its text.
function detailsOf({ e, isRest }, layout, node) {
  const parent = isRest ? e : tree.parent[e];
  const size = isRest ? layout.weight[node] : tree.size[e];
  const exact = isRest ? BigInt(Math.round(size)) : exactSize(e);
  const unit = exact === 1n ? ' byte)' : ' bytes)';
  const share = shareText(size, tree.size[0]) + ' of all';
  const lines = [['Size', `${sizeText(size)} (${grouped(exact)}${unit}`]];
  const ofParent = parent > 0 ? `, ${shareText(size, tree.size[parent])} of its directory` : '';
  lines.push(['Share', share + ofParent]);
  const holdsFiles = isDirectory(e) || tree.kind[e] === KIND_GROUP;
  if (isRest) lines.push(['Items', grouped(itemsOf(layout, node))]);
  else if (holdsFiles) lines.push(['Files', grouped(tree.files[e])]);
  if (!isRest && !isNaN(tree.time[e]) && !tree.isUnreadable[e]) {
    const word = holdsFiles ? 'Newest' : 'Modified';
    lines.push([word, `${dateText(tree.time[e])} (${ageText(tree.time[e])})`]);
  }
  lines.push(['Kind', kindText(e, isRest)]);
  if (filter.isOn && !isRest) lines.push(['Matching', sizeText(filter.size[e])]);
  return lines;
}

function fillDetails(box, item, layout, node) {
  const { e, isRest } = item, title = make('h2'), path = make('p', 'path');
  const isGroup = isRest || tree.kind[e] === KIND_GROUP;
  if (!isDirectory(e) || isRest) title.append(makeSwatch(e));
  const name = make('bdi');
  if (isRest) name.append(counted(itemsOf(layout, node), 'smaller item'));
  else fillName(name, e);
  if (isDirectory(e) && e > 0 && !isRest) name.append('/');
  title.append(name);
  appendName(path, pathBytes(isGroup && !isRest ? tree.parent[e] : e));
  const list = make('dl');
  for (const [word, text] of detailsOf(item, layout, node)) {
    list.append(make('dt', '', word), make('dd', '', text));
  }
  box.replaceChildren(title, ...(e > 0 || isRest ? [path] : []), list);
}

// The card shows what the pointer is on, otherwise the selection.
function fillCard() {
  const { layout } = map, isHovering = map.hovered > 0;
  const item = isHovering ? itemOf(layout, map.hovered)
    : { e: state.selected, isRest: state.isRest };
  const node = isHovering ? map.hovered : Math.max(nodeShowing(layout, item.e, item.isRest), 0);
  if (item.isRest && layout.rest[node] < 0) item.isRest = false;
  fillDetails(byId('details'), item, layout, node);
  const target = directoryOf(item.e, item.isRest), zoom = byId('zoom');
  const isOut = target === state.top;
  zoom.hidden = isOut && state.top === 0;
  zoom.textContent = isOut ? 'Zoom out' : 'Zoom to ' + shortened(nameOf(target));
}

function shortened(text) {
  const characters = Array.from(text);
  return characters.length <= 24 ? text
    : characters.slice(0, 14).join('') + '…' + characters.slice(-8).join('');
}

function placeTip(event) {
  const tip = byId('tip');
  tip.hidden = !event;
  if (!event) return;
  const { offsetWidth: width, offsetHeight: height } = tip;
  const { clientX: x, clientY: y } = event;
  const left = x + 16 + width > innerWidth ? x - 16 - width : x + 16;
  const top = y + 18 + height > innerHeight ? y - 12 - height : y + 18;
  tip.style.left = Math.max(left, 4) + 'px';
  tip.style.top = Math.max(top, 4) + 'px';
}

function renderCrumbs() {
  const chain = chainOf(state.top), list = byId('crumbs');
  list.replaceChildren();
  chain.forEach((e, i) => {
    const isHidden = chain.length > 7 && i > 1 && i < chain.length - 4;
    if (isHidden && i > 2) return;
    const item = make('li');
    if (isHidden) item.append('…');
    else if (e === state.top) {
      const name = make('bdi');
      fillName(name, e);
      item.append(name);
      item.setAttribute('aria-current', 'location');
    } else {
      const button = make('button', 'crumb');
      fillName(button, e);
      button.addEventListener('click', () => zoomTo(e, chain[i + 1]));
      item.append(button);
    }
    list.append(item);
  });
}

function renderFacts() {
  const top = state.top;
  const facts = [sizeText(tree.size[top]), counted(tree.files[top], 'file')];
  if (state.mode === 'growth' && top === 0) facts.push(meta.growth.change);
  byId('totals').textContent = [...facts, meta.size, dayText(meta.at)].join(' · ');
  byId('matches').hidden = byId('clear').hidden = !filter.isOn;
  if (!filter.isOn) return;
  const files = filter.files[top], share = shareText(filter.size[top], tree.size[top]);
  const words = counted(files, 'file') + (files === 1 ? ' matches' : ' match');
  const sum = `${words} · ${sizeText(filter.size[top])} · ${share}`;
  byId('matches').replaceChildren(make('strong', '', sum));
  if (filter.hiddenItems > 0) {
    byId('matches').append(` (${counted(filter.hiddenItems, 'grouped item')}, `
      + `${sizeText(filter.hiddenSize)}, are not in this file and not searched)`);
  }
}

// What each class has in the directory that is shown; a button shows one class, or several, alone.
function renderLegend() {
  const { mode } = state, { classOf } = MODES[mode], classes = MODES[mode].classes();
  const sums = new Float64Array(classes.length);
  const isMember = membersOf(state.top);
  let whole = 0;
  for (let e = state.top; e < tree.count; e++) {
    if (isDirectory(e) || !isMember[e]) continue;
    sums[classOf(e)] += tree.size[e];
    whole += tree.size[e];
  }
  const order = [...classes.keys()].filter((i) => sums[i] > 0 || state.classes.has(i));
  if (MODES[mode].isRanked) order.sort((a, b) => sums[b] - sums[a] || a - b);
  const theme = map.isPrinting ? 'print' : shownTheme();
  const focused = document.activeElement?.dataset.index;
  byId('legend').replaceChildren(...order.map((index) => {
    const swatch = make('span', 'swatch');
    swatch.style.backgroundColor = swatchColor(mode, theme, index);
    swatch.classList.toggle('outlined', Boolean(classes[index].isOutlined));
    const share = make('span', 'share', shareText(sums[index], whole));
    const button = make('button', 'key', swatch, classes[index].title + ' ', share);
    button.dataset.index = index;
    button.setAttribute('aria-pressed', state.classes.has(index));
    return make('li', '', button);
  }));
  byId('legend').classList.toggle('partial', state.classes.size > 0);
  const again = focused && byId('legend').querySelector(`[data-index="${Number(focused)}"]`);
  again?.focus();
  const drawn = map.layout.drawn.files;
  const removed = mode === 'growth' && meta.growth.removed;
  byId('counts').textContent = (removed ? removed + ' · ' : '')
    + `${counted(drawn, 'file')} drawn, ${grouped(Math.max(tree.files[state.top] - drawn, 0))} in groups`;
}

// What a screen reader says of an entry.
function describe(e, isRest) {
  const { layout } = map;
  if (isRest) {
    const node = nodeShowing(layout, e, true);
    const items = counted(itemsOf(layout, node), 'smaller item');
    return `${items} in ${nameOf(e)}, ${sizeText(layout.weight[node])}`;
  }
  const parts = [nameOf(e)];
  if (tree.kind[e] !== KIND_GROUP) parts.push(kindText(e, false));
  parts.push(sizeText(tree.size[e]));
  const parent = tree.parent[e];
  if (parent >= 0) parts.push(`${shareText(tree.size[e], tree.size[parent])} of ${nameOf(parent)}`);
  if (isDirectory(e)) parts.push(counted(tree.files[e], 'file'));
  return parts.join(', ');
}

function say(text) {
  byId('live').textContent = text;
}
