import PlatScan
import PlatSession
import Testing

@MainActor
@Suite(.timeLimit(.minutes(30)))
struct ActivityIndicatorTests {
  let clock = ManualClock()
  let activity: ActivityIndicator

  init() {
    activity = ActivityIndicator(
      delay: .milliseconds(300),
      shortest: .milliseconds(500),
      clock: clock
    )
  }

  @Test func `Work that is over soon shows no indicator`() async {
    activity.isBusy = true
    #expect(await clock.nextSleep() == .milliseconds(300))
    await pass(.milliseconds(299))
    #expect(!activity.isShown)
    activity.isBusy = false
    await pass(.seconds(1))
    #expect(!activity.isShown)
  }

  @Test func `The indicator appears after a moment, and goes with the work`() async {
    activity.isBusy = true
    _ = await clock.nextSleep()
    clock.advance(by: .milliseconds(300))
    #expect(await clock.nextSleep() == .milliseconds(500))
    #expect(activity.isShown)
    await pass(.seconds(5))
    #expect(activity.isShown)
    activity.isBusy = false
    await disappearance()
  }

  @Test func `An indicator that has just appeared stays long enough to be seen`() async {
    await show()
    await pass(.milliseconds(1))
    activity.isBusy = false
    #expect(activity.isShown)
    await pass(.milliseconds(498))
    #expect(activity.isShown)
    clock.advance(by: .milliseconds(1))
    await disappearance()
  }

  @Test func `Work that begins while the indicator is about to go keeps it`() async {
    await show()
    activity.isBusy = false
    activity.isBusy = true
    await pass(.seconds(1))
    #expect(activity.isShown)
    activity.isBusy = false
    await disappearance()
  }

  @Test func `Work is given its whole moment even if other work has just ended`() async {
    activity.isBusy = true
    _ = await clock.nextSleep()
    // Time is up, and before that arrives the work has ended and other work begun.
    clock.advance(by: .milliseconds(300))
    activity.isBusy = false
    activity.isBusy = true
    _ = await clock.nextSleep()
    for _ in 0..<100 { await Task.yield() }
    #expect(!activity.isShown)
    clock.advance(by: .milliseconds(300))
    #expect(await clock.nextSleep() == .milliseconds(500))
    #expect(activity.isShown)
  }

  @Test func `The indicator follows the scans of a session`() async throws {
    let scanner = ScriptedScanner()
    let session = ScanSession(clock: ManualClock(), scanner: scanner.scan)
    let following = Task { await activity.follow(session) }
    session.open(ScanTarget("/srv"))
    _ = await clock.nextSleep()
    #expect(activity.isBusy)
    await scanner.next().finish(.sample(size: 1))
    _ = try await session.result()
    while activity.isBusy { await Task.yield() }
    session.refresh()
    _ = await clock.nextSleep()
    #expect(activity.isBusy)
    following.cancel()
    await following.value
    await scanner.next().fail(.cancelled())
    await session.cancel()
  }

  private func show() async {
    activity.isBusy = true
    _ = await clock.nextSleep()
    clock.advance(by: .milliseconds(300))
    _ = await clock.nextSleep()
  }

  /// Lets time pass in which nothing should happen; on a busy machine it may happen later.
  private func pass(_ duration: Duration) async {
    clock.advance(by: duration)
    for _ in 0..<100 { await Task.yield() }
  }

  /// Waits until the indicator is gone, without any time of the clock.
  private func disappearance() async {
    while activity.isShown { await Task.yield() }
  }
}
