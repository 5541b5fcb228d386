import CPlatSystem
import Glibc
import Synchronization

/// A directory whose subdirectories are still to be opened.
///
/// Subdirectories are opened relative to its descriptor, so no path is ever longer than a name, and
/// a directory that is moved during the scan is still read. The descriptor is closed when the last
/// subdirectory is open. Where descriptors are few it is closed at once, and ``DescriptorCache``
/// opens it again by walking down from the nearest ancestor that is open.
///
/// One that is as it was in an earlier scan may not be opened at all: what it holds is first looked up
/// from the nearest ancestor that is (``Lookup``).
internal final class OpenDirectory: @unchecked Sendable {
  // `@unchecked Sendable` because `parent` changes only in the deinitializer of its one owner.

  /// The directory that holds this one; `nil` above the roots.
  internal private(set) var parent: OpenDirectory?
  /// Where the name of this directory starts in the names of `parent`.
  internal let nameOffset: Int
  /// The number of this directory in the tree's builder.
  internal let number: Int
  /// The names of the subdirectories that are still to be opened, each ended by NUL.
  internal let names: [UInt8]
  internal let identity: Identity
  internal let owner: UInt32
  /// The place of this directory in the mount plan, or -1.
  internal let place: Int
  /// The patterns of git that apply to what is in this directory.
  internal let ignoreScope: IgnoreScope?

  /// From where to look up what this directory holds, if it was not opened.
  internal let lookup: Lookup?

  private let descriptor: Int32
  private let users: Atomic<Int>

  /// The way to a directory that was not opened.
  ///
  /// One of its names may come to be a symbolic link, so what is found is to be known by what it is.
  internal struct Lookup: Sendable {
    /// An ancestor that is open, of which the directory is a user.
    internal var base: OpenDirectory
    /// The path from there, with a slash at the end.
    internal var path: [UInt8]
  }

  /// What tells a directory from others that come to have its name.
  internal struct Identity: Hashable, Sendable {
    internal var device: UInt64
    internal var inode: UInt64
    internal var mountID: UInt64
  }

  /// Creates a directory with `users` subdirectories to open.
  ///
  /// It closes `descriptor`; -1 stands for one to be opened when it is needed. It ends the use of the
  /// base of `lookup`.
  internal init(
    parent: OpenDirectory?,
    nameOffset: Int,
    number: Int,
    names: [UInt8],
    identity: Identity,
    owner: UInt32,
    place: Int,
    ignoreScope: IgnoreScope? = nil,
    lookup: Lookup? = nil,
    descriptor: Int32,
    users: Int
  ) {
    self.parent = parent
    self.nameOffset = nameOffset
    self.number = number
    self.names = names
    self.identity = identity
    self.owner = owner
    self.place = place
    self.ignoreScope = ignoreScope
    self.lookup = lookup
    self.descriptor = descriptor
    self.users = Atomic(users)
  }

  deinit {
    // A cancelled scan leaves subdirectories that nobody opens.
    if ownsDescriptor, users.load(ordering: .acquiring) > 0 { plat_close_directory(descriptor) }
    // Lets go of a long chain of parents one by one, where the default would recurse.
    var next = parent.take()
    while isKnownUniquelyReferenced(&next) { next = next?.parent.take() }
  }

  /// The descriptor, or -1; usable by those who hold a use.
  internal var openDescriptor: Int32 { descriptor }

  /// Whether the descriptor is one that this object must close: not -1, and not the working directory.
  private var ownsDescriptor: Bool { descriptor >= 0 }

  /// Holds the descriptor open, unless it is closed already or was never kept.
  internal func retainDescriptor() -> Bool {
    guard descriptor != -1 else { return false }
    var count = users.load(ordering: .relaxed)
    while count > 0 {
      let (exchanged, original) = users.compareExchange(
        expected: count,
        desired: count + 1,
        ordering: .acquiringAndReleasing
      )
      if exchanged { return true }
      count = original
    }
    return false
  }

  /// Ends a use; the last one closes the descriptor, or ends the use of the one above that is used
  /// instead.
  ///
  /// - Returns: Whether a descriptor was closed.
  internal func release() -> Bool {
    guard users.subtract(1, ordering: .acquiringAndReleasing).newValue == 0 else { return false }
    if let lookup { return lookup.base.release() }
    guard ownsDescriptor else { return false }
    plat_close_directory(descriptor)
    return true
  }

  /// Whether the path from a root to what this directory holds has at most some slashes.
  internal func hasSlashes(atMost limit: Int) -> Bool {
    guard limit >= 0 else { return false }
    var steps = 0
    var next = parent
    while let directory = next {
      steps += 1
      guard steps <= limit else { return false }
      next = directory.parent
    }
    return true
  }

  /// Whether this directory or one above it is the directory with an identity, on any mount.
  internal func isAtOrBelow(device: UInt64, inode: UInt64) -> Bool {
    var next: OpenDirectory? = self
    while let directory = next {
      if directory.identity.device == device, directory.identity.inode == inode { return true }
      next = directory.parent
    }
    return false
  }

  /// Calls `body` with the name of a subdirectory.
  internal func withName<Result>(
    at offset: Int,
    _ body: (UnsafePointer<CChar>) -> Result
  ) -> Result? {
    names.withUnsafeBytes { buffer in
      buffer.baseAddress.map { body(($0 + offset).assumingMemoryBound(to: CChar.self)) }
    }
  }

  /// The bytes of the name of a subdirectory.
  internal func name(at offset: Int) -> [UInt8] {
    Array(names[offset...].prefix { $0 != 0 })
  }

  /// The path from the root of the scan, without the root.
  internal func relativePath(below ancestor: OpenDirectory?) -> [[UInt8]] {
    var components: [[UInt8]] = []
    var directory = self
    while directory !== ancestor, let parent = directory.parent {
      components.append(parent.name(at: directory.nameOffset))
      directory = parent
    }
    return components.reversed()
  }
}

/// Opens directories again whose descriptors were not kept, and keeps the last one.
internal struct DescriptorCache: ~Copyable {
  private var directory: OpenDirectory?
  private var descriptor: Int32 = -1

  deinit { if descriptor >= 0 { plat_close_directory(descriptor) } }

  /// Closes what is kept.
  internal mutating func clear() {
    if descriptor >= 0 { plat_close_directory(descriptor) }
    descriptor = -1
    directory = nil
  }

  /// Opens a directory, unless it is the one that was opened last.
  ///
  /// - Parameters:
  ///   - wanted: The directory to open.
  ///   - onClose: Called when this closes a descriptor that an ancestor had kept.
  /// - Returns: A descriptor that this keeps, or -1 with the reason in `errno`.
  internal mutating func open(_ wanted: OpenDirectory, onClose: () -> Void) -> Int32 {
    if directory === wanted, descriptor >= 0 { return descriptor }
    clear()
    var ancestor = wanted
    while let parent = ancestor.parent {
      ancestor = parent
      if ancestor.retainDescriptor() { break }
    }
    let file = walk(wanted.relativePath(below: ancestor), from: ancestor.openDescriptor)
    let reason = errno
    if ancestor.release() { onClose() }
    guard file >= 0 else {
      errno = reason
      return -1
    }
    var status = PlatStatus()
    guard plat_status(file, "", 0, &status) == 0, status.inode == wanted.identity.inode,
      status.device == wanted.identity.device
    else {
      // Another directory has come to have the name: to this scan the one it knew has vanished.
      plat_close_directory(file)
      errno = ENOENT
      return -1
    }
    directory = wanted
    descriptor = file
    return file
  }

  /// Opens a path in steps that are short enough for the kernel.
  private func walk(_ components: [[UInt8]], from start: Int32) -> Int32 {
    var at = start
    var path: [CChar] = []
    for (index, component) in components.enumerated() {
      if !path.isEmpty { path.append(CChar(bitPattern: UInt8(ascii: "/"))) }
      path.append(contentsOf: component.map(CChar.init(bitPattern:)))
      let next = index + 1 < components.count ? components[index + 1].count : Int(PATH_MAX)
      guard path.count + next + 2 > Int(PATH_MAX) else { continue }
      path.append(0)
      // A root may be a symbolic link; a directory below it is checked by what it is.
      let file = openDirectory(at: at, path, follow: true, ownsDirectory: false)
      let reason = errno
      if at != start { plat_close_directory(at) }
      guard file >= 0 else {
        errno = reason
        return -1
      }
      at = file
      path = []
    }
    return at
  }
}
