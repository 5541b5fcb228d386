import Foundation
import Glibc
import PlatTestSupport
import PlatTree

@testable import PlatScan

/// Scans, on this thread until the scan is over.
func scanNow(
  _ roots: [String],
  options: DirectoryScanner.Options = DirectoryScanner.Options(),
  reusing baselines: [DirectoryScanner.Baseline] = [],
  level: DirectoryScanner.Level = .verified
) throws -> ScanResult {
  try ScanJob(
    roots.map { Array($0.utf8) },
    options: options,
    rescan: RescanPlan(baselines, level: level)
  ).run { _ in }
}

extension DirectoryScanner.Baseline {
  /// Creates a baseline of a scan that was just made.
  ///
  /// - Parameters:
  ///   - result: The scan.
  ///   - options: Its options.
  ///   - racyMargin: How old directory times must be, in nanoseconds. The default is a few ticks of
  ///     the kernel's clock: enough on this machine, and short, so that a test need not wait.
  init(
    _ result: ScanResult,
    options: DirectoryScanner.Options = DirectoryScanner.Options(),
    racyMargin: Int64? = 40_000_000
  ) {
    self.init(
      tree: result.tree,
      startedAt: result.startedAt,
      options: options.fingerprint,
      host: hostIdentity()
    )
    self.racyMargin = racyMargin
  }

  /// The baseline, as if the scan had been made an hour later and nothing had changed since: so its
  /// directories are old enough to be trusted.
  var anHourLater: Self {
    var later = self
    later.startedAt += 3_600_000_000_000
    return later
  }
}

/// Makes a directory for a test in memory, in `/dev/shm`.
func makeDirectoryInMemory() throws -> String {
  var template = Array("/dev/shm/plat-test.XXXXXX".utf8CString)
  guard mkdtemp(&template) != nil else { throw FixtureError(what: "mkdtemp", code: errno) }
  return String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
}

/// Whether there is a file system in memory to test on.
let hasMemoryFileSystem: Bool = access("/dev/shm", W_OK) == 0
