import Glibc
import PlatScan
import PlatTree

/// The most bytes of a file of patterns.
private let maximumSize = 1 << 20

/// Reads a file of patterns that the command line names.
///
/// A byte order mark is taken away and the last line ended, so that texts of files can be put after
/// one another. A FIFO is waited for: the shell makes one of `<(…)`.
///
/// - Parameter path: The path of the file.
/// - Returns: The text.
/// - Throws: ``UsageError`` if the file cannot be read, or is larger than 1 MiB.
internal func patterns(inFile path: [UInt8]) throws(UsageError) -> [UInt8] {
  func failure(_ reason: Int32) -> UsageError {
    UsageError("\(NameDisplay.terminalText(path)): \(message(forErrno: reason))")
  }
  let file = open(path.map(CChar.init(bitPattern:)) + [0], O_RDONLY | O_NOCTTY | O_CLOEXEC)
  guard file >= 0 else { throw failure(errno) }
  defer { close(file) }
  var text: [UInt8] = []
  var buffer = [UInt8](repeating: 0, count: 1 << 16)
  while true {
    let count = read(file, &buffer, buffer.count)
    if count < 0, errno == EINTR { continue }
    guard count >= 0 else { throw failure(errno) }
    guard count > 0 else { break }
    text += buffer[..<count]
    guard text.count <= maximumSize else { throw failure(EFBIG) }
  }
  let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
  if text.starts(with: mark) { text.removeFirst(mark.count) }
  if let last = text.last, last != UInt8(ascii: "\n") { text.append(UInt8(ascii: "\n")) }
  return text
}
