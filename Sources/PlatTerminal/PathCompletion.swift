import PlatTree

/// What a path that is typed may go on with: the names of directories on the disk.
internal struct PathCompletion: Sendable {
  /// The path as it was typed.
  internal let path: [UInt8]
  /// The names that begin with what is after its last slash, in order.
  internal let names: [[UInt8]]

  /// Finds the names that complete a path.
  ///
  /// - Parameters:
  ///   - path: The path.
  ///   - found: The directories that begin with what is after its last slash, in order. Those that are
  ///     hidden count only if that begins with a dot.
  internal init(of path: [UInt8], among found: [[UInt8]]) {
    self.path = path
    let dot = UInt8(ascii: ".")
    let hasDot = path[Self.start(in: path)...].first == dot
    names = hasDot ? found : found.filter { $0.first != dot }
  }

  /// Returns where the name begins that is completed.
  internal static func start(in path: [UInt8]) -> Int {
    (path.lastIndex(of: UInt8(ascii: "/")) ?? -1) + 1
  }

  /// The path as far as all names agree, with a slash if there is only one.
  internal var completed: [UInt8] {
    guard let first = names.first, let last = names.last else { return path }
    let start = Self.start(in: path)
    // Names are sorted, so that what the first and the last share is shared by all.
    var common = zip(first, last).prefix { $0 == $1 }.map { $0.0 }
    if names.count > 1 {
      // Nobody can type the rest of a character.
      func endsInside(_ name: [UInt8]) -> Bool {
        common.count < name.count && (0x80...0xBF).contains(name[common.count])
      }
      while common.count > path.count - start, names.contains(where: endsInside) {
        common.removeLast()
      }
    }
    return Array(path[..<start]) + common + (names.count == 1 ? [UInt8(ascii: "/")] : [])
  }
}

extension Browser {
  /// Takes what completes the path that is being typed, unless it was changed since.
  internal mutating func accept(_ completion: PathCompletion) {
    guard case .typing(var prompt) = mode, prompt.purpose == .root,
      prompt.line == completion.path
    else { return }
    prompt.line = completion.completed
    if completion.names.isEmpty {
      prompt.complaint = "No directory begins so."
    } else if prompt.line == completion.path {
      prompt.choices = completion.names.map { text($0) }.joined(separator: "  ")
    }
    mode = .typing(prompt)
  }
}
