/** Appearance of a model's links: links with visual geoms get visuals, the others show their shapes. */

import type { Shape, Visual } from '../../../scene'
import type { SeenMesh } from '../../mesh'
import type { SceneDraft } from '../../shared/draft'
import { visualOfMesh, visualOfShape } from '../../shared/visuals'
import { append } from './lists'

export interface ShownGeom {
  /** Whether the geom is visual only. */
  readonly only: boolean
  readonly color: string | null
  readonly shape: Shape
  readonly surface: SeenMesh | null
  /** Id of its texture. */
  readonly texture: string | null
  /** Name of the surface in the file. */
  readonly name: string | undefined
}

export class LinkLooks {
  private readonly shown = new Map<number, ShownGeom[]>()

  constructor(private readonly draft: SceneDraft) {}

  add(link: number, geom: ShownGeom): void {
    append(this.shown, link, geom)
  }

  show(links: readonly { visuals: readonly Visual[] | null }[]): void {
    for (const [link, geoms] of this.shown) {
      // The shape of a geom cannot show a texture.
      if (!geoms.some(({ only, texture }) => only || texture !== null)) continue
      links[link]!.visuals = geoms.flatMap(({ shape, surface, name, color, texture }) => {
        const { position = [0, 0, 0], orientation = [0, 0, 0, 1] } = shape
        const pose = { position, orientation }
        return (surface === null ? visualOfShape(shape, color, this.draft) : visualOfMesh(surface, name, pose, color, this.draft, texture)) ?? []
      })
    }
  }
}
