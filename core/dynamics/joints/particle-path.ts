/**
 * Prescribed motion of particles: a displacement and its velocity, exactly its derivative, at any time [PBM01-C §5].
 *
 *   keys       monotone cubics through offsets at times, at rest at both ends
 *   ellipse    (cos φ − 1) a + sin φ b,   φ = 2π t / T
 *   loop       S(u) − S(0), u = L t / T, on the closed spline S of length parameter L through the origin and the offsets
 */

import { cos, sin } from '../../math/elementary'
import { monotoneCurve } from '../../math/monotone-curve'
import { addScaled, distance, scale, sub, ZERO, type Vec3 } from '../../math/vector'
import { splineCurve } from './spline'

export type ParticleMotionSpec =
  | { readonly type: 'keys'; readonly keys: readonly { readonly time: number; readonly offset: Vec3 }[] }
  | { readonly type: 'ellipse'; readonly semiAxisA: Vec3; readonly semiAxisB: Vec3; readonly period: number }
  | { readonly type: 'loop'; readonly points: readonly Vec3[]; readonly period: number }

/** @param time s. @returns m and m/s, world frame */
export type ParticlePath = (time: number) => { readonly offset: Vec3; readonly velocity: Vec3 }

/** @throws RangeError if times of keys do not increase from 0, or two points of a loop coincide */
export function particlePath(motion: ParticleMotionSpec): ParticlePath {
  switch (motion.type) {
    case 'keys': {
      const times = [0, ...motion.keys.map(({ time }) => time)]
      const offsets = [ZERO, ...motion.keys.map(({ offset }) => offset)]
      const [x, y, z] = [0, 1, 2].map(k => monotoneCurve(times, offsets.map(offset => offset[k]!))) as [Axis, Axis, Axis]
      return time => {
        const [a, b, c] = [x(time), y(time), z(time)]
        return { offset: [a[0], b[0], c[0]], velocity: [a[1], b[1], c[1]] }
      }
    }
    case 'ellipse': {
      const { semiAxisA, semiAxisB, period } = motion
      const rate = 2 * Math.PI / period
      return time => {
        // Whole rounds are taken off before the multiplication, so that the phase keeps its digits.
        const phase = 2 * Math.PI * (time / period - Math.floor(time / period))
        const [c, s] = [cos(phase), sin(phase)]
        return { offset: addScaled(scale(semiAxisB, s), semiAxisA, c - 1), velocity: addScaled(scale(semiAxisB, rate * c), semiAxisA, -rate * s) }
      }
    }
    case 'loop': {
      const places = [ZERO, ...motion.points]
      const curve = splineCurve(places, true)
      const start = curve.at(0).position
      const length = places.reduce((sum, place, k) => sum + distance(place, places[(k + 1) % places.length]!), 0)
      const rate = length / motion.period
      return time => {
        const { position, first } = curve.at(length * (time / motion.period - Math.floor(time / motion.period)))
        return { offset: sub(position, start), velocity: scale(first, rate) }
      }
    }
  }
}

type Axis = ReturnType<typeof monotoneCurve>
