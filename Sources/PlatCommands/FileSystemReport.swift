internal import PlatScan
internal import PlatTree

extension FileSystemUse {
  /// The most deleted files, and hidden directories, that people are told of one by one.
  private static let listed = 3

  /// What a person reads about why the total is not what `df` says.
  ///
  /// - Parameters:
  ///   - unread: The number of entries that could not be read.
  ///   - context: How sizes and names are shown.
  /// - Returns: A line, and one for each thing that explains a part of the difference.
  internal func lines(unread: Int, in context: CommandContext) -> [String] {
    let size = { context.shown(size: $0) as String }
    let inUse = "df: \(size(space.used)) of \(size(space.total)) in use"
    let place = context.shown(mountPoint)
    let amount = size(difference.magnitude)
    // A difference that no digit of the total would show is none.
    let isSame = size(space.used) == size(found) && explained == 0
    guard !isSame else { return ["\(inUse) on \(place), as was found"] }
    var lines = [
      "\(inUse) on \(place), \(amount) \(difference < 0 ? "less" : "more") than was found"
    ]
    lines += deletedLines(in: context)
    lines += hiddenDirectories.prefix(Self.listed).map { hidden in
      let least = hidden.isComplete ? "" : "at least "
      let path = context.shown(hidden.path)
      return "  \(least)\(size(hidden.allocatedSize)) hidden below the mount point \(path)"
    }
    let others = hiddenDirectories.dropFirst(Self.listed)
    if !others.isEmpty {
      let rest = others.map(\.allocatedSize).saturatedSum
      let points = NumberFormat.counted(others.count, "other mount point")
      lines.append("  \(size(rest)) hidden below \(points)")
    }
    if let rest = restLine(unread: unread, in: context) { lines.append(rest) }
    return lines
  }

  private func deletedLines(in context: CommandContext) -> [String] {
    let files = deletedFiles.files
    guard !files.isEmpty else { return [] }
    let size = context.shown(size: deletedFiles.allocatedSize)
    let count = NumberFormat.counted(files.count, "deleted file")
    let verb = files.count == 1 ? "is" : "are"
    var lines = ["  \(size) in \(count) that \(verb) still open:"]
    for file in files.prefix(Self.listed) {
      let process = "\(context.shown(file.processName)) \(file.processID)"
      let size = context.shown(size: file.allocatedSize)
      lines.append("    \(size) \(context.shown(file.path)), by \(process)")
    }
    if files.count > Self.listed { lines.append("    and \(files.count - Self.listed) more") }
    return lines
  }

  /// What may explain the rest, if there is one to speak of.
  private func restLine(unread: Int, in context: CommandContext) -> String? {
    let (rest, overflow) = difference.subtractingReportingOverflow(Int64(clamping: explained))
    guard !overflow, rest.magnitude > space.used / 1000 else { return nil }
    let amount = context.shown(size: rest.magnitude)
    if rest < 0 {
      return "  \(amount) less, as files share it or are compressed, or have changed meanwhile"
    }
    var reasons: [String] = []
    if unread > 0 {
      reasons.append(NumberFormat.counted(unread, "entry", plural: "entries") + " not read")
    }
    if !deletedFiles.isComplete { reasons.append("open files of other users") }
    reasons.append("records of the file system itself")
    let last = reasons.removeLast()
    let list = reasons.isEmpty ? last : reasons.joined(separator: ", ") + ", or " + last
    return "  \(amount) elsewhere: \(list)"
  }

  /// Writes all that is known as an object.
  internal func write(to json: JSONWriter) {
    json.object {
      json.name("path", mountPoint)
      json.member("type", type)
      json.member("size", space.total)
      json.member("used", space.used)
      json.member("available", space.free)
      json.member("found", found)
      json.member("difference", difference)
      json.object("deleted_files") {
        json.member("count", deletedFiles.files.count)
        json.member("allocated_size", deletedFiles.allocatedSize)
        json.member("complete", deletedFiles.isComplete)
        json.array("files") {
          for file in deletedFiles.files {
            json.object {
              json.name("path", file.path)
              json.member("allocated_size", file.allocatedSize)
              json.member("process_id", file.processID)
              json.name("process_name", file.processName)
            }
          }
        }
      }
      json.array("hidden_directories") {
        for hidden in hiddenDirectories {
          json.object {
            json.name("path", hidden.path)
            json.member("allocated_size", hidden.allocatedSize)
            json.member("entries", hidden.entryCount)
            json.member("complete", hidden.isComplete)
          }
        }
      }
    }
  }
}
