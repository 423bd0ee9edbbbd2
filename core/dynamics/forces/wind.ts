import { scale, sub, type Vec3 } from '../../math/vector'
import type { RigidBody } from '../body'
import { resistance } from './drag'
import type { ForceElement } from './force'
import { dynamicTargets } from './targets'

export interface WindSpec {
  readonly id: string
  readonly type: 'wind'
  /** Indices; absent: every dynamic body. */
  readonly bodies?: readonly number[]
  /** Of the air, m/s, world frame. */
  readonly velocity: Vec3
  /** N s/m */
  readonly linear: number
  /** N s²/m² */
  readonly quadratic: number
  /** m, world frame; absent: everywhere. */
  readonly box?: { readonly min: Vec3; readonly max: Vec3 }
  /** m */
  readonly falloff: number
}

/**
 * Moving air in a box: with u = v − velocity, F = −w (linear + quadratic |u|) u at the centre of mass. The weight w is 1 inside and rises
 * from 0 as 3s² − 2s³ over the depth `falloff` behind each face.
 */
export function wind(spec: WindSpec, bodies: readonly RigidBody[]): ForceElement {
  const { id, velocity, linear, quadratic, box, falloff } = spec
  const targets = dynamicTargets(bodies, spec.bodies).map(body => body.index)
  return {
    id, type: 'wind', bodies: targets, breakpoints: [],
    potential: () => 0,
    apply(_time, motions, exists, sink) {
      for (const index of targets) {
        if (!exists[index]) continue
        const motion = motions[index]!
        const weight = box === undefined ? 1 : boxWeight(motion.center, box.min, box.max, falloff)
        if (weight === 0) continue
        sink.force(index, scale(resistance(sub(motion.velocity, velocity), linear, quadratic), weight), motion.center, 'drag')
      }
    },
  }
}

/** Product over the six faces of the rise behind each. */
export function boxWeight(point: Vec3, min: Vec3, max: Vec3, falloff: number): number {
  let weight = 1
  for (let k = 0; k < 3; k++) {
    weight *= rise(point[k]! - min[k]!, falloff) * rise(max[k]! - point[k]!, falloff)
    if (weight === 0) return 0
  }
  return weight
}

function rise(depth: number, falloff: number): number {
  if (depth < 0 || (depth === 0 && falloff > 0)) return 0
  if (depth >= falloff) return 1
  const s = depth / falloff
  return s * s * (3 - 2 * s)
}
