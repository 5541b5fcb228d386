// Puts the parts together: what follows from a change, and the keys and controls.

// Brings everything in line with the state. `isStep` makes a step of the history.
function render({ isMoving = false, isStep = false, keepsAddress = false } = {}) {
  document.documentElement.dataset.theme = shownTheme();
  if (map.layout?.top !== state.top) rows.open.add(state.top);
  updateFilter();
  renderMap(isMoving);
  renderCrumbs();
  renderFacts();
  renderLegend();
  syncControls();
  showSelection();
  if (!keepsAddress) writeAddress(isStep);
}

// What changes with the selection alone.
function showSelection() {
  reveal(state.selected);
  scrollToRow(state.selected);
  renderRows();
  fillCard();
  drawOverlay();
}

function select(e, isRest) {
  state.selected = e;
  state.isRest = isRest;
  showSelection();
  say(describe(e, isRest));
  writeAddress(false);
}

function zoomTo(top, selected) {
  const isStep = top !== state.top;
  state.top = top;
  state.selected = isBelow(selected, top) ? selected : top;
  state.isRest = false;
  placeTip(null);
  render({ isMoving: true, isStep });
  if (isStep) say('Zoomed to ' + describe(top, false));
  else say(describe(state.selected, false));
}

function syncControls() {
  const { query, minimum, olderThan, mode, theme } = state;
  if (byId('query').value !== query) byId('query').value = query;
  byId('minimum').value = minimum;
  byId('older').value = olderThan;
  for (const id of ['query', 'minimum', 'older']) {
    byId(id).classList.toggle('active', id === 'query' ? query !== '' : Number(byId(id).value) > 0);
  }
  for (const input of byId('modes').querySelectorAll('input')) input.checked = input.value === mode;
  const word = { auto: 'Auto', dark: 'Dark', light: 'Light' }[theme];
  byId('theme').textContent = word;
  byId('theme').setAttribute('aria-label', 'Theme: ' + word);
}

function fillControls() {
  for (const [id, choices] of [['minimum', MINIMUMS], ['older', AGE_LIMITS]]) {
    byId(id).replaceChildren(...choices.map(([title, value]) => {
      const option = make('option', '', title);
      option.value = value;
      return option;
    }));
  }
  for (const [name, { title }] of Object.entries(MODES)) {
    const input = make('input'), label = make('label', '', input, make('span', '', title));
    input.type = 'radio';
    input.name = 'mode';
    input.value = name;
    byId('modes').append(label);
  }
}

function setMode(mode) {
  state.mode = mode;
  state.classes.clear();
  render();
}

function cycle(choices, current) {
  return choices[(choices.indexOf(current) + 1) % choices.length];
}

function cycleTheme() {
  state.theme = cycle(['auto', 'light', 'dark'], state.theme);
  render();
}

async function copyPath() {
  const text = pathToCopy(state.selected);
  let isCopied = true;
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    const area = make('textarea');
    area.value = text;
    document.body.append(area);
    area.select();
    isCopied = document.execCommand('copy');
    area.remove();
    map.box.focus();
  }
  say(isCopied ? 'Path copied' : 'The path could not be copied');
  byId('copy').textContent = isCopied ? 'Copied' : 'Not copied';
  setTimeout(() => { byId('copy').textContent = 'Copy path'; }, 1200);
}

function listenToControls() {
  byId('query').addEventListener('input', (event) => {
    state.query = event.target.value.slice(0, 200);
    render();
    say(byId('matches').textContent);
  });
  byId('query').addEventListener('keydown', (event) => {
    if (event.key !== 'Enter' || !filter.isOn) return;
    const best = largestMatch(state.top);
    if (best < 0) return say('Nothing matches');
    select(best, false);
    map.box.focus();
  });
  byId('minimum').addEventListener('change', (event) => {
    state.minimum = Number(event.target.value);
    render();
  });
  byId('older').addEventListener('change', (event) => {
    state.olderThan = Number(event.target.value);
    render();
  });
  byId('modes').addEventListener('change', (event) => setMode(event.target.value));
  byId('theme').addEventListener('click', cycleTheme);
  byId('help').addEventListener('click', () => byId('keys').showModal());
  byId('skip').addEventListener('click', () => rows.box.focus());
  byId('copy').addEventListener('click', copyPath);
  byId('zoom').addEventListener('click', () => {
    const target = directoryOf(state.selected, state.isRest);
    if (target === state.top) zoomTo(Math.max(tree.parent[state.top], 0), state.top);
    else zoomTo(target, state.selected);
  });
  byId('clear').addEventListener('click', () => {
    clearFilter();
    render();
    map.box.focus();
  });
  byId('legend').addEventListener('click', (event) => {
    const button = event.target.closest('button');
    if (!button) return;
    const index = Number(button.dataset.index);
    if (!state.classes.delete(index)) state.classes.add(index);
    render();
  });
}

// The keys that work everywhere but in a field of text.
function pressAnywhere(event) {
  if (byId('keys').open || event.ctrlKey || event.metaKey || event.altKey) return;
  const isTyping = ['INPUT', 'SELECT', 'TEXTAREA'].includes(event.target.tagName);
  if (event.key === 'Escape') {
    if (!filter.isOn) return;
    clearFilter();
    render();
    if (isTyping) map.box.focus();
  } else if (isTyping && event.target.type !== 'radio') return;
  else if (event.key === '/') byId('query').focus();
  else if (event.key === 'c') copyPath();
  else if (event.key === 'm') setMode(cycle(Object.keys(MODES), state.mode));
  else if (event.key === 't') cycleTheme();
  else if (event.key === '?') byId('keys').showModal();
  else return;
  event.preventDefault();
}

function listenToKeys() {
  for (const [box, press] of [[map.box, pressOnMap], [rows.box, pressOnTree]]) {
    box.addEventListener('keydown', (event) => {
      if (event.ctrlKey || event.metaKey || event.altKey || !press(event)) return;
      event.preventDefault();
      event.stopPropagation();
    });
  }
  document.addEventListener('keydown', pressAnywhere);
}

function listenToBrowser() {
  const follow = () => {
    if (addressOfState() === (location.hash || '#')) return;
    readAddress(location.hash);
    render({ isMoving: true, keepsAddress: true });
  };
  addEventListener('popstate', follow);
  addEventListener('hashchange', follow);
  darkMedia.addEventListener('change', () => render({ keepsAddress: true }));
  let frame = 0;
  const resize = () => {
    cancelAnimationFrame(frame);
    frame = requestAnimationFrame(() => {
      if (map.isPrinting || map.box.clientWidth === 0 || isMapSized()) return;
      renderMap(false);
      renderLegend();
      listRows();
      renderRows();
    });
  };
  new ResizeObserver(resize).observe(map.box);
  // A change of density leaves the box as it is.
  const watchDensity = () => {
    matchMedia(`(resolution: ${devicePixelRatio}dppx)`).addEventListener('change', () => {
      resize();
      watchDensity();
    }, { once: true });
  };
  watchDensity();
  const print = (isPrinting) => {
    map.isPrinting = isPrinting;
    renderMap(false);
    renderLegend();
  };
  addEventListener('beforeprint', () => print(true));
  addEventListener('afterprint', () => print(false));
}

async function start() {
  const began = performance.now();
  try {
    await readTree();
  } catch (error) {
    const alert = make('p', 'alert', 'This page cannot be shown: ' + error.message + '.');
    alert.setAttribute('role', 'alert');
    document.querySelector('main').replaceChildren(alert);
    document.body.classList.add('ready');
    return;
  }
  map.timings.read = performance.now() - began;
  const title = meta.title || shown(nameBytes(0)) || '/';
  document.title = title + ' · plat';
  map.box.setAttribute('aria-label', 'Treemap of ' + title);
  rows.box.setAttribute('aria-label', 'Directories and files of ' + title);
  fillControls();
  readAddress(location.hash);
  document.body.classList.add('ready');
  listRows();
  render({ keepsAddress: true });
  listenToPointer();
  listenToRows();
  listenToControls();
  listenToKeys();
  listenToBrowser();
  map.timings.ready = performance.now();
}

// For tests and the curious: the state and parts of the page, in the console.
globalThis.plat = {
  meta, tree, state, filter, map, rows, inflate, inflateAtBest, decodeBase64, adler32, pathToCopy,
  stylesOf, nodeAt, zoomTo, select, MODES, THEMES, entryAt, encodePath,
  ready: start(),
};
