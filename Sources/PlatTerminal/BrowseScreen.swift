package import PlatTree
import Synchronization

/// What a screen can ask of the program around it.
///
/// These may be called from any thread. The asynchronous ones, ``directories`` and ``remove`` may take
/// long.
package struct BrowseServices: Sendable {
  /// Loads snapshots.
  package typealias Snapshots =
    @Sendable (Comparison.Step, _ root: [UInt8], _ time: Int64) async -> Comparison.Loaded

  /// Scans again, looks closely at the directory with a path or else at everything, and returns what
  /// there is to show when that is over.
  package var refresh: @Sendable (_ path: [UInt8]?) async -> ShownState
  /// Ends the scan in progress.
  package var stop: @Sendable () -> Void
  /// Shows another root.
  package var open: @Sendable ([UInt8]) -> Void
  /// Returns the names of the directories that a path may end with, in order.
  ///
  /// They begin with what is after its last slash. It may take long, and asks whether the answer is still
  /// wanted.
  package var directories: @Sendable (_ path: [UInt8], _ isCancelled: () -> Bool) -> [[UInt8]]
  /// Removes entries, and says how far it has come; it is asked to stop by `isStopped`.
  package var remove:
    @Sendable (
      _ removal: Removal,
      _ tree: FileTree,
      _ onProgress: @escaping @Sendable (Removal.Progress) -> Void,
      _ isStopped: @escaping @Sendable () -> Bool
    ) -> Removal.Outcome
  /// Loads the snapshot of a root that is before or after a time, in seconds since 1970.
  package var snapshot: Snapshots
  /// Writes a picture of a directory, and returns what to say about it.
  package var writeMap: @Sendable (_ path: [UInt8], FileTree, DirectoryID) async -> String

  /// Creates services that do the given things.
  package init(
    refresh: @escaping @Sendable (_ path: [UInt8]?) async -> ShownState,
    stop: @escaping @Sendable () -> Void,
    open: @escaping @Sendable ([UInt8]) -> Void,
    directories: @escaping @Sendable (_ path: [UInt8], _ isCancelled: () -> Bool) -> [[UInt8]],
    remove:
      @escaping @Sendable (
        _ removal: Removal,
        _ tree: FileTree,
        _ onProgress: @escaping @Sendable (Removal.Progress) -> Void,
        _ isStopped: @escaping @Sendable () -> Bool
      ) -> Removal.Outcome,
    snapshot: @escaping Snapshots,
    writeMap: @escaping @Sendable (_ path: [UInt8], FileTree, DirectoryID) async -> String
  ) {
    self.refresh = refresh
    self.stop = stop
    self.open = open
    self.directories = directories
    self.remove = remove
    self.snapshot = snapshot
    self.writeMap = writeMap
  }
}

/// How a screen looks and behaves, as the command line says.
package struct BrowseOptions: Sendable {
  /// The colours, or `nil` to find out.
  package var depth: ColorDepth?
  /// Whether the ground is light; `nil` to ask the terminal.
  package var isLight: Bool?
  /// Whether to draw with ASCII only.
  package var usesASCII = false
  /// Whether the terminal is the console of Linux.
  package var isConsole = false
  /// Whether names that are not ASCII are shown as they are.
  package var showsUTF8 = true
  /// How sizes are written.
  package var sizes = SizeFormat.iec
  /// Which sizes are shown first.
  package var measure = SizeMeasure.allocated
  /// Whether nothing can be removed.
  package var isReadOnly = false
  /// Whether the mouse is used.
  package var usesMouse = true
  /// Whether the terminal's own cursor is shown.
  package var showsCursor = false
  /// Whether the line is slow: fewer frames and colours, the map after the list, and no animation.
  package var isSlow = false
  /// The names of users and groups.
  package var ownerNames: [UInt32: String] = [:]
  /// The names of groups.
  package var groupNames: [UInt32: String] = [:]

  /// Creates the usual options.
  package init() {}
}

extension BrowseOptions {
  /// The part of the options that the state of a screen depends on.
  internal var settings: Browser.Settings {
    var settings = Browser.Settings()
    settings.sizes = sizes
    settings.measure = measure
    settings.isReadOnly = isReadOnly
    settings.ownerNames = ownerNames
    settings.groupNames = groupNames
    settings.showsUTF8 = showsUTF8
    return settings
  }
}

/// What is left when a screen has closed.
package struct BrowseSummary: Sendable {
  /// How the screen was left.
  package enum End: Hashable, Sendable {
    case normal
    /// By Ctrl-C.
    case interrupted
    /// By a signal.
    case terminated, hungUp
    /// The terminal went away.
    case lost
  }

  /// How the screen was left.
  package var end = End.normal
  /// Paths to print.
  package var paths: [[UInt8]] = []
  /// Whether NUL ends each path.
  package var endsWithNUL = false
  /// The issues of the tree that was shown last.
  package var issueCount = 0
  /// The frames that were drawn.
  package var frames = 0
  /// The frames that showed the effect of a key more than 50 ms after it.
  package var lateFrames = 0
  /// The longest that the effect of a key took, in milliseconds.
  package var longestDelay = 0
  /// The longest that the thread of the screen worked at a time, in milliseconds of the processor: what
  /// of that delay is not for other work of the machine.
  package var longestWork = 0
  /// The bytes that were sent.
  package var bytes = 0
}

/// A browser on a terminal.
package final class BrowseScreen: Sendable {
  private let mailbox: Mailbox
  private let device: TerminalDevice
  private let options: BrowseOptions
  private let services: BrowseServices

  /// Opens the terminal; `nil` if the process has none.
  package init?(options: BrowseOptions, services: BrowseServices) {
    guard let device = TerminalDevice(usesMouse: options.usesMouse), let mailbox = Mailbox() else {
      return nil
    }
    self.device = device
    self.mailbox = mailbox
    self.options = options
    self.services = services
  }

  /// Shows the screen until it is left.
  ///
  /// Keys are read, and frames are drawn, on a thread of their own.
  package func run() async -> BrowseSummary {
    await withCheckedContinuation { continuation in
      let (device, mailbox, options, services) = (device, mailbox, options, services)
      startThread {
        var loop = BrowserLoop(
          device: device,
          mailbox: mailbox,
          options: options,
          services: services
        )
        continuation.resume(returning: loop.run())
      }
    }
  }

  /// Shows what a session is doing.
  package func show(_ state: ShownState) { mailbox.post(.event(.session(state))) }

  /// Takes note that the window has another size.
  package func windowChanged() { mailbox.post(.resized) }

  /// Gives the terminal back, and stops the process until it is continued.
  package func suspend() { mailbox.post(.suspend) }

  /// Takes the terminal over again after the process was stopped from outside.
  package func resumed() { mailbox.post(.resumed) }

  /// Leaves the screen.
  package func end(_ end: BrowseSummary.End) { mailbox.post(.end(end)) }
}
