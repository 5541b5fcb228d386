package import PlatTree

/// A way to put all entries into classes, for a table of what each adds up to.
package protocol QueryClasses: Sendable {
  /// The verb of the query.
  static var verb: String { get }
  /// What the query does: a sentence.
  static var abstract: String { get }
  /// What the classes are: sentences.
  static var meaning: String { get }
  /// Command lines worth copying.
  static var examples: [CommandExample] { get }
  /// Whether the classes have an order of their own, which is that of their numbers.
  static var areOrdered: Bool { get }

  /// Returns the number of the class of an entry.
  ///
  /// - Parameters:
  ///   - entry: The entry.
  ///   - now: The time that ages count back from, in seconds since 1970.
  /// - Returns: A number of 0 or more.
  static func number(of entry: WalkedEntry, now: Int64) -> Int
  /// Returns what a person and a program read of a class; the names are the same for all classes.
  static func labels(of number: Int) -> ClassLabels
}

/// What is told of a class beside its sums.
package struct ClassLabels: Sendable {
  /// A value, for programs.
  package enum Value: Sendable {
    case text([UInt8])
    case number(Int64)
    case unknown
  }

  /// What a person reads.
  package var title: [UInt8]
  /// The values with their names.
  package var values: [(name: String, value: Value)]
}

/// Categories of files, and the kinds of other entries.
package enum TypeClasses: QueryClasses {
  package static let verb = "types"
  package static let abstract = "Add up what is below a directory by types of files."
  package static let meaning = """
    Files have the types that pictures show, by their names alone. Directories count by themselves, \
    and symbolic links and special files (pipes, sockets, devices) have a row each.
    """
  package static let examples = [
    CommandExample("plat query types ~", "what the files of a home are"),
    CommandExample("plat query types /srv --older 1y", "of those that are a year old"),
  ]
  package static let areOrdered = false

  private static let kinds: [(kind: EntryKind, word: String, title: String)] = [
    (.directory, "directory", "Directories"), (.symbolicLink, "link", "Symbolic links"),
    (.other, "special", "Special files"),
  ]

  package static func number(of entry: WalkedEntry, now: Int64) -> Int {
    if let category = entry.category { return Int(category.rawValue) }
    let position = kinds.firstIndex { $0.kind == entry.kind } ?? 0
    return FileCategory.allCases.count + position
  }

  package static func labels(of number: Int) -> ClassLabels {
    let categories = FileCategory.allCases
    let (word, title) =
      number < categories.count
      ? (categories[number].keyword, categories[number].title)
      : (kinds[number - categories.count].word, kinds[number - categories.count].title)
    return ClassLabels(
      title: Array(title.utf8),
      values: [("type", .text(Array(word.utf8)))]
    )
  }
}

/// How long ago entries were modified.
package enum AgeClasses: QueryClasses {
  package static let verb = "ages"
  package static let abstract = "Add up what is below a directory by when it was modified."
  package static let meaning = """
    The classes are those of pictures: each goes from the end of the one before up to its own. Ages \
    count back from the time of the snapshot, and what is of a later time is in the first class.
    """
  package static let examples = [
    CommandExample("plat query ages /srv", "how much nobody has touched"),
    CommandExample("plat query ages ~ --type video", "of films"),
  ]
  package static let areOrdered = true

  package static func number(of entry: WalkedEntry, now: Int64) -> Int {
    AgeClass(modificationTime: entry.modificationTime, now: now).rawValue
  }

  package static func labels(of number: Int) -> ClassLabels {
    let age = AgeClass(rawValue: number) ?? .older
    let title = Array(age.title.utf8)
    return ClassLabels(
      title: title,
      values: [("age", .text(title)), ("up_to_days", age.days.map { .number($0) } ?? .unknown)]
    )
  }
}

/// The users that entries belong to.
package enum OwnerClasses: QueryClasses {
  package static let verb = "owners"
  package static let abstract = "Add up what is below a directory by the users that own it."
  package static let meaning = "Users that this machine does not know have a number and no name."
  package static let examples = [
    CommandExample("sudo plat query owners /home", "who has how much"),
    CommandExample("plat query owners /srv --group www-data", "of what belongs to a group"),
  ]
  package static let areOrdered = false

  package static func number(of entry: WalkedEntry, now: Int64) -> Int { Int(entry.owner) }

  package static func labels(of number: Int) -> ClassLabels {
    let name = UInt32(exactly: number).flatMap { Accounts.name(ofUser: $0) }
    return ClassLabels(
      title: name ?? Array("user \(number)".utf8),
      values: [("owner", .number(Int64(number))), ("name", name.map { .text($0) } ?? .unknown)]
    )
  }
}
