/// Scripts for shells that complete command lines, made from the tables of the commands.
///
/// Each script first joins the words of the line that name a command (`query top`), and then offers the
/// words that can follow, the options, or the values of the option before.
internal struct ShellCompletions {
  /// A command or a group by name, with what can follow it.
  private struct Entry {
    var name: String
    var abstract: String
    /// The words that can follow, with what they mean.
    var words: [(word: String, abstract: String)] = []
    var options: [OptionSummary]
  }

  private let entries: [Entry]

  internal init(_ list: CommandList) {
    let groups = [""] + list.groups.map(\.name)
    let common = CommonOptions.options.map(\.summary)
    entries =
      groups.map { name in
        let words = list.words(after: name).map { word in
          let full = name.isEmpty ? word : "\(name) \(word)"
          return (
            word, list.group(named: full)?.abstract ?? list.command(named: full)?.abstract ?? ""
          )
        }
        let verb = list.group(named: name)?.defaultVerb.flatMap {
          list.command(named: "\(name) \($0)")
        }
        return Entry(
          name: name,
          abstract: list.group(named: name)?.abstract ?? list.abstract,
          words: words,
          options: verb?.summaries ?? common
        )
      }
      + list.commands.map { command in
        Entry(
          name: command.name,
          abstract: command.abstract,
          words: Self.operandWords(of: command).map { ($0, "") },
          options: command.summaries
        )
      }
  }

  /// The words that an operand is one of, as the usage line says: `bash|zsh|fish`.
  private static func operandWords(of command: any Command.Type) -> [String] {
    guard command.operands.contains("|") else { return [] }
    return command.operands.split(separator: "|").map(String.init)
  }

  /// Patterns for the words so far and the next one, where the next belongs to the name of a command.
  private var steps: [String] {
    entries.filter { !$0.name.isEmpty }.map { entry in
      entry.name.contains(" ") ? "'\(entry.name)'" : "' \(entry.name)'"
    }
  }
}

// MARK: Bash

extension ShellCompletions {
  /// The script for bash.
  internal var bash: String {
    var lines = [
      "# Completions of plat for bash, made by 'plat completions bash'.",
      "_plat() {",
      "  local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD - 1]}",
      "  local name='' words='' position",
      "  # Bash takes --option=value for three words.",
      "  if [[ $cur == = ]]; then",
      "    cur=''",
      "  elif [[ $prev == = ]]; then",
      "    prev=${COMP_WORDS[COMP_CWORD - 2]}",
      "  fi",
      "  for ((position = 1; position < COMP_CWORD; position++)); do",
      "    case \"$name ${COMP_WORDS[position]}\" in",
      "      \(steps.joined(separator: " | ")))",
      "        name=${name:+$name }${COMP_WORDS[position]} ;;",
      "    esac",
      "  done",
      "  COMPREPLY=()",
      "  case \"$name:$prev\" in",
    ]
    for entry in entries {
      for option in entry.options where option.placeholder != nil {
        let names = option.spellings.map { "'\(entry.name):\($0)'" }.joined(separator: " | ")
        switch option.completion {
        case .none: lines.append("    \(names)) compopt +o default; return ;;")
        case .file: lines.append("    \(names)) return ;;")
        case .directory: lines.append("    \(names)) compopt -o dirnames; return ;;")
        case .words(let words):
          lines.append("    \(names)) words='\(words.joined(separator: " "))' ;;")
        }
      }
    }
    lines += ["  esac", "  if [[ -z $words ]]; then", "    case \"$name:$cur\" in"]
    for entry in entries {
      let options = entry.options.flatMap(\.spellings).joined(separator: " ")
      lines.append("      '\(entry.name):-'*) words='\(options)' ;;")
      guard !entry.words.isEmpty else { continue }
      let words = entry.words.map(\.word).joined(separator: " ")
      lines.append("      '\(entry.name):'*) words='\(words)' ;;")
    }
    lines += [
      "    esac", "  fi", "  mapfile -t COMPREPLY < <(compgen -W \"$words\" -- \"$cur\")", "}",
      "complete -o default -F _plat plat",
    ]
    return lines.joined(separator: "\n") + "\n"
  }
}

// MARK: Zsh

extension ShellCompletions {
  /// The script for zsh.
  internal var zsh: String {
    var lines = [
      "#compdef plat",
      "# Completions of plat for zsh, made by 'plat completions zsh'.",
      "_plat() {",
      "  local name='' position",
      "  local -a verbs",
      "  for ((position = 2; position < CURRENT; position++)); do",
      "    case \"$name ${words[position]}\" in",
      "      \(steps.joined(separator: " | ")))",
      "        name=${name:+$name }${words[position]} ;;",
      "    esac",
      "  done",
      "  case $name in",
    ]
    for entry in entries {
      lines.append("    '\(entry.name)')")
      let verbs = entry.words.map { word, abstract in
        quoted(abstract.isEmpty ? word : "\(word):\(abstract)")
      }
      if !verbs.isEmpty { lines.append("      verbs=(\(verbs.joined(separator: " ")))") }
      lines.append("      _arguments -s \\")
      lines += entry.options.map { "        \(zshSpecification(of: $0)) \\" }
      lines.append(
        verbs.isEmpty
          ? "        '*:file:_files' ;;" : "        '*: :{_describe word verbs; _files}' ;;"
      )
    }
    lines += ["  esac", "}", "_plat \"$@\""]
    return lines.joined(separator: "\n") + "\n"
  }

  private func zshSpecification(of option: OptionSummary) -> String {
    let special: Set<Character> = ["[", "]", ":", "\\"]
    let help = String(option.help.flatMap { special.contains($0) ? ["\\", $0] : [$0] })
    var action = ""
    if let placeholder = option.placeholder {
      switch option.completion {
      case .none: action = ":\(placeholder): "
      case .file: action = ":\(placeholder):_files"
      case .directory: action = ":\(placeholder):_files -/"
      case .words(let words): action = ":value:(\(words.joined(separator: " ")))"
      }
    }
    let long = quoted("--\(option.name)\(action.isEmpty ? "" : "=")[\(help)]\(action)")
    guard let short = option.short else { return long }
    return long + " " + quoted("-\(short)\(action.isEmpty ? "" : "+")[\(help)]\(action)")
  }
}

// MARK: Fish

extension ShellCompletions {
  /// The script for fish.
  internal var fish: String {
    var lines = [
      "# Completions of plat for fish, made by 'plat completions fish'.",
      "function __plat_is",
      "  set -l name ''",
      "  for word in (commandline -opc)[2..-1]",
      "    switch \"$name $word\"",
      "      case \(steps.joined(separator: " "))",
      "        set name (string trim -- \"$name $word\")",
      "    end",
      "  end",
      "  test \"$name\" = \"$argv\"",
      "end",
    ]
    for entry in entries {
      let start = "complete -c plat -n '__plat_is \(entry.name)'"
      for (word, abstract) in entry.words {
        let text = abstract.isEmpty ? "" : " -d \(quoted(abstract))"
        lines.append("\(start) -f -a '\(word)'\(text)")
      }
      for option in entry.options {
        let short = option.short.map { " -s \($0)" } ?? ""
        var value = ""
        if option.placeholder != nil {
          switch option.completion {
          case .none: value = " -x"
          case .file: value = " -r -F"
          case .directory: value = " -x -a '(__fish_complete_directories)'"
          case .words(let words): value = " -x -a '\(words.joined(separator: " "))'"
          }
        }
        lines.append("\(start) -l \(option.name)\(short)\(value) -d \(quoted(option.help))")
      }
    }
    return lines.joined(separator: "\n") + "\n"
  }

  /// Returns text as one word of a shell.
  private func quoted(_ text: String) -> String {
    // Fish knows \' within quotes, the others do not; a quotation mark of type is read as well.
    "'\(text.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "’"))'"
  }
}

extension OptionSummary {
  /// The ways to write the name: `--count`, `-n`.
  fileprivate var spellings: [String] {
    ["--\(name)"] + (short.map { ["-\($0)"] } ?? [])
  }
}
