/** Directions spread over the unit sphere: a grid on each face of a cube, projected from its centre; neighbouring grids share their borders. */

import { normalize, type Vec3 } from '../../math/vector'

export class Directions {
  readonly count: number
  private readonly side: number

  /** @param divisions number of divisions of each edge of the cube */
  constructor(readonly divisions: number) {
    this.side = divisions + 1
    this.count = 6 * this.side * this.side
  }

  /** Greatest angle between any direction and the nearest of the grid, rad: half the diagonal of a cell in the middle of a face. */
  get spacing(): number {
    return Math.SQRT2 / this.divisions
  }

  at(index: number): Vec3 {
    const { side, divisions } = this
    const face = Math.floor(index / (side * side))
    const i = Math.floor(index / side) % side
    const j = index % side
    return onCube(face, 2 * i / divisions - 1, 2 * j / divisions - 1)
  }

  /** The index of the direction near `m`, which is not zero. */
  nearest(m: Vec3): number {
    const [x, y, z] = [Math.abs(m[0]), Math.abs(m[1]), Math.abs(m[2])]
    const axis = x >= y && x >= z ? 0 : y >= z ? 1 : 2
    const largest = m[axis]!
    const face = 2 * axis + (largest < 0 ? 1 : 0)
    const { side, divisions } = this
    const cell = (s: number): number => Math.round((s / Math.abs(largest) + 1) / 2 * divisions)
    return (face * side + cell(m[(axis + 1) % 3]!)) * side + cell(m[(axis + 2) % 3]!)
  }
}

/** The unit vector through (s, t) of a face: faces 0 and 1 are +x and −x, and so on; s and t run along the next two axes. */
export function onCube(face: number, s: number, t: number): Vec3 {
  const axis = Math.floor(face / 2)
  const d: [number, number, number] = [0, 0, 0]
  d[axis] = face % 2 === 0 ? 1 : -1
  d[(axis + 1) % 3] = s
  d[(axis + 2) % 3] = t
  return normalize(d)
}
