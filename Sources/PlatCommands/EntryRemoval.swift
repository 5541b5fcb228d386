import Glibc
import PlatScan
import PlatTerminal
import PlatTree

/// Removes what a person chose on the screen: for good, or to the trash.
internal struct EntryRemoval {
  private let removal: Removal
  private let tree: FileTree
  private let context: CommandContext
  private let root: [UInt8]

  internal init(_ removal: Removal, of tree: FileTree, in context: CommandContext) {
    (self.removal, self.tree, self.context) = (removal, tree, context)
    root = tree.path(of: tree.root)
  }

  /// Removes one target after the other; what fails does not keep the others.
  internal func run(
    onProgress: (Removal.Progress) -> Void,
    isStopped: () -> Bool
  ) -> Removal.Outcome {
    let remover = EntryRemover(root: root)
    let trash = removal.isPermanent ? nil : trash()
    var outcome = Removal.Outcome(
      isPermanent: removal.isPermanent,
      progress: Removal.Progress(),
      failures: [],
      wasStopped: false,
      tree: nil
    )
    var gone: [EntryID] = []
    let clock = ContinuousClock()
    var lastReport = clock.now
    for target in removal.targets {
      guard !isStopped() else {
        outcome.wasStopped = true
        break
      }
      let before = outcome.progress
      func add(_ progress: EntryRemover.Progress) {
        outcome.progress.items = before.items + progress.entries
        outcome.progress.freed = before.freed + progress.freedSize
      }
      let report: EntryRemover.Report
      if removal.isPermanent {
        report = remover.remove(asked(target)) { progress in
          add(progress)
          if clock.now - lastReport >= .milliseconds(100) {
            lastReport = clock.now
            onProgress(outcome.progress)
          }
          return !isStopped()
        }
      } else if let trash {
        report = trash.move(asked(target), of: remover)
      } else {
        let reason = "HOME is not set, so there is no trash"
        outcome.failures.append(Removal.Outcome.Failure(path: target.path, reason: reason))
        continue
      }
      add(report.progress)
      outcome.failures += report.failures.map(failure)
      outcome.wasStopped = outcome.wasStopped || report.wasStopped
      if report.isComplete {
        gone.append(target.id)
        outcome.gone.append(target.path)
      } else if report.progress.entries > 0 {
        outcome.isPartial = true
      }
    }
    if !gone.isEmpty { outcome.tree = tree.removing(gone) }
    return outcome
  }

  /// What is asked of the remover: the names that lead from the root to a target, and what it is.
  private func asked(_ target: Removal.Target) -> EntryRemover.Target {
    let names = target.path.dropFirst(root.count).split(separator: UInt8(ascii: "/"))
    return EntryRemover.Target(
      names: names.map { Array($0) },
      device: target.device,
      inode: target.inode
    )
  }

  private func failure(_ failure: EntryRemover.Failure) -> Removal.Outcome.Failure {
    var path = root
    for name in failure.names { path.appendComponent(name[...]) }
    let reason =
      switch failure.reason {
      case .changed: "it is not what was scanned any more (another inode); r looks again"
      case .mountPoint: "a file system is mounted here"
      case .system("rename", EXDEV), .system("mkdir", EXDEV):
        "the trash is on another file system; use D"
      case .system(let call, let code): "\(message(forErrno: code)) (\(call))"
      }
    return Removal.Outcome.Failure(path: path, reason: reason)
  }

  /// The trash of the user, or `nil` if nothing says where it is.
  private func trash() -> Trash? {
    let environment = context.environment
    var folder = environment[bytes: "XDG_DATA_HOME"] ?? []
    if folder.first != UInt8(ascii: "/") {
      guard let home = environment[bytes: "HOME"], home.first == UInt8(ascii: "/") else {
        return nil
      }
      folder = home + Array("/.local/share".utf8)
    }
    var now = time(nil)
    var parts = tm()
    localtime_r(&now, &parts)
    // The specification wants local time without a zone.
    let date = CivilDate.timestamp(secondsSince1970: Int64(now) + Int64(parts.tm_gmtoff))
    return Trash(dataHome: folder, userID: geteuid(), deletionDate: String(date.dropLast()))
  }
}
