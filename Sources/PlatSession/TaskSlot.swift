/// Holds the current piece of work, and replaces it when its identity changes.
///
/// It does for any program what the modifier `task(id:)` does for a view of SwiftUI. Work that was
/// replaced is cancelled, and may still be at it for a while: what it brings is to be dropped unless
/// ``isCurrent(_:)`` says otherwise.
///
/// ```swift
/// let search = TaskSlot<String, Void>()
/// search.start(id: query) { turn in
///   let hits = await index.search(query)
///   if search.isCurrent(turn) { show(hits) }
/// }
/// ```
///
/// When the slot goes away, its work is cancelled.
@MainActor
public final class TaskSlot<ID: Equatable, Output: Sendable> {
  /// Tells one piece of work from those before and after it.
  public struct Turn: Hashable, Sendable {
    fileprivate let number: Int
  }

  /// What identifies the newest work, even when it has ended; `nil` before the first.
  public private(set) var id: ID?

  private var turns = 0
  private var current: Turn?
  private var newest: Task<Output, Never>?
  /// The work that has not returned yet, cancelled or not.
  private var unfinished: [Turn: Task<Output, Never>] = [:]

  /// Creates an empty slot.
  public init() {}

  isolated deinit {
    for task in unfinished.values { task.cancel() }
  }

  /// Starts a piece of work in place of the current one, unless it has the same identity.
  ///
  /// The work before is cancelled and not waited for.
  ///
  /// - Parameters:
  ///   - id: What identifies the work.
  ///   - operation: The work. It begins after the caller suspends or returns, and has to end soon
  ///     when its task is cancelled. The slot is held for as long as the closure holds it.
  /// - Returns: Whether the work was started.
  @discardableResult
  public func start(
    id: ID,
    _ operation: @escaping @MainActor (Turn) async -> Output
  ) -> Bool {
    guard id != self.id else { return false }
    withdraw()
    self.id = id
    turns += 1
    let turn = Turn(number: turns)
    let task = Task { [weak self] in
      let output = await operation(turn)
      self?.unfinished[turn] = nil
      return output
    }
    (current, newest, unfinished[turn]) = (turn, task, task)
    return true
  }

  /// Returns whether work has neither been replaced nor cancelled.
  public func isCurrent(_ turn: Turn) -> Bool { turn == current }

  /// Cancels the work, and returns when it has returned, and all that it replaced as well.
  ///
  /// The identity stays: starting the same work again does nothing.
  public func cancel() async {
    withdraw()
    for task in Array(unfinished.values) { _ = await task.value }
  }

  /// Waits for the newest work, also if it is started while this waits.
  ///
  /// - Returns: What the newest work returned, cancelled or not; `nil` if there was none.
  public func output() async -> Output? {
    var output: Output?
    var turn = 0
    while let newest, turn != turns {
      turn = turns
      output = await newest.value
    }
    return output
  }

  private func withdraw() {
    guard let turn = current else { return }
    current = nil
    unfinished[turn]?.cancel()
  }
}
