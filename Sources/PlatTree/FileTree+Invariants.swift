extension FileTree {
  /// Checks what holds of every tree, for tests and for trees that were stored.
  ///
  /// - Returns: A sentence for each rule that is broken; none for a sound tree.
  /// - Complexity: O(*n*), where *n* is the number of entries.
  public func brokenInvariants() -> [String] {
    var broken: [String] = []
    func expect(_ holds: Bool, _ rule: @autoclosure () -> String) {
      if !holds { broken.append(rule()) }
    }
    expect(directoryCount > 0, "a tree has a top")
    expect(nameStarts.count == directoryCount + 1, "every directory has a name")
    expect(firstSubdirectories.count == directoryCount + 1, "every directory has subdirectories")
    guard broken.isEmpty else { return broken }
    expect(firstSubdirectories[directoryCount] == directoryCount, "every directory has a parent")
    var counted = Set(uncharged)
    for directory in directories {
      let children = subdirectories(of: directory)
      for (index, child) in children.enumerated() {
        expect(parent(of: child) == directory, "directory \(child.index) knows its parent")
        expect(child > directory, "directory \(child.index) comes after its parent")
        guard index > 0 else { continue }
        let before = name(of: children[children.startIndex + index - 1])
        expect(
          before.lexicographicallyPrecedes(name(of: child)),
          "directory \(child.index) comes after the one with the smaller name"
        )
      }
      do throws(ListingError) {
        _ = try listing(of: directory).validate()
        let sums = sums(of: directory, counted: &counted)
        expect(sums == totals(of: directory), "the totals of directory \(directory.index) add up")
      } catch {
        expect(false, "directory \(directory.index): \(error)")
      }
    }
    expect(counted.isEmpty, "every name that is counted elsewhere is an entry")
    return broken
  }

  /// Adds up a directory from its listing and the totals of its subdirectories.
  private func sums(of directory: DirectoryID, counted: inout Set<UInt64>) -> Totals {
    var sums = Totals()
    if !details(of: directory).flags.contains(.isGroup) {
      sums.directories = 1
      sums.allocatedSize = details(of: directory).allocatedSize
    }
    var cursor = listing(of: directory).makeCursor()
    while cursor.advanceWithoutName() {
      var summary = ListingSummary()
      summary.add(cursor.entry)
      var part = Totals()
      part.files = Int(summary.files)
      part.symbolicLinks = Int(summary.symbolicLinks)
      part.others = Int(summary.others)
      let key = UInt64(directory.index) << 32 | UInt64(cursor.ordinal)
      if counted.remove(key) == nil {
        part.allocatedSize = summary.allocatedSize
        part.apparentSize = summary.apparentSize
      }
      sums += part
    }
    for subdirectory in subdirectories(of: directory) { sums += totals(of: subdirectory) }
    return sums
  }
}
