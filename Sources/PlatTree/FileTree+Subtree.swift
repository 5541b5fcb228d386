extension FileTree {
  /// Returns a directory and everything below it as a tree of its own.
  ///
  /// The sizes of hard links are charged anew: a file whose first name is outside `top` is charged
  /// to its first name inside. The bytes of the listings are shared with this tree.
  ///
  /// - Parameter top: The directory to become the top; its name there is its path here.
  /// - Returns: The tree of `top`.
  /// - Precondition: `top` came from this tree, and is not the top of a group.
  /// - Complexity: O(*n*), where *n* is the number of entries below `top`, and O(*m*), where *m* is
  ///   the number of issues and exclusions of this tree.
  public func subtree(_ top: DirectoryID) -> FileTree {
    precondition(!details(of: top).flags.contains(.isGroup), "a group is no directory on disk")
    let selected = directories(below: top)
    var numbers = [DirectoryID: Int](minimumCapacity: selected.count)
    for (number, directory) in selected.enumerated() { numbers[directory] = number }

    // A batch has one chunk of listings; what needs none goes into a batch of its own.
    var batches = [Batch](repeating: Batch(), count: chunks.count + 1)
    for index in chunks.indices { batches[index].bytes = chunks[index] }
    for (number, directory) in selected.enumerated() {
      let location = listings[directory.index]
      let start = Int(location.start)
      var part = details(of: directory)
      // The position stands for the device, so that two file systems are never taken for one.
      part.device = UInt64(fileSystemIndex(of: directory))
      batches[location.length == 0 ? chunks.count : Int(location.chunk)].directories.append(
        Batch.Directory(
          number: number,
          details: part,
          listing: location.length == 0 ? 0..<0 : start..<start + Int(location.length),
          summary: listing(of: directory).summary
        )
      )
    }
    var names = Batch()
    for directory in selected {
      let children = subdirectories(of: directory)
      guard let first = children.first, let number = numbers[first],
        let parent = numbers[directory]
      else { continue }
      names.announce(parent: parent, first: number, names: children.map { name(of: $0) })
    }
    names.issues = issues.compactMap { issue in
      numbers[issue.directory].map {
        Issue(directory: DirectoryID($0), name: issue.name, call: issue.call, code: issue.code)
      }
    }
    names.exclusions = exclusions.compactMap { exclusion in
      numbers[exclusion.directory].map {
        Exclusion(
          directory: DirectoryID($0),
          name: exclusion.name,
          kind: exclusion.kind,
          reason: exclusion.reason
        )
      }
    }

    var builder = Builder(rootPath: path(of: top))
    builder.insert(names)
    for batch in batches where !batch.directories.isEmpty { builder.insert(batch) }
    return builder.makeTree { fileSystems[Int($0)] }
  }
}
