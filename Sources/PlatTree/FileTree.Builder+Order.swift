extension FileTree.Builder {
  /// Returns the reader's numbers in canonical order, and sets the subdirectories of each.
  internal mutating func canonicalOrder<Stop: Error>(
    _ check: () throws(Stop) -> Void
  ) throws(Stop) -> [UInt32] {
    // Group the directories by parent: count, add up, distribute.
    var starts = [UInt32](repeating: 0, count: parents.count + 1)
    for number in parents.indices.dropFirst() where isKnown(number) {
      starts[Int(parents[number]) + 1] += 1
    }
    for index in 1..<starts.count { starts[index] += starts[index - 1] }
    var children = [UInt32](repeating: 0, count: Int(starts[parents.count]))
    for number in parents.indices.dropFirst() where isKnown(number) {
      let parent = Int(parents[number])
      children[Int(starts[parent])] = UInt32(number)
      starts[parent] += 1
    }
    // Each start has moved to the start of the next group.
    var order = [UInt32](repeating: 0, count: children.count + 1)
    var count = 1
    tree.firstSubdirectories = []
    tree.firstSubdirectories.reserveCapacity(children.count + 2)
    var next = 0
    while next < count {
      if next % 1024 == 0 { try check() }
      let number = Int(order[next])
      tree.firstSubdirectories.append(UInt32(count))
      let group = (number == 0 ? 0 : Int(starts[number - 1]))..<Int(starts[number])
      sortByName(&children, group)
      for index in group {
        order[count] = children[index]
        count += 1
      }
      next += 1
    }
    tree.firstSubdirectories.append(UInt32(count))
    order.removeLast(order.count - count)
    return order
  }

  /// Whether a directory was both delivered and announced.
  private func isKnown(_ number: Int) -> Bool {
    isDelivered[number] && parents[number] != Self.unknownParent
  }

  private func sortByName(_ children: inout [UInt32], _ group: Range<Int>) {
    guard group.count > 1 else { return }
    let names = names.span
    func name(_ number: UInt32) -> Range<Int> {
      let start = Int(nameStarts[Int(number)])
      return start..<start + Int(nameLengths[Int(number)])
    }
    let isSorted = group.dropFirst().allSatisfy {
      !precedes(names, name(children[$0]), name(children[$0 - 1]))
    }
    if !isSorted { children[group].sort { precedes(names, name($0), name($1)) } }
  }

  /// Puts every column into canonical order, one after the other, so that few exist twice.
  internal mutating func permute<Stop: Error>(
    _ order: [UInt32],
    _ check: () throws(Stop) -> Void
  ) throws(Stop) {
    permuteNames(order)
    let order = Order(order)
    names = []
    nameStarts = []
    nameLengths = []
    try reorder(&tree.listings, order, check)
    try reorder(&tree.flags, order, check)
    // Columns of one type after the other, as each takes the storage of the one before.
    var signed: [Int64] = []
    try reorder(&tree.modificationTimes, order, &signed, check)
    try reorder(&tree.changeTimes, order, &signed, check)
    try reorder(&tree.newestModifications, order, &signed, check)
    if !tree.fileChanges.isEmpty { try reorder(&tree.fileChanges, order, &signed, check) }
    if !newestBounds.isEmpty { try reorder(&newestBounds, order, &signed, check) }
    signed = []
    var unsigned: [UInt64] = []
    try reorder(&tree.inodes, order, &unsigned, check)
    try reorder(&tree.allocatedSizes, order, &unsigned, check)
    try reorder(&tree.totalAllocated, order, &unsigned, check)
    try reorder(&tree.totalApparent, order, &unsigned, check)
    unsigned = []
    var short: [UInt32] = []
    try reorder(&tree.fileSystemIndices, order, &short, check)
    try reorder(&tree.attributeIndices, order, &short, check)
    try reorder(&summaries.files, order, &short, check)
    try reorder(&summaries.symbolicLinks, order, &short, check)
    try reorder(&summaries.others, order, &short, check)
    tree.totalFiles = summaries.files
    tree.totalSymbolicLinks = summaries.symbolicLinks
    tree.totalOthers = summaries.others
    summaries = Summaries()
    tree.parents = [UInt32](repeating: 0, count: order.numbers.count)
    for index in order.numbers.indices {
      for child in tree.subdirectories(of: DirectoryID(index)) {
        tree.parents[child.index] = UInt32(index)
      }
    }
    permuteNotes(order.numbers)
  }

  private mutating func permuteNames(_ order: [UInt32]) {
    tree.nameStarts = []
    tree.nameStarts.reserveCapacity(order.count + 1)
    var end = 0
    for number in order {
      tree.nameStarts.append(UInt32(end))
      end += Int(nameLengths[Int(number)])
    }
    tree.nameStarts.append(UInt32(end))
    // Names are copied in words, so that some bytes after the last one are written, too.
    let slack = 8
    var permuted = [UInt8](repeating: 0, count: end + slack)
    do {
      let source = names.span
      var target = permuted.mutableSpan
      for index in order.indices {
        let start = Int(nameStarts[Int(order[index])])
        let length = Int(nameLengths[Int(order[index])])
        copy(source, start..<start + length, to: &target, Int(tree.nameStarts[index]))
      }
    }
    permuted.removeLast(slack)
    tree.names = permuted
  }

  /// Gives issues and exclusions the IDs of the tree, and their order.
  private mutating func permuteNotes(_ order: [UInt32]) {
    guard !tree.issues.isEmpty || !tree.exclusions.isEmpty else { return }
    var positions = [UInt32](repeating: .max, count: isDelivered.count)
    for (position, number) in order.enumerated() { positions[Int(number)] = UInt32(position) }
    func directory(_ number: DirectoryID) -> DirectoryID? {
      guard number.index < positions.count, positions[number.index] != .max else { return nil }
      return DirectoryID(Int(positions[number.index]))
    }
    tree.issues = tree.issues.compactMap { issue in
      directory(issue.directory).map { id in
        Issue(directory: id, name: issue.name, call: issue.call, code: issue.code)
      }
    }
    tree.exclusions = tree.exclusions.compactMap { exclusion in
      directory(exclusion.directory).map { id in
        Exclusion(
          directory: id,
          name: exclusion.name,
          kind: exclusion.kind,
          reason: exclusion.reason
        )
      }
    }
    tree.issues.sort {
      guard $0.directory == $1.directory else { return $0.directory < $1.directory }
      guard $0.name == $1.name else {
        return ($0.name ?? []).lexicographicallyPrecedes($1.name ?? [])
      }
      return ($0.call, $0.code) < ($1.call, $1.code)
    }
    tree.exclusions.sort {
      $0.directory != $1.directory
        ? $0.directory < $1.directory : $0.name.lexicographicallyPrecedes($1.name)
    }
  }
}

/// The reader's numbers in canonical order.
private struct Order {
  let numbers: [UInt32]
  /// Whether they are in that order already, as those of a store often are.
  let isAsBefore: Bool

  init(_ numbers: [UInt32]) {
    self.numbers = numbers
    isAsBefore = numbers.indices.allSatisfy { numbers[$0] == $0 }
  }
}

/// Puts a column into another order.
private func reorder<Value, Stop: Error>(
  _ column: inout [Value],
  _ order: Order,
  _ check: () throws(Stop) -> Void
) throws(Stop) {
  var spare: [Value] = []
  try reorder(&column, order, &spare, check)
}

/// Puts a column into another order, in the storage of `spare`, which takes that of the column.
private func reorder<Value, Stop: Error>(
  _ column: inout [Value],
  _ order: Order,
  _ spare: inout [Value],
  _ check: () throws(Stop) -> Void
) throws(Stop) {
  try check()
  let (order, isAsBefore) = (order.numbers, order.isAsBefore)
  if isAsBefore {
    column.removeLast(column.count - order.count)
    return
  }
  if spare.count < order.count { spare = Array(repeating: column[0], count: order.count) }
  do {
    let source = column.span
    var target = spare.mutableSpan
    for index in order.indices { target[index] = source[Int(order[index])] }
  }
  swap(&column, &spare)
  column.removeLast(column.count - order.count)
}

/// Whether a name comes before another bytewise.
private func precedes(_ names: Span<UInt8>, _ first: Range<Int>, _ second: Range<Int>) -> Bool {
  let shared = sharedPrefixLength(names, first, second)
  guard shared < second.count else { return false }
  return shared == first.count
    || names[first.lowerBound + shared] < names[second.lowerBound + shared]
}
