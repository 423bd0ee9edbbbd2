/** The place of a closed group of panels. */

import type { DockviewApi } from 'dockview-vue'

interface Size {
  readonly width: number
  readonly height: number
}

/**
 * Leaves the sizes of other groups as they were when one is closed, so that the picture takes its place. The dock itself would give it to the group
 * that is first in the row.
 * @param isOwn whether the present change is one of the layout as a whole, which sets all sizes
 */
export function giveFreedPlaceToPicture(api: DockviewApi, isOwn: () => boolean): void {
  let sizes = new Map<string, Size>()
  const note = () => { sizes = new Map(api.groups.map(({ id, api: { width, height } }) => [id, { width, height }])) }
  api.onDidLayoutChange(note)
  api.onDidRemoveGroup(() => {
    if (isOwn()) return
    const picture = api.getPanel('viewport')?.group
    for (const group of api.groups) {
      const before = sizes.get(group.id)
      if (group === picture || before === undefined) continue
      const { width, height } = group.api
      if (width !== before.width || height !== before.height) group.api.setSize(before)
    }
  })
}
