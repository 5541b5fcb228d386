import Foundation
import PlatTree
import Testing

@testable import PlatTerminal

extension Browser {
  /// A browser of a tree as a test sees it: with the kinds of files added up, at a fixed time.
  static func showing(
    _ tree: FileTree,
    columns: Int = 120,
    rows: Int = 36,
    isReadOnly: Bool = false
  ) -> Browser {
    var settings = Settings()
    settings.clock = .utc
    settings.isReadOnly = isReadOnly
    settings.reason = { _ in "Permission denied" }
    var browser = Browser(settings: settings, columns: columns, rows: rows)
    browser.run(.clock(seconds: testNow, milliseconds: 0, spin: 0))
    browser.run(.session(.loaded(tree)))
    return browser
  }

  /// Handles an event, and does at once what it asks to be worked out in the background.
  ///
  /// - Returns: What else is to be done outside.
  @discardableResult
  mutating func run(_ event: BrowserEvent) -> [BrowserEffect] {
    var rest: [BrowserEffect] = []
    var effects = handle(event)
    while !effects.isEmpty {
      switch effects.removeFirst() {
      case .prepare(let preparation):
        guard let prepared = preparation.run() else { break }
        effects += handle(.prepared(prepared))
      case .rank(let request, let tree):
        guard let larger = request.run(in: tree) else { break }
        effects += handle(.ranked(request, larger: larger))
      case .list(let making): effects += handle(.listed(making.run()))
      case .search(let request, let tree):
        guard let result = request.run(in: tree) else { break }
        effects += handle(.found(result))
      case .filter(let request, let tree):
        guard let sums = FilterSums(request, of: tree) else { break }
        effects += handle(.filtered(sums))
      case .compare(let request, let old, let new):
        effects += handle(.compared(ComparedEntries(request, from: old, to: new)))
      case .estimate(let removal, let tree):
        effects += handle(.estimated(removal.examined(in: tree)))
      case let effect: rest.append(effect)
      }
    }
    return rest
  }

  /// Presses keys one after the other.
  ///
  /// - Returns: What the last one asks for outside.
  @discardableResult
  mutating func press(_ keys: Key...) -> [BrowserEffect] {
    var effects: [BrowserEffect] = []
    for key in keys { effects = run(.input(.key(key))) }
    return effects
  }

  /// Types text, key by key.
  @discardableResult
  mutating func type(_ text: String) -> [BrowserEffect] {
    var effects: [BrowserEffect] = []
    for character in text { effects = run(.input(.key(.character(character)))) }
    return effects
  }

  /// Makes the map if it is not there.
  mutating func prepareMap(isOutlined: Bool) {
    if let making = mapMaking(isOutlined: isOutlined) { _ = handle(.mapped(making.run())) }
  }

  /// The screen in a theme.
  func surface(_ theme: ScreenTheme = ScreenTheme(depth: .full)) -> Surface {
    var browser = self
    browser.prepareMap(isOutlined: theme.depth == .none || theme.glyphs.isASCII)
    return ScreenPainter(browser, theme: theme).paint()
  }

  /// The names in the list, from the first.
  var names: [String] {
    list.rows.indices.map { String(decoding: list.name(at: $0), as: UTF8.self) }
  }
}

extension ShownState {
  /// A scan that is complete.
  static func loaded(
    _ tree: FileTree,
    revision: Int = 1,
    checkedAt: Int64 = testNow - 120
  )
    -> ShownState
  {
    var state = ShownState()
    state.tree = tree
    state.revision = revision
    state.root = tree.path(of: tree.root)
    state.checkedAt = checkedAt
    return state
  }
}

/// Compares a screen with the recorded one, or records it if `PLAT_RECORD` is set.
///
/// - Parameters:
///   - surface: The screen.
///   - name: The name of the recorded one.
///   - showsStyles: Whether the looks of the cells count, too.
///   - sourceLocation: The test that compares.
/// - Throws: An error if there is no recorded screen.
func expectScreen(
  _ surface: Surface,
  _ name: String,
  showsStyles: Bool = false,
  sourceLocation: SourceLocation = #_sourceLocation
) throws {
  let folder = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .appendingPathComponent("Fixtures/screens")
  let file = folder.appendingPathComponent("\(name).txt")
  // What ends a line can be seen in the file.
  var text = (0..<surface.rows).map { surface.text(row: $0) + "$\n" }.joined()
  if showsStyles { text += surface.styles }
  if ProcessInfo.processInfo.environment["PLAT_RECORD"] != nil {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try Data(text.utf8).write(to: file)
  }
  let expected = try String(contentsOf: file, encoding: .utf8)
  #expect(text == expected, "the screen '\(name)' has changed", sourceLocation: sourceLocation)
}

extension Surface {
  /// The looks of the cells: for each row how many cells have which style, and what each style is.
  fileprivate var styles: String {
    var numbers: [CellStyle: Int] = [:]
    var text = ""
    for row in 0..<rows {
      var runs: [(style: Int, count: Int)] = []
      for column in 0..<columns {
        let style = self[row, column].style
        let number = numbers[style] ?? numbers.count + 1
        numbers[style] = number
        if runs.last?.style == number {
          runs[runs.count - 1].count += 1
        } else {
          runs.append((number, 1))
        }
      }
      text += runs.map { "\($0.count)x\($0.style)" }.joined(separator: " ") + "\n"
    }
    for (style, number) in numbers.sorted(by: { $0.value < $1.value }) {
      let names: [(CellStyle.Attributes, String)] = [
        (.bold, " bold"), (.underline, " underline"), (.reverse, " reverse"),
      ]
      let attributes = names.filter { style.attributes.contains($0.0) }.map(\.1).joined()
      text += "\(number): \(style.foreground.name) on \(style.background.name)\(attributes)\n"
    }
    return text
  }
}

extension TerminalColor {
  fileprivate var name: String {
    switch self {
    case .standard: "-"
    case .basic(let index): "basic \(index)"
    case .palette(let index): "palette \(index)"
    case .rgb(let color):
      "#"
        + [color.red, color.green, color.blue].map { byte in
          let digits = String(byte, radix: 16)
          return digits.count == 1 ? "0" + digits : digits
        }.joined()
    }
  }
}
