import CPlatSystem
import Glibc

/// Decides how many threads a scan has, by what its reads show.
///
/// A scan begins with a thread a processor. While its threads wait for the disk or a server more than
/// they run, their number is doubled, so that more reads are under way. Threads that run are not joined
/// by others, nor are threads that would run if other programs left them a processor. What the kernel
/// says of a disk is not asked: virtual disks are taken for rotating ones, and a network has no such
/// flag.
internal struct ThreadPacing: Sendable {
  /// The number of threads to have.
  internal private(set) var threads: Int
  /// The most threads to have.
  internal let limit: Int

  private let processors: Int
  private var usage = Usage()
  private var wall = 0.0

  /// What a process has used so far.
  internal struct Usage: Hashable, Sendable {
    /// Processor time, in seconds.
    internal var cpu = 0.0
    /// How often a thread gave up its processor to wait.
    internal var waits = 0
    /// How often a thread was made to give up its processor.
    internal var preemptions = 0
  }

  /// Below this share of what the threads could use of the processors, they wait more than they run.
  private static let busyShare = 0.6

  /// Creates the pacing of a scan.
  ///
  /// - Parameters:
  ///   - wanted: The number of threads asked for, which then stays, or `nil` to choose.
  ///   - limit: The most threads to have, from 1.
  ///   - processors: The number of processors.
  internal init(wanted: Int?, limit: Int, processors: Int = onlineProcessors()) {
    self.limit = wanted.map { min($0, limit) } ?? limit
    self.processors = max(processors, 1)
    threads = wanted == nil ? min(self.processors, limit) : self.limit
  }

  /// Takes the measure of the time since it was last taken, and decides anew.
  ///
  /// - Parameters:
  ///   - usage: What the process has used so far.
  ///   - wall: The time of the scan so far, in seconds.
  internal mutating func update(_ usage: Usage, wall: Double) {
    defer { (self.usage, self.wall) = (usage, wall) }
    let possible = (wall - self.wall) * Double(min(threads, processors))
    let isWaiting =
      usage.cpu - self.usage.cpu < Self.busyShare * possible
      && usage.waits - self.usage.waits >= usage.preemptions - self.usage.preemptions
    if possible > 0, isWaiting { threads = min(2 * threads, limit) }
  }
}

extension ThreadPacing.Usage {
  /// What this process has used so far; see getrusage(2).
  internal static func ofProcess() -> ThreadPacing.Usage {
    var usage = rusage()
    getrusage(RUSAGE_SELF.rawValue, &usage)
    func seconds(_ time: timeval) -> Double { Double(time.tv_sec) + Double(time.tv_usec) / 1e6 }
    return ThreadPacing.Usage(
      cpu: seconds(usage.ru_utime) + seconds(usage.ru_stime),
      waits: usage.ru_nvcsw,
      preemptions: usage.ru_nivcsw
    )
  }
}

/// The number of processors that can be used.
internal func onlineProcessors() -> Int { sysconf(Int32(_SC_NPROCESSORS_ONLN)) }
