/** Spur gears with involute teeth, in convex pieces that do not overlap: a tooth and a sector of the ring below it, for each tooth. */

import type { Point2 } from '../../geometry/outline'
import { PI, acos, cos, sin, tan } from '../../math/trigonometric'
import type { ShapeOf } from '../../scene'
import { across, count, entry, metres, refuse, type LibraryField } from './entry'

export interface Gear {
  /** m: pitch diameter ÷ teeth. */
  readonly module: number
  readonly teeth: number
  /** rad: pressure angle. */
  readonly pressure: number
  /** m: thickness along the axis, y. */
  readonly depth: number
  /** m: radius of the hole. */
  readonly bore: number
  /** m: difference between half of the pitch and the tooth thickness at the pitch circle. */
  readonly play: number
  /** Flat faces of a flank. */
  readonly flats: number
}

/** × module: height of teeth above and below the pitch circle [ISO 53]. */
const ADDENDUM = 1
const DEDENDUM = 1.25

export const gearFields = {
  module: metres('Module', 0.02, 'Pitch diameter divided by the number of teeth. Gears of one module and pressure angle mesh.'),
  pressure: { label: 'Pressure angle', unit: 'rad', default: PI / 9, least: PI / 18, most: PI / 6 },
  depth: metres('Depth', 0.05, 'Along the axis.'),
  bore: { ...metres('Bore radius', 0.03, '0: no hole.'), least: 0 },
  play: { ...metres('Play', 0.0005, 'Reduction of the tooth width on the pitch circle.'), least: 0 },
  flats: count('Flats of a flank', 6, 2, 24, 'Number of flat faces inscribed in each involute flank.'),
} as const satisfies Readonly<Record<string, LibraryField>>

export const pitchRadius = ({ module, teeth }: Gear): number => module * teeth / 2
export const tipRadius = (gear: Gear): number => pitchRadius(gear) + ADDENDUM * gear.module
export const baseRadius = (gear: Gear): number => pitchRadius(gear) * cos(gear.pressure)

const involute = (x: number): number => tan(x) - x

/**
 * The solids about the axis, y, with the middle of a tooth at the angle `turn` from x to z, rad.
 *
 * The flank is the involute of the base circle: at a radius ρ the tooth is narrower than at the pitch circle by twice inv(acos(r_b/ρ)) − inv α. Below
 * the base circle its sides are radial.
 */
export function gearShapes(gear: Gear, turn: number, material: string): ShapeOf<'convexHull'>[] {
  const { module, teeth, pressure, depth, bore, play, flats } = gear
  const [pitch, base, tip] = [pitchRadius(gear), baseRadius(gear), tipRadius(gear)]
  const root = pitch - DEDENDUM * module
  const widest = PI / (2 * teeth) - play / (2 * pitch) + involute(pressure)
  const halfAngle = (radius: number): number => widest - (radius > base ? involute(acos(base / radius)) : 0)
  if (!(halfAngle(tip) > 0)) refuse(`With ${teeth} teeth, this pressure angle and this play a tooth becomes pointed below its tip: allowed are more teeth, a smaller angle or less play`)
  const foot = halfAngle(root)
  if (!(foot < PI / teeth)) refuse(`With ${teeth} teeth and this pressure angle teeth meet at their roots: allowed are fewer teeth or a smaller angle`)
  if (!(bore < root * cos(PI / teeth))) refuse(`Bore radius is ${bore} m: allowed is less than the ring below the teeth, ${root * cos(PI / teeth)} m`)
  const inner = Math.max(base, root)
  // Equal steps of the roll angle of the involute.
  const unwound = (radius: number): number => Math.sqrt(Math.max(0, radius * radius / (base * base) - 1))
  const flank = Array.from({ length: flats + 1 }, (_, k) => {
    const roll = unwound(inner) + (unwound(tip) - unwound(inner)) * k / flats
    return k === flats ? tip : base * Math.sqrt(1 + roll * roll)
  })
  const radii = root < base ? [root, ...flank] : flank
  return Array.from({ length: teeth }, (_, k) => {
    const middle = turn + 2 * PI * k / teeth
    const at = (radius: number, angle: number): Point2 => [radius * cos(middle + angle), radius * sin(middle + angle)]
    const tooth = [...radii.map(radius => at(radius, -halfAngle(radius))), ...radii.toReversed().map(radius => at(radius, halfAngle(radius)))]
    const edge = PI / teeth
    const rim = [at(root, -edge), at(root, -foot), at(root, foot), at(root, edge)]
    const hole: Point2[] = bore === 0 ? [[0, 0]] : [at(bore, edge), at(bore, -edge)]
    return [across(tooth, depth, material), across([...rim, ...hole], depth, material)]
  }).flat()
}


export const gear = entry({
  id: 'gear', label: 'Gear', planar: true, help: 'A spur gear with involute teeth.',
  fields: { teeth: count('Teeth', 20, 6, 120), ...gearFields },
  make: (values, material) => {
    const shapes = gearShapes(values, PI / 2, material)
    const lowest = Math.min(...shapes.flatMap(({ points }) => points.map(point => point[2])))
    return { bodies: [{ id: 'gear', name: 'Gear', position: [0, 0, -lowest], shapes }] }
  },
})
