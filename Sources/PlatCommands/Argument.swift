import Glibc
import PlatTree

/// A word of the command line: any bytes but NUL.
package struct Argument: Hashable, Sendable {
  /// The word as it was given.
  package let bytes: [UInt8]

  /// Creates a word from its bytes.
  package init(_ bytes: some Sequence<UInt8>) {
    self.bytes = Array(bytes)
  }

  /// The word as text, or `nil` if it is not UTF-8.
  package var text: String? { String(validating: bytes, as: UTF8.self) }

  /// The word in quotes, safe to show: `'-x'`, or `$'a\nb'`.
  package var quoted: String {
    let shown = NameDisplay.terminalText(bytes)
    return shown.hasPrefix("$'") ? shown : "'\(shown)'"
  }
}

extension Argument {
  /// Returns the word as the path of a directory.
  ///
  /// - Throws: ``UsageError`` if it is empty, as the value of a variable that was never set is.
  internal func directoryPath() throws(UsageError) -> [UInt8] {
    guard bytes.isEmpty else { return bytes }
    throw UsageError("DIR is empty; the working directory is '.'")
  }
}

extension Argument: ExpressibleByStringLiteral {
  package init(stringLiteral text: String) {
    self.init(text.utf8)
  }
}

extension Argument {
  /// The words that this process was started with, without the name of the program.
  ///
  /// `CommandLine.arguments` is no use here: it repairs what is not UTF-8, and the repaired path does
  /// not exist.
  package static func ofProcess() -> [Argument] {
    let words = UnsafeBufferPointer(
      start: CommandLine.unsafeArgv,
      count: Int(CommandLine.argc)
    )
    return words.dropFirst().compactMap { word in
      word.map { Argument(UnsafeRawBufferPointer(start: $0, count: strlen($0))) }
    }
  }
}
