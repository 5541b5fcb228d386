public import PlatScan

/// What a session scans: roots, and the options of the scan.
///
/// Roots are scanned and shown as they were given. Targets are the same to a session if their ``id``
/// is.
public struct ScanTarget: Sendable, Identifiable {
  /// What makes two targets the same: absolute paths in one spelling, and options.
  public struct ID: Hashable, Sendable {
    internal let paths: [[UInt8]]
    internal let options: DirectoryScanner.Options
  }

  /// The paths to scan, as they were given.
  public let roots: [[UInt8]]

  /// The options of the scan.
  public let options: DirectoryScanner.Options

  /// What makes two targets the same.
  public let id: ID

  /// Creates a target.
  ///
  /// The disk is not looked at: a symbolic link and the directory it leads to are two targets, as
  /// are paths with `..` and without.
  ///
  /// - Parameters:
  ///   - roots: The paths to scan, in the order in which they are to be shown.
  ///   - options: The options of the scan.
  ///   - workingDirectory: The absolute path that relative roots start from. Without it, a relative
  ///     and an absolute path are never the same.
  public init(
    _ roots: [[UInt8]],
    options: DirectoryScanner.Options = DirectoryScanner.Options(),
    workingDirectory: [UInt8] = []
  ) {
    self.roots = roots
    self.options = options
    id = ID(paths: roots.map { normalized($0, in: workingDirectory) }, options: options)
  }

  /// Creates a target with one root.
  ///
  /// - Parameters:
  ///   - root: The path to scan.
  ///   - options: The options of the scan.
  public init(_ root: String, options: DirectoryScanner.Options = DirectoryScanner.Options()) {
    self.init([Array(root.utf8)], options: options)
  }
}

/// Returns a path without `.` and needless slashes, and absolute if the working directory is known.
private func normalized(_ path: [UInt8], in workingDirectory: [UInt8]) -> [UInt8] {
  // An empty path names nothing, and stays different from one that does.
  guard let first = path.first else { return [] }
  let slash = UInt8(ascii: "/")
  let whole = first == slash ? path : workingDirectory + [slash] + path
  let names = whole.split(separator: slash).filter { !$0.elementsEqual([UInt8(ascii: ".")]) }
  let isAbsolute = first == slash || !workingDirectory.isEmpty
  let start: [UInt8] = isAbsolute ? [slash] : [UInt8(ascii: "."), slash]
  return start + Array(names.joined(separator: [slash]))
}
