/**
 * Cuts a simple outline at the heights of its corners and joins the slabs again upwards while the union is convex. The
 * parts serve solids of revolution about a vertical axis: each side of a part is a chain of points upwards.
 */

import { turn, type Point2 } from './outline'

export interface ProfilePart {
  /** From the part's lowest height to its highest; no three consecutive points of a chain are collinear. */
  readonly left: readonly Point2[]
  readonly right: readonly Point2[]
}

interface Slab {
  readonly left: Point2[]
  readonly right: Point2[]
  /** Sides of the outline on which the chains end. */
  leftSide: number
  rightSide: number
}

export function profileParts(outline: readonly Point2[]): ProfilePart[] {
  const heights = [...new Set(outline.map(([, v]) => v))].sort((a, b) => a - b)
  const parts: Slab[] = []
  let open: Slab[] = []
  for (let k = 0; k + 1 < heights.length; k++) {
    open = slabsBetween(outline, heights[k]!, heights[k + 1]!).map(slab => {
      const below = open.find(one => isJoined(one, slab))
      if (!below) {
        parts.push(slab)
        return slab
      }
      extend(below.left, slab.left, below.leftSide === slab.leftSide)
      extend(below.right, slab.right, below.rightSide === slab.rightSide)
      below.leftSide = slab.leftSide
      below.rightSide = slab.rightSide
      return below
    })
  }
  return parts
}

/** Between two heights without a corner between them, the sides of the outline that cross the slab come in pairs. */
function slabsBetween(outline: readonly Point2[], low: number, high: number): Slab[] {
  const crossing = outline.flatMap((p, side) => {
    const q = outline[(side + 1) % outline.length]!
    if (Math.min(p[1], q[1]) > low || Math.max(p[1], q[1]) < high) return []
    return [{ side, from: placeAt(p, q, low), to: placeAt(p, q, high) }]
  }).sort((a, b) => a.from[0] + a.to[0] - b.from[0] - b.to[0])
  const slabs: Slab[] = []
  for (let i = 0; i + 1 < crossing.length; i += 2) {
    const [a, b] = [crossing[i]!, crossing[i + 1]!]
    slabs.push({ left: [a.from, a.to], right: [b.from, b.to], leftSide: a.side, rightSide: b.side })
  }
  return slabs
}

/** Point of a side at a height: exact at its ends. */
function placeAt(p: Point2, q: Point2, height: number): Point2 {
  if (p[1] === height) return p
  if (q[1] === height) return q
  // Always from the lower end, so that both directions along the side give the same point.
  const [a, b] = p[1] < q[1] ? [p, q] : [q, p]
  return [a[0] + (b[0] - a[0]) * ((height - a[1]) / (b[1] - a[1])), height]
}

const same = (p: Point2, q: Point2): boolean => p[0] === q[0] && p[1] === q[1]

function isJoined(below: Slab, slab: Slab): boolean {
  if (!same(below.left.at(-1)!, slab.left[0]!) || !same(below.right.at(-1)!, slab.right[0]!)) return false
  const bend = (chain: readonly Point2[], next: readonly Point2[]) => turn(chain.at(-2)!, next[0]!, next[1]!)
  if (below.leftSide !== slab.leftSide && bend(below.left, slab.left) > 0) return false
  return below.rightSide === slab.rightSide || bend(below.right, slab.right) >= 0
}

function extend(chain: Point2[], [joint, end]: readonly Point2[], isStraight: boolean): void {
  if (isStraight || turn(chain.at(-2)!, joint!, end!) === 0) chain.pop()
  chain.push(end!)
}
