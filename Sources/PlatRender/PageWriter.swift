import PlatTree

/// Writes a tree as a page of HTML that needs nothing from elsewhere.
///
/// The page is a shell, a style sheet and a script, which are the same for every tree, and the
/// data. A policy in the page allows this script and this style, by their digests, and nothing
/// else: no network, no other script, and no text that becomes markup.
internal struct PageWriter: Sendable {
  private let tree: FileTree
  private let top: DirectoryID
  private let options: RenderOptions
  private let growth: TreeGrowth?

  /// How many of the things that were removed have a name in a page.
  private static let namedRemovals = 5
  /// The rows of the table for readers without scripts.
  private static let rowsWithoutScripts = 20

  internal init(
    _ tree: FileTree,
    top: DirectoryID,
    options: RenderOptions,
    growth: TreeGrowth? = nil
  ) {
    self.growth = growth
    self.tree = tree
    self.top = top
    self.options = options
  }

  /// Returns the page, in UTF-8.
  internal func document() throws(RenderError) -> [UInt8] {
    let depthLimit = max(options.depth ?? .max, 0)
    let limit = EntryLimit(
      options.pageEntries,
      of: tree,
      below: top,
      measure: options.measure,
      depth: depthLimit
    )
    let packer = PagePacker(
      tree,
      measure: options.measure,
      depthLimit: depthLimit,
      limit: limit,
      growth: growth
    )
    let page = packer.pack(from: top)
    let raw = page.columns.reduce(into: []) { $0 += $1 }
    let packed = try deflated(raw)

    var document: [UInt8] = []
    document.reserveCapacity(packed.count / 3 * 4 + 120_000)
    // The shell has names in braces for what is put in.
    for part in PageSource.shell.utf8.split(separator: UInt8(ascii: "{")) {
      guard let end = part.firstIndex(of: UInt8(ascii: "}")) else {
        document += part
        continue
      }
      switch String(part[..<end]) {
      case "policy": document += Self.policy.utf8
      case "title": document += escaped(options.title(of: tree, top: top)).utf8
      case "style": document += PageSource.style.utf8
      case "noscript": document += tableWithoutScripts.utf8
      case "meta": document += meta(of: page, rawCount: raw.count, packedCount: packed.count)
      case "data": document += Base64.encode(packed).utf8
      case "script": document += PageSource.script.utf8
      default: preconditionFailure("the shell of the page has an unknown name in it")
      }
      document += part[part.index(after: end)...]
    }
    return document
  }

  private func deflated(_ bytes: [UInt8]) throws(RenderError) -> [UInt8] {
    var packed: [UInt8] = []
    // Level 9 saves 0.5 % more, and takes half of the time that a page takes.
    var deflater = try Deflater(level: 7, capacity: 65_536)
    try deflater.compress(bytes) { packed += $0 }
    try deflater.finish { packed += $0 }
    return packed
  }
}

// MARK: Policy

extension PageWriter {
  /// The content security policy of every page.
  internal static let policy = [
    "default-src 'none'",
    "script-src '\(digest(of: PageSource.script))'",
    "style-src '\(digest(of: PageSource.style))'",
    "base-uri 'none'",
    "form-action 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].joined(separator: "; ")

  private static func digest(of text: String) -> String {
    "sha256-\(Base64.encode(SHA256.digest(of: Array(text.utf8))))"
  }
}

// MARK: Text

extension PageWriter {
  /// Returns what the script needs to know besides the columns, as JSON without markup in it.
  private func meta(of page: PageTree, rawCount: Int, packedCount: Int) -> [UInt8] {
    let totals = tree.totals(of: top)
    var bytes: [UInt8] = []
    let json = JSONWriter(layout: .line) { bytes += $0 }
    json.object {
      json.member("v", 1)
      json.member("n", page.kinds.count)
      json.array("cols") { for column in page.columns { json.element(column.count) } }
      json.member("raw", rawCount)
      json.member("z", packedCount)
      json.member("unit", page.unit)
      // A script reads numbers as doubles, which do not hold all sizes.
      json.member("total", String(totals.size(options.measure)))
      json.member("files", totals.files)
      json.member("entries", totals.entries)
      json.member("grouped", page.groupedItems)
      json.member("size", options.measure == .allocated ? "on-disk size" : "apparent size")
      json.member("at", options.now ?? tree.newestModification(of: tree.root))
      if options.title != nil || (tree.isGroup && top == tree.root) {
        json.member("title", options.title(of: tree, top: top))
      }
      json.member("color", options.colorKey.rawValue)
      json.array("owners") {
        for owner in page.shownOwners { json.element(options.ownerTitle(owner)) }
      }
      if let growth {
        json.object("growth") {
          json.member("change", growth.words)
          json.member("removed", growth.removalWords(names: Self.namedRemovals))
        }
      }
      if let theme = options.pageTheme {
        json.member("theme", theme == .dark ? theme.rawValue : Theme.light.rawValue)
      }
    }
    json.finish()
    return bytes.flatMap { byte -> [UInt8] in
      switch byte {
      case UInt8(ascii: "<"): Array(#"\u003c"#.utf8)
      case UInt8(ascii: ">"): Array(#"\u003e"#.utf8)
      case UInt8(ascii: "&"): Array(#"\u0026"#.utf8)
      default: [byte]
      }
    }
  }

  /// The largest files, for readers whose browser runs no scripts.
  private var tableWithoutScripts: String {
    let measure = options.measure
    var text = "<p>The map needs scripts. The largest files of "
    text += "\(escaped(options.title(of: tree, top: top))), "
    text += "\(SizeFormat.iec.string(tree.size(of: top, measure))) in all:</p>\n"
    text += "<table><tr><th>Size</th><th>Path</th></tr>\n"
    for file in tree.largestFiles(Self.rowsWithoutScripts, below: top, by: measure) {
      let path = NameDisplay.label(tree.path(of: file.id))
      text += "<tr><td>\(SizeFormat.iec.string(file.entry.size(measure)))</td>"
      text += "<td>\(escaped(path))</td></tr>\n"
    }
    return text + "</table>"
  }

  /// Returns text as the content of an element or a quoted attribute.
  private func escaped(_ text: String) -> String {
    var escaped = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "&": escaped += "&amp;"
      case "<": escaped += "&lt;"
      case ">": escaped += "&gt;"
      case "\"": escaped += "&quot;"
      case "'": escaped += "&#39;"
      default: escaped.unicodeScalars.append(scalar)
      }
    }
    return escaped
  }
}
