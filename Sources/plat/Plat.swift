import PlatCommands

@main
struct Plat {
  static func main() async {
    await Program.main()
  }
}
