// Reads the tree that the page carries: the columns are packed breadth first, see PagePacker.swift.

const KIND_FILE = 0, KIND_DIRECTORY = 1, KIND_LINK = 2, KIND_OTHER = 3, KIND_GROUP = 4;
const KIND_ELSEWHERE = 5;
const UNREADABLE = 14;
const LARGEST_SIZE = (1n << 64n) - 1n;

const meta = JSON.parse(document.getElementById('meta').textContent);

// The columns of all entries, filled by `readTree`. Entry 0 is the top.
const tree = {
  count: 0,
  kind: null,  // KIND_…
  category: null,  // 0 to 10, or 15 for a directory
  isUnreadable: null,
  first: null,  // the first child; those of entry e end at first[e] + length[e]
  length: null,
  parent: null,
  depth: null,
  own: null,  // bytes of the entry itself
  size: null,  // bytes at and below the entry
  files: null,  // regular files at and below the entry
  items: null,  // of a group: what it stands for
  time: null,  // seconds since 1970, the newest below; NaN where nothing is known
  nameStart: null,
  names: null,
  owner: null,  // the position in meta.owners, or their number for everyone else
  growth: null,  // the class of growth, if the page knows it
  exact: null,  // sizes as BigInt, where doubles do not hold them all
};

function isDirectory(e) {
  return tree.kind[e] === KIND_DIRECTORY;
}

function decodeBase64(text) {
  if (Uint8Array.fromBase64) return Uint8Array.fromBase64(text);
  const binary = atob(text);
  const bytes = new Uint8Array(binary.length);
  for (let i = 0; i < bytes.length; i++) bytes[i] = binary.charCodeAt(i);
  return bytes;
}

// Fails with an error whose message the page shows.
function damaged(what) {
  throw new Error('the data of this page is damaged: ' + what);
}

// Inflates a zlib stream (RFC 1950, 1951) of known length, and checks its Adler-32.
function inflate(input, length) {
  const output = new Uint8Array(length);
  let at = 2, hold = 0, bits = 0, end = 0;
  const take = (count) => {
    while (bits < count) {
      if (at >= input.length) damaged('it ends too early');
      hold |= input[at++] << bits;
      bits += 8;
    }
    const value = hold & ((1 << count) - 1);
    hold >>>= count;
    bits -= count;
    return value;
  };
  // A code as counts of lengths, and symbols in order of their codes.
  const makeCode = (lengths) => {
    const counts = new Uint16Array(16), starts = new Uint16Array(16);
    for (const length of lengths) counts[length]++;
    counts[0] = 0;
    for (let i = 1; i < 15; i++) starts[i + 1] = starts[i] + counts[i];
    const symbols = new Uint16Array(lengths.length);
    lengths.forEach((length, symbol) => {
      if (length) symbols[starts[length]++] = symbol;
    });
    return { counts, symbols };
  };
  const symbol = ({ counts, symbols }) => {
    for (let length = 1, code = 0, first = 0, index = 0; length < 16; length++) {
      code |= take(1);
      const count = counts[length];
      if (code - first < count) return symbols[index + code - first];
      index += count;
      first = (first + count) << 1;
      code <<= 1;
    }
    return damaged('a code is unknown');
  };
  const fixed =
    Array.from({ length: 288 }, (_, i) => (i < 144 ? 8 : i < 256 ? 9 : i < 280 ? 7 : 8));
  const order = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15];
  const readCodes = () => {
    const literals = take(5) + 257, distances = take(5) + 1, count = take(4) + 4;
    const lengths = new Array(19).fill(0);
    for (let i = 0; i < count; i++) lengths[order[i]] = take(3);
    const code = makeCode(lengths), all = [];
    while (all.length < literals + distances) {
      const value = symbol(code);
      if (value < 16) {
        all.push(value);
        continue;
      }
      const repeated = value === 16 ? all[all.length - 1] ?? damaged('a length is missing') : 0;
      let times = value === 16 ? 3 + take(2) : value === 17 ? 3 + take(3) : 11 + take(7);
      while (times--) all.push(repeated);
    }
    return [makeCode(all.slice(0, literals)), makeCode(all.slice(literals, literals + distances))];
  };
  if ((input[0] & 15) !== 8 || ((input[0] << 8) | input[1]) % 31) damaged('it is no zlib stream');
  for (let isLast = 0; !isLast;) {
    isLast = take(1);
    const type = take(2);
    if (type === 0) {
      hold = bits = 0;
      const count = input[at] | (input[at + 1] << 8);
      at += 4;
      if (at + count > input.length || end + count > length) damaged('a block is too long');
      output.set(input.subarray(at, at + count), end);
      at += count;
      end += count;
      continue;
    }
    if (type === 3) damaged('a block is of no known type');
    const [literals, distances] =
      type === 2 ? readCodes() : [makeCode(fixed), makeCode(new Array(30).fill(5))];
    for (let value; (value = symbol(literals)) !== 256;) {
      if (value < 256) {
        if (end >= length) damaged('it is too long');
        output[end++] = value;
        continue;
      }
      const step = value - 257;
      if (step > 28) damaged('a length is unknown');
      const more = step < 8 || step === 28 ? 0 : (step >> 2) - 1;
      let count = step === 28 ? 258 : step < 8 ? step + 3 : ((4 + (step & 3)) << more) + 3;
      count += take(more);
      const far = symbol(distances);
      if (far > 29) damaged('a distance is unknown');
      const farBits = far < 4 ? 0 : (far >> 1) - 1;
      const distance = (far < 4 ? far + 1 : ((2 + (far & 1)) << farBits) + 1) + take(farBits);
      if (distance > end || end + count > length) damaged('a copy is out of range');
      for (; count; count--, end++) output[end] = output[end - distance];
    }
  }
  if (end !== length) damaged('its length is wrong');
  // What was read ahead of the last bit is given back: the checksum starts at a byte.
  at -= bits >> 3;
  const stored = new DataView(input.buffer, input.byteOffset).getUint32(at);
  if (adler32(output) !== stored) damaged('its checksum does not fit');
  return output;
}

function adler32(bytes) {
  let low = 1, high = 0;
  for (let i = 0; i < bytes.length;) {
    // The sums of this many bytes stay below 2^32.
    for (const end = Math.min(i + 3800, bytes.length); i < end; i++) high += low += bytes[i];
    low %= 65521;
    high %= 65521;
  }
  return ((high << 16) | low) >>> 0;
}

// Inflates by the browser's own code where it has some, which checks the Adler-32 too.
async function inflateAtBest(input, length) {
  if (!globalThis.DecompressionStream) return inflate(input, length);
  const stream = new DecompressionStream('deflate');
  const writer = stream.writable.getWriter();
  writer.write(input).catch(() => {});
  writer.close().catch(() => {});
  const output = new Uint8Array(length);
  let end = 0;
  try {
    for (const reader = stream.readable.getReader();;) {
      const { done, value } = await reader.read();
      if (done) break;
      if (end + value.length > length) damaged('it is too long');
      output.set(value, end);
      end += value.length;
    }
  } catch (error) {
    damaged(error.message);
  }
  if (end !== length) damaged('its length is wrong');
  return output;
}

// Reads unsigned LEB128 numbers; BigInt only where a double would not be exact.
class VarintReader {
  constructor(bytes) {
    this.bytes = bytes;
    this.at = 0;
  }
  next() {
    let value = 0, factor = 1;
    for (;;) {
      if (this.at >= this.bytes.length) damaged('a column is too short');
      const byte = this.bytes[this.at++];
      value += (byte & 127) * factor;
      if (byte < 128) return value;
      factor *= 128;
    }
  }
  nextExact() {
    let value = 0n, shift = 0n;
    for (;;) {
      if (this.at >= this.bytes.length) damaged('a column is too short');
      const byte = this.bytes[this.at++];
      value |= BigInt(byte & 127) << shift;
      if (byte < 128) return value;
      shift += 7n;
    }
  }
}

async function readTree() {
  const text = document.getElementById('data');
  let packed;
  try {
    packed = decodeBase64(text.textContent);
  } catch {
    damaged('it is no base64');
  }
  text.remove();
  if (packed.length !== meta.z) damaged('its length is wrong');
  const bytes = await inflateAtBest(packed, meta.raw);
  const columns = [];
  let start = 0;
  for (const length of meta.cols) columns.push(bytes.subarray(start, (start += length)));
  readColumns(columns, meta.n);
  addUp();
}

function readColumns([kinds, counts, sizes, times, names, owners, growths], count) {
  if (kinds.length !== count || count === 0) damaged('a column is too short');
  const countReader = new VarintReader(counts), timeReader = new VarintReader(times);
  Object.assign(tree, {
    count,
    kind: new Uint8Array(count),
    category: new Uint8Array(count),
    isUnreadable: new Uint8Array(count),
    first: new Uint32Array(count),
    length: new Uint32Array(count),
    parent: new Int32Array(count).fill(-1),
    depth: new Uint16Array(count),
    own: new Float64Array(count),
    size: new Float64Array(count),
    files: new Float64Array(count),
    items: new Float64Array(count),
    time: new Float64Array(count).fill(NaN),
    nameStart: new Uint32Array(count + 1),
    names,
    owner: new Uint8Array(count),
    growth: new Uint8Array(count),
  });
  let next = 1, time = 0, other = 0;
  for (let e = 0; e < count; e++) {
    const kind = kinds[e] >> 4, category = kinds[e] & 15;
    tree.kind[e] = kind;
    tree.isUnreadable[e] = category === UNREADABLE ? 1 : 0;
    tree.category[e] = kind === KIND_DIRECTORY ? 15 : Math.min(category, 10);
    tree.first[e] = next;
    if (kind === KIND_DIRECTORY) {
      const length = countReader.next();
      if (next + length > count) damaged('a directory is too long');
      tree.length[e] = length;
      for (const end = next + length; next < end; next++) {
        tree.parent[next] = e;
        tree.depth[next] = Math.min(tree.depth[e] + 1, 65535);
      }
      continue;
    }
    if (kind === KIND_GROUP) {
      tree.items[e] = countReader.next();
      tree.files[e] = tree.items[e] - countReader.next();
    } else if (kind === KIND_FILE || kind === KIND_ELSEWHERE) tree.files[e] = 1;
    tree.owner[e] = Math.min(owners[other], meta.owners.length);
    if (meta.growth) tree.growth[e] = Math.min(growths[other], GROWTH.length - 1);
    other++;
    const step = timeReader.next();
    time += step % 2 ? -(step + 1) / 2 : step / 2;
    tree.time[e] = time;
  }
  if (next !== count) damaged('a directory is too short');
  if (owners.length !== other || growths.length !== (meta.growth ? other : 0)) {
    damaged('a column has another length');
  }
  readSizes(sizes);
  for (let e = 0, at = 0; e < count; e++) {
    tree.nameStart[e] = at;
    at = names.indexOf(0, at) + 1;
    if (at === 0) damaged('a name is missing');
    tree.nameStart[e + 1] = at;
  }
}

// Sizes are exact in doubles up to 2^53. If the whole is more, BigInt sizes are kept beside them.
function readSizes(column) {
  const isLarge = BigInt(meta.total) > BigInt(Number.MAX_SAFE_INTEGER);
  const reader = new VarintReader(column);
  const zero = isLarge ? 0n : 0, unit = isLarge ? BigInt(meta.unit) : meta.unit;
  const own = isLarge ? new Array(tree.count) : tree.own;
  let run = -1, size = zero;
  for (let e = 0; e < tree.count; e++) {
    const number = (isLarge ? reader.nextExact() : reader.next()) * unit;
    if (isDirectory(e) || tree.kind[e] === KIND_GROUP) {
      own[e] = number;
      continue;
    }
    size = run === tree.parent[e] ? size - number : number;
    run = tree.parent[e];
    own[e] = size;
  }
  if (!isLarge) return;
  for (let e = 0; e < tree.count; e++) tree.own[e] = Number(own[e]);
  tree.exact = own;
}

// Adds up sizes, counts and dates: one pass from the last entry, for parents come first.
function addUp() {
  const { parent, size, own, files, time, exact } = tree;
  const mass = new Float64Array(tree.count * 11), moments = new Float64Array(tree.count);
  size.set(own);
  for (let e = tree.count - 1; e >= 0; e--) {
    if (!isDirectory(e)) {
      mass[e * 11 + tree.category[e]] = size[e];
      moments[e] = size[e] * time[e];
    }
    const p = parent[e];
    if (p < 0) continue;
    size[p] += size[e];
    files[p] += files[e];
    moments[p] += moments[e];
    if (exact && (exact[p] += exact[e]) > LARGEST_SIZE) exact[p] = LARGEST_SIZE;
    if (!(time[p] >= time[e])) time[p] = time[e];
    for (let c = 0; c < 11; c++) mass[p * 11 + c] += mass[e * 11 + c];
  }
  tree.dominant = new Uint8Array(tree.count);
  tree.meanTime = new Float64Array(tree.count);
  for (let e = 0; e < tree.count; e++) {
    let best = 10, most = 0, whole = 0;
    for (let c = 0; c < 11; c++) {
      const part = mass[e * 11 + c];
      whole += part;
      if (part > most) [best, most] = [c, part];
    }
    tree.dominant[e] = best;
    tree.meanTime[e] = whole > 0 ? moments[e] / whole : time[e];
  }
}

const classesOfDirectories = new Map();

// For each directory the class of what it holds, of a column with `count` classes. `choose` gets the
// bytes of each class.
function directoryClasses(column, count, choose) {
  let classes = classesOfDirectories.get(column);
  if (classes) return classes;
  const mass = new Float64Array(tree.count * count);
  classes = new Uint8Array(tree.count);
  for (let e = tree.count - 1; e >= 0; e--) {
    if (!isDirectory(e)) mass[e * count + column[e]] = tree.size[e];
    classes[e] = choose(mass.subarray(e * count, (e + 1) * count));
    const p = tree.parent[e];
    if (p >= 0) for (let c = 0; c < count; c++) mass[p * count + c] += mass[e * count + c];
  }
  classesOfDirectories.set(column, classes);
  return classes;
}

function largestOf(sums) {
  return sums.reduce((best, sum, i) => (sum > sums[best] ? i : best), 0);
}

function exactSize(e) {
  return tree.exact ? tree.exact[e] : BigInt(tree.size[e]);
}

function isBelow(e, top) {
  while (e > top) e = tree.parent[e];
  return e === top;
}

// For each entry whether it is at or below a directory; what was made last is kept.
function membersOf(top) {
  if (tree.members?.top === top) return tree.members.is;
  const is = new Uint8Array(tree.count);
  is[top] = 1;
  for (let e = top + 1; e < tree.count; e++) is[e] = is[tree.parent[e]];
  tree.members = { top, is };
  return is;
}

// The entries from the top to `e`, both included.
function chainOf(e) {
  const chain = [];
  for (; e >= 0; e = tree.parent[e]) chain.push(e);
  return chain.reverse();
}
