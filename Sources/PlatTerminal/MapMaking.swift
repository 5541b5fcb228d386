import PlatTree

/// The making of a map, on another thread.
internal struct MapMaking: Sendable {
  internal let request: MapModel.Request
  internal let tree: FileTree
  internal let categories: CategorySizes?
  internal let names: OwnerNames
  internal let comparison: Comparison?
  internal let sizes: SizeFormat
  internal let previous: MapModel?

  internal func run() -> MapModel {
    MapModel(
      request,
      of: tree,
      categories: categories,
      names: names,
      comparison: comparison,
      sizes: sizes,
      after: previous
    )
  }
}

extension Browser {
  /// The map of what is shown, if it is there yet; it may be of another size of the window or in other
  /// colours.
  internal var map: MapModel? {
    newestMap.flatMap { map in
      map.request.directory == directory && map.request.revision == shown.revision ? map : nil
    }
  }

  /// Whether there is a map on the screen, and nothing over it.
  internal var showsBareMap: Bool {
    guard map != nil, !list.rows.isEmpty else { return false }
    return switch mode {
    case .browsing, .searching, .typing: true
    case .box, .marks, .issues: false
    }
  }

  /// Returns the making of the map, unless it is there.
  internal func mapMaking(isOutlined: Bool) -> MapMaking? {
    let layout = layout
    guard let tree, let columns = layout.mapColumns, !list.rows.isEmpty || entriesToRead != nil
    else { return nil }
    let request = MapModel.Request(
      directory: directory,
      revision: shown.revision,
      measure: measure,
      columns: columns.count,
      rows: layout.mapRows.count,
      style: mapStyle,
      key: comparison == nil ? colorKey : .growth,
      isOutlined: isOutlined,
      hasCategories: categories != nil,
      day: now / 86_400,
      comparedWith: comparison?.takenAt
    )
    guard newestMap?.request != request else { return nil }
    return MapMaking(
      request: request,
      tree: tree,
      categories: categories,
      names: settings.ownerNames,
      comparison: comparison,
      sizes: settings.sizes,
      previous: newestMap
    )
  }

  /// Takes a map that was made, if it is of what is shown.
  internal mutating func accept(_ map: MapModel) {
    guard map.request.directory == directory, map.request.revision == shown.revision else { return }
    newestMap = map
  }
}
