// Numbers, sizes, dates and shares in words, and the making of elements.

const UNITS = ['B', 'KiB', 'MiB', 'GiB', 'TiB', 'PiB', 'EiB'];
const DAY = 86400;
const AGES = [
  { days: 7, title: 'under a week' }, { days: 30, title: 'under a month' },
  { days: 182, title: 'under 6 months' }, { days: 365, title: 'under a year' },
  { days: 730, title: 'under 2 years' }, { days: 1826, title: 'under 5 years' },
  { days: Infinity, title: 'older' },
];

function make(tag, className, ...content) {
  const element = document.createElement(tag);
  if (className) element.className = className;
  element.append(...content);
  return element;
}

function byId(id) {
  return document.getElementById(id);
}

// Digits with a comma between groups of three, of a number or a BigInt.
function grouped(number) {
  return number.toString().replace(/\B(?=(\d{3})+$)/g, ',');
}

function counted(number, noun, plural = noun + 's') {
  return grouped(number) + ' ' + (number === 1 ? noun : plural);
}

// One decimal below 100, none from there on: 4.0 KiB, 99.9 MiB, 822 MiB.
function sizeText(bytes) {
  if (bytes < 1024) return Math.round(bytes) + ' B';
  let unit = 1, value = bytes / 1024;
  while (unit < 6 && Math.round(value) >= 1024) {
    value /= 1024;
    unit++;
  }
  const tenths = Math.round(value * 10);
  return (tenths < 1000 ? (tenths / 10).toFixed(1) : String(Math.round(value))) + ' ' + UNITS[unit];
}

function shareText(part, whole) {
  if (!(part > 0) || !(whole > 0)) return '0 %';
  const percent = (100 * Math.min(part, whole)) / whole;
  if (percent < 0.095) return '< 0.1 %';
  return (percent < 9.95 ? percent.toFixed(1) : String(Math.round(percent))) + ' %';
}

function daysOld(time) {
  return (meta.at - time) / DAY;
}

function ageClass(time) {
  const days = daysOld(time);
  const index = AGES.findIndex((age) => days < age.days);
  return index < 0 ? AGES.length - 1 : index;
}

function ageText(time) {
  const days = daysOld(time);
  if (days < 0) return 'in the future';
  if (days < 1) return 'under a day old';
  if (days < 60) return counted(Math.floor(days), 'day') + ' old';
  if (days < 731) return counted(Math.floor(days / 30.44), 'month') + ' old';
  return counted(Math.floor(days / 365.25), 'year') + ' old';
}

// Dates are shown in UTC, as the program prints them, so that a page says the same everywhere.
function dateText(time) {
  const date = new Date(time * 1000);
  if (isNaN(date)) return 'year ' + Math.floor(1970 + time / (365.25 * DAY));
  return date.toISOString().slice(0, -8).replace('T', ' ');
}

function dayText(time) {
  return dateText(time).slice(0, -6);
}
