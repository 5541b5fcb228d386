// Made by Scripts/embed-page from Sources/PlatRender/Page. Not to be changed by hand.
// swift-format-ignore-file

/// The parts of a page that are the same for every tree.
internal enum PageSource {
  /// The document; names in braces stand for what is put in.
  internal static let shell = ##"""
    <!DOCTYPE html>
    <html lang="en">
    <head>
    <meta charset="utf-8">
    <meta http-equiv="Content-Security-Policy" content="{policy}">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="referrer" content="no-referrer">
    <meta name="color-scheme" content="dark light">
    <meta name="generator" content="plat">
    <title>{title}</title>
    <style>{style}</style>
    </head>
    <body>
    <button type="button" class="skip" id="skip">Skip to the list of files</button>
    <header>
    <div class="head">
    <svg class="logo" width="24" height="24" viewBox="0 0 24 24" aria-hidden="true"><rect width="13" height="15" rx="2" fill="#7290ef"/><rect x="15" width="9" height="8" rx="2" fill="#6bbbb2"/><rect y="17" width="13" height="7" rx="2" fill="#febe4e"/><rect x="15" y="10" width="9" height="14" rx="2" fill="#be6235"/></svg>
    <nav aria-label="Path"><ol id="crumbs"></ol></nav>
    <div class="tools" role="search" aria-label="Filters">
    <label class="search"><span class="unseen">Search names</span><input type="search" id="query" placeholder="Search names" autocomplete="off" spellcheck="false" maxlength="200" aria-keyshortcuts="/"><kbd aria-hidden="true">/</kbd></label>
    <label class="choice"><span>Larger than</span> <select id="minimum"></select></label>
    <label class="choice"><span>Older than</span> <select id="older"></select></label>
    </div>
    <fieldset id="modes"><legend class="unseen">Colour files by</legend></fieldset>
    <button type="button" id="theme">Auto</button>
    <button type="button" id="help" aria-label="Help" aria-keyshortcuts="?">?</button>
    </div>
    <p class="facts"><span id="totals"></span> <span id="matches" hidden></span> <button type="button" id="clear" hidden>Clear filters <kbd>Esc</kbd></button></p>
    </header>
    <main>
    <div id="map" role="application" tabindex="0" aria-roledescription="treemap" aria-describedby="map-help" aria-keyshortcuts="ArrowLeft ArrowRight ArrowUp ArrowDown Space Escape Enter Backspace Home"><canvas id="tiles" aria-hidden="true"></canvas><canvas id="over" aria-hidden="true"></canvas></div>
    <p id="map-help" class="unseen">Arrow keys move between neighbours, Space goes into a directory, Escape goes out, Enter zooms in, Backspace zooms out, Home shows all. The list of files tells the same.</p>
    <aside aria-label="Details">
    <section id="card" aria-label="Selected"><div id="details"></div><p class="buttons"><button type="button" id="copy" aria-keyshortcuts="c">Copy path</button> <button type="button" id="zoom" hidden>Zoom</button></p></section>
    <div id="tree" role="tree" tabindex="0"><div id="rows" role="presentation"></div></div>
    </aside>
    </main>
    <footer><ul id="legend" aria-label="Colours"></ul><span id="counts"></span></footer>
    <div id="tip" hidden aria-hidden="true"></div>
    <p id="live" class="unseen" role="status" aria-live="polite"></p>
    <dialog id="keys" aria-labelledby="keys-title"><h2 id="keys-title">Keys</h2>
    <dl>
    <dt>On the map</dt><dd><kbd>←</kbd> <kbd>→</kbd> <kbd>↑</kbd> <kbd>↓</kbd> neighbour, <kbd>Space</kbd> in, <kbd>Esc</kbd> out, <kbd>Enter</kbd> zoom in, <kbd>Backspace</kbd> zoom out, <kbd>Home</kbd> everything</dd>
    <dt>In the list</dt><dd><kbd>↑</kbd> <kbd>↓</kbd> row, <kbd>→</kbd> open, <kbd>←</kbd> close, <kbd>*</kbd> open all beside, <kbd>Enter</kbd> zoom in</dd>
    <dt>Anywhere</dt><dd><kbd>/</kbd> search, <kbd>Esc</kbd> clear filters, <kbd>c</kbd> copy path, <kbd>m</kbd> colours, <kbd>t</kbd> theme</dd>
    <dt>Pointer</dt><dd>A click on a directory zooms in, a click on a file selects it. The back button of the browser zooms out.</dd>
    <dt>Search</dt><dd>Part of a name; with <kbd>*</kbd> or <kbd>?</kbd> a whole name. A directory whose name matches counts with all below it.</dd>
    </dl>
    <form method="dialog"><button>Close</button></form></dialog>
    <noscript>{noscript}</noscript>
    <script type="application/json" id="meta">{meta}</script>
    <script type="text/plain" id="data">{data}</script>
    <script>{script}</script>
    </body>
    </html>
    """##

  /// The style sheet.
  internal static let style = ##"""
    :root, :root[data-theme=dark] {
    --ground: #0b0e14; --panel: #11151d; --raised: #191e28; --line: #272d39;
    --text: #e6e9ef; --soft: #a3abb8; --accent: #7f9dfc; --accent-ink: #0a1018;
    --bar: #222b42; --row: #2b3857; --warm: #ffd166; --escape: #f2c14e;
    color-scheme: dark;
    }
    @media (prefers-color-scheme: light) {
    :root:not([data-theme=dark]) { color-scheme: light; }
    }
    :root[data-theme=light] {
    --ground: #f9fafc; --panel: #ffffff; --raised: #eef1f6; --line: #d3d8e2;
    --text: #1b212b; --soft: #505a69; --accent: #2f5bd0; --accent-ink: #ffffff;
    --bar: #dfe5f6; --row: #c9d5f5; --warm: #8a4b00; --escape: #9a5b00;
    color-scheme: light;
    }
    * { box-sizing: border-box; margin: 0; }
    html { height: 100%; background: var(--ground); color: var(--text);
    font: 13px/1.4 "Noto Sans", "DejaVu Sans", system-ui, sans-serif; }
    body { height: 100%; display: grid; grid-template: auto 1fr auto / minmax(0, 1fr);
    padding: 9px 12px 0; min-width: 0; }
    body:not(.ready) > :not(noscript) { display: none; }
    [hidden] { display: none !important; }
    button, input, select { font: inherit; color: inherit; background: var(--panel);
    border: 1px solid var(--line); border-radius: 7px; height: 32px; }
    button { padding: 0 10px; cursor: pointer; }
    button:hover, select:hover { background: var(--raised); }
    :focus-visible { outline: 2px solid var(--accent); outline-offset: 1px; }
    kbd { font: 11px ui-monospace, monospace; color: var(--soft); border: 1px solid var(--line);
    border-radius: 4px; padding: 0 5px; }
    .unseen { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%);
    white-space: nowrap; }
    .skip { position: absolute; left: 8px; top: -60px; z-index: 5; }
    .skip:focus { top: 8px; }
    .esc { color: var(--escape); font-family: ui-monospace, "DejaVu Sans Mono", monospace;
    font-size: .94em; font-weight: normal; }
    bdi, .name, .path, .crumb { unicode-bidi: isolate; }
    .swatch { display: inline-block; flex: none; width: 10px; height: 10px; border-radius: 2px; }
    .swatch.outlined { outline: 1px solid currentColor; outline-offset: -1px; }
    .head { display: flex; align-items: center; gap: 9px; min-width: 0; min-height: 36px; }
    .logo { flex: none; margin-right: 6px; }
    nav { flex: 1 1 0; min-width: 0; }
    #crumbs { display: flex; align-items: center; list-style: none; padding: 0; white-space: nowrap;
    overflow: hidden; font-size: 14.5px; height: 32px; }
    #crumbs li { min-width: 24px; overflow: hidden; text-overflow: ellipsis; }
    #crumbs li + li::before { content: "›"; color: var(--soft); padding: 0 6px; }
    #crumbs [aria-current] { font-weight: bold; flex-shrink: .2; }
    .crumb { background: none; border: 0; padding: 0 2px; color: var(--soft); height: 26px;
    font-size: 14px; white-space: pre; }
    .crumb:hover { color: var(--text); text-decoration: underline; background: none; }
    .tools { display: flex; gap: 9px; }
    .search { position: relative; }
    .search input { width: 230px; padding: 0 34px 0 12px; }
    .search input::-webkit-search-cancel-button { display: none; }
    .search kbd { position: absolute; right: 8px; top: 8px; pointer-events: none; }
    .choice { display: flex; align-items: center; gap: 7px; color: var(--soft); white-space: nowrap; }
    .choice select { color: var(--text); padding: 0 4px 0 8px; }
    .active { border-color: var(--warm); color: var(--warm) !important; }
    #modes { display: flex; border: 1px solid var(--line); border-radius: 7px; padding: 2px;
    height: 32px;
    background: var(--panel); min-width: 0; }
    #modes label { position: relative; display: flex; }
    #modes input { position: absolute; inset: 0; width: 100%; height: 100%; opacity: 0; cursor: pointer;
    margin: 0; }
    #modes span { display: flex; align-items: center; padding: 0 10px; border-radius: 5px;
    color: var(--soft); }
    #modes input:checked + span { background: var(--accent); color: var(--accent-ink);
    font-weight: bold; }
    #modes input:focus-visible + span { outline: 2px solid var(--accent); outline-offset: 2px; }
    .facts { height: 30px; display: flex; align-items: center; gap: 14px; padding: 0 4px;
    white-space: nowrap;
    overflow: hidden; color: var(--soft); }
    #matches { overflow: hidden; text-overflow: ellipsis; }
    #matches strong { color: var(--warm); }
    #clear { height: 24px; flex: none; color: var(--text); }
    main { display: grid; grid-template-columns: minmax(0, 1fr) 328px; gap: 10px; min-height: 0; }
    #map { position: relative; min-height: 0; border-radius: 3px; cursor: default; overflow: hidden;
    touch-action: manipulation; }
    #map canvas { position: absolute; inset: 0; width: 100%; height: 100%; display: block; }
    #over { pointer-events: none; }
    #map:focus-visible { outline: 2px solid var(--accent); outline-offset: 1px; overflow: visible; }
    aside { display: grid; grid-template-rows: auto minmax(0, 1fr); gap: 9px; min-height: 0; }
    #card, #tree { background: var(--panel); border: 1px solid var(--line); border-radius: 8px; }
    #card { padding: 10px 12px; min-height: 200px; display: flex; flex-direction: column; }
    #details { flex: 1; }
    h2 { font-size: 13.5px; display: flex; gap: 7px; align-items: center; overflow-wrap: anywhere;
    white-space: pre-wrap; }
    .path { color: var(--soft); font-size: 12px; overflow-wrap: anywhere; max-height: 5.6em;
    overflow: hidden;
    white-space: pre-wrap; }
    dl { display: grid; grid-template-columns: auto 1fr; gap: 1px 12px; margin-top: 6px; }
    dt { color: var(--soft); }
    .buttons { display: flex; gap: 6px; margin-top: 8px; }
    .buttons button { height: 27px; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
    .buttons #copy { flex: none; }
    #tree { position: relative; overflow: auto; overscroll-behavior: contain; }
    #rows { position: relative; }
    .row { position: absolute; left: 0; right: 0; height: 26px; display: flex; align-items: center;
    gap: 7px;
    padding-right: 10px; white-space: pre; cursor: default; }
    .row:hover { background: var(--raised); }
    .row[aria-selected=true] { background: var(--row); }
    .row.top { box-shadow: inset 3px 0 var(--accent); }
    .row.dim { color: var(--soft); opacity: .6; }
    .row .bar { position: absolute; left: 0; top: 1px; bottom: 1px; background: var(--bar);
    z-index: 0; }
    .row[aria-selected=true] .bar { background: color-mix(in srgb, var(--accent) 28%, transparent); }
    .row > :not(.bar) { position: relative; }
    .twist { width: 24px; flex: none; text-align: center; color: var(--soft); font-size: 10px;
    line-height: 26px; margin-right: -4px; }
    .name { flex: 1; overflow: hidden; text-overflow: ellipsis; }
    .row .size { color: var(--soft); }
    footer { display: flex; align-items: center; height: 40px; gap: 12px; overflow: hidden; }
    #legend { display: flex; flex-wrap: wrap; height: 28px; overflow: hidden; list-style: none;
    padding: 0;
    flex: 1; gap: 0 2px; }
    .key { display: flex; align-items: center; gap: 6px; height: 28px; border: 1px solid transparent;
    background: none; padding: 0 7px; white-space: nowrap; }
    .key .share, #counts { color: var(--soft); white-space: nowrap; }
    .partial .key[aria-pressed=false] { opacity: .55; }
    .key[aria-pressed=true] { border-color: var(--accent); background: var(--raised); }
    #tip { position: fixed; z-index: 4; pointer-events: none; max-width: min(420px, 92vw);
    padding: 10px 12px;
    background: var(--panel); border: 1px solid var(--line); border-radius: 8px;
    box-shadow: 0 8px 28px #0009; }
    dialog { margin: auto; max-width: min(620px, 92vw); background: var(--panel); color: var(--text);
    border: 1px solid var(--line); border-radius: 10px; padding: 18px 20px; }
    dialog::backdrop { background: #0008; }
    dialog dl { gap: 8px 16px; margin: 12px 0 16px; }
    .alert { grid-column: 1 / -1; padding: 24px; color: var(--warm); font-size: 15px; }
    noscript table { border-spacing: 12px 2px; text-align: left; }
    @media (max-width: 1180px) {
    .choice span { display: none; }
    .search input { width: 160px; }
    }
    @media (max-width: 820px) {
    html, body { height: auto; }
    body { display: block; padding: 8px 8px 16px; }
    .head { flex-wrap: wrap; padding: 0 4px; }
    .tools { order: 3; flex: 1 0 100%; flex-wrap: wrap; }
    .search { flex: 1 0 100%; }
    .search input { width: 100%; font-size: 16px; }
    .search kbd { top: 12px; }
    .choice { flex: 1; }
    .choice select { width: 100%; }
    #modes { order: 4; flex: 1; }
    #modes label { flex: 1; justify-content: center; }
    #modes span { padding: 0 7px; }
    button, input, select, #modes { height: 40px; }
    #clear { height: 32px; }
    .facts { height: auto; min-height: 30px; flex-wrap: wrap; white-space: normal; gap: 2px 12px; }
    main { display: block; }
    #map { height: min(70vh, 560px); min-height: 300px; }
    #card { margin: 8px 0; min-height: 0; }
    .buttons button { height: 40px; flex: 1; }
    #tree { height: 60vh; }
    .row { height: 40px; }
    .twist { width: 40px; line-height: 40px; }
    footer { height: auto; flex-wrap: wrap; padding-top: 6px; }
    #legend, .key { height: auto; min-height: 34px; }
    #legend { flex: 1 0 100%; overflow: visible; }
    }
    @media print {
    @page { size: A4 landscape; margin: 10mm; }
    :root, :root[data-theme=dark], :root[data-theme=light] { --ground: #fff; --text: #000;
    --soft: #333;
    color-scheme: light; }
    html, body { height: auto; background: #fff; }
    body { display: block; padding: 0; print-color-adjust: exact; -webkit-print-color-adjust: exact; }
    .skip, .tools, #modes, #theme, #help, #clear, aside, #tip, #over, dialog, #counts {
    display: none !important; }
    main { display: block; }
    #map { width: 100%; height: auto; aspect-ratio: 1040 / 570; min-height: 0;
    outline: none !important; }
    .facts { height: 26px; }
    footer { height: auto; }
    #legend { height: auto; overflow: visible; }
    }
    """##

  /// The script.
  internal static let script = ##"""
    (() => {
    'use strict';
    const KIND_FILE = 0, KIND_DIRECTORY = 1, KIND_LINK = 2, KIND_OTHER = 3, KIND_GROUP = 4;
    const KIND_ELSEWHERE = 5;
    const UNREADABLE = 14;
    const LARGEST_SIZE = (1n << 64n) - 1n;
    const meta = JSON.parse(document.getElementById('meta').textContent);
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
    function damaged(what) {
    throw new Error('the data of this page is damaged: ' + what);
    }
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
    at -= bits >> 3;
    const stored = new DataView(input.buffer, input.byteOffset).getUint32(at);
    if (adler32(output) !== stored) damaged('its checksum does not fit');
    return output;
    }
    function adler32(bytes) {
    let low = 1, high = 0;
    for (let i = 0; i < bytes.length;) {
    for (const end = Math.min(i + 3800, bytes.length); i < end; i++) high += low += bytes[i];
    low %= 65521;
    high %= 65521;
    }
    return ((high << 16) | low) >>> 0;
    }
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
    function membersOf(top) {
    if (tree.members?.top === top) return tree.members.is;
    const is = new Uint8Array(tree.count);
    is[top] = 1;
    for (let e = top + 1; e < tree.count; e++) is[e] = is[tree.parent[e]];
    tree.members = { top, is };
    return is;
    }
    function chainOf(e) {
    const chain = [];
    for (; e >= 0; e = tree.parent[e]) chain.push(e);
    return chain.reverse();
    }
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
    function grouped(number) {
    return number.toString().replace(/\B(?=(\d{3})+$)/g, ',');
    }
    function counted(number, noun, plural = noun + 's') {
    return grouped(number) + ' ' + (number === 1 ? noun : plural);
    }
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
    function dateText(time) {
    const date = new Date(time * 1000);
    if (isNaN(date)) return 'year ' + Math.floor(1970 + time / (365.25 * DAY));
    return date.toISOString().slice(0, -8).replace('T', ' ');
    }
    function dayText(time) {
    return dateText(time).slice(0, -6);
    }
    const CATEGORIES = [
    ['Code', 0.739, 0.081, 186], ['Program/library', 0.672, 0.145, 269],
    ['Document', 0.84, 0.145, 78], ['Image', 0.84, 0.113, 143.5], ['Video', 0.668, 0.137, 331],
    ['Audio', 0.84, 0.141, 198], ['Archive', 0.596, 0.132, 45.2],
    ['Data/database', 0.788, 0.117, 291.8], ['Config/text', 0.676, 0.144, 121],
    ['Log/cache', 0.73, 0.117, 29.9], ['Other', 0.6, 0.012, 260],
    ];
    const HUES = [1, 0, 6, 7, 2, 3, 8, 4, 9, 5, 10];
    const DEEPEST = 9;
    const REACH = 16;  // shades on either side of the middle one
    const SWING = 0.045;
    const LEAST_CONTRAST = 4.5;
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
    function pixel(rgb) {
    return (0xff000000 | ((rgb & 255) << 16) | (rgb & 0xff00) | (rgb >> 16)) >>> 0;
    }
    function rampColor(rank) {
    const t = Math.min(Math.max(rank, 0), 1);
    return [Math.max(0.4, 0.86 - 0.46 * t), 0.125 - 0.035 * t, 88 + 184 * t ** 0.9];
    }
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
    function folders() {
    if (topFolders) return topFolders;
    topFolders = [];
    for (let e = tree.first[0]; e < tree.first[0] + tree.length[0] && topFolders.length < 10; e++) {
    if (isDirectory(e)) topFolders.push(e);
    }
    return topFolders;
    }
    const styleCache = new Map();
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
    const HEADER = 2, FRAME = 1, NONE = 0;
    const MARGIN = 3;
    const STRETCH = 1.5;
    const ROUNDS = 12, STRUCTURE_ROUNDS = 3;
    const LARGEST_OVERHEAD = 0.32;
    function headerHeight(depth) {
    return depth <= 1 ? 20 : depth === 2 ? 18 : 16;
    }
    function selectNodes(top, area, scale) {
    const leastArea = (9 * scale * scale) / Math.min(2, scale);
    const least = Math.max((leastArea * tree.size[top]) / (0.75 * area), 1e-9);
    const nodes = {
    entry: [top], outer: [top], rest: [-1], parent: [0], depth: [0], weight: [tree.size[top]],
    first: [], count: 0,
    };
    for (let node = 0; node < nodes.entry.length; node++) {
    nodes.first.push(nodes.entry.length);
    const e = nodes.entry[node];
    if (nodes.rest[node] >= 0 || !isDirectory(e)) continue;
    const end = tree.first[e] + tree.length[e];
    let child = tree.first[e], rest = 0;
    const isWorthOpening = node === 0 || tree.size[e] >= 150 * least
    || (child < end && tree.size[child] >= least && tree.kind[child] !== KIND_GROUP);
    if (!isWorthOpening) continue;
    for (; child < end && tree.kind[child] !== KIND_GROUP && tree.size[child] >= least; child++) {
    append(innermost(child), child, -1, node, tree.size[child]);
    }
    for (let i = child; i < end; i++) rest += tree.size[i];
    if (rest > 0 || tree.own[e] >= least) rest += tree.own[e];
    if (rest > 0) append(e, e, child, node, rest);
    }
    nodes.count = nodes.entry.length;
    nodes.first.push(nodes.count);
    return nodes;
    function append(entry, outer, rest, parent, weight) {
    nodes.entry.push(entry);
    nodes.outer.push(outer);
    nodes.rest.push(rest);
    nodes.parent.push(parent);
    nodes.depth.push(nodes.depth[parent] + 1);
    nodes.weight.push(weight);
    }
    }
    function innermost(e) {
    while (isDirectory(e) && tree.length[e] === 1
    && isDirectory(tree.first[e])) e = tree.first[e];
    return e;
    }
    function layOut(top, width, height, scale) {
    const nodes = selectNodes(top, width * height, scale), n = nodes.count;
    const layout = {
    top, width, height, scale, count: n,
    entry: Int32Array.from(nodes.entry), outer: Int32Array.from(nodes.outer),
    rest: Int32Array.from(nodes.rest), parent: Int32Array.from(nodes.parent),
    depth: Uint16Array.from(nodes.depth), first: Int32Array.from(nodes.first),
    x0: new Float64Array(n), y0: new Float64Array(n),
    x1: new Float64Array(n), y1: new Float64Array(n),
    decoration: new Uint8Array(n), weight: new Float64Array(n),
    };
    const { first, weight } = layout;
    for (let i = n - 1; i >= 0; i--) {
    weight[i] = 0;
    for (let child = first[i]; child < first[i + 1]; child++) weight[i] += weight[child];
    if (first[i] === first[i + 1]) weight[i] = nodes.weight[i];
    }
    const rounds = {
    layout, need: weight.slice(), content: new Float64Array(n),
    order: Int32Array.from({ length: n }, (_, i) => i), row: new Uint8Array(n),
    };
    layout.x1[0] = width;
    layout.y1[0] = height;
    placeAll(rounds, true);
    for (let round = 0; round < ROUNDS; round++) {
    updateNeeds(rounds);
    placeAll(rounds, round < STRUCTURE_ROUNDS);
    }
    snap(layout);
    layout.nodeOf = new Map();
    for (let i = 0; i < n; i++) {
    layout.nodeOf.set(layout.rest[i] < 0 ? layout.entry[i] : -1 - layout.entry[i], i);
    }
    return layout;
    }
    function snap(layout) {
    const { x0, y0, x1, y1, count } = layout;
    layout.trueArea = new Float64Array(count);
    for (let i = 0; i < count; i++) {
    layout.trueArea[i] = (x1[i] - x0[i]) * (y1[i] - y0[i]);
    x0[i] = Math.round(x0[i]);
    y0[i] = Math.round(y0[i]);
    x1[i] = Math.round(x1[i]);
    y1[i] = Math.round(y1[i]);
    }
    }
    function overhead(w, h, side, top, bottom) {
    return 1 - (Math.max(w - 2 * side, 0) * Math.max(h - top - bottom, 0)) / (w * h);
    }
    function decorationFor(w, h, depth, s) {
    const t = headerHeight(depth) * s;
    const isRoomy = w >= 52 * s && h >= 2.4 * t;
    if (isRoomy && overhead(w, h, MARGIN * s, t, MARGIN * s) <= LARGEST_OVERHEAD) return HEADER;
    return Math.min(w, h) >= 14 * s && overhead(w, h, s, s, s) <= LARGEST_OVERHEAD ? FRAME : NONE;
    }
    function placeAll(rounds, isChoosing) {
    const { layout, need, content, order, row } = rounds;
    const { first, x0, y0, x1, y1, decoration, depth, scale: s } = layout;
    for (let node = 0; node < layout.count; node++) {
    const from = first[node], to = first[node + 1];
    if (from === to) continue;
    let left = x0[node], top = y0[node], right = x1[node], bottom = y1[node];
    if (isChoosing && node > 0) {
    decoration[node] = decorationFor(right - left, bottom - top, depth[node], s);
    }
    const kind = decoration[node];
    if (kind !== NONE) {
    const margin = (kind === HEADER ? MARGIN : 1) * s;
    const bar = kind === HEADER ? headerHeight(depth[node]) * s : margin;
    left = Math.min(left + margin, right);
    right = Math.max(right - margin, left);
    top = Math.min(top + bar, bottom);
    bottom = Math.max(bottom - margin, top);
    }
    content[node] = (right - left) * (bottom - top);
    let total = 0;
    for (let child = from; child < to; child++) total += need[child];
    if (isChoosing) {
    sortByNeed(order, need, from, layout.rest[to - 1] >= 0 ? to - 1 : to);
    chooseRows(order, need, row, from, to, total, (right - left) / STRETCH, bottom - top);
    }
    placeRows(rounds, from, to, total, left, top, right, bottom);
    }
    }
    function sortByNeed(order, need, from, to) {
    for (let i = from + 1; i < to; i++) {
    const node = order[i], value = need[node];
    let place = i;
    for (; place > from && need[order[place - 1]] < value; place--) order[place] = order[place - 1];
    order[place] = node;
    }
    }
    function chooseRows(order, need, row, from, to, total, width, height) {
    let w = width, h = height, left = total;
    for (let start = from; start < to;) {
    const isDiced = w < h;
    const alpha = Math.max(h / w, w / h) / left;
    let end = start + 1, sum = need[order[start]], least = sum;
    const most = sum;
    let worst = Math.max(most / (sum * sum * alpha), (sum * sum * alpha) / least);
    for (; end < to; end++) {
    const value = need[order[end]], beta = (sum + value) * (sum + value) * alpha;
    const next = Math.max(Math.max(most, value) / beta, beta / Math.min(least, value));
    if (next > worst) break;
    sum += value;
    least = Math.min(least, value);
    worst = next;
    }
    row[start] = isDiced ? 3 : 1;
    row.fill(0, start + 1, end);
    const share = left > 0 ? Math.min(sum / left, 1) : 1;
    if (isDiced) h -= h * share;
    else w -= w * share;
    left = Math.max(left - sum, 0);
    start = end;
    }
    }
    function placeRows({ layout, need, order, row }, from, to, total, left, top, right, bottom) {
    const { x0, y0, x1, y1 } = layout;
    let remaining = total;
    for (let start = from; start < to;) {
    const isDiced = row[start] === 3;
    let end = start + 1, sum = need[order[start]];
    for (; end < to && row[end] === 0; end++) sum += need[order[end]];
    const share = end < to && sum < remaining ? sum / remaining : 1;
    const edge = share === 1 ? (isDiced ? bottom : right)
    : isDiced ? top + (bottom - top) * share : left + (right - left) * share;
    const finish = isDiced ? right : bottom;
    let at = isDiced ? left : top;
    const factor = sum > 0 ? (finish - at) / sum : 0;
    for (let i = start; i < end; i++) {
    const node = order[i];
    const next = i + 1 < end ? Math.min(at + need[node] * factor, finish) : finish;
    x0[node] = isDiced ? at : left;
    x1[node] = isDiced ? next : edge;
    y0[node] = isDiced ? top : at;
    y1[node] = isDiced ? edge : next;
    at = next;
    }
    if (isDiced) top = edge;
    else left = edge;
    remaining = Math.max(remaining - sum, 0);
    start = end;
    }
    }
    function updateNeeds({ layout, need, content }) {
    const { first, x0, y0, x1, y1, weight } = layout;
    let leafArea = 0;
    for (let i = 0; i < layout.count; i++) {
    if (first[i] === first[i + 1]) leafArea += (x1[i] - x0[i]) * (y1[i] - y0[i]);
    }
    const areaPerByte = weight[0] > 0 ? leafArea / weight[0] : 0;
    for (let i = layout.count - 1; i >= 0; i--) {
    if (first[i] === first[i + 1]) need[i] = areaPerByte * weight[i];
    else {
    need[i] = (x1[i] - x0[i]) * (y1[i] - y0[i]) - content[i];
    for (let child = first[i]; child < first[i + 1]; child++) need[i] += need[child];
    }
    }
    }
    function nodeAt(layout, x, y) {
    const { first, x0, y0, x1, y1 } = layout;
    let node = 0;
    for (let child = first[0], end = first[1]; child < end; child++) {
    if (x >= x0[child] && x < x1[child] && y >= y0[child] && y < y1[child]) {
    node = child;
    child = first[node] - 1;
    end = first[node + 1];
    }
    }
    return node;
    }
    function nodeShowing(layout, e, isRest) {
    if (isRest && layout.nodeOf.has(-1 - e)) return layout.nodeOf.get(-1 - e);
    for (let at = e; at >= 0; at = tree.parent[at]) {
    const node = layout.nodeOf.get(at);
    if (node !== undefined) return node;
    const chain = innermost(at);
    if (layout.nodeOf.has(chain)) return layout.nodeOf.get(chain);
    const rest = layout.nodeOf.get(-1 - tree.parent[at]);
    if (rest !== undefined && at >= layout.rest[rest]) return rest;
    }
    return -1;
    }
    function isLeaf(layout, node) {
    return layout.first[node] === layout.first[node + 1];
    }
    const FONT = '"Noto Sans", "DejaVu Sans", system-ui, sans-serif';
    function looksOf(layout, node, mode) {
    const e = layout.entry[node], { classOf } = MODES[mode];
    if (layout.rest[node] < 0) {
    const isGroup = tree.kind[e] === KIND_GROUP || isDirectory(e);
    return { index: classOf(e), isGroup, share: matchShare(e) };
    }
    const sums = new Float64Array(16), end = tree.first[e] + tree.length[e];
    let whole = 0, matching = 0;
    for (let child = layout.rest[node]; child < end; child++) {
    sums[classOf(child)] += tree.size[child];
    whole += tree.size[child];
    matching += filter.isOn ? filter.size[child] : 0;
    }
    let index = 0;
    for (let i = 1; i < 16; i++) if (sums[i] > sums[index]) index = i;
    if (whole === 0) index = classOf(e);
    return { index, isGroup: true, share: !filter.isOn ? 1 : whole > 0 ? matching / whole : 0 };
    }
    function matchShare(e) {
    if (!filter.isOn) return 1;
    if (tree.size[e] > 0) return Math.min(filter.size[e] / tree.size[e], 1);
    return filter.files[e] > 0 ? 1 : 0;
    }
    function paint(layout, canvas, mode, themeName) {
    const { width, height } = layout;
    canvas.width = width;
    canvas.height = height;
    const context = canvas.getContext('2d');
    const image = context.createImageData(width, height);
    const painter = makePainter(layout, new Uint32Array(image.data.buffer), mode, themeName);
    painter.paintAll();
    context.putImageData(image, 0, 0);
    drawLabels(layout, context, painter.labels, themeName);
    layout.drawn = painter.drawn;
    }
    function makePainter(layout, pixels, mode, themeName) {
    const { width, scale, x0, y0, x1, y1 } = layout;
    const theme = THEMES[themeName], styles = stylesOf(mode, themeName);
    const line = Math.max(1, Math.round(scale));
    const labels = [], drawn = { files: 0 };
    const grounds = Array.from({ length: 7 }, (_, depth) => {
    const [l, c, h] = theme.directory(depth);
    const fill = rgbOf([l, c, h]), frame = rgbOf([l + theme.frame, c * 1.4, h]);
    return { fill: pixel(fill), frame: pixel(frame), text: theme.text, soft: theme.soft,
    faint: css(mixed(fill, theme.text, 0.4)) };
    });
    return { labels, drawn, paintAll };
    function fillRect(left, top, right, bottom, color) {
    for (let y = top; y < bottom; y++) pixels.fill(color, y * width + left, y * width + right);
    }
    function paintAll() {
    fillRect(0, 0, width, layout.height, grounds[0].fill);
    for (let node = 0; node < layout.count; node++) {
    if (x1[node] <= x0[node] || y1[node] <= y0[node]) continue;
    if (!isLeaf(layout, node)) paintDirectory(node);
    else if (node > 0) paintTile(node);
    }
    }
    function paintDirectory(node) {
    const kind = layout.decoration[node];
    if (kind === NONE) return;
    const ground = grounds[Math.min(layout.depth[node], 6)];
    const inset = kind === HEADER ? line : 0;
    const [l, t, r, b] = [x0[node] + inset, y0[node] + inset, x1[node] - inset, y1[node] - inset];
    const isDimmed = filter.isOn && !(matchShare(layout.entry[node]) > 0);
    fillRect(l, t, r, b, isDimmed ? ground.fill : ground.frame);
    fillRect(l + line, t + line, r - line, b - line, ground.fill);
    if (kind === HEADER) labels.push({ node, ground, isDimmed });
    }
    function paintTile(node) {
    const { index, isGroup, share } = looksOf(layout, node, mode);
    const e = layout.entry[node];
    if (layout.rest[node] < 0 && !isGroup && tree.kind[e] === KIND_FILE) drawn.files++;
    const isDimmed = filter.isOn && (isGroup ? share < 0.999 : !(share > 0));
    const style = styles[index * 4 + (isDimmed ? 2 : 0) + (isGroup ? 1 : 0)];
    const [l, t, r, b] = [x0[node], y0[node], x1[node], y1[node]];
    shade(l, t, r, b, style.shades);
    if (isDimmed && share > 0) {
    const level = Math.max(1, Math.round((b - t) * share));
    shade(l, b - level, r, b, styles[index * 4 + 1].shades);
    }
    if (style.dots !== null) dot(l, t, r, b, style.dots);
    edges(l, t, r, b, isDimmed);
    if (style.outline !== null) outline(l, t, r, b, style.outline);
    if (r - l >= 34 * scale && b - t >= 15 * scale) labels.push({ node, style });
    }
    function shade(left, top, right, bottom, shades) {
    const w = right - left, h = bottom - top;
    if (!theme.isShaded) return fillRect(left, top, right, bottom, shades[REACH]);
    const depth = Math.min(1, Math.min(w, h) / scale / 24 + 0.35) * 1.48 * REACH;
    const across = (0.45 * depth) / w, down = (0.9 * depth) / h;
    const corner = 0.675 * depth + REACH + 0.5 - (across + down) / 2;
    for (let y = 0; y < h; y++) {
    let level = corner - down * y, i = (top + y) * width + left;
    for (const end = i + w; i < end; i++, level -= across) {
    pixels[i] = shades[level < 0 ? 0 : level > 2 * REACH ? 2 * REACH : level | 0];
    }
    }
    }
    function dot(left, top, right, bottom, color) {
    for (let y = top + 2 * line; y < bottom - line; y += 4 * line) {
    for (let x = left + 2 * line; x < right - line; x += 4 * line) {
    fillRect(x, y, Math.min(x + line, right), Math.min(y + line, bottom), color);
    }
    }
    }
    function outline(left, top, right, bottom, color) {
    if (Math.min(right - left, bottom - top) < 6 * line) return;
    fillRect(left, top, right, top + line, color);
    fillRect(left, bottom - line, right, bottom, color);
    fillRect(left, top, left + line, bottom, color);
    fillRect(right - line, top, right, bottom, color);
    }
    function edges(left, top, right, bottom, isDimmed) {
    const side = Math.min(right - left, bottom - top) / scale;
    if (theme.isShaded && side >= 8) {
    const raise = isDimmed ? 4 : 14;
    const lighter = (v) => Math.min(v + raise, 255);
    for (let y = top; y < top + line; y++) change(left, y, right, lighter);
    }
    const strength = theme.seam * Math.min(1, side / 10 + 0.15);
    const seam = strength < 0 ? (v) => v + (255 - v) * -strength : (v) => v * (1 - strength);
    const r = Math.max(right - line, left), b = Math.max(bottom - line, top);
    for (let y = top; y < b; y++) change(r, y, right, seam);
    for (let y = b; y < bottom; y++) change(left, y, right, seam);
    }
    function change(left, y, right, body) {
    for (let i = y * width + left, end = y * width + right; i < end; i++) {
    const p = pixels[i];
    pixels[i] = (0xff000000 | (body((p >> 16) & 255) << 16) | (body((p >> 8) & 255) << 8)
    | body(p & 255)) >>> 0;
    }
    }
    }
    const widthCache = new Map();
    function textWidth(context, text) {
    const key = context.font + '\0' + text;
    let width = widthCache.get(key);
    if (width === undefined) {
    if (widthCache.size > 20000) widthCache.clear();
    width = context.measureText(text).width;
    widthCache.set(key, width);
    }
    return width;
    }
    function fitText(context, text, width, fewest) {
    if (textWidth(context, text) <= width) return text;
    const characters = Array.from(text.slice(0, 400));
    let low = fewest, high = characters.length - 1, best = '';
    while (low <= high) {
    const count = (low + high) >> 1, head = Math.ceil((count * 2) / 3);
    const short = characters.slice(0, head).join('') + '…'
    + characters.slice(characters.length - (count - head)).join('');
    if (textWidth(context, short) <= width) {
    best = short;
    low = count + 1;
    } else high = count - 1;
    }
    return best;
    }
    function drawLabels(layout, context, labels, themeName) {
    const theme = THEMES[themeName];
    context.direction = 'ltr';
    context.textBaseline = 'alphabetic';
    if (layout.count === 1) {
    setFont(context, 13, layout.scale);
    context.fillStyle = css(theme.soft);
    context.fillText('Nothing here takes up space.', 16 * layout.scale, 32 * layout.scale);
    }
    for (const label of labels) {
    if (label.ground) drawHeader(layout, context, label, theme);
    else drawTileLabel(layout, context, label);
    }
    }
    function setFont(context, size, scale, weight = '') {
    const font = `${weight} ${size * scale}px ${FONT}`;
    if (context.plainFont !== font) context.font = context.plainFont = font;
    }
    function chainName(layout, node) {
    const names = [];
    for (let e = layout.entry[node]; ; e = tree.parent[e]) {
    names.push(nameOf(e));
    if (e === layout.outer[node] || e <= 0) break;
    }
    return names.reverse().join('/');
    }
    function drawHeader(layout, context, { node, ground, isDimmed }, theme) {
    const { scale: s } = layout, depth = layout.depth[node];
    const size = depth <= 1 ? 12 : depth === 2 ? 11 : 10.5;
    const left = layout.x0[node] + 6 * s, right = layout.x1[node] - 6 * s;
    const baseline = layout.y0[node] + s + headerHeight(depth) * s - 5.5 * s;
    const name = chainName(layout, node), sizeLabel = sizeText(tree.size[layout.outer[node]]);
    let room = right - left;
    setFont(context, size - 1, s);
    const sizeWidth = textWidth(context, sizeLabel);
    setFont(context, size, s, 'bold');
    if (textWidth(context, name.slice(0, 6)) + sizeWidth + 14 * s <= room) {
    setFont(context, size - 1, s);
    context.fillStyle = isDimmed ? ground.faint : css(theme.soft);
    context.fillText(sizeLabel, right - sizeWidth, baseline);
    room -= sizeWidth + 8 * s;
    }
    setFont(context, size, s, 'bold');
    context.fillStyle = isDimmed ? ground.faint : css(theme.text);
    context.fillText(fitText(context, name, room, 4), left, baseline);
    }
    function labelCandidates(layout, node) {
    const e = layout.entry[node];
    if (layout.rest[node] < 0 && tree.kind[e] !== KIND_GROUP) return [chainName(layout, node)];
    const items = itemsOf(layout, node);
    if (items === 0) return [];
    const count = grouped(items);
    return [counted(items, 'smaller item'), count + ' smaller', '+' + count];
    }
    function itemsOf(layout, node) {
    const e = layout.entry[node];
    if (layout.rest[node] < 0) return tree.items[e];
    let items = 0;
    for (let child = layout.rest[node]; child < tree.first[e] + tree.length[e]; child++) {
    items += tree.kind[child] === KIND_GROUP ? tree.items[child] : Math.max(tree.files[child], 1);
    }
    return items;
    }
    function drawTileLabel(layout, context, { node, style }) {
    const { scale: s } = layout;
    const left = layout.x0[node], top = layout.y0[node];
    const width = layout.x1[node] - left, height = layout.y1[node] - top;
    const area = (width * height) / (s * s);
    const size = area < 9000 ? 10.5 : area < 40000 ? 11.5 : area < 120000 ? 13 : 15;
    const margin = (width < 60 * s ? 3 : 5) * s, room = width - 2 * margin;
    setFont(context, size, s);
    const candidates = labelCandidates(layout, node);
    const text = candidates.length === 1 ? fitText(context, candidates[0], room, 6)
    : candidates.find((candidate) => textWidth(context, candidate) <= room);
    if (!text) return;
    const baseline = top + (size + 2.5) * s;
    context.fillStyle = style.ink;
    context.fillText(text, left + margin, baseline);
    if (height < (2 * size + 11) * s) return;
    const sizeLabel = sizeText(layout.weight[node]);
    setFont(context, size - 1, s);
    if (textWidth(context, sizeLabel) > room) return;
    context.fillStyle = style.soft;
    context.fillText(sizeLabel, left + margin, baseline + 1.28 * size * s);
    }
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
    function nameTest(query) {
    const wanted = query.toLowerCase();
    if (!/[*?]/.test(wanted)) return (name) => name.includes(wanted);
    const pattern = wanted.replace(/[.+^${}()|[\]\\]/g, '\\$&').replace(/\*+/g, '[^]*')
    .replace(/\?/g, '[^]');
    const expression = new RegExp('^' + pattern + '$', 'u');
    return (name) => expression.test(name);
    }
    let lowerNames = null;
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
    function largestMatch(top) {
    const isMember = membersOf(top);
    let best = -1;
    for (let e = top; e < tree.count; e++) {
    if (!filter.isMatch[e] || tree.kind[e] === KIND_GROUP || !isMember[e]) continue;
    if (best < 0 || tree.size[e] > tree.size[best]) best = e;
    }
    return best;
    }
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
    start ??= performance.now();
    const time = Math.min(Math.max((now - start) / ZOOM_TIME, 0), 1);
    const eased = time < 0.5 ? 4 * time ** 3 : 1 - (2 - 2 * time) ** 3 / 2;
    const share = isInward ? eased : 1 - eased;
    const at = rect.map((edge, i) => edge + (whole[i] - edge) * share);
    const [l, t, r, b] = at;
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
    function selectRow(e) {
    if (isBelow(e, state.top)) select(e, false);
    else zoomTo(commonDirectory(e), e);
    }
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
    function kindText(e, isRest) {
    if (isRest || tree.kind[e] === KIND_GROUP) return 'grouped, too small to be drawn';
    if (tree.isUnreadable[e]) return (isDirectory(e) ? 'directory that ' : '') + 'could not be read';
    if (isDirectory(e)) return 'directory';
    if (tree.kind[e] === KIND_LINK) return 'symbolic link';
    if (tree.kind[e] === KIND_OTHER) return 'special file';
    const category = CATEGORIES[tree.category[e]][0];
    return tree.kind[e] === KIND_ELSEWHERE ? category + ', hard link counted elsewhere' : category;
    }
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
    globalThis.plat = {
    meta, tree, state, filter, map, rows, inflate, inflateAtBest, decodeBase64, adler32, pathToCopy,
    stylesOf, nodeAt, zoomTo, select, MODES, THEMES, entryAt, encodePath,
    ready: start(),
    };
    })();
    """##
}
