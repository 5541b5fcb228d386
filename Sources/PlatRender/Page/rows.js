// The tree beside the map: a list of which only the rows in sight are in the page, with the true
// numbers for those who hear it.

const rows = {
  box: byId('tree'), list: byId('rows'),
  open: new Set([0]),
  listed: -1,  // how many directories were open when the list was made
  entries: [],  // what is listed, from the top down
  indexOf: new Map(),
};

function rowHeight() {
  return matchMedia('(max-width: 820px)').matches ? 40 : 26;
}

function listRows() {
  rows.entries = [];
  rows.listed = rows.open.size;
  const waiting = [0];
  while (waiting.length > 0) {
    const e = waiting.pop();
    rows.entries.push(e);
    if (!rows.open.has(e)) continue;
    for (let child = tree.first[e] + tree.length[e] - 1; child >= tree.first[e]; child--) {
      waiting.push(child);
    }
  }
  rows.indexOf = new Map(rows.entries.map((e, i) => [e, i]));
  rows.list.style.height = rows.entries.length * rowHeight() + 'px';
}

function renderRows() {
  const height = rowHeight(), { scrollTop, clientHeight } = rows.box;
  const count = rows.entries.length;
  const from = Math.max(Math.floor(scrollTop / height) - 3, 0);
  const to = Math.min(Math.ceil((scrollTop + clientHeight) / height) + 3, count);
  const shown = [];
  for (let i = from; i < to; i++) shown.push(i);
  // The active row is always in the page, or nobody could hear it.
  const active = rows.indexOf.get(state.selected) ?? 0;
  if (active < from || active >= to) shown.push(active);
  rows.list.replaceChildren(...shown.map((index) => makeRow(index, height)));
  rows.box.setAttribute('aria-activedescendant', 'row-' + rows.entries[active]);
}

function makeRow(index, height) {
  const e = rows.entries[index], isOpenable = isDirectory(e) && tree.length[e] > 0;
  const row = make('div', 'row');
  row.id = 'row-' + e;
  row.style.top = index * height + 'px';
  row.setAttribute('role', 'treeitem');
  row.setAttribute('aria-level', tree.depth[e] + 1);
  row.setAttribute('aria-setsize', e === 0 ? 1 : tree.length[tree.parent[e]]);
  row.setAttribute('aria-posinset', e === 0 ? 1 : e - tree.first[tree.parent[e]] + 1);
  row.setAttribute('aria-selected', e === state.selected && !state.isRest);
  if (isOpenable) row.setAttribute('aria-expanded', rows.open.has(e));
  row.classList.toggle('top', e === state.top);
  row.classList.toggle('dim', filter.isOn && !(filter.size[e] > 0 || filter.files[e] > 0));
  const bar = make('span', 'bar'), name = make('span', 'name');
  const indent = Math.min(tree.depth[e], 12);
  bar.style.width = 100 * (tree.size[0] > 0 ? tree.size[e] / tree.size[0] : 0) + '%';
  const twist = make('span', 'twist', isOpenable ? (rows.open.has(e) ? '▾' : '▸') : '');
  twist.setAttribute('aria-hidden', 'true');
  twist.style.marginLeft = indent * 14 + 'px';
  fillName(name, e);
  row.append(bar, twist);
  if (!isDirectory(e)) row.append(makeSwatch(e));
  row.append(name, make('span', 'size', sizeText(tree.size[e])));
  return row;
}

function makeSwatch(e) {
  const swatch = make('span', 'swatch');
  swatch.setAttribute('aria-hidden', 'true');
  const index = MODES[state.mode].classOf(e);
  swatch.style.backgroundColor = swatchColor(state.mode, shownTheme(), index);
  return swatch;
}

// Opens the directories around an entry.
function reveal(e) {
  const before = rows.listed;
  for (let at = tree.parent[e]; at >= 0; at = tree.parent[at]) rows.open.add(at);
  if (rows.open.size !== before) listRows();
}

function scrollToRow(e) {
  const height = rowHeight(), top = (rows.indexOf.get(e) ?? 0) * height;
  const { scrollTop, clientHeight } = rows.box, least = top + height - clientHeight;
  if (top < scrollTop) rows.box.scrollTop = top;
  else if (least > scrollTop) rows.box.scrollTop = least;
}

function setOpen(e, isOpen) {
  if (!isDirectory(e) || tree.length[e] === 0) return;
  if (isOpen) rows.open.add(e);
  else rows.open.delete(e);
  listRows();
  renderRows();
}

function pressOnTree(event) {
  const index = rows.indexOf.get(state.selected) ?? 0, e = rows.entries[index];
  const page = Math.max(Math.floor(rows.box.clientHeight / rowHeight()) - 1, 1);
  const last = rows.entries.length - 1;
  const go = (to) => selectRow(rows.entries[Math.min(Math.max(to, 0), last)]);
  switch (event.key) {
    case 'ArrowUp': go(index - 1); break;
    case 'ArrowDown': go(index + 1); break;
    case 'Home': go(0); break;
    case 'End': go(last); break;
    case 'PageUp': go(index - page); break;
    case 'PageDown': go(index + page); break;
    case 'ArrowRight':
      if (isDirectory(e) && tree.length[e] > 0) {
        if (rows.open.has(e)) selectRow(tree.first[e]);
        else setOpen(e, true);
      }
      break;
    case 'ArrowLeft':
      if (rows.open.has(e) && tree.length[e] > 0) setOpen(e, false);
      else if (e > 0) selectRow(tree.parent[e]);
      break;
    case '*': {
      const parent = e === 0 ? 0 : tree.parent[e];
      for (let i = 0; i < tree.length[parent]; i++) {
        const sibling = tree.first[parent] + i;
        if (isDirectory(sibling)) rows.open.add(sibling);
      }
      rows.open.add(parent);
      listRows();
      renderRows();
      break;
    }
    case 'Enter': zoomTo(directoryOf(e, false), e); break;
    default: return false;
  }
  return true;
}

// Selects a row; what is not on the map brings the map to it.
function selectRow(e) {
  if (isBelow(e, state.top)) select(e, false);
  else zoomTo(commonDirectory(e), e);
}

// The innermost directory that holds both an entry and the top of the map.
function commonDirectory(e) {
  let top = state.top;
  while (!isBelow(e, top)) top = tree.parent[top];
  return top;
}

function listenToRows() {
  rows.box.addEventListener('scroll', renderRows);
  rows.list.addEventListener('click', (event) => {
    const row = event.target.closest('.row');
    if (!row) return;
    const e = Number(row.id.slice(4));
    if (event.target.classList.contains('twist')) setOpen(e, !rows.open.has(e));
    else selectRow(e);
  });
  rows.list.addEventListener('dblclick', (event) => {
    const row = event.target.closest('.row');
    if (row && !event.target.classList.contains('twist')) {
      const e = Number(row.id.slice(4));
      zoomTo(directoryOf(e, false), e);
    }
  });
}
