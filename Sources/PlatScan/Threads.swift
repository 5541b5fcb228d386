import CPlatSystem
import Glibc

/// Starts a detached thread.
///
/// - Parameters:
///   - niceValue: The least nice value of it and of the threads that it starts, see setpriority(2);
///     `nil` for that of the thread which starts it.
///   - body: What it does.
/// - Returns: Whether there was one to be had.
internal func startThread(
  niceValue: Int? = nil,
  _ body: @escaping @Sendable () -> Void
) -> Bool {
  final class Body {
    let niceValue: Int?
    let call: @Sendable () -> Void
    init(_ niceValue: Int?, _ call: @escaping @Sendable () -> Void) {
      (self.niceValue, self.call) = (niceValue, call)
    }

    func run() {
      if let niceValue {
        // On Linux every thread has a value of its own.
        let which = __priority_which_t(PRIO_PROCESS.rawValue)
        setpriority(which, 0, max(getpriority(which, 0), Int32(clamping: niceValue)))
      }
      call()
    }
  }
  var attributes = pthread_attr_t()
  pthread_attr_init(&attributes)
  defer { pthread_attr_destroy(&attributes) }
  pthread_attr_setdetachstate(&attributes, CInt(PTHREAD_CREATE_DETACHED))
  pthread_attr_setstacksize(&attributes, 512 << 10)
  let argument = Unmanaged.passRetained(Body(niceValue, body))
  var thread = pthread_t()
  let failure = pthread_create(
    &thread,
    &attributes,
    { @Sendable argument in
      guard let argument else { return nil }
      Unmanaged<Body>.fromOpaque(argument).takeRetainedValue().run()
      return nil
    },
    argument.toOpaque()
  )
  if failure != 0 { argument.release() }
  return failure == 0
}

/// How many threads and descriptors a scan uses.
internal struct DescriptorLimits: Sendable {
  /// The most threads.
  internal let threads: Int
  /// The number of directories that are kept open for their subdirectories.
  internal let kept: Int

  /// The most threads unless told otherwise: more reads under way gain nothing on a cold disk.
  private static let defaultThreads = 16
  /// Kept descriptors and those in hand stay below this together.
  private static let most = 128
  /// Each worker has a directory in hand, one open again, and one on the way to it.
  private static let perThread = 3

  /// Creates the limits of a scan under the limits of the process; see getrlimit(2).
  ///
  /// - Parameter wantedThreads: The number of threads asked for, or `nil` to choose.
  internal init(wantedThreads: Int?) {
    var limit = rlimit()
    getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    // The database, the standard streams and the like need some.
    let available = min(Int(clamping: limit.rlim_cur) - 16, Self.most)
    threads = max(1, min(wantedThreads ?? Self.defaultThreads, available / (2 * Self.perThread)))
    kept = max(0, available - threads * Self.perThread)
  }
}
