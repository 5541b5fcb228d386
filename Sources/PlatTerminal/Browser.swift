import PlatScan
import PlatTree

/// The state of a screen: what is shown, where the person is, and what a key does next.
///
/// It is a value that knows neither a terminal nor a thread nor the time. An event goes in, and what is
/// to be done outside comes out; ``ScreenPainter`` draws it.
internal struct Browser: Sendable {
  /// A choice that is made when the program starts.
  internal struct Settings: Sendable {
    internal var sizes = SizeFormat.iec
    internal var measure = SizeMeasure.allocated
    internal var isReadOnly = false
    internal var ownerNames: OwnerNames = [:]
    internal var groupNames: OwnerNames = [:]
    internal var clock = LocalClock.local
    /// Whether terminals show names that are not ASCII.
    internal var showsUTF8 = true
    /// Says what an error number means.
    internal var reason: @Sendable (Int32) -> String = { PlatScan.message(forErrno: $0) }
    /// Whether lines are written, where nothing comes later.
    internal var isPlain = false
    internal init() {}
  }

  internal enum Pane: Hashable, Sendable {
    case list, map
  }

  /// What is shown in place of, or over, the list of a directory.
  internal enum Mode: Sendable {
    case browsing
    case searching(Search)
    case box(Box)
    case marks(selected: Int)
    case issues(selected: Int)
    /// A line is being typed.
    case typing(Prompt)
  }

  internal var settings: Settings
  internal var columns: Int
  internal var rows: Int
  /// The time, in seconds since 1970.
  internal var now: Int64 = 0
  /// The picture of a spinner that is shown.
  internal var spin = 0

  internal var shown = ShownState()
  internal var treeMarks = TreeMarks()
  internal var categories: CategorySizes?
  /// The tree that is shown next, and the one after it.
  internal var successor: Successor?
  internal var afterSuccessor: ShownState?
  internal var lastAdoption: Int64 = 0
  /// The names of the directories in the list that had become larger when the growing tree was last shown.
  internal var growing: Set<[UInt8]> = []
  internal var lastKey: Int64 = 0
  /// Whether nobody has done anything since the root was opened, so that no entry was chosen.
  internal var isUntouched = true

  // Where the person is.
  internal var directory = DirectoryID(0)
  internal var list = RowList()
  internal var selected = 0
  /// The first row that is visible.
  internal var top = 0
  internal var order = RowOrder()
  internal var listColumns = ListColumn.usual
  internal var measure: SizeMeasure
  internal var pane = Pane.list
  internal var mapStyle = MapStyle.nested
  internal var colorKey = ColorKey.type
  internal var split: Int?
  internal var filter: ListFilter?
  internal var filterSums: FilterSums?
  /// The name that was selected in each directory that was left, by path.
  internal var remembered: [[UInt8]: [UInt8]] = [:]

  internal var mode = Mode.browsing
  /// What was searched for last, for the next and the previous hit.
  internal var heldSearch: Search?
  internal var marks = MarkList()
  /// What would become of the marked entries if they were removed, while they are listed.
  internal var marksEstimate: Removal.Estimate?
  /// How many files, or directories, are larger than the one that there is information about.
  internal var largerCount: Int?
  /// What happened last, in place of the detail line until the next key.
  internal var message: String?
  internal var comparison: Comparison?
  internal var lastClick: Click?
  internal var isDraggingSplit = false
  /// The clock of the process, in milliseconds.
  internal var milliseconds: Int64 = 0
  /// How many trees were made here, by subtracting what was removed.
  internal var revisionsOfOwn = 0
  /// The tree of the session that the newest of them was made of.
  internal var replacedRevision: Int?

  /// The map that was made last.
  internal var newestMap: MapModel?
  /// What the list is of.
  internal var listPlace: ListPlace?
  /// How many lists were asked for.
  internal var listTurn = 0
  /// The row that was selected when a long list was asked for.
  internal var selectedBefore: Int?
  /// How many entries there are in a list that is being made where there is none to show; else `nil`.
  internal var entriesToRead: Int?
  /// The name to select in that list.
  internal var nameToRead: [UInt8]?
  /// What has to be done outside after the event in hand.
  internal var pending: [BrowserEffect] = []

  internal init(settings: Settings = Settings(), columns: Int = 80, rows: Int = 24) {
    self.settings = settings
    self.columns = columns
    self.rows = rows
    measure = settings.measure
  }
}

extension Browser {
  /// The tree that is shown.
  internal var tree: FileTree? { shown.tree }

  /// The division of the window.
  internal var layout: ScreenLayout {
    ScreenLayout(
      columns: columns,
      rows: rows,
      hasMap: mapStyle != .off,
      showsMapAlone: pane == .map,
      split: split,
      listColumns: listColumns,
      sorted: order.key
    )
  }

  /// The row that is selected, if there is one.
  internal var selectedRow: Row? {
    list.rows.indices.contains(selected) ? list.rows[selected] : nil
  }

  /// The path of a row of the list.
  internal func path(ofRow index: Int) -> [UInt8] {
    guard let tree else { return [] }
    var path = tree.path(of: directory)
    path.appendComponent(list.name(at: index))
    return path
  }

  /// The path of the selected row, or of the directory if it is empty.
  internal var selectedPath: [UInt8] {
    if list.rows.indices.contains(selected) { return path(ofRow: selected) }
    return tree.map { $0.path(of: directory) } ?? shown.root
  }

  /// Returns a name or a path as it is shown.
  internal func text(_ name: some Collection<UInt8>) -> String {
    NameDisplay.terminalText(name, asciiOnly: !settings.showsUTF8)
  }
}

/// Something that has to be done outside the state of the screen.
internal enum BrowserEffect: Sendable {
  internal enum End: Hashable, Sendable {
    case normal
    case printMarks(endedByNUL: Bool)
    case printDirectory
    case printIssues
    case interrupted
  }

  case end(End)
  case suspend
  /// To scan again, and to look closely at the directory with a path, or else at everything.
  case refresh([UInt8]?)
  case stopScan
  case open([UInt8])
  /// To find the directories that a path may go on with.
  case complete([UInt8])
  /// To add up the kinds of files of a tree, and to make what it is shown with.
  case prepare(Preparation)
  case list(ListMaking)
  case search(Search.Request, FileTree)
  case filter(FilterSums.Request, FileTree)
  case estimate(Removal, FileTree)
  case rank(RankRequest, FileTree)
  case remove(Removal, FileTree)
  case stopRemoving
  /// To load the snapshot before or after the one compared with.
  case loadSnapshot(Comparison.Step)
  /// To find what was added, removed and moved between an older tree and a newer one.
  case compare(ComparedEntries.Request, FileTree, FileTree)
  case copy([UInt8])
  case runShell(in: [UInt8])
  case view([UInt8])
  case writeMap([UInt8])
}

/// Something that happened.
internal enum BrowserEvent: Sendable {
  case input(InputEvent)
  case resized(columns: Int, rows: Int)
  case session(ShownState)
  /// A scan that was asked for is over.
  case rescanned(ShownState)
  case prepared(Preparation.Prepared)
  case listed(ListMaking.Made)
  case mapped(MapModel)
  case found(Search.Result)
  case filtered(FilterSums)
  case estimated(Removal.Examined)
  case ranked(RankRequest, larger: Int)
  case clock(seconds: Int64, milliseconds: Int64, spin: Int)
  case removing(Removal.Progress)
  case removed(Removal.Outcome)
  case snapshot(Comparison.Loaded)
  case compared(ComparedEntries)
  case completed(PathCompletion)
  case said(String)
}
