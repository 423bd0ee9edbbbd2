/**
 * Places labels beside arrows in a picture, y down. The first label gets the best place, and no label covers another. Of the places on rings around the
 * point, the nearest one that crosses few lines is chosen. A distant label is connected to its point by a leader line. The result depends on the input only.
 */

import { atan2, cos, hypot, PI, sin } from '../math/elementary'

export type PicturePoint = readonly [number, number]
export interface LabelBox { readonly left: number, readonly top: number, readonly right: number, readonly bottom: number }

export interface LabelPlace {
  readonly box: LabelBox
  /** From the labelled point to the label's edge; null beside the point. */
  readonly leader: readonly [PicturePoint, PicturePoint] | null
}

/** Gaps between point and label that are tried. */
const RINGS = [4, 9, 16, 26, 40, 58, 80, 110, 150]
const DIRECTIONS = 16
/** Gap beyond which a label gets a leader line. */
const LEADER = 14
/** Cost of a crossed line and of a radian of deviation from the desired direction, as an additional gap. */
const CROSSING = 40
const TURNING = 3

export class LabelPlaces {
  private readonly boxes: LabelBox[] = []
  private readonly lines: (readonly [PicturePoint, PicturePoint])[] = []

  /** @param bounds labels are placed inside */
  constructor(private readonly bounds: LabelBox) {}

  /** Adds a line, which labels cover only if there is no other place near. */
  avoid(from: PicturePoint, to: PicturePoint): void {
    this.lines.push([from, to])
  }

  /** Adds a box, which no label covers. */
  take(box: LabelBox): void {
    this.boxes.push(box)
  }

  /**
   * The place of a label, which is then occupied; null if there is none.
   * @param towards desired direction from `near`
   */
  place(near: PicturePoint, towards: PicturePoint, width: number, height: number): LabelPlace | null {
    const wanted = atan2(towards[1], towards[0])
    let best: LabelPlace | null = null
    let least = Infinity
    for (const gap of RINGS) {
      if (gap >= least) break
      for (let turn = 0; turn < DIRECTIONS; turn++) {
        const aside = (turn % 2 === 0 ? 1 : -1) * Math.ceil(turn / 2) * 2 * PI / DIRECTIONS
        const box = boxAt(near, wanted + aside, gap, width, height)
        if (!this.isFree(box)) continue
        const leader = leaderTo(near, box)
        if (leader !== null && this.boxes.some(other => crosses(leader, other))) continue
        const cost = gap + TURNING * Math.abs(aside) + CROSSING * this.lines.filter(line => crosses(line, box)).length
        if (cost < least) {
          least = cost
          best = { box, leader }
        }
      }
    }
    if (best === null) return null
    this.take(best.box)
    if (best.leader) this.avoid(...best.leader)
    return best
  }

  private isFree(box: LabelBox): boolean {
    const { bounds } = this
    return box.left >= bounds.left && box.right <= bounds.right && box.top >= bounds.top && box.bottom <= bounds.bottom
      && !this.boxes.some(other => overlap(box, other))
  }
}

function boxAt(near: PicturePoint, direction: number, gap: number, width: number, height: number): LabelBox {
  const x = near[0] + cos(direction) * (gap + width / 2)
  const y = near[1] + sin(direction) * (gap + height / 2)
  return { left: x - width / 2, top: y - height / 2, right: x + width / 2, bottom: y + height / 2 }
}

function leaderTo(near: PicturePoint, box: LabelBox): LabelPlace['leader'] {
  const edge: PicturePoint = [Math.max(box.left, Math.min(box.right, near[0])), Math.max(box.top, Math.min(box.bottom, near[1]))]
  return hypot(edge[0] - near[0], edge[1] - near[1]) < LEADER ? null : [near, edge]
}

export function overlap(a: LabelBox, b: LabelBox): boolean {
  return a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom
}

/** Whether a segment passes through the inside of a box [Liang, Barsky 1984]. */
function crosses([from, to]: readonly [PicturePoint, PicturePoint], { left, top, right, bottom }: LabelBox): boolean {
  let [enter, leave] = [0, 1]
  for (const [at, step, low, high] of [[from[0], to[0] - from[0], left, right], [from[1], to[1] - from[1], top, bottom]] as const) {
    if (step === 0) {
      if (at <= low || at >= high) return false
      continue
    }
    const [first, second] = step > 0 ? [(low - at) / step, (high - at) / step] : [(high - at) / step, (low - at) / step]
    enter = Math.max(enter, first)
    leave = Math.min(leave, second)
  }
  return enter < leave
}
