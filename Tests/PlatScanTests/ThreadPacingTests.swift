import Testing

@testable import PlatScan

struct ThreadPacingTests {
  @Test func `A scan begins with a thread a processor`() {
    #expect(ThreadPacing(wanted: nil, limit: 16, processors: 4).threads == 4)
    #expect(ThreadPacing(wanted: nil, limit: 2, processors: 4).threads == 2)
  }

  @Test func `Threads that wait more than they run are doubled, up to the limit`() {
    var pacing = ThreadPacing(wanted: nil, limit: 7, processors: 2)
    pacing.update(.init(cpu: 0.05), wall: 0.1)
    #expect(pacing.threads == 4)
    pacing.update(.init(cpu: 0.1), wall: 0.2)
    #expect(pacing.threads == 7)
    pacing.update(.init(cpu: 0.15), wall: 0.3)
    #expect(pacing.threads == 7)
  }

  @Test func `Threads that keep the processors busy stay as they are`() {
    var pacing = ThreadPacing(wanted: nil, limit: 16, processors: 2)
    pacing.update(.init(cpu: 0.19), wall: 0.1)
    pacing.update(.init(cpu: 0.36), wall: 0.2)
    #expect(pacing.threads == 2)
    // What was before does not count any more.
    pacing.update(.init(cpu: 0.40), wall: 0.3)
    #expect(pacing.threads == 4)
  }

  @Test func `Threads that others keep from running are not joined by more`() {
    var pacing = ThreadPacing(wanted: nil, limit: 16, processors: 2)
    pacing.update(.init(cpu: 0.05, waits: 10, preemptions: 40), wall: 0.1)
    #expect(pacing.threads == 2)
    pacing.update(.init(cpu: 0.10, waits: 60, preemptions: 50), wall: 0.2)
    #expect(pacing.threads == 4)
  }

  @Test func `A number that was asked for stays`() {
    var pacing = ThreadPacing(wanted: 1, limit: 16, processors: 8)
    pacing.update(.init(cpu: 0), wall: 1)
    #expect(pacing.threads == 1)
  }
}
