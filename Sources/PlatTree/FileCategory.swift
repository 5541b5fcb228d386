/// What a file is for, as far as its name and mode tell.
///
/// The name decides, not the contents: a scan never opens files. The last extension that is known
/// and is not a number counts, so `notes.txt.1` is text and `libz.so.1.3` a library.
public enum FileCategory: UInt8, CaseIterable, Sendable {
  /// Source code and scripts.
  case code
  /// Executables, libraries and other products of compilers.
  case program
  /// Documents and manual pages.
  case document
  /// Pictures and fonts.
  case image
  /// Films.
  case video
  /// Sound.
  case audio
  /// Archives and packages.
  case archive
  /// Databases and structured data.
  case data
  /// Settings and plain text.
  case configuration
  /// Logs, caches, backups and other files that come and go.
  case log
  /// Anything else.
  case other
}

extension FileCategory {
  /// The category as a legend names it.
  public var title: String {
    switch self {
    case .code: "Code"
    case .program: "Program/library"
    case .document: "Document"
    case .image: "Image"
    case .video: "Video"
    case .audio: "Audio"
    case .archive: "Archive"
    case .data: "Data/database"
    case .configuration: "Config/text"
    case .log: "Log/cache"
    case .other: "Other"
    }
  }

  /// The file name extensions that mark the category, in lower case and without the dot.
  public var extensions: [String] { extensionList.split(separator: " ").map(String.init) }

  /// The extensions, separated by spaces.
  ///
  /// Sections of the manual (`1` to `8`) are not among them: numbers are mostly versions, and a
  /// manual page is known by its directory.
  private var extensionList: String {
    switch self {
    case .code:
      "c h cc cpp hpp hh cxx py pyi js mjs cjs ts tsx jsx swift rs go java kt rb pl pm php lua sh "
        + "bash zsh el vim f90 f s asm m mm cs scala hs ml mli r jl sql html htm css scss less vue "
        + "cmake mk am in inc tcc def rules swiftinterface modulemap apinotes ipynb awk tcl"
    case .program:
      "so a o dll exe bin dylib lib ko pyc pyo wasm elf la swiftmodule swiftdoc node rlib class "
        + "pch bc"
    case .document:
      "pdf doc docx odt rtf tex ps epub djvu ppt pptx odp xls xlsx ods man 3pm info texi rst md "
        + "markdown adoc"
    case .image:
      "png jpg jpeg gif svg svgz bmp tif tiff webp ico xpm psd heic icns eps ttf otf woff woff2 "
        + "pfb ttc pcf"
    case .video: "mp4 mkv avi mov webm wmv flv m4v mpg mpeg"
    case .audio: "mp3 wav flac ogg oga m4a aac opus mid wma"
    case .archive:
      "zip gz xz bz2 zst tar tgz 7z rar deb rpm jar whl lz4 lzma cab iso img dmg crate br"
    case .data:
      "db sqlite sqlite3 mdb dat data csv tsv json jsonl xml npy npz parquet h5 hdf5 pkl pickle "
        + "gz2 map mo gmo res icu nib pack idx bson avro arrow mmdb"
    case .configuration:
      "txt conf cfg ini yaml yml toml lock properties env list desktop service po pot license "
        + "copyright"
    case .log: "log cache tmp temp bak old swp journal part crdownload out err"
    case .other: ""
    }
  }
}

// MARK: Classification

extension FileCategory {
  /// Classifies a file.
  ///
  /// - Parameters:
  ///   - name: The bytes of the file's name.
  ///   - isExecutable: Whether any execute bit of its mode is set.
  ///   - isManualPage: Whether its directory holds manual pages, as
  ///     ``holdsManualPages(directoryNamed:)`` says.
  /// - Complexity: O(*n*), where *n* is the length of the name.
  public init(name: Span<UInt8>, isExecutable: Bool, isManualPage: Bool = false) {
    if isManualPage {
      self = .document
      return
    }
    var known: FileCategory?
    var hasExtension = false
    var end = name.count
    // A dot at the start hides the file and starts no extension.
    var index = end - 1
    while index > 0 {
      let isDot = name[index] == UInt8(ascii: ".")
      defer { index -= 1 }
      if !isDot { continue }
      let key = ExtensionTable.Key(name, from: index + 1, to: end)
      end = index
      guard let key else {
        hasExtension = true
        continue
      }
      if key.isNumber { continue }
      hasExtension = true
      if key == .sharedObject {
        self = .program
        return
      }
      if known == nil { known = ExtensionTable.shared[key] }
    }
    if let known {
      self = known
    } else if hasExtension {
      self = .other
    } else if let key = ExtensionTable.Key(name, from: 0, to: name.count), key.isLegalText {
      self = .configuration
    } else {
      self = isExecutable ? .program : .other
    }
  }

  /// Returns whether a directory of this name holds manual pages: `man1`, `man3pm`, `mann`.
  @inlinable
  public static func holdsManualPages(directoryNamed name: some Collection<UInt8>) -> Bool {
    // Pictures ask for every directory, few of which begin so.
    guard name.first == UInt8(ascii: "m"), name.starts(with: "man".utf8),
      let section = name.dropFirst(3).first
    else { return false }
    let isNumbered = section >= UInt8(ascii: "0") && section <= UInt8(ascii: "9")
    let isLettered = section == UInt8(ascii: "n") || section == UInt8(ascii: "l")
    return isNumbered || (isLettered && name.count == 4)
  }
}
