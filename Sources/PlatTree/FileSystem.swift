/// A file system that a scan met.
public struct FileSystem: Hashable, Sendable {
  /// The device number that its directories carry, `st_dev`; it may differ after a reboot.
  public var device: UInt64

  /// The type as the kernel names it, as `ext4` or `tmpfs`; empty if it is not known.
  public var type: String

  /// What identifies the file system across reboots, in lowercase hexadecimal digits: its UUID, or
  /// what `statfs(2)` gives; empty if it has none.
  public var uuid: String

  /// Creates a description of a file system.
  public init(device: UInt64, type: String = "", uuid: String = "") {
    self.device = device
    self.type = type
    self.uuid = uuid
  }
}
