import PlatTree

/// Which class the files of a group, and groups, have.
extension Selector {
  /// The class of the group in hand.
  internal var groupClass: Int {
    mutating get { selection.classes.groupClass(of: groupSizes) }
  }

  /// Adds the entry that the cursor is at to the group in hand.
  internal mutating func addToGroup(
    _ entry: ListingEntry,
    size: UInt64,
    at place: FileClasses.Place
  ) {
    let index = selection.classes.add(entry, size: size, name: cursor.name, at: place)
    growGroup(by: size, ofClass: index)
  }

  /// Looks for the classes of what is in the group in hand, until more of it has one than has none.
  ///
  /// What is left counts with the group, if any of it has a class. Of what all is known, all is added.
  internal mutating func classifyRest(of directory: DirectoryID, _ node: Int) {
    let place = places[node]
    if let index = selection.classes.classIndex(ofFilesAt: place) {
      addToGroup(unclassified, ofClass: index)
      for (directory, _) in closed { addUp(directory, at: self.place(of: directory, below: place)) }
      return
    }
    var balance = Balance(known: groupSizes.reduce(0) { $0.addingSaturated($1) }, all: unclassified)
    for (_, size) in closed { balance.unknown = balance.unknown.addingSaturated(size) }
    let areKnown = selection.classes.areKnown
    if balance.isOpen, unclassified > 0 { classifySmallFiles(of: directory, at: place, &balance) }
    if balance.isOpen { closed.sort { $0.size > $1.size } }
    for (directory, size) in closed where balance.isOpen || areKnown {
      addUp(directory, at: self.place(of: directory, below: place))
      balance.add(size)
    }
    // Where nothing has a class, as in directories of empty files, their own blocks have none either.
    let hasClass = groupSizes.contains { $0 > 0 }
    if !areKnown, hasClass { addToGroup(balance.unknown, ofClass: groupClass) }
  }

  /// How many bytes of a group have a class, and how many have none.
  private struct Balance {
    var known: UInt64
    var unknown: UInt64

    init(known: UInt64, all: UInt64) {
      self.known = known
      unknown = all - min(known, all)
    }

    /// Whether the class of the group is open.
    var isOpen: Bool { known < unknown }

    mutating func add(_ size: UInt64) {
      known = known.addingSaturated(size)
      unknown -= min(size, unknown)
    }
  }

  /// Adds the files to the group in hand that were too small to be looked at before.
  private mutating func classifySmallFiles(
    of directory: DirectoryID,
    at place: FileClasses.Place,
    _ balance: inout Balance
  ) {
    var left = UInt64.max
    read(directory)
    while balance.isOpen, cursor.advance(toSize: 1, measure, left: &left, readingAttributes: true) {
      let size = chargedSize(of: cursor.entry, directory)
      guard size > 0, size < classifiedSize else { continue }
      if selection.classes.needsNames { cursor.readName() }
      addToGroup(cursor.entry, size: size, at: place)
      balance.add(size)
    }
  }

  /// Adds bytes of a class to the group in hand.
  internal mutating func addToGroup(_ size: UInt64, ofClass index: Int) {
    selection.classes.add(size, toClass: index)
    growGroup(by: size, ofClass: index)
  }

  private mutating func growGroup(by size: UInt64, ofClass index: Int) {
    while groupSizes.count <= index { groupSizes.append(0) }
    groupSizes[index] = groupSizes[index].addingSaturated(size)
  }

  /// Adds a directory and everything below it to the group in hand.
  internal mutating func addUp(_ top: DirectoryID, at place: FileClasses.Place) {
    if let index = selection.classes.classIndex(ofAllIn: top, at: place) {
      return addToGroup(tree.size(of: top, measure), ofClass: index)
    }
    var place = place
    // The subdirectories of neighbours are neighbours, so each level is one range.
    var level = top.index..<top.index + 1
    while let first = level.first, let last = level.last {
      for index in level {
        let directory = DirectoryID(index)
        place.holdsManualPages = holdsManualPages(directory)
        place.directory = index
        addUpFiles(of: directory, at: place)
      }
      let next = tree.subdirectories(of: DirectoryID(first)).startIndex
      level = next..<tree.subdirectories(of: DirectoryID(last)).endIndex
      place.depth += 1
    }
  }

  private mutating func addUpFiles(of directory: DirectoryID, at place: FileClasses.Place) {
    let own = tree.ownTotals(of: directory).size(measure)
    if own == 0 { return }
    if let index = selection.classes.classIndex(ofFilesAt: place) {
      return addToGroup(own, ofClass: index)
    }
    let needsNames = selection.classes.needsNames
    read(directory)
    var left = own
    while cursor.advance(toSize: 1, measure, left: &left, readingAttributes: true) {
      let size = chargedSize(of: cursor.entry, directory)
      guard size > 0 else { continue }
      if needsNames { cursor.readName() }
      addToGroup(cursor.entry, size: size, at: place)
    }
  }

  /// Returns where the files of a directory are, from where it is itself.
  internal mutating func place(
    of directory: DirectoryID,
    below parent: FileClasses.Place
  ) -> FileClasses.Place {
    var place = parent
    place.depth += 1
    if parent.depth == 0 {
      place.folder = directory.index - tree.subdirectories(of: top).startIndex
    }
    place.holdsManualPages = holdsManualPages(directory)
    place.directory = directory.index
    return place
  }

  internal mutating func holdsManualPages(_ directory: DirectoryID) -> Bool {
    guard selection.classes.needsNames else { return false }
    return FileCategory.holdsManualPages(directoryNamed: tree.name(of: directory))
  }
}
