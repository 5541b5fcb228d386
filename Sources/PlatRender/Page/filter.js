// What the reader looks for: names, sizes, ages and classes. Sums of what matches are made for all
// entries in one pass, so that every view reads them.

const filter = {
  isOn: false,
  isMatch: null,
  size: null,  // bytes that match at and below each entry
  files: null,
  hiddenItems: 0,  // in groups below the top, which cannot be searched
  hiddenSize: 0,
};

const MINIMUMS = [['any size', 0], ['100 KiB', 102400], ['1 MiB', 1 << 20], ['10 MiB', 10 << 20],
  ['100 MiB', 100 << 20], ['1 GiB', 1 << 30], ['10 GiB', 10 * (1 << 30)]];
const AGE_LIMITS = [['any age', 0], ['1 week', 7], ['1 month', 30], ['6 months', 182],
  ['1 year', 365], ['2 years', 730], ['5 years', 1826]];

// Returns a test of names: a part of it without regard to case, or with * and ? the whole.
function nameTest(query) {
  const wanted = query.toLowerCase();
  if (!/[*?]/.test(wanted)) return (name) => name.includes(wanted);
  const pattern = wanted.replace(/[.+^${}()|[\]\\]/g, '\\$&').replace(/\*+/g, '[^]*')
    .replace(/\?/g, '[^]');
  const expression = new RegExp('^' + pattern + '$', 'u');
  return (name) => expression.test(name);
}

let lowerNames = null;

// Names as a search compares them: valid text in lower case.
function lowerName(e) {
  if (!lowerNames) lowerNames = new Array(tree.count);
  return (lowerNames[e] ??= lenientDecoder.decode(nameBytes(e)).toLowerCase());
}

const lenientDecoder = new TextDecoder();

function updateFilter() {
  const { query, minimum, olderThan, classes, mode } = state;
  const isSearch = query !== '' || minimum > 0 || olderThan > 0;
  filter.isOn = isSearch || classes.size > 0;
  filter.hiddenItems = filter.hiddenSize = 0;
  if (!filter.isOn) return;
  const test = query === '' ? null : nameTest(query);
  const { count, kind, parent, size, time, files } = tree;
  filter.size = new Float64Array(count);
  filter.files = new Float64Array(count);
  filter.isMatch = new Uint8Array(count);
  const isNamed = new Uint8Array(count), isMember = membersOf(state.top);
  const { classOf } = MODES[mode];
  for (let e = 0; e < count; e++) {
    // A directory whose name matches counts with all below it.
    if (!test || (e > 0 && isNamed[parent[e]])) isNamed[e] = 1;
    else if (e > 0 && kind[e] !== KIND_GROUP && test(lowerName(e))) isNamed[e] = 1;
    if (kind[e] === KIND_DIRECTORY) continue;
    const isInClass = classes.size === 0 || classes.has(classOf(e));
    if (kind[e] === KIND_GROUP && isSearch) {
      if (!isMember[e]) continue;
      filter.hiddenItems += tree.items[e];
      filter.hiddenSize += size[e];
      continue;
    }
    const isMatch = isNamed[e] && isInClass && size[e] >= minimum
      && (olderThan === 0 || daysOld(time[e]) >= olderThan);
    if (!isMatch) continue;
    filter.isMatch[e] = 1;
    filter.size[e] = size[e];
    filter.files[e] = files[e];
  }
  for (let e = count - 1; e > 0; e--) {
    filter.size[parent[e]] += filter.size[e];
    filter.files[parent[e]] += filter.files[e];
  }
}

function clearFilter() {
  state.query = '';
  state.minimum = state.olderThan = 0;
  state.classes.clear();
}

// The largest match at or below a directory; -1 if there is none.
function largestMatch(top) {
  const isMember = membersOf(top);
  let best = -1;
  for (let e = top; e < tree.count; e++) {
    if (!filter.isMatch[e] || tree.kind[e] === KIND_GROUP || !isMember[e]) continue;
    if (best < 0 || tree.size[e] > tree.size[best]) best = e;
  }
  return best;
}
