import PlatTree

/// What a scan does where something is mounted below its roots.
///
/// The plan is made from the mount table alone, before anything below a mount is touched, so that a
/// server that is not wanted and does not answer is never asked. It is a tree of names from each root
/// to the places that matter: all other directories cost nothing.
internal struct MountPlan: Sendable {
  /// A place on the way to a mount point, or one.
  internal struct Place: Sendable {
    internal var children: [[UInt8]: Int] = [:]
    /// Why the entry here is left out.
    internal var exclusion: Exclusion.Reason?
    /// Whether something is mounted here.
    internal var isMountPoint = false
  }

  private var places: [Place] = []

  /// The place of each root; `nil` where nothing matters below.
  internal private(set) var rootPlaces: [Int?] = []

  /// Creates the plan of a scan.
  ///
  /// - Parameters:
  ///   - roots: The absolute paths of the roots, none inside another.
  ///   - table: The mounts of this process.
  ///   - crossesFileSystems: Whether what is mounted below a root is scanned.
  internal init(roots: [[UInt8]], table: MountTable, crossesFileSystems: Bool) {
    let roots = roots.map(PathComponents.init)
    var below: [(mount: MountTable.Mount, path: PathComponents)] = []
    for mount in table.mounts {
      let path = PathComponents(mount.mountPoint)
      guard roots.contains(where: { path != $0 && path.isAtOrBelow($0) }) else { continue }
      // What another mount hides is not there.
      if table.mount(at: path)?.id == mount.id { below.append((mount, path)) }
    }
    rootPlaces = roots.map { _ in nil }
    for (mount, path) in below {
      let reason: Exclusion.Reason? =
        if kernelFileSystems.contains(mount.type) { .kernelFileSystem } else if !crossesFileSystems
        {
          .otherFileSystem
        } else { nil }
      insert(path, roots: roots, isMountPoint: true, exclusion: reason)
    }
    let crossed = crossesFileSystems ? below.map(\.path) : []
    guard !crossed.isEmpty || roots.count > 1 else { return }
    for path in Self.secondWays(roots: roots, below: crossed, table: table) {
      insert(path, roots: roots, isMountPoint: false, exclusion: .countedElsewhere)
    }
  }

  /// The place at an index.
  internal subscript(index: Int) -> Place { places[index] }

  private mutating func insert(
    _ path: PathComponents,
    roots: [PathComponents],
    isMountPoint: Bool,
    exclusion: Exclusion.Reason?
  ) {
    for (index, root) in roots.enumerated() where path != root && path.isAtOrBelow(root) {
      var place = rootPlaces[index] ?? addPlace()
      rootPlaces[index] = place
      for name in path.names.dropFirst(root.count) {
        let name = Array(name)
        if let child = places[place].children[name] {
          place = child
        } else {
          let child = addPlace()
          places[place].children[name] = child
          place = child
        }
      }
      if isMountPoint { places[place].isMountPoint = true }
      if let exclusion { places[place].exclusion = places[place].exclusion ?? exclusion }
    }
  }

  private mutating func addPlace() -> Int {
    places.append(Place())
    return places.count - 1
  }

  /// A part of a file system that a scan reaches, and where.
  private struct Region {
    var path: PathComponents
    var device: UInt64
    var content: PathComponents
    var mountID: UInt64
    var isRoot: Bool
  }

  /// Returns the paths at which a scan would reach again what it reaches elsewhere.
  ///
  /// Two regions of one file system overlap where the content of one lies in the content of the
  /// other. Of the two ways to it the root of a scan stays, then what is not a mount point, then
  /// what comes first in canonical order.
  private static func secondWays(
    roots: [PathComponents],
    below: [PathComponents],
    table: MountTable
  ) -> [PathComponents] {
    var regions: [Region] = []
    func add(_ path: PathComponents, isRoot: Bool) {
      guard let location = table.location(of: path) else { return }
      guard isRoot || !kernelFileSystems.contains(location.mount.type) else { return }
      regions.append(
        Region(
          path: path,
          device: location.mount.device,
          content: location.content,
          mountID: location.mount.id,
          isRoot: isRoot
        )
      )
    }
    for root in roots { add(root, isRoot: true) }
    for path in below { add(path, isRoot: false) }
    var ways: [PathComponents] = []
    for (index, inner) in regions.enumerated() {
      for (otherIndex, outer) in regions.enumerated() where index != otherIndex {
        // One mount shows a place once.
        guard inner.device == outer.device, inner.mountID != outer.mountID,
          inner.content.isAtOrBelow(outer.content)
        else { continue }
        let other = inner.content.moved(from: outer.content, to: outer.path)
        guard other != inner.path, table.mount(at: other)?.id == outer.mountID else { continue }
        if inner.isRoot {
          ways.append(other)
        } else if inner.content != outer.content || outer.isRoot || other.precedes(inner.path) {
          ways.append(inner.path)
        }
      }
    }
    return ways
  }
}

/// File systems whose files the kernel makes up, and automounters, whose entries mount what they
/// name when they are looked at.
internal let kernelFileSystems: Set<String> = [
  "autofs", "binfmt_misc", "bpf", "cgroup", "cgroup2", "configfs", "debugfs", "devpts", "efivarfs",
  "fusectl", "mqueue", "nsfs", "proc", "pstore", "resctrl", "rpc_pipefs", "securityfs", "selinuxfs",
  "smackfs", "sysfs", "tracefs",
]
