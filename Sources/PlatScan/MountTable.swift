import Glibc

/// The mounts that this thread sees, as its mountinfo file lists them; see proc_pid_mountinfo(5).
internal struct MountTable: Sendable {
  /// One mount.
  internal struct Mount: Hashable, Sendable {
    /// The mount ID, as `statx(2)` gives it.
    internal var id: UInt64
    /// The mount that it is mounted on.
    internal var parent: UInt64
    /// The device number of the file system.
    internal var device: UInt64
    /// What is mounted: a path inside the file system.
    internal var root: [UInt8]
    /// Where it is mounted.
    internal var mountPoint: [UInt8]
    /// The type of the file system, as `ext4`.
    internal var type: String
  }

  /// What a path leads to: a path inside the file system of a mount.
  internal struct Location: Sendable {
    internal var mount: Mount
    internal var content: PathComponents
  }

  /// The mounts, in the order of the file.
  internal let mounts: [Mount]
  private let mountPoints: [PathComponents]
  /// The mounts on each mount, by its ID; under `nil` those that are on none of the table.
  private let mountedOn: [UInt64?: [Int]]

  /// Creates a table from the text of a mountinfo file; lines that make no sense are left out.
  internal init(parsing text: some Sequence<UInt8>) {
    let mounts = text.split(separator: UInt8(ascii: "\n")).compactMap { Self.parse(Array($0)) }
    let known = Set(mounts.map(\.id))
    self.mounts = mounts
    mountPoints = mounts.map { PathComponents($0.mountPoint) }
    mountedOn = Dictionary(grouping: mounts.indices) { index in
      let (id, parent) = (mounts[index].id, mounts[index].parent)
      return parent != id && known.contains(parent) ? parent : nil
    }
  }

  /// Reads the table of this thread; it is empty where /proc is not mounted.
  internal init() { self.init(parsing: readFile("/proc/thread-self/mountinfo")) }

  private static func parse(_ line: [UInt8]) -> Mount? {
    let fields = line.split(separator: UInt8(ascii: " "))
    guard fields.count >= 9,
      let id = UInt64(String(decoding: fields[0], as: UTF8.self)),
      let parent = UInt64(String(decoding: fields[1], as: UTF8.self)),
      let separator = fields.indices.dropFirst(6).first(where: { fields[$0].elementsEqual([45]) }),
      separator + 1 < fields.count
    else { return nil }
    let numbers = fields[2].split(separator: UInt8(ascii: ":")).compactMap {
      UInt64(String(decoding: $0, as: UTF8.self))
    }
    guard numbers.count == 2 else { return nil }
    return Mount(
      id: id,
      parent: parent,
      device: deviceNumber(major: numbers[0], minor: numbers[1]),
      root: unescape(fields[3]),
      mountPoint: unescape(fields[4]),
      type: String(decoding: fields[separator + 1], as: UTF8.self)
    )
  }

  /// Replaces the octal escapes of space, tab, newline and backslash.
  private static func unescape(_ field: ArraySlice<UInt8>) -> [UInt8] {
    var bytes: [UInt8] = []
    var index = field.startIndex
    while index < field.endIndex {
      if field[index] == UInt8(ascii: "\\"), index + 3 < field.endIndex,
        let value = UInt8(String(decoding: field[index + 1...index + 3], as: UTF8.self), radix: 8)
      {
        bytes.append(value)
        index += 4
      } else {
        bytes.append(field[index])
        index += 1
      }
    }
    return bytes
  }

  /// Returns the mount that a path leads into, or `nil` if the table has none.
  ///
  /// The way goes from mount to mount as the kernel's does: of those on one mount, the first along
  /// the path is entered, and hides what is mounted below it.
  internal func mount(at path: PathComponents) -> Mount? {
    var mount: Mount?
    // No mount is entered twice, so a table that goes round in circles ends here.
    for _ in mounts.indices {
      let next = (mountedOn[mount?.id] ?? []).reversed()
        .filter { path.isAtOrBelow(mountPoints[$0]) }
        .min { mountPoints[$0].count < mountPoints[$1].count }
      guard let next else { break }
      mount = mounts[next]
    }
    return mount
  }

  /// Returns what a path leads to, or `nil` if the table does not tell.
  internal func location(of path: PathComponents) -> Location? {
    mount(at: path).map { mount in
      Location(
        mount: mount,
        content: path.moved(
          from: PathComponents(mount.mountPoint),
          to: PathComponents(mount.root)
        )
      )
    }
  }

  /// Returns the type of the file system of a mount, or of the first mount of a device.
  internal func type(ofDevice device: UInt64) -> String {
    mounts.first { $0.device == device }?.type ?? ""
  }
}

/// A path as a list of names.
internal struct PathComponents: Hashable, Sendable {
  internal var names: [ArraySlice<UInt8>]

  /// Creates the components of an absolute path, or of one relative to something known.
  internal init(_ path: [UInt8]) { names = path.split(separator: UInt8(ascii: "/")) }

  internal init(names: [ArraySlice<UInt8>]) { self.names = names }

  internal var count: Int { names.count }

  /// The path with a slash before each name.
  internal var bytes: [UInt8] { names.flatMap { [UInt8(ascii: "/")] + $0 } }

  /// Whether the path is another one or below it.
  internal func isAtOrBelow(_ other: PathComponents) -> Bool { names.starts(with: other.names) }

  /// Whether the path comes before another in canonical order: by level, then by name.
  internal func precedes(_ other: PathComponents) -> Bool {
    guard count == other.count else { return count < other.count }
    for (name, otherName) in zip(names, other.names) where name != otherName {
      return name.lexicographicallyPrecedes(otherName)
    }
    return false
  }

  /// Returns the path below a place that is below another place as this one is below `base`.
  internal func moved(from base: PathComponents, to place: PathComponents) -> PathComponents {
    PathComponents(names: place.names + names.dropFirst(base.count))
  }
}

/// Returns a device number as `makedev(3)` packs it.
internal func deviceNumber(major: UInt64, minor: UInt64) -> UInt64 {
  (major & 0xffff_f000) << 32 | (major & 0xfff) << 8 | (minor & 0xffff_ff00) << 12 | minor & 0xff
}

/// Reads a whole file; one that cannot be read is empty.
internal func readFile(_ path: String) -> [UInt8] {
  let file = open(path, O_RDONLY | O_CLOEXEC)
  guard file >= 0 else { return [] }
  defer { close(file) }
  var bytes: [UInt8] = []
  var part = [UInt8](repeating: 0, count: 1 << 14)
  while true {
    let count = read(file, &part, part.count)
    guard count > 0 else { return bytes }
    bytes.append(contentsOf: part[..<count])
  }
}
