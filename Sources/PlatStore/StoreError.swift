/// A reason why snapshots could not be read or written.
///
/// A failed write leaves the snapshots that were there, and a file that is refused is left as it is.
public enum StoreError: Error, Hashable, Sendable {
  /// The environment names no place for snapshots.
  case noPlace
  /// There is no file of snapshots.
  case notFound(path: String)
  /// The file is no SQLite database.
  case notADatabase(path: String)
  /// The file is the database of another program.
  case foreign(path: String)
  /// The file was written by a newer version of this program, with another schema.
  case newer(path: String, version: Int)
  /// The file holds snapshots of another root.
  case otherRoot(path: String, root: String)
  /// The file holds no snapshot, or none with that number.
  case noSnapshot(path: String, id: Int?)
  /// The snapshot has no directory with that path.
  case noDirectory(path: String, directory: String)
  /// The content of the file contradicts itself; `snapshot` is `nil` where none was read yet.
  case damaged(path: String, snapshot: Int?, reason: String)
  /// Another process kept the file locked for longer than the timeout, in milliseconds.
  case busy(path: String, timeout: Int32)
  /// There is no room for the snapshot: a full disk, a quota, or a limit on file sizes.
  case full(path: String)
  /// The file, or the directory it is in, cannot be written.
  case readOnly(path: String)
  /// A system call on the path failed.
  ///
  /// `call` is spelled as in its manual page, and `code` is the value it left in `errno`.
  case system(call: String, path: String, code: Int32)
  /// SQLite failed with an extended result code and its own message.
  case sqlite(path: String, code: Int32, message: String)
}

extension StoreError: CustomStringConvertible {
  /// The error as a person reads it after `plat: `: the path, the reason, and what to do about it.
  public var description: String {
    switch self {
    case .noPlace:
      "no place for snapshots: XDG_STATE_HOME and HOME are not set (name a file with --database)"
    case .notFound(let path): "\(path): no snapshots (scan the directory first)"
    case .notADatabase(let path):
      "\(path): not a file of snapshots (move it away, or name another with --database)"
    case .foreign(let path):
      "\(path): the database of another program (name another file with --database)"
    case .newer(let path, let version):
      "\(path): written by a newer version of plat (schema \(version), known: \(Schema.version))"
    case .otherRoot(let path, let root):
      "\(path): holds snapshots of \(root) (name another file with --database)"
    case .noSnapshot(let path, nil): "\(path): holds no snapshot (scan the directory first)"
    case .noSnapshot(let path, let id?): "\(path): no snapshot \(id)"
    case .noDirectory(let path, let directory):
      "\(directory): not a directory of the snapshot in \(path)"
    case .damaged(let path, let snapshot, let reason):
      if let snapshot {
        "\(path): snapshot \(snapshot) is damaged: \(reason)"
      } else {
        "\(path): damaged: \(reason) (move it away and scan again)"
      }
    case .busy(let path, let timeout):
      """
      \(path): another process is writing to it, and was not done in \(Double(timeout) / 1000) s \
      (try again later)
      """
    case .full(let path): "\(path): no space left for the snapshot"
    case .readOnly(let path): "\(path): cannot be written (name another file with --database)"
    case .system(let call, let path, let code): "\(path): \(call): \(reason(ofErrno: code))"
    case .sqlite(let path, let code, let message): "\(path): \(message) (SQLite error \(code))"
    }
  }
}
