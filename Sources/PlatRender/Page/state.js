// What the page shows, and the address that keeps it.

const state = {
  top: 0,  // the directory that fills the map
  selected: 0,
  isRest: false,  // whether what is too small in the selected directory is meant, not all of it
  mode: 'type',
  theme: 'auto',
  query: '',
  minimum: 0,
  olderThan: 0,
  classes: new Set(),  // those that the legend is to show alone; all if empty
};

const darkMedia = matchMedia('(prefers-color-scheme: dark)');
const motionMedia = matchMedia('(prefers-reduced-motion: reduce)');

function shownTheme() {
  if (state.theme !== 'auto') return state.theme;
  return darkMedia.matches ? 'dark' : 'light';
}

function addressOfState() {
  const parts = [];
  if (state.top > 0) parts.push('p=' + encodePath(state.top));
  if (state.selected !== state.top && state.selected > 0 && !state.isRest) {
    parts.push('s=' + encodePath(state.selected));
  }
  if (state.query !== '') parts.push('q=' + encodeURIComponent(state.query));
  if (state.minimum > 0) parts.push('min=' + state.minimum);
  if (state.olderThan > 0) parts.push('old=' + state.olderThan);
  if (state.mode !== startMode()) parts.push('color=' + state.mode);
  const classes = [...state.classes].sort((a, b) => a - b);
  if (classes.length > 0) parts.push('only=' + classes.join('.'));
  if (state.theme !== startTheme()) parts.push('theme=' + state.theme);
  return '#' + parts.join('&');
}

function startMode() {
  return Object.hasOwn(MODES, meta.color) ? meta.color : 'type';
}

function startTheme() {
  return ['dark', 'light'].includes(meta.theme) ? meta.theme : 'auto';
}

// Takes the state from an address. What is unknown, broken or hostile leaves the default.
function readAddress(address) {
  const values = new Map();
  for (const part of address.replace(/^#/, '').split('&')) {
    const at = part.indexOf('=');
    if (at > 0) values.set(part.slice(0, at), part.slice(at + 1));
  }
  const one = (key, allowed, start) =>
    (allowed.includes(values.get(key)) ? values.get(key) : start);
  const number = (key, choices) => {
    const wanted = Number(values.get(key));
    return choices.some(([, value]) => value === wanted) ? wanted : 0;
  };
  const top = values.has('p') ? entryAt(values.get('p')) : 0;
  state.top = top > 0 && isDirectory(top) ? top : 0;
  const selected = values.has('s') ? entryAt(values.get('s')) : -1;
  state.selected = selected > 0 && isBelow(selected, state.top) ? selected : state.top;
  state.isRest = false;
  try {
    state.query = decodeURIComponent(values.get('q') ?? '').slice(0, 200);
  } catch {
    state.query = '';
  }
  state.minimum = number('min', MINIMUMS);
  state.olderThan = number('old', AGE_LIMITS);
  state.mode = one('color', Object.keys(MODES), startMode());
  state.theme = one('theme', ['auto', 'dark', 'light'], startTheme());
  const count = MODES[state.mode].classes().length;
  const words = (values.get('only') ?? '').split('.').filter((word) => /^\d{1,2}$/.test(word));
  state.classes = new Set(words.map(Number).filter((index) => index < count));
}

// A zoom is a step of the history; everything else changes the step in hand.
function writeAddress(isStep) {
  const address = addressOfState();
  if (address === (location.hash || '#')) return;
  try {
    if (isStep) history.pushState(null, '', address);
    else history.replaceState(null, '', address);
  } catch {
    location.hash = address;
  }
}
