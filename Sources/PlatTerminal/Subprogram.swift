import Glibc
import PlatScan

/// A word of a command line: text, or the bytes of a path.
internal protocol ProgramWord {
  var bytes: [UInt8] { get }
}

extension String: ProgramWord {
  internal var bytes: [UInt8] { Array(utf8) }
}

extension [UInt8]: ProgramWord {
  internal var bytes: [UInt8] { self }
}

/// Another program that has the terminal for a while.
internal enum Subprogram {
  /// Runs a program and waits for it.
  ///
  /// - Parameter words: Its name, which is looked up in `PATH`, and its arguments.
  /// - Returns: What went wrong, or `nil` if the program ran.
  internal static func run(_ words: [[UInt8]]) -> String? {
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    // The program is to meet the signals as it would from a shell.
    var signals = sigset_t()
    sigemptyset(&signals)
    for signal in [SIGINT, SIGQUIT, SIGTSTP, SIGPIPE, SIGTERM] { sigaddset(&signals, signal) }
    posix_spawnattr_setsigdefault(&attributes, &signals)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGDEF))

    var arguments = words.map { strdup(cString($0)) }
    arguments.append(nil)
    defer { for argument in arguments { free(argument) } }
    guard let name = arguments.first, let name else { return nil }
    var process = pid_t()
    let failure = posix_spawnp(&process, name, nil, &attributes, arguments, environ)
    guard failure == 0 else { return message(forErrno: failure) }
    var status: Int32 = 0
    while waitpid(process, &status, 0) == -1, errno == EINTR {}
    return nil
  }

  private static func cString(_ bytes: [UInt8]) -> [CChar] {
    bytes.map(CChar.init(bitPattern:)) + [0]
  }
}
