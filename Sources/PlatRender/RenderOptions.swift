public import PlatTree

/// Choices for a picture.
public struct RenderOptions: Hashable, Sendable {
  /// How directories are shown.
  public enum Style: String, CaseIterable, Hashable, Sendable {
    /// As frames with a header, around what they hold. The area of a file is in proportion to its
    /// size over the whole picture all the same.
    case nested
    /// Not at all: files fill the whole picture.
    case flat
    /// Not by frames, but by light: files fill the whole picture as cushions, and so does each
    /// directory with what it holds. A vector picture, which has no pixels to light, is flat.
    case cushion
  }

  /// What the colours of files mean.
  public enum ColorKey: String, CaseIterable, Hashable, Sendable {
    /// The category of a file.
    case type
    /// How long ago a file was modified.
    case age
    /// How many directories a file is in.
    case depth
    /// The directory below the top that a file is in.
    case folder
    /// The user that a file belongs to.
    case owner
    /// How much a file has grown or shrunk since an earlier time: see ``TreemapRenderer/growth``.
    case growth
  }

  /// What the area of a file is in proportion to.
  public enum Area: String, CaseIterable, Sendable {
    /// The size of the file.
    case size
    /// By how much the file has grown or shrunk, in a picture of ``ChangeTree``.
    case change
  }

  /// The width in pixels at scale 1.
  public var width = 1600
  /// The height in pixels at scale 1.
  public var height = 1000
  /// The factor by which everything is drawn larger, text included; from 0.25 to 16.
  ///
  /// A picture for a screen of high density has scale 2.
  public var scale = 1.0
  /// How directories are shown.
  public var style = Style.nested
  /// What the colours of files mean.
  public var colorKey = ColorKey.type
  /// What areas mean.
  public var area = Area.size
  /// The colours around the tiles.
  public var theme = Theme.dark
  /// Which size of a file its area is in proportion to.
  public var measure = SizeMeasure.allocated
  /// How many levels of directories are opened; `nil` is all.
  public var depth: Int?
  /// The title; the path of the directory that is drawn if `nil`.
  public var title: String?
  /// When the files were looked at, as it is to be shown in the title line.
  public var date: String?
  /// The time that ages are counted from, in seconds since 1970; the latest modification in the
  /// tree if `nil`.
  public var now: Int64?
  /// The names of users, for a legend of owners; a user without one is shown by number.
  public var ownerNames: [UInt32: String] = [:]
  /// Whether directories have frames and headers.
  public var showsHeaders = true
  /// Whether there is a line with the meaning of the colours, and the share of each.
  ///
  /// What is too small to be seen may count as what the tile that stands for it mostly holds.
  public var showsLegend = true
  /// Whether tiles have labels.
  public var showsLabels = true
  /// The family of all text: a name that fontconfig knows, or `@cairo:` for the ASCII font that is
  /// built into Cairo and the same everywhere.
  public var fontFamily = "sans"

  /// The theme of a page until its reader chooses another; that of the reader's system if `nil`.
  public var pageTheme: Theme?
  /// How many of the largest entries a page has; the others are in groups.
  public var pageEntries = 50_000

  /// Creates the default options.
  public init() {}
}

extension RenderOptions {
  /// Returns the title of a picture of a directory.
  internal func title(of tree: FileTree, top: DirectoryID) -> String {
    if let title { return NameDisplay.label(title.utf8) }
    guard tree.isGroup, top == tree.root else { return NameDisplay.label(tree.path(of: top)) }
    // Roots that are no directories are in the listing of the group.
    var files: [[UInt8]] = []
    var cursor = tree.listing(of: top).makeCursor()
    while cursor.advance() { files.append(Array(cursor.name)) }
    let directories = tree.subdirectories(of: top).count
    if directories == 0, let file = files.first, files.count == 1 { return NameDisplay.label(file) }
    let counts = [
      (directories, NumberFormat.counted(directories, "directory", plural: "directories")),
      (files.count, NumberFormat.counted(files.count, "file", plural: "files")),
    ]
    return counts.filter { $0.0 > 0 }.map(\.1).joined(separator: ", ")
  }

  /// Returns the name of a user as a legend shows it.
  internal func ownerTitle(_ owner: UInt32) -> String {
    ownerNames[owner].map { NameDisplay.label($0.utf8) } ?? "user \(owner)"
  }
}
