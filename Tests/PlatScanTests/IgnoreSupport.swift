import Glibc
import PlatTestSupport
import PlatTree
import Testing

/// Makes a file with the given content, and the directories it is in.
///
/// - Parameters:
///   - path: Its path below `root`.
///   - root: The absolute path of a directory.
///   - content: What it holds.
/// - Throws: If a system call fails.
func makeFile(_ path: [UInt8], in root: String, content: some Sequence<UInt8> = []) throws {
  let slash = UInt8(ascii: "/")
  let whole = Array("\(root)/".utf8) + path
  let start = root.utf8.count + 1
  for index in whole.indices.dropFirst(start) where whole[index] == slash {
    mkdir(FileName(Array(whole[..<index])).cString, 0o755)
  }
  let file = open(FileName(whole).cString, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
  let bytes = Array(content)
  try #require(file >= 0, "\(path)")
  try #require(write(file, bytes, bytes.count) == bytes.count && close(file) == 0)
}

func makeFile(_ path: String, in root: String, content: String = "") throws {
  try makeFile(Array(path.utf8), in: root, content: content.utf8)
}

/// Returns the paths below a directory that git ignores, as a repository elsewhere sees them.
///
/// - Parameters:
///   - root: The absolute path of the directory, which is no repository itself.
///   - paths: Absolute paths of what is below it.
/// - Returns: Those of `paths` that are ignored.
/// - Throws: If git cannot be run.
func pathsIgnoredByGit(below root: String, among paths: Set<[UInt8]>) throws -> Set<[UInt8]> {
  let folder = try makeTemporaryDirectory()
  defer { removeTree(folder) }
  let top = Array("\(root)/".utf8)
  let below = paths.filter { $0.starts(with: top) }.map { $0.dropFirst(top.count) }
  try makeFile(Array("paths".utf8), in: folder, content: below.flatMap { $0 + [0] })
  let settings = ["GIT_CONFIG_GLOBAL=/dev/null", "GIT_CONFIG_NOSYSTEM=1", "XDG_CONFIG_HOME=/none"]
  _ = try run(settings + ["git", "init", "--quiet", "--bare", "\(folder)/git"])
  let script = """
    git --git-dir="$1/git" --work-tree="$2" -c core.bare=false \
      check-ignore --no-index --stdin -z <"$1/paths"
    """
  let answer = try run(
    settings + ["sh", "-c", script, "sh", folder, root],
    showsErrors: true
  )
  try #require(answer.status <= 1, "git check-ignore")
  return Set(answer.output.split(separator: 0).map { top + $0 })
}

extension FileTree {
  /// The paths of everything that was left out for a reason, without that of the root.
  func excludedPaths(_ reason: Exclusion.Reason) -> [String] {
    let top = path(of: root).count
    return exclusions.filter { $0.reason == reason }
      .map { String(decoding: path(of: $0).dropFirst(top + 1), as: UTF8.self) }
  }
}
