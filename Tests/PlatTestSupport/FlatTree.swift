package import PlatTree

/// A tree as a table of paths, that a test can change at random as people change directories.
package struct FlatTree {
  /// What is at a path.
  package enum Node {
    case directory(DirectoryDetails)
    case entry(ListingEntry)
  }

  /// What the tree holds, by the path below the root; the root is the empty path.
  package var nodes: [[UInt8]: Node] = [[]: .directory(DirectoryDetails())]
  private var nextInode: UInt64 = 1000
  private var nextTime: Int64 = 1_700_000_000

  /// Creates an empty tree.
  package init() {}

  /// Creates a tree of random content.
  ///
  /// - Parameters:
  ///   - count: How many things are made.
  ///   - linksHard: Whether some files are names of the same inodes.
  ///   - generator: Decides everything.
  package init(count: Int, linksHard: Bool, using generator: inout SplitMix64) {
    var root = DirectoryDetails()
    root.device = 1
    root.allocatedSize = 4096
    nodes[[]] = .directory(root)
    var directories = [[UInt8]()]
    for _ in 0..<count {
      let path = add(linksHard: linksHard, in: directories, using: &generator)
      if case .directory = nodes[path] { directories.append(path) }
    }
  }

  /// The paths of the directories, in a stable order.
  package var directories: [[UInt8]] {
    nodes.keys.filter { path in
      if case .directory = nodes[path] { return true }
      return false
    }.sorted { $0.lexicographicallyPrecedes($1) }
  }

  /// All paths but that of the root, in a stable order.
  package var paths: [[UInt8]] {
    nodes.keys.filter { !$0.isEmpty }.sorted { $0.lexicographicallyPrecedes($1) }
  }

  /// Returns the tree with a path for its root.
  package func tree(_ root: String) -> FileTree {
    var batch = FileTree.Batch()
    var builder = FileTree.Builder(rootPath: Array(root.utf8))
    var children: [[UInt8]: [[UInt8]]] = [:]
    for path in paths { children[path.parent, default: []].append(path) }
    var pending: [(path: [UInt8], number: Int)] = [([], 0)]
    var next = 1
    while let (path, number) = pending.popLast() {
      guard case .directory(let details) = nodes[path] else { continue }
      var encoder = ListingEncoder()
      var names: [UInt8] = []
      var subdirectories: [[UInt8]] = []
      for child in children[path] ?? [] {
        switch nodes[child] {
        case .entry(let entry):
          names += child.name
          encoder.append(entry, name: names.count - child.name.count..<names.count)
        case .directory: subdirectories.append(child)
        case nil: break
        }
      }
      let start = batch.bytes.count
      let summary = encoder.encode(names: names.span, into: &batch.bytes)
      batch.directories.append(
        FileTree.Batch.Directory(
          number: number,
          details: details,
          listing: start..<batch.bytes.count,
          summary: summary
        )
      )
      batch.announce(parent: number, first: next, names: subdirectories.map { $0.name[...] })
      for child in subdirectories {
        pending.append((child, next))
        next += 1
      }
    }
    builder.insert(batch)
    return builder.makeTree { device in
      FileSystem(device: device, type: "ext4", uuid: device == 1 ? "00ff" : "")
    }
  }
}

// MARK: Changes

extension FlatTree {
  /// Adds something in one of some directories, and returns its path.
  @discardableResult
  private mutating func add(
    linksHard: Bool,
    in directories: [[UInt8]],
    using generator: inout SplitMix64
  ) -> [UInt8] {
    let path = freePath(in: directories, using: &generator)
    nextTime += 10
    if Int.random(in: 0..<3, using: &generator) == 0 {
      var details = DirectoryDetails()
      details.allocatedSize = 4096
      details.inode = nextInode
      details.device = Int.random(in: 0..<9, using: &generator) == 0 ? 2 : 1
      details.modificationTime = nextTime * 1_000_000_000
      nodes[path] = .directory(details)
    } else {
      var entry = ListingEntry()
      entry.kind = [.file, .file, .symbolicLink, .other].randomElement(using: &generator) ?? .file
      entry.inode = nextInode
      entry.modificationTime = nextTime
      entry.size = .random(in: 0...9, using: &generator) * 1000
      entry.blocks = entry.size / 512
      if linksHard, Int.random(in: 0..<3, using: &generator) == 0 {
        // Names of one inode agree about it.
        entry.kind = .file
        entry.linkCount = 7
        entry.inode = .random(in: 1...6, using: &generator)
        entry.size = entry.inode * 10_000
        entry.modificationTime = Int64(entry.inode)
      }
      nodes[path] = .entry(entry)
    }
    nextInode += 1
    return path
  }

  /// Removes a path with everything below it.
  package mutating func remove(_ path: [UInt8]) {
    for inside in nodes.keys where inside.isAtOrBelow(path) { nodes[inside] = nil }
  }

  /// Gives a path another name, with everything below it.
  package mutating func move(_ path: [UInt8], to target: [UInt8]) {
    for inside in nodes.keys.filter({ $0.isAtOrBelow(path) }) {
      nodes[target + inside.dropFirst(path.count)] = nodes.removeValue(forKey: inside)
    }
  }

  /// Moves something to a random place that is free, on the same file system, and returns both paths,
  /// or `nil` if there is nothing to move.
  @discardableResult
  package mutating func moveSomething(
    using generator: inout SplitMix64
  ) -> (from: [UInt8], to: [UInt8])? {
    guard let path = paths.randomElement(using: &generator) else { return nil }
    let targets = directories.filter {
      !$0.isAtOrBelow(path) && device(of: $0) == device(of: path.parent)
    }
    let target = freePath(in: targets, using: &generator)
    move(path, to: target)
    return (path, target)
  }

  /// Changes the tree in one of many ways.
  package mutating func change(
    moves: Bool,
    linksHard: Bool,
    using generator: inout SplitMix64
  ) {
    guard let path = paths.randomElement(using: &generator) else {
      add(linksHard: linksHard, in: directories, using: &generator)
      return
    }
    nextTime += 10
    switch Int.random(in: 0..<(moves ? 9 : 6), using: &generator) {
    case 0: remove(path)
    case 1, 2: add(linksHard: linksHard, in: directories, using: &generator)
    case 3, 4: touch(path, using: &generator)
    case 5:
      // Another one has the name, and the number of the inode, as ext4 gives them out again.
      let old = nodes[path]
      remove(path)
      var entry = ListingEntry()
      if case .entry(let former) = old { entry.inode = former.inode }
      if case .directory(let former) = old { entry.inode = former.inode }
      entry.modificationTime = nextTime
      entry.size = 77
      nodes[path] = .entry(entry)
    default: moveSomething(using: &generator)
    }
  }

  private mutating func touch(_ path: [UInt8], using generator: inout SplitMix64) {
    switch nodes[path] {
    case .directory(var details):
      details.modificationTime = nextTime * 1_000_000_000
      details.allocatedSize = 8192
      nodes[path] = .directory(details)
    case .entry(var entry) where entry.linkCount == 1:
      entry.size = .random(in: 0...9, using: &generator) * 1000
      entry.blocks = .random(in: 0...9, using: &generator)
      entry.modificationTime = nextTime
      nodes[path] = .entry(entry)
    default: break
    }
  }

  private func device(of path: [UInt8]) -> UInt64? {
    guard case .directory(let details) = nodes[path] else { return nil }
    return details.device
  }

  private func freePath(
    in directories: [[UInt8]],
    using generator: inout SplitMix64
  ) -> [UInt8] {
    // Names that sort otherwise than their paths: "a-" comes before "a/".
    let parts: [[UInt8]] = [[0x61], [0x62], Array("a-".utf8), Array("a.".utf8), [0xff], [0x0a]]
    var path = directories.randomElement(using: &generator) ?? []
    if !path.isEmpty { path.append(UInt8(ascii: "/")) }
    repeat {
      path += parts[Int.random(in: parts.indices, using: &generator)]
    } while nodes[path] != nil
    return path
  }
}

extension [UInt8] {
  /// The path of the directory that holds this one, below the root.
  fileprivate var parent: [UInt8] { Array(self[..<(lastIndex(of: UInt8(ascii: "/")) ?? 0)]) }

  /// The last name of the path.
  fileprivate var name: [UInt8] {
    Array(self[(lastIndex(of: UInt8(ascii: "/")).map { $0 + 1 } ?? 0)...])
  }

  /// Whether this path is another one or leads into it.
  package func isAtOrBelow(_ path: [UInt8]) -> Bool {
    starts(with: path) && (count == path.count || path.isEmpty || self[path.count] == 0x2f)
  }
}
