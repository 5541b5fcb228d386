// Colours: the palette in OKLCH (Björn Ottosson, 2020), themes, and the shades of tiles.

const CATEGORIES = [
  ['Code', 0.739, 0.081, 186], ['Program/library', 0.672, 0.145, 269],
  ['Document', 0.84, 0.145, 78], ['Image', 0.84, 0.113, 143.5], ['Video', 0.668, 0.137, 331],
  ['Audio', 0.84, 0.141, 198], ['Archive', 0.596, 0.132, 45.2],
  ['Data/database', 0.788, 0.117, 291.8], ['Config/text', 0.676, 0.144, 121],
  ['Log/cache', 0.73, 0.117, 29.9], ['Other', 0.6, 0.012, 260],
];
// The hues of what has no order, and the grey of the rest.
const HUES = [1, 0, 6, 7, 2, 3, 8, 4, 9, 5, 10];
const DEEPEST = 9;
const REACH = 16;  // shades on either side of the middle one
const SWING = 0.045;
const LEAST_CONTRAST = 4.5;

// How much of its size something has lost or gained: titles, and places on a scale from -1 to 1.
const GROWTH = [
  ['shrunk >50%', -1], ['shrunk >10%', -0.6], ['shrunk', -0.3], ['unchanged', 0], ['grown', 0.3],
  ['grown >10%', 0.6], ['grown >50%', 1], ['new', 1],
];
const UNCHANGED = 3, NEW = 7;

function growthColor(strength) {
  const part = Math.abs(strength);
  if (part === 0) return [0.58, 0.008, 260];
  return [0.58 + 0.14 * part, 0.02 + 0.13 * part, strength < 0 ? 250 : 45];
}

// The class of growth of what holds bytes of several classes: that of their mean.
function meanGrowth(sums) {
  let sum = 0, whole = 0;
  sums.forEach((bytes, i) => {
    sum += GROWTH[i][1] * bytes;
    whole += bytes;
  });
  if (whole === 0) return UNCHANGED;
  if (sums[NEW] === whole) return NEW;
  const mean = sum / whole, distance = (i) => Math.abs(GROWTH[i][1] - mean);
  let best = 0;
  for (let i = 1; i < NEW; i++) if (distance(i) < distance(best)) best = i;
  return best === UNCHANGED && mean !== 0 ? UNCHANGED + Math.sign(mean) : best;
}

const THEMES = {
  dark: {
    background: 0x0b0e14, text: 0xdadee5, soft: 0xbcc1c9, seam: 0.45, isShaded: true,
    directory: (depth) => [0.255 + 0.028 * depth, 0.018, 262], frame: 0.1,
    adapted: ([l, c, h]) => [l, c, h],
    group: ([l, c, h]) => [Math.max(l - 0.175, 0.3), c * 0.6, h],
    dimmed: ([l, c, h]) => [0.27 + (l - 0.6) * 0.12, c * 0.22, h],
    outline: '#ffffff', halo: '#000000', selected: '#ffd166', inks: [0x0a1018, 0xfcfcfc],
  },
  light: {
    background: 0xf9fafc, text: 0x232933, soft: 0x3f4550, seam: 0.3, isShaded: true,
    directory: (depth) => [0.93 - 0.022 * depth, 0.01, 262], frame: -0.1,
    adapted: ([l, c, h]) => [l + 0.015, c * 0.92, h],
    group: ([l, c, h]) => [Math.min(l + 0.07, 0.97), c * 0.6, h],
    dimmed: ([l, c, h]) => [0.9 + (l - 0.7) * 0.1, c * 0.22, h],
    outline: '#0a1018', halo: '#ffffff', selected: '#c2410c', inks: [0x0a1018, 0xfcfcfc],
  },
  print: {
    background: 0xffffff, text: 0x000000, soft: 0x30343c, seam: -0.75, isShaded: false,
    directory: () => [1, 0, 0], frame: -0.24,
    adapted: ([l, c, h]) => [Math.max(l + 0.015, 0.66), c * 0.92, h],
    group: ([l, c, h]) => [Math.min(l + 0.07, 0.97), c * 0.6, h],
    dimmed: ([l, c, h]) => [0.93 + (l - 0.7) * 0.06, c * 0.22, h],
    outline: '#000000', halo: '#ffffff', selected: '#000000', inks: [0x000000],
  },
};

function linearOf([l, c, h]) {
  const a = c * Math.cos((h * Math.PI) / 180), b = c * Math.sin((h * Math.PI) / 180);
  const x = (l + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const y = (l - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const z = (l - 0.0894841775 * a - 1.291485548 * b) ** 3;
  return [
    4.0767416621 * x - 3.3077115913 * y + 0.2309699292 * z,
    -1.2684380046 * x + 2.6097574011 * y - 0.3413193965 * z,
    -0.0041960863 * x - 0.7034186147 * y + 1.707614701 * z,
  ];
}

// The nearest colour of the screen, as 0xRRGGBB: of the same lightness and hue, with less chroma.
function rgbOf([lightness, chroma, hue]) {
  const l = Math.min(Math.max(lightness, 0), 1);
  const isInside = (linear) => linear.every((v) => v >= -0.0005 && v <= 1.0005);
  let linear = linearOf([l, chroma, hue]);
  if (!isInside(linear)) {
    let inside = 0, outside = chroma;
    for (let i = 0; i < 16; i++) {
      const middle = (inside + outside) / 2;
      if (isInside(linearOf([l, middle, hue]))) inside = middle;
      else outside = middle;
    }
    linear = linearOf([l, inside, hue]);
  }
  return linear.reduce((rgb, value) => {
    const v = Math.min(Math.max(value, 0), 1);
    const encoded = v <= 0.0031308 ? v * 12.92 : 1.055 * v ** (1 / 2.4) - 0.055;
    return (rgb << 8) | Math.round(encoded * 255);
  }, 0);
}

function luminance(rgb) {
  const linear = [16, 8, 0].map((shift) => {
    const v = ((rgb >> shift) & 255) / 255;
    return v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2];
}

function contrast(one, two) {
  const a = luminance(one) + 0.05, b = luminance(two) + 0.05;
  return Math.max(a, b) / Math.min(a, b);
}

function mixed(one, two, share) {
  let rgb = 0;
  for (const shift of [16, 8, 0]) {
    const a = (one >> shift) & 255, b = (two >> shift) & 255;
    rgb |= Math.round(a + (b - a) * share) << shift;
  }
  return rgb;
}

function css(rgb) {
  return '#' + hex(rgb, 6);
}

// A pixel as ImageData holds it, on machines whose bytes go up.
function pixel(rgb) {
  return (0xff000000 | ((rgb & 255) << 16) | (rgb & 0xff00) | (rgb >> 16)) >>> 0;
}

// The colour of a place in an order, from 0 (light) to 1 (dark).
function rampColor(rank) {
  const t = Math.min(Math.max(rank, 0), 1);
  return [Math.max(0.4, 0.86 - 0.46 * t), 0.125 - 0.035 * t, 88 + 184 * t ** 0.9];
}

// The classes that files are coloured by: in each mode a title and a colour.
const MODES = {
  type: {
    title: 'Type',
    classes: () => CATEGORIES.map(([title, ...color]) => ({ title, color })),
    classOf: (e) => (isDirectory(e) ? tree.dominant[e] : tree.category[e]),
    isRanked: true,
  },
  age: {
    title: 'Age',
    classes: () => AGES.map(({ title, days }, i) => {
      const from = i === 0 ? 0 : AGES[i - 1].days;
      const middle = Math.sqrt((from + 1) * (Math.min(days, 3286) + 1)) - 1;
      return { title, color: rampColor(Math.log1p(middle) / Math.log1p(2190)) };
    }),
    classOf: (e) => ageClass(isDirectory(e) ? tree.meanTime[e] : tree.time[e]),
  },
  depth: {
    title: 'Depth',
    classes: () => Array.from({ length: DEEPEST }, (_, i) => ({
      title: i + 1 === DEEPEST ? DEEPEST + '+ levels' : counted(i + 1, 'level'),
      color: rampColor(i / (DEEPEST - 1)),
    })),
    classOf: (e) => {
      const depth = tree.depth[e] - tree.depth[state.top];
      return Math.min(Math.max(isDirectory(e) ? depth + 1 : depth, 1), DEEPEST) - 1;
    },
  },
  folder: {
    title: 'Folder',
    classes: () => {
      const colorOf = (i) => CATEGORIES[HUES[i]].slice(1);
      const classes = folders().map((e, i) => ({ title: nameOf(e), color: colorOf(i) }));
      return [...classes, { title: 'the rest', color: colorOf(10) }];
    },
    classOf: (e) => {
      while (tree.parent[e] > 0) e = tree.parent[e];
      const index = folders().indexOf(e);
      return index < 0 ? folders().length : index;
    },
  },
};

MODES.owner = {
  title: 'Owner',
  classes: () => [
    ...meta.owners.map((title, i) => ({ title, color: CATEGORIES[HUES[i]].slice(1) })),
    { title: 'other users', color: CATEGORIES[HUES[10]].slice(1) },
  ],
  classOf: (e) => (isDirectory(e)
    ? directoryClasses(tree.owner, meta.owners.length + 1, largestOf)[e] : tree.owner[e]),
  isRanked: true,
};

if (meta.growth) {
  MODES.growth = {
    title: 'Growth',
    classes: () => GROWTH.map(([title, strength], i) => (
      { title, color: growthColor(strength), isOutlined: i === NEW })),
    classOf: (e) => (isDirectory(e)
      ? directoryClasses(tree.growth, GROWTH.length, meanGrowth)[e] : tree.growth[e]),
  };
}

let topFolders = null;

// The largest directories at the top, of which each has a colour.
function folders() {
  if (topFolders) return topFolders;
  topFolders = [];
  for (let e = tree.first[0]; e < tree.first[0] + tree.length[0] && topFolders.length < 10; e++) {
    if (isDirectory(e)) topFolders.push(e);
  }
  return topFolders;
}

const styleCache = new Map();

// How tiles of each class look in a theme: plain, as a group, and both dimmed by a filter.
function stylesOf(mode, themeName) {
  const key = mode + ' ' + themeName;
  let styles = styleCache.get(key);
  if (styles) return styles;
  const theme = THEMES[themeName];
  styles = MODES[mode].classes().flatMap(({ color, isOutlined }) => {
    const plain = theme.adapted(color);
    const outline = pixel(parseInt(theme.outline.slice(1), 16));
    return [plain, theme.group(plain), theme.dimmed(plain), theme.dimmed(theme.group(plain))].map(
      (wanted, variant) => ({
        ...tileStyle(wanted, theme, variant, plain),
        outline: isOutlined && variant < 2 ? outline : null,
      }));
  });
  styleCache.set(key, styles);
  return styles;
}

function tileStyle(wanted, theme, variant, plain) {
  const isGroup = variant % 2 === 1, isDimmed = variant > 1;
  const swing = !theme.isShaded ? 0 : isDimmed ? SWING / 3 : SWING;
  const shade = ([l, c, h], step) => rgbOf([l + (swing * step) / REACH, c, h]);
  const ends = (color) => [shade(color, -REACH), shade(color, REACH)];
  const least = (ink, grounds) => Math.min(...grounds.map((ground) => contrast(ink, ground)));
  const bestInk = (grounds) => {
    for (const inks of [theme.inks, [0, 0xffffff]]) {
      const best = inks.reduce((a, b) => (least(b, grounds) > least(a, grounds) ? b : a));
      if (least(best, grounds) >= LEAST_CONTRAST) return best;
    }
    return 0;
  };
  // On a shade of middling lightness no label can be read: take the nearest where one can.
  let middle = wanted;
  for (let step = 0; step < 40 && !isDimmed; step++) {
    middle = [wanted[0] + (step % 2 ? -1 : 1) * 0.005 * (step >> 1), wanted[1], wanted[2]];
    if (least(bestInk(ends(middle)), ends(middle)) >= LEAST_CONTRAST) break;
  }
  const shades = Array.from({ length: 2 * REACH + 1 }, (_, i) => shade(middle, i - REACH));
  const grounds = [shades[0], shades[2 * REACH]], fill = shades[REACH];
  let ink = bestInk(grounds), soft = ink;
  if (isDimmed) ink = soft = mixed(fill, theme.text, 0.38);
  else {
    const share = [0.25, 0.2, 0.15, 0.1, 0.05].find(
      (share) => least(mixed(ink, fill, share), grounds) >= LEAST_CONTRAST);
    if (share) soft = mixed(ink, fill, share);
  }
  const dots = isGroup ? mixed(fill, rgbOf(plain), isDimmed ? 0.12 : 0.4) : null;
  return {
    shades: Uint32Array.from(shades, pixel), fill, ink: css(ink), soft: css(soft),
    contrast: isDimmed ? null : Math.min(least(ink, grounds), least(soft, grounds)),
    dots: dots === null ? null : pixel(dots),
  };
}

function swatchColor(mode, themeName, index) {
  const { color } = MODES[mode].classes()[index];
  return css(rgbOf(THEMES[themeName].adapted(color)));
}
