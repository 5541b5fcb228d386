package import PlatTree

/// The options that choose entries, the same in every command.
package struct FilterOptions: Sendable {
  /// A kind of entry, as a person calls it.
  package enum Kind: String, CaseIterable, Sendable {
    case file, directory, link, other
  }

  /// What entries have to be, but for their times.
  package private(set) var criteria = EntryCriteria()
  /// What the entries were modified after.
  package private(set) var newer: TimeReference?
  /// What the entries were modified before.
  package private(set) var older: TimeReference?
  /// How many levels below the directory entries may be; `nil` for any number.
  package private(set) var depth: Int?

  /// Creates options that leave out nothing.
  package init() {}

  /// Whether every entry is chosen, as far as it is no deeper than ``depth``.
  package var choosesAll: Bool { criteria.isEmpty && newer == nil && older == nil }

  /// Adds a pattern that names have to match.
  internal mutating func requireName(_ pattern: NamePattern) { criteria.names.append(pattern) }

  /// Adds a pattern that paths have to match.
  internal mutating func requirePath(_ pattern: EntryCriteria.Path) {
    criteria.paths.append(pattern)
  }

  /// Returns the criteria.
  ///
  /// - Parameter now: The time that ages count back from, in seconds since 1970.
  /// - Returns: The criteria, with times in place of ages.
  package func criteria(now: Int64) -> EntryCriteria {
    var criteria = criteria
    criteria.newer = newer?.seconds(now: now).upperBound
    criteria.older = older?.seconds(now: now).lowerBound
    return criteria
  }

  /// What help says about the values.
  package static let explanation = """
    A filter that is given several times lets through what any of its values does; different filters \
    have to agree. In a GLOB * stands for any text without a slash, ? for one byte, [a-z] for one of \
    several; a PATH is one from DIR, or absolute if it starts with a slash, and ** in it stands for \
    any directories. A directory is as large as everything in it. Ages count back from the time of \
    the snapshot.
    """

  /// The table of these options.
  package static let options = CommandOption<Self>.group(
    "Filters",
    [
      .value("name", .glob, help: "Only entries whose names match GLOB.") { $0.requireName($1) },
      .value("path", .pathGlob, help: "Only entries whose paths match PATH.") {
        $0.requirePath($1)
      },
      .value("larger", .size, help: "Only entries larger than SIZE.") { $0.criteria.larger = $1 },
      .value("smaller", .size, help: "Only entries smaller than SIZE.") {
        $0.criteria.smaller = $1
      },
      .value("newer", .time, help: "Only entries modified after TIME, an age or a date.") {
        $0.newer = $1
      },
      .value("older", .time, help: "Only entries modified before TIME, an age or a date.") {
        $0.older = $1
      },
      .value("type", .fileType, help: "Only files of TYPE: a category such as video, or .mp4.") {
        $0.criteria.types.append($1)
      },
      .value("owner", .user, help: "Only entries that belong to USER, a name or number.") {
        $0.criteria.owners.insert($1)
      },
      .value("group", .group, help: "Only entries that belong to GROUP, a name or number.") {
        $0.criteria.groups.insert($1)
      },
      .value(
        "kind",
        OptionValue<Kind>.choice,
        placeholder: "KIND",
        help: "Only entries that are a file, directory, link or other."
      ) { $0.criteria.kinds.insert($1.entryKind) },
      .value("depth", short: "d", .count(1...Int.max), help: "Only COUNT levels below DIR.") {
        $0.depth = $1
      },
    ]
  )
}

extension FilterOptions.Kind {
  fileprivate var entryKind: EntryKind {
    switch self {
    case .file: .file
    case .directory: .directory
    case .link: .symbolicLink
    case .other: .other
    }
  }
}

extension OptionValue where Value == NamePattern {
  /// A pattern for names.
  package static var glob: Self {
    Self("GLOB", "a pattern such as '*.iso' that is whole") { NamePattern(glob: $0.bytes) }
  }
}

extension OptionValue where Value == EntryCriteria.Path {
  /// A pattern for paths, from the directory or absolute.
  package static var pathGlob: Self {
    Self("PATH", "a pattern such as 'build/**' that is whole") { EntryCriteria.Path($0.bytes) }
  }
}

extension EntryCriteria.Path {
  /// Reads a pattern for paths; a slash at its end does not count.
  internal init?(_ pattern: [UInt8]) {
    let slash = UInt8(ascii: "/")
    var body = pattern[...]
    while body.last == slash { body.removeLast() }
    guard let pattern = NamePattern(glob: Array(body), matchesPaths: true) else { return nil }
    self.init(pattern, isAbsolute: body.first == slash)
  }
}

extension OptionValue where Value == FileType {
  /// A category of files, or an ending of names.
  package static var fileType: Self {
    let words = FileCategory.allCases.map(\.keyword)
    return Self(
      "TYPE",
      "\(words.joined(separator: ", ")), or an ending such as .mp4",
      completion: .words(words)
    ) { FileType($0.bytes) }
  }
}

extension OptionValue where Value == UInt32 {
  /// A user, by name or number.
  package static var user: Self {
    Self("USER", "the name of a user of this machine, or a number") { Accounts.user($0.bytes) }
  }

  /// A group, by name or number.
  package static var group: Self {
    Self("GROUP", "the name of a group of this machine, or a number") { Accounts.group($0.bytes) }
  }
}
