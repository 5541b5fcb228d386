/// Finds the word that somebody meant.
internal enum Suggestion {
  /// Returns the known word nearest to a mistyped one, or `nil` if none is near.
  ///
  /// Near is a word that begins with all of the mistyped one, or that is reached by changing at most a
  /// third of its characters. Of equally near ones the first wins.
  internal static func nearest(to word: String, among known: [String]) -> String? {
    let letters = Array(word)
    let bare = letters.drop { $0 == "-" }
    var best: (word: String, distance: Int)?
    for candidate in known {
      let isCompletion = bare.count >= 2 && candidate.hasPrefix(word)
      let distance = isCompletion ? 0 : distance(letters, Array(candidate))
      let limit = max(1, bare.count / 3)
      guard distance <= limit, distance < bare.count, distance < best?.distance ?? .max else {
        continue
      }
      best = (candidate, distance)
    }
    return best?.word
  }

  /// Returns how many insertions, deletions, substitutions and swaps of neighbours turn `a` into `b`.
  ///
  /// This is the optimal string alignment distance: no part is changed twice.
  ///
  /// - Complexity: O(*n* × *m*) for words of *n* and *m* characters.
  internal static func distance(_ a: [Character], _ b: [Character]) -> Int {
    var beforeLast: [Int] = []
    var last = Array(0...b.count)
    for i in a.indices {
      var row = [i + 1]
      for j in b.indices {
        var cost = min(last[j + 1] + 1, row[j] + 1, last[j] + (a[i] == b[j] ? 0 : 1))
        if i > 0, j > 0, a[i] == b[j - 1], a[i - 1] == b[j] {
          cost = min(cost, beforeLast[j - 1] + 1)
        }
        row.append(cost)
      }
      (beforeLast, last) = (last, row)
    }
    return last[b.count]
  }
}
