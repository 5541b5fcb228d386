/// Where the parts of the screen are, for one size of the window.
internal struct ScreenLayout: Hashable, Sendable {
  /// How the columns of the list are divided.
  internal struct ListColumns: Hashable, Sendable {
    internal var width: Int
    /// The columns that names have.
    internal var name: Int
    internal var bar = 0
    /// 4, or 6 with a decimal.
    internal var share = 0
    /// 8, or 5 without a space and a whole unit.
    internal var size = 0
    internal var otherSize = 0
    internal var items = 0
    internal var age = 0
    internal var owner = 0
    internal var mode = 0

    /// A column that is shown, and where.
    internal struct Place: Hashable, Sendable {
      internal var column: ListColumn
      internal var start: Int
      internal var width: Int
      internal var end: Int { start + width }
    }

    /// The columns after the name, from the left.
    internal var places: [Place] {
      var start = 2 + name + 1
      return ListColumn.allCases.compactMap { column in
        let width = width(of: column)
        guard width > 0 else { return nil }
        defer { start += width + 1 }
        return Place(column: column, start: start, width: width)
      }
    }

    private func width(of column: ListColumn) -> Int {
      switch column {
      case .bar: bar
      case .share: share
      case .size: size
      case .otherSize: otherSize
      case .items: items
      case .age: age
      case .owner: owner
      case .mode: mode
      }
    }
  }

  internal static let smallest = (columns: 20, rows: 4)

  internal let columns: Int
  internal let rows: Int
  internal var isTooSmall: Bool {
    columns < Self.smallest.columns || rows < Self.smallest.rows
  }

  internal private(set) var ruleRow: Int?
  internal private(set) var headRow: Int?
  internal private(set) var detailRow: Int?
  internal private(set) var keyRow: Int?
  /// The rows of list and map.
  internal private(set) var body: Range<Int> = 0..<0
  /// The list; its scroll bar is the column after it.
  internal private(set) var list: ListColumns?
  internal private(set) var mapColumns: Range<Int>?
  /// The rows of the map, which begins beside the heads of the list.
  internal private(set) var mapRows: Range<Int> = 0..<0
  internal private(set) var legendRow: Int?

  /// The rows to keep before and after the selection while scrolling.
  internal var scrollMargin: Int { rows < 12 ? 0 : 2 }
  /// Whether one pane is shown at a time.
  internal var isSingle: Bool { columns < 72 }

  /// Divides a window.
  ///
  /// - Parameters:
  ///   - columns: The columns of the window.
  ///   - rows: Its rows.
  ///   - hasMap: Whether a map is wanted.
  ///   - showsMapAlone: Whether the map is shown where there is room for one pane only.
  ///   - split: The width of the list that the person chose, if any.
  ///   - listColumns: The columns of the list that are wanted.
  ///   - sorted: What the list is sorted by: its column has room for that sign.
  internal init(
    columns: Int,
    rows: Int,
    hasMap: Bool = true,
    showsMapAlone: Bool = false,
    split: Int? = nil,
    listColumns: Set<ListColumn> = ListColumn.usual,
    sorted: RowOrder.Key = .size
  ) {
    self.columns = columns
    self.rows = rows
    guard !isTooSmall else { return }
    var first = 1
    var last = rows
    if rows >= 30 {
      ruleRow = first
      first += 1
    }
    if rows >= 5 {
      last -= 1
      keyRow = last
    }
    if rows >= 14 {
      last -= 1
      detailRow = last
    }
    let top = first
    if rows >= 8 {
      headRow = first
      first += 1
    }
    body = first..<last

    let wantsMap = hasMap && rows >= 12
    if isSingle {
      if wantsMap, showsMapAlone {
        mapColumns = 0..<columns
      } else {
        list = Self.columns(listColumns, sorted, width: columns - 1)
      }
    } else if wantsMap {
      let usual = columns >= 110 ? min((columns * 46 + 50) / 100, 74) : max(columns / 2, 40)
      let width = min(max(split ?? usual, 20), columns - 22)
      list = Self.columns(listColumns, sorted, width: width)
      mapColumns = width + 2..<columns
    } else {
      list = Self.columns(listColumns, sorted, width: columns - 1)
    }
    if let mapColumns, mapColumns.count > 0 {
      let hasLegend = body.count >= 12
      legendRow = hasLegend ? last - 1 : nil
      mapRows = top..<(hasLegend ? last - 1 : last)
    }
  }

  /// Gives columns to what is worth most, as long as names keep ten.
  private static func columns(
    _ wanted: Set<ListColumn>,
    _ sorted: RowOrder.Key,
    width: Int
  ) -> ListColumns {
    var columns = ListColumns(width: width, name: width - 2)
    func take(_ column: ListColumn, _ count: Int) -> Int {
      guard wanted.contains(column), columns.name - count - 1 >= 10 else { return 0 }
      columns.name -= count + 1
      return count
    }
    if width >= 20 { columns.size = take(.size, width < 30 ? 5 : 8) }
    columns.share = take(.share, width >= 56 ? 6 : 4)
    // What is not usual was asked for.
    columns.otherSize = take(.otherSize, sorted == .otherSize ? 10 : 8)
    columns.owner = take(.owner, 8)
    columns.mode = take(.mode, sorted == .mode ? 6 : 4)
    columns.bar = take(.bar, width < 50 ? 8 : width < 72 ? 12 : 16)
    if width >= 52 { columns.items = take(.items, width < 72 ? 7 : 9) }
    if width >= 60 { columns.age = take(.age, 6) }
    return columns
  }
}
