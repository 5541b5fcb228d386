/// By what the nodes of a tree are known again in another one.
///
/// An identity is a number that the caller makes, such as a hash of a path, and that means the same
/// in every tree. The numbers of the nodes of one tree differ from each other.
public struct NodeIdentities: Hashable, Sendable {
  /// The identity of each node as a child of its parent; that of an aggregate is of no account.
  public var entries: [UInt64]
  /// The identity of each node as a parent of its children; that of a leaf is of no account.
  ///
  /// It differs from the other where a node stands for several directories, each the only child of
  /// the one before: the first is what the parent holds, and the last holds the children.
  public var parents: [UInt64]

  /// Creates identities, both in the order of the tree.
  public init(entries: [UInt64], parents: [UInt64]) {
    self.entries = entries
    self.parents = parents
  }

  internal func fit(_ tree: LayoutTree) -> Bool {
    entries.count == tree.count && parents.count == tree.count
  }
}
