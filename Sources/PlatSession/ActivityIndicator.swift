public import Observation

/// Tells a program when to show that something is going on, so that nothing flashes.
///
/// What is over soon is not shown at all. What is shown stays long enough to be seen, and goes when
/// the work is over.
///
/// ```swift
/// let activity = ActivityIndicator()
/// Task { await activity.follow(session) }
/// for await isShown in Observations({ activity.isShown }) { draw(isShown) }
/// ```
@MainActor
@Observable
public final class ActivityIndicator {
  private enum State {
    /// There is no work.
    case idle
    /// There is work, which may be over soon.
    case waiting
    /// The indicator has just appeared, and there is work.
    case fresh
    /// The indicator has just appeared, and the work is over.
    case leaving
    /// The indicator was seen, and there is work.
    case seen
  }

  /// Whether the indicator is to be seen.
  public private(set) var isShown = false

  @ObservationIgnored private var state = State.idle
  @ObservationIgnored private var timer: Task<Void, Never>?
  @ObservationIgnored private let delay: Duration
  @ObservationIgnored private let shortest: Duration
  @ObservationIgnored private let clock: any Clock<Duration>

  /// Creates an indicator that is not shown.
  ///
  /// - Parameters:
  ///   - delay: How long work goes on before the indicator appears.
  ///   - shortest: How long the indicator is to be seen at least.
  ///   - clock: What both are measured with.
  public init(
    delay: Duration = .milliseconds(300),
    shortest: Duration = .milliseconds(500),
    clock: any Clock<Duration> = ContinuousClock()
  ) {
    (self.delay, self.shortest, self.clock) = (delay, shortest, clock)
  }

  isolated deinit { timer?.cancel() }

  /// Whether something is going on.
  @ObservationIgnored public var isBusy = false {
    didSet { if isBusy != oldValue { isBusy ? begin() : end() } }
  }

  /// Takes from a session whether a scan is in progress, until the task is cancelled.
  ///
  /// The session is kept for as long.
  public func follow(_ session: ScanSession) async {
    for await isBusy in Observations({ session.phase.progress != nil }) { self.isBusy = isBusy }
  }

  private func begin() {
    switch state {
    case .idle: enter(.waiting, for: delay)
    case .leaving: state = .fresh
    case .waiting, .fresh, .seen: break
    }
  }

  private func end() {
    switch state {
    case .waiting, .seen: enter(.idle)
    case .fresh: state = .leaving
    case .idle, .leaving: break
    }
  }

  private func timeIsUp() {
    switch state {
    case .waiting: enter(.fresh, for: shortest)
    case .fresh: enter(.seen)
    case .leaving: enter(.idle)
    case .idle, .seen: break
    }
  }

  private func enter(_ next: State, for duration: Duration? = nil) {
    state = next
    isShown = next == .fresh || next == .seen
    timer?.cancel()
    timer = duration.map { duration in
      Task { [weak self, clock] in
        do { try await clock.sleep(for: duration) } catch { return }
        // The work may have ended, and other work begun, while this was on its way.
        guard !Task.isCancelled else { return }
        self?.timeIsUp()
      }
    }
  }
}
