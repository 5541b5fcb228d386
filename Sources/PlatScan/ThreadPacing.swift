import CPlatSystem
import Glibc

/// Decides how many threads a scan has, by what its reads show.
///
/// A scan begins with a thread a processor. While its threads wait for the disk or a server, and leave
/// processors free, their number is doubled, so that more reads are under way. Threads that get a
/// processor for a small part of the time in which they want one wait for other programs: more threads
/// would only wait with them. What the kernel says of a disk is not asked: virtual disks are taken for
/// rotating ones, and a network has no such flag.
internal struct ThreadPacing: Sendable {
  /// The number of threads to have.
  internal private(set) var threads: Int
  /// The most threads to have.
  internal let limit: Int

  private let processors: Int
  private var usage = Usage()
  private var wall = 0.0

  /// What the threads of a scan have used so far.
  internal struct Usage: Hashable, Sendable {
    /// Processor time, in seconds.
    internal var cpu = 0.0
    /// The time in which a thread could have run, and no processor was free, in seconds.
    internal var delay = 0.0
  }

  /// From this share of what the threads could use of the processors on, more of them gain nothing.
  private static let busyShare = 0.7
  /// The least part of the time in which threads could run that they do.
  ///
  /// Those that a disk wakes together take turns, and run for about half of it.
  private static let servedShare = 0.27

  /// Creates the pacing of a scan.
  ///
  /// - Parameters:
  ///   - wanted: The number of threads asked for, which then stays, or `nil` to choose.
  ///   - limit: The most threads to have, from 1.
  ///   - processors: The number of processors.
  internal init(wanted: Int?, limit: Int, processors: Int = usableProcessors()) {
    self.limit = wanted.map { min($0, limit) } ?? limit
    self.processors = max(processors, 1)
    threads = wanted == nil ? min(self.processors, limit) : self.limit
  }

  /// Whether there may be more threads later on.
  internal var canGrow: Bool { threads < limit }

  /// Takes the measure of the time since it was last taken, and decides anew.
  ///
  /// - Parameters:
  ///   - usage: What the threads have used so far.
  ///   - wall: The time of the scan so far, in seconds.
  internal mutating func update(_ usage: Usage, wall: Double) {
    defer { (self.usage, self.wall) = (usage, wall) }
    let time = wall - self.wall
    let possible = time * Double(min(threads, processors))
    let (ran, delayed) = (usage.cpu - self.usage.cpu, usage.delay - self.usage.delay)
    let isServed = ran >= Self.servedShare * (ran + delayed)
    if time > 0, ran < Self.busyShare * possible, isServed { threads = min(2 * threads, limit) }
  }
}

extension ThreadPacing.Usage {
  /// What this process has used so far, and how long some of its threads have waited to run.
  ///
  /// See getrusage(2). Where the kernel does not tell of waiting, there seems to be none.
  internal static func ofProcess(waiting threads: some Sequence<Int32>) -> Self {
    var usage = rusage()
    getrusage(RUSAGE_SELF.rawValue, &usage)
    func seconds(_ time: timeval) -> Double { Double(time.tv_sec) + Double(time.tv_usec) / 1e6 }
    return Self(
      cpu: seconds(usage.ru_utime) + seconds(usage.ru_stime),
      delay: threads.reduce(0) { $0 + delay(in: readFile("/proc/self/task/\($1)/schedstat")) }
    )
  }

  /// How long a thread has waited to run, in seconds: the second number of its `schedstat`, which has
  /// nanoseconds of running, nanoseconds of waiting, and how often it was made to run.
  internal static func delay(in statistics: [UInt8]) -> Double {
    let numbers = statistics.split(separator: UInt8(ascii: " "))
    guard numbers.count == 3, let nanoseconds = Double(String(decoding: numbers[1], as: UTF8.self))
    else { return 0 }
    return nanoseconds / 1e9
  }
}

/// The number of processors that this thread may use, which `taskset` and containers limit.
internal func usableProcessors() -> Int {
  let usable = Int(plat_usable_processors())
  return usable > 0 ? usable : max(sysconf(Int32(_SC_NPROCESSORS_ONLN)), 1)
}
