/** Two meshing gears on axles in a frame. */

import { PI, sin } from '../../math/trigonometric'
import type { Joint } from '../../scene'
import { block, count, entry, refuse } from './entry'
import { baseRadius, gearFields, gearShapes, pitchRadius, tipRadius, type Gear } from './gear'

/** kg/m³, and s: a motor that accelerates a pair of steel gears in this time is sufficient for most uses. */
const STEEL = 7850
const SPIN_UP = 0.1
/** × depth: the frame's distance from the gears, and its thickness. */
const GAP = 0.2
const FRAME = 0.5

export const gearPair = entry({
  id: 'gear-pair', label: 'Pair of gears', planar: false, help: 'They mesh by contact of their teeth; a motor drives the first.',
  fields: {
    teethA: count('Teeth of the first', 20, 6, 120), teethB: count('Teeth of the second', 30, 6, 120), ...gearFields,
    speed: { label: 'Speed of the first', unit: 'rad/s', default: 2, least: -1000, most: 1000, help: '0: no motor.' },
  },
  make: ({ teethA, teethB, speed, ...shared }, material) => {
    const [a, b]: readonly [Gear, Gear] = [{ ...shared, teeth: teethA }, { ...shared, teeth: teethB }]
    const distance = pitchRadius(a) + pitchRadius(b)
    requireClear(a, b, distance)
    const { depth, module } = shared
    const axles = Math.max(tipRadius(a), tipRadius(b)) + module
    const width = distance + pitchRadius(a) + pitchRadius(b)
    const anchor = (x: number): [number, number, number] => [x, 0, axles]
    const hinge = (id: string, name: string, body: string, x: number) => ({ id, name, type: 'hinge', bodyA: body, bodyB: 'gear-frame', anchor: anchor(x), axis: [0, 1, 0] } as const)
    const radius = pitchRadius(a) + pitchRadius(b)
    const maxForce = Math.abs(speed) / SPIN_UP * STEEL * PI * depth * radius * radius * radius * radius / 2
    const joints: Joint[] = [
      { ...hinge('axle-a', 'First axle', 'gear-a', 0), ...speed === 0 ? {} : { motor: { targetVelocity: speed, maxForce } } },
      hinge('axle-b', 'Second axle', 'gear-b', distance),
    ]
    return {
      groups: [{ id: 'gears', name: 'Gears' }],
      bodies: [
        {
          id: 'gear-frame', name: 'Frame', type: 'fixed', group: 'gears', position: [distance / 2, depth * (0.5 + GAP + FRAME / 2), axles / 2 + module / 2],
          shapes: [block([width, FRAME * depth, axles + module], [0, 0, 0], material)],
        },
        { id: 'gear-a', name: 'First gear', group: 'gears', position: [0, 0, axles], shapes: gearShapes(a, 0, material) },
        // A gap of the second gear faces the tooth of the first.
        { id: 'gear-b', name: 'Second gear', group: 'gears', position: [distance, 0, axles], shapes: gearShapes(b, PI + PI / teethB, material) },
      ],
      joints,
    }
  },
})

/** Tips must not extend beyond the point at which the line of action touches the other gear's base circle: they would undercut its teeth. */
function requireClear(a: Gear, b: Gear, distance: number): void {
  const reach = distance * sin(a.pressure)
  for (const [one, other] of [[a, b], [b, a]] as const) {
    const most = baseRadius(one)
    if (tipRadius(one) * tipRadius(one) <= most * most + reach * reach) continue
    refuse(`The tips of the gear with ${one.teeth} teeth would cut into the roots of the one with ${other.teeth}: allowed are more teeth on that one, or a larger pressure angle`)
  }
}
