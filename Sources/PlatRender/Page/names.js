// Names are bytes. They become text here and only here, as segments of which each is plain or an
// escape, and reach the page as text nodes: no name is ever markup.

// Never shown as they are: controls, what reverses or hides text, and what looks like nothing.
const CONTROLS = /[\p{Cc}\p{Cf}\p{Cs}\p{Cn}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/u;
const ODD_SPACES = /(?! |\u3000)[\p{Zs}\u2800]/u;
const JOINER = /[\u200C\u200D\uFE0E\uFE0F]/u;
const MARK = /\p{M}/u;
const strictDecoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

function nameBytes(e) {
  return tree.names.subarray(tree.nameStart[e], tree.nameStart[e + 1] - 1);
}

function pathBytes(e) {
  const bytes = [];
  for (const part of chainOf(e)) {
    const name = nameBytes(part);
    if (name.length === 0) continue;
    if (bytes.length > 0 && bytes[bytes.length - 1] !== 47) bytes.push(47);
    for (const byte of name) bytes.push(byte);
  }
  return Uint8Array.from(bytes);
}

function hex(number, width) {
  return number.toString(16).padStart(width, '0');
}

// Returns the length of the valid UTF-8 sequence at a position, or 0.
function sequenceLength(bytes, at) {
  const lead = bytes[at];
  if (lead < 0x80) return 1;
  const length = lead >= 0xc2 && lead < 0xe0 ? 2 : lead >= 0xe0 && lead < 0xf0 ? 3
    : lead >= 0xf0 && lead < 0xf5 ? 4 : 0;
  if (length === 0 || at + length > bytes.length) return 0;
  try {
    strictDecoder.decode(bytes.subarray(at, at + length));
    return length;
  } catch {
    return 0;
  }
}

function escapeOf(character) {
  const named = { '\n': '\\n', '\t': '\\t', '\r': '\\r', '\\': '\\\\' }[character];
  if (named) return named;
  const code = character.codePointAt(0);
  return code < 0xa0 ? '\\x' + hex(code, 2) : '\\u{' + code.toString(16).toUpperCase() + '}';
}

// Returns the segments of a name, each `{ text, isEscape }`, or a plain string where all is plain.
function segmentsOf(bytes) {
  if (isPlain(bytes)) return [{ text: strictDecoder.decode(bytes), isEscape: false }];
  const units = [];
  for (let at = 0; at < bytes.length;) {
    const length = sequenceLength(bytes, at);
    if (length === 0) units.push({ text: '\\x' + hex(bytes[at++], 2), isEscape: true });
    else {
      units.push({ text: strictDecoder.decode(bytes.subarray(at, at + length)), isEscape: false });
      at += length;
    }
  }
  const isFar = (unit) => unit && !unit.isEscape && unit.text.codePointAt(0) > 0x7f;
  units.forEach((unit, i) => {
    if (unit.isEscape) return;
    const { text } = unit;
    if (JOINER.test(text)) {
      const isSelector = text >= '\uFE0E';
      const isKept = isFar(units[i - 1]) && (isSelector || isFar(units[i + 1]));
      if (!isKept) unit.isEscape = true;
    } else if (CONTROLS.test(text) || ODD_SPACES.test(text) || text === '\\') unit.isEscape = true;
    else if (MARK.test(text) && (i === 0 || units[i - 1].isEscape || units[i - 1].text === ' '
      || units[i - 1].text === '/')) unit.isEscape = true;
    if (unit.isEscape) unit.text = escapeOf(text);
  });
  for (let i = 0; i < units.length && units[i].text === ' '; i++) mark(units[i]);
  for (let i = units.length - 1; i >= 0 && units[i].text === ' '; i--) mark(units[i]);
  const segments = [];
  for (const unit of units) {
    const last = segments[segments.length - 1];
    if (last && last.isEscape === unit.isEscape) last.text += unit.text;
    else segments.push({ ...unit });
  }
  return segments;
  function mark(unit) {
    unit.text = '␣';
    unit.isEscape = true;
  }
}

function isPlain(bytes) {
  const last = bytes.length - 1;
  if (last < 0 || bytes[0] === 32 || bytes[last] === 32) return last < 0;
  return bytes.every((byte) => byte >= 32 && byte <= 126 && byte !== 92);
}

function shown(bytes) {
  return segmentsOf(bytes).map((segment) => segment.text).join('');
}

const shownNames = new Map();

// The name of an entry as plain text, for the canvas and labels; that of the top is its path.
function nameOf(e) {
  let name = shownNames.get(e);
  if (name === undefined) {
    if (tree.kind[e] === KIND_GROUP) name = groupName(e);
    else name = (e === 0 && meta.title) || shown(nameBytes(e)) || '/';
    shownNames.set(e, name);
  }
  return name;
}

function groupName(e) {
  return counted(tree.items[e], 'smaller item');
}

// Appends a name to an element as text nodes, with escapes set off.
function appendName(element, bytes) {
  for (const { text, isEscape } of segmentsOf(bytes)) {
    if (isEscape) element.append(make('span', 'esc', text));
    else element.append(text);
  }
}

function fillName(element, e) {
  element.replaceChildren();
  if (tree.kind[e] === KIND_GROUP || (e === 0 && meta.title)) element.append(nameOf(e));
  else appendName(element, nameBytes(e));
}

// A path to copy: as it is if nothing needs an escape, else as bash and zsh read it back.
function pathToCopy(e) {
  const bytes = pathBytes(e);
  const segments = segmentsOf(bytes);
  const isExact = segments.every(({ isEscape, text }) => !isEscape || /^[\\␣]+$/.test(text));
  if (isExact) return strictDecoder.decode(bytes);
  let text = '$\'';
  for (const byte of bytes) {
    if (byte === 39 || byte === 92) text += '\\' + String.fromCharCode(byte);
    else if (byte >= 32 && byte < 127) text += String.fromCharCode(byte);
    else text += '\\x' + hex(byte, 2);
  }
  return text + '\'';
}

// Finds the entry with a path below the top as `encodePath` writes it; -1 if there is none.
function entryAt(text) {
  let e = 0;
  for (const component of text.split('/')) {
    if (component === '') continue;
    e = childNamed(e, decodeComponent(component));
    if (e < 0) break;
  }
  return e;
}

function childNamed(e, name) {
  for (let child = tree.first[e], i = tree.length[e]; i > 0; i--, child++) {
    const from = tree.nameStart[child];
    if (tree.nameStart[child + 1] - 1 - from !== name.length || name.length === 0) continue;
    let same = 0;
    while (same < name.length && tree.names[from + same] === name[same]) same++;
    if (same === name.length) return child;
  }
  return -1;
}

// Paths below the top in the address: every byte but the plain ones as %XX.
function encodePath(e) {
  let text = '';
  chainOf(e).slice(1).forEach((part, i) => {
    if (i > 0) text += '/';
    for (const byte of nameBytes(part)) {
      const character = String.fromCharCode(byte);
      text += /[A-Za-z0-9._~-]/.test(character) ? character
        : byte === 47 ? '%2F' : '%' + hex(byte, 2).toUpperCase();
    }
  });
  return text;
}

function decodeComponent(text) {
  const bytes = [];
  for (let i = 0; i < text.length; i++) {
    const digits = text.slice(i + 1, i + 3);
    if (text[i] === '%' && /^[0-9A-Fa-f]{2}$/.test(digits)) {
      bytes.push(parseInt(digits, 16));
      i += 2;
    } else bytes.push(...new TextEncoder().encode(text[i]));
  }
  return Uint8Array.from(bytes);
}
