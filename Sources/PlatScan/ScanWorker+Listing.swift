import CPlatSystem
import Glibc
import PlatTree

extension ScanWorker {
  /// Entries between two looks at whether the scan was cancelled.
  private static let cancellationStride = 256

  /// Examines the entries of a directory: packs the listing, and sets the subdirectories.
  ///
  /// - Parameters:
  ///   - directory: The directory, whose records were read.
  ///   - failure: The error number that ended the reading, or 0.
  internal mutating func list(_ directory: Directory, failure: Int32) {
    let number = directory.task.number
    subdirectories.removeAll()
    hasMountedFile = false
    var issues = 0
    if failure != 0 {
      issues += 1
      batch.issues.append(
        Issue(directory: DirectoryID(number), name: nil, call: "getdents64", code: failure)
      )
    }
    examineEntries(of: directory, issues: &issues)
    let start = batch.bytes.count
    let summary = packer.pack(names: reader.bytes, into: &batch.bytes)
    for (ordinal, entry) in packer.links {
      batch.links.append(FileTree.HardLink(entry, ordinal: ordinal, directory: number))
    }
    var flags: DirectoryDetails.Flags = failure == 0 ? [] : .isPartial
    if hasMountedFile { flags.insert(.hasMountedFile) }
    rescan.calls.directoriesRead += 1
    var details = details(of: directory)
    details.flags.formUnion(flags)
    deliver(number, details, listingFrom: start, summary, deliversLinks: true, issues: issues)
    if job.wantsPath { job.setPath(path(of: directory)) }
  }

  /// Hands a directory over whose listing ends the bytes of the batch.
  internal mutating func deliver(
    _ number: Int,
    _ details: DirectoryDetails,
    listingFrom start: Int,
    _ summary: ListingSummary,
    deliversLinks: Bool = false,
    issues: Int
  ) {
    var delivered = FileTree.Batch.Directory(
      number: number,
      details: details,
      listing: start..<batch.bytes.count,
      summary: summary
    )
    delivered.deliversLinks = deliversLinks
    batch.directories.append(delivered)
    count(details, summary.entries, summary.allocatedSize, issues: issues)
  }

  /// Returns what is known of a directory before it is read.
  internal mutating func details(of directory: Directory) -> DirectoryDetails {
    var details = directory.status.details
    if let place = directory.place, job.plan[place].isMountPoint {
      details.flags.insert(.isMountPoint)
    }
    return details
  }

  /// Counts a directory that was handed over.
  internal mutating func count(
    _ details: DirectoryDetails,
    _ entries: Int,
    _ allocatedSize: UInt64,
    issues: Int
  ) {
    counters.add(
      entries: entries + 1,
      directories: 1,
      allocatedSize: allocatedSize &+ details.allocatedSize,
      issues: issues
    )
  }

  private mutating func examineEntries(of directory: Directory, issues: inout Int) {
    let isFiltered = prepareFilter(for: directory, issues: &issues)
    let status = status
    // Many patterns can make one entry take as long as many others.
    let stride = isFiltered ? 1 : Self.cancellationStride
    var untilCheck = stride
    while var record = reader.next() {
      untilCheck -= 1
      if untilCheck == 0 {
        if job.isCancelled { return }
        untilCheck = stride
      }
      if isFiltered, let reason = filter.reason(for: &record, in: directory.file) {
        // What a cache holds is one exclusion, made already.
        if reason != .cache {
          exclude(record, EntryKind(directoryType: record.type), in: directory, reason)
        }
        continue
      }
      if record.type == UInt8(DT_DIR) {
        subdirectories.append(reader.bytes, at: record.start, length: record.length)
      } else {
        examine(record, in: directory, isFiltered, status, &issues)
      }
    }
  }

  /// Gets ready for leaving entries out of a directory.
  ///
  /// - Returns: Whether any can be.
  private mutating func prepareFilter(for directory: Directory, issues: inout Int) -> Bool {
    guard !filter.isOff else { return false }
    let number = DirectoryID(directory.task.number)
    let failures = filter.enter(directory.task, directory.file, &reader)
    issues += failures.count
    for failure in failures {
      let name = failure.name.withUTF8Buffer { Array($0) }
      let reason = failure.reason
      batch.issues.append(
        Issue(directory: number, name: name, call: reason.call, code: reason.code)
      )
    }
    if filter.isCache {
      batch.exclusions.append(
        Exclusion(directory: number, name: [], kind: .directory, reason: .cache)
      )
    }
    return filter.appliesToEntries
  }

  /// Reads the status of an entry that is not listed as a directory.
  @inline(__always)
  private mutating func examine(
    _ record: DirectoryReader.Record,
    in directory: Directory,
    _ isFiltered: Bool,
    _ status: UnsafeMutablePointer<PlatStatus>,
    _ issues: inout Int
  ) {
    let answer = plat_entry_status(directory.file, record.name, status)
    if answer == 0, !status.pointee.isDirectory, !status.pointee.isMountRoot {
      append(ListingEntry(status.pointee), record)
    } else if answer == 0 {
      addSpecial(record, status.pointee, in: directory, isFiltered)
    } else {
      addUnreadable(record, errno, in: directory, &issues)
    }
  }

  @inline(__always)
  private mutating func append(_ entry: ListingEntry, _ record: DirectoryReader.Record) {
    packer.append(entry, in: reader.bytes, at: record.start, length: record.length)
  }

  /// Adds an entry whose status could not be read, unless it has vanished.
  @inline(never)
  private mutating func addUnreadable(
    _ record: DirectoryReader.Record,
    _ reason: Int32,
    in directory: Directory,
    _ issues: inout Int
  ) {
    guard reason != ENOENT else { return }
    var entry = ListingEntry()
    entry.kind = EntryKind(directoryType: record.type)
    entry.isUnreadable = true
    append(entry, record)
    issues += 1
    batch.issues.append(
      Issue(
        directory: DirectoryID(directory.task.number),
        name: bytes(record),
        call: "statx",
        code: reason
      )
    )
  }

  /// Adds a directory that was not listed as one, or a file that something is mounted on.
  @inline(never)
  private mutating func addSpecial(
    _ record: DirectoryReader.Record,
    _ status: PlatStatus,
    in directory: Directory,
    _ isFiltered: Bool
  ) {
    var record = record
    if status.isDirectory {
      // Only now it is known that patterns of directories may match.
      record.type = UInt8(DT_DIR)
      if isFiltered, let reason = filter.reason(for: &record, in: directory.file) {
        exclude(record, .directory, in: directory, reason)
      } else {
        subdirectories.append(reader.bytes, at: record.start, length: record.length)
      }
    } else if let reason = exclusion(ofMountedFile: record, status, in: directory) {
      exclude(record, ListingEntry(status).kind, in: directory, reason)
    } else {
      hasMountedFile = true
      append(ListingEntry(status), record)
    }
  }

  /// Returns why a file that something is mounted on is left out.
  private func exclusion(
    ofMountedFile record: DirectoryReader.Record,
    _ status: PlatStatus,
    in directory: Directory
  ) -> Exclusion.Reason? {
    if let above = directory.place, let place = job.plan[above].children[bytes(record)] {
      return job.plan[place].exclusion
    }
    return job.exclusionOfNewMount(status.mount_id)
  }

  private mutating func exclude(
    _ record: DirectoryReader.Record,
    _ kind: EntryKind,
    in directory: Directory,
    _ reason: Exclusion.Reason
  ) {
    batch.exclusions.append(
      Exclusion(
        directory: DirectoryID(directory.task.number),
        name: bytes(record),
        kind: kind,
        reason: reason
      )
    )
  }

  private func bytes(_ record: DirectoryReader.Record) -> [UInt8] {
    reader.withBytes { Array($0[record.nameRange]) }
  }
}
