import CPlatSystem
import Glibc

/// Returns the names of the directories in a directory that begin with some bytes, in order of bytes.
///
/// Symbolic links to directories are among them. A directory that cannot be read has none.
///
/// - Parameters:
///   - folder: The path of the directory.
///   - prefix: What the names begin with.
///   - isCancelled: Asked now and then whether the answer is still wanted.
/// - Returns: The names, or none if that was cancelled.
package func directoryNames(
  in folder: [UInt8],
  startingWith prefix: ArraySlice<UInt8>,
  isCancelled: () -> Bool = { false }
) -> [[UInt8]] {
  let path = folder.map(CChar.init(bitPattern:)) + [0]
  let directory = openDirectory(at: AT_FDCWD, path, follow: true, ownsDirectory: false)
  guard directory >= 0 else { return [] }
  defer { close(directory) }
  var reader = DirectoryReader()
  guard reader.read(directory, shouldStop: isCancelled) == 0 else { return [] }
  var names: [[UInt8]] = []
  while !isCancelled(), let record = reader.next() {
    // Safety: the name is that of the record, which is valid until the next one is read.
    let bytes = UnsafeRawBufferPointer(start: record.name, count: record.length)
    guard bytes.starts(with: prefix), isDirectory(record, in: directory) else { continue }
    names.append(Array(bytes))
  }
  return isCancelled() ? [] : names.sorted { $0.lexicographicallyPrecedes($1) }
}

/// Whether a record is of a directory or of a link to one.
private func isDirectory(_ record: DirectoryReader.Record, in directory: Int32) -> Bool {
  switch Int(record.type) {
  case Int(DT_DIR): return true
  case Int(DT_LNK), Int(DT_UNKNOWN):
    var status = stat()
    return fstatat(directory, record.name, &status, 0) == 0 && status.st_mode & S_IFMT == S_IFDIR
  default: return false
  }
}
