import PlatRender
import PlatTree

extension RenderCommand {
  /// Shows the picture in the terminal, as large as the window unless a size was asked for.
  internal func show(
    _ tree: FileTree,
    from top: DirectoryID,
    by renderer: TreemapRenderer,
    in context: CommandContext
  ) throws(CommandFailure) {
    let colors = context.environment["COLORTERM"]
    let showsColors =
      ["truecolor", "24bit"].contains(colors) && context.usesColor && !context.usesASCII
    let isDumb = (context.environment["TERM"] ?? "dumb") == "dumb"
    let terminal = isDumb ? nil : PictureTerminal(showsColors: showsColors)
    guard let terminal, let graphics = terminal.graphics else {
      throw CommandFailure(
        .usage,
        "this terminal shows no pictures: name a file with '-o'",
        hint: "For a map in characters: plat browse"
      )
    }
    var renderer = renderer
    let usual = RenderOptions()
    let scale = renderer.options.scale
    let isUsual = (renderer.options.width, renderer.options.height) == (usual.width, usual.height)
    // The window is counted in pixels of the screen. An impossible scale is refused by the renderer.
    if isUsual, (0.25...16).contains(scale) {
      renderer.options.width = max(Int(Double(terminal.size.width) / scale), 1)
      renderer.options.height = max(Int(Double(terminal.size.height) / scale), 1)
    }
    do throws(RenderError) {
      context.output.write(
        try renderer.terminalPicture(
          graphics,
          of: tree,
          from: top,
          sixelColors: terminal.sixelColors
        )
      )
    } catch {
      throw CommandFailure(error)
    }
  }
}
