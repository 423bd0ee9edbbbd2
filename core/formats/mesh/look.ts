/** How the parts of a mesh file look: colours, colours of vertices, and pictures with their coordinates. */

import type { Mesh } from '../../geometry/mesh'
import type { Vec3 } from '../../math/vector'

/** A surface with what a visual needs besides its colour. */
export interface SeenMesh extends Mesh {
  /** #rrggbb in sRGB, one a vertex. */
  readonly colors?: readonly string[]
  /** One a vertex: [0, 0] is the lower left corner of the picture, [1, 1] the upper right. */
  readonly uv?: readonly (readonly [number, number])[]
}

/** A picture beside the file, or in it. */
export type PictureSource = { readonly file: string } | { readonly bytes: Uint8Array; readonly name: string }

export interface MeshPart {
  readonly mesh: SeenMesh
  /** #rrggbb, multiplied with texture and vertex colours; null if the file has none. */
  readonly color: string | null
  readonly texture: PictureSource | null
}

export type Look = Pick<MeshPart, 'color' | 'texture'>

export const NO_LOOK: Look = { color: null, texture: null }
const WHITE = '#ffffff'

/** Collects the faces of each look. Corners with equal keys become one vertex. */
export class PartCollector {
  private readonly parts = new Map<string, Collected>()

  /** @param key equal for equal looks */
  part(key: string, look: Look): Collected {
    const known = this.parts.get(key) ?? new Collected(look)
    this.parts.set(key, known)
    return known
  }

  list(): MeshPart[] {
    return [...this.parts.values()].filter(({ faces }) => faces.length > 0).map(part => part.build())
  }
}

class Collected {
  readonly faces: number[][] = []
  private readonly known = new Map<string, number>()
  private readonly vertices: Vec3[] = []
  private readonly colors: string[] = []
  private readonly uv: [number, number][] = []
  private colored = false
  private mapped = false

  constructor(private readonly look: Look) {}

  /** @returns index of the vertex @param color #rrggbb */
  corner(key: string, point: Vec3, uv: readonly [number, number] | null, color: string | null): number {
    let index = this.known.get(key)
    if (index === undefined) {
      index = this.vertices.push(point) - 1
      this.colors.push(color ?? WHITE)
      this.uv.push(uv === null ? [0, 0] : [uv[0], uv[1]])
      this.colored ||= color !== null && color !== WHITE
      this.mapped ||= uv !== null
      this.known.set(key, index)
    }
    return index
  }

  build(): MeshPart {
    const { vertices, faces, look, colors, uv } = this
    const texture = this.mapped ? look.texture : null
    return { color: look.color, texture, mesh: { vertices, faces, ...this.colored ? { colors } : {}, ...this.mapped ? { uv } : {} } }
  }
}

/** Whether a part looks like a plain surface. */
export function isPlain({ color, texture, mesh }: MeshPart): boolean {
  return color === null && texture === null && mesh.colors === undefined
}
