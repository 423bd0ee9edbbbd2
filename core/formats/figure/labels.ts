/** Labels of a figure: none covers another, distant ones have a leader line, and those without a place are counted. */

import { LabelPlaces, type LabelBox } from '../../analysis/label-places'
import { plain, type Mark, type Point, type Run } from './drawing'
import { textWidth } from './helvetica'

/** × font size: space for a line of text. Fonts that replace Helvetica are up to this factor wider. */
const LINE = 1.15
const WIDER = 1.12

export interface Label {
  readonly runs: readonly Run[]
  /** The labelled point. */
  readonly near: Point
  /** Desired direction from that point, y down. */
  readonly towards: Point
  readonly color: string
  /** Labels with a larger weight get their place first. */
  readonly weight: number
}

export interface LabelLook {
  readonly size: number
  /** Colour of the count. */
  readonly faint: string
}

/** @param lines that labels should not cover */
export function labelMarks(labels: readonly Label[], lines: readonly (readonly [Point, Point])[], bounds: LabelBox, { size, faint }: LabelLook): Mark[] {
  const places = new LabelPlaces(bounds)
  for (const line of lines) places.avoid(...line)
  const height = LINE * size
  const room = WIDER * textWidth(plain(moreText(labels.length)), size)
  const corner = { left: bounds.right - room, top: bounds.bottom - height, right: bounds.right, bottom: bounds.bottom }
  places.take(corner)
  const marks: Mark[] = []
  let hidden = 0
  for (const { runs, near, towards, color } of [...labels].sort((a, b) => b.weight - a.weight)) {
    const found = places.place(near, towards, WIDER * textWidth(runs, size), height)
    if (found === null) {
      hidden++
      continue
    }
    if (found.leader) marks.push({ kind: 'path', points: found.leader, closed: false, stroke: { color, width: 0.5 }, fill: null })
    marks.push({ kind: 'text', at: [(found.box.left + found.box.right) / 2, baseline(found.box, size)], runs, size, align: 'center', color })
  }
  if (hidden > 0) marks.push({ kind: 'text', at: [corner.right, baseline(corner, size)], runs: plain(moreText(hidden)), size, align: 'right', color: faint })
  return marks
}

const moreText = (count: number): string => `+${count} more`
const baseline = ({ top, bottom }: LabelBox, size: number): number => (top + bottom) / 2 + 0.3 * size
