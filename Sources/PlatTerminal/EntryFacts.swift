import PlatTree

/// What a tree knows of one entry, as a person reads it.
internal struct EntryFacts {
  internal let kind: String
  internal let modified: Int64
  /// How many names the file has, if that is worth a word.
  internal let links: String?
  internal let inode: String
  internal let contents: String
  private let allocated: UInt64
  private let apparent: UInt64
  private let format: SizeFormat

  internal init(_ row: Row, _ id: EntryID, in tree: FileTree, of browser: Browser) {
    let settings = browser.settings
    let details = tree.details(of: id.directory)
    let entry = row.isDirectory ? ListingEntry() : tree.entry(id)
    format = settings.sizes
    allocated = row.isDirectory ? tree.size(of: id.directory, .allocated) : entry.allocatedSize
    apparent = row.isDirectory ? tree.size(of: id.directory, .apparent) : entry.apparentSize
    modified = row.modified
    let mode = row.isDirectory ? details.mode : entry.mode
    let owner = row.isDirectory ? details.owner : entry.owner
    let group = row.isDirectory ? details.group : entry.group
    let ownerName = settings.ownerNames[owner] ?? "\(owner)"
    let groupName = settings.groupNames[group] ?? "\(group)"
    let octal = String(mode, radix: 8)
    kind = "\(Self.kind(of: row, in: browser.list)), mode \(octal), owner \(ownerName):\(groupName)"
    if row.isDirectory {
      links = nil
    } else {
      let names = NumberFormat.grouped(entry.linkCount)
      links = row.flag == .countedElsewhere ? "\(names); counted at another of them" : names
    }
    let system = tree.fileSystems[tree.fileSystemIndex(of: id.directory)]
    let number = row.isDirectory ? details.inode : entry.inode
    let major = (system.device >> 8 & 0xfff) | (system.device >> 32 & ~0xfff)
    let minor = (system.device & 0xff) | (system.device >> 12 & ~0xff)
    let type = system.type.isEmpty ? "" : " (\(system.type))"
    inode = "\(number) on device \(major):\(minor)\(type)"
    let totals = row.isDirectory ? tree.totals(of: id.directory) : Totals()
    contents =
      NumberFormat.counted(totals.files, "file") + ", "
      + NumberFormat.counted(max(totals.directories - 1, 0), "directory", plural: "directories")
      + ", " + NumberFormat.counted(totals.symbolicLinks + totals.others, "other")
  }

  private static func kind(of row: Row, in list: RowList) -> String {
    switch row.kind {
    case .directory: "directory"
    case .symbolicLink: "symbolic link"
    case .other: "pipe, socket or device"
    case .file: "file, \(list.category(of: row).title.lowercased())"
    }
  }

  /// Returns a size in units and in exact bytes.
  internal func size(_ measure: SizeMeasure) -> String {
    let size = measure == .allocated ? allocated : apparent
    return "\(format.string(size))   \(NumberFormat.counted(size, "byte"))"
  }
}
