internal import Synchronization

/// Something that is on or off, for threads to look at.
internal final class Switch: Sendable {
  private let state = Atomic(false)

  internal init() {}

  internal var isOn: Bool {
    get { state.load(ordering: .relaxed) }
    set { state.store(newValue, ordering: .relaxed) }
  }
}
