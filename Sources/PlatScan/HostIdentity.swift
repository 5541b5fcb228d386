import Glibc

/// Returns what identifies this machine, and the user by whose permissions it is read.
///
/// It is a hash of the machine ID, which is confidential (machine-id(5)), or of the name of the host
/// where there is none, and of the user and group IDs of the process.
public func hostIdentity() -> String {
  var hash = StableHash()
  var machine = readFile("/etc/machine-id")
  if machine.isEmpty { machine = hostName() }
  hash.combine("plat host".utf8)
  hash.combine(machine)
  hash.combine(UInt64(geteuid()))
  hash.combine(UInt64(getegid()))
  for group in supplementaryGroups().sorted() { hash.combine(UInt64(group)) }
  let digits = String(hash.value, radix: 16)
  return String(repeating: "0", count: 16 - digits.count) + digits
}

private func hostName() -> [UInt8] {
  var name = [UInt8](repeating: 0, count: 256)
  let answer = name.withUnsafeMutableBytes { buffer in
    buffer.baseAddress.map {
      gethostname($0.assumingMemoryBound(to: CChar.self), buffer.count - 1)
    }
  }
  return answer == 0 ? Array(name.prefix { $0 != 0 }) : []
}

private func supplementaryGroups() -> [gid_t] {
  let count = getgroups(0, nil)
  guard count > 0 else { return [] }
  var groups = [gid_t](repeating: 0, count: Int(count))
  let found = getgroups(count, &groups)
  return Array(groups.prefix(Int(max(found, 0))))
}
