/** Particles, ropes and cloth on rigid surfaces. */

import { describe, expect, it } from 'vitest'
import {
  adaptiveSteps, carriers, gravityLoad, implicitEuler, Links, rigidSurface, sheetEnergies, STAGE_SETTINGS, stageContacts, strandEnergies, surfaceContacts,
  type ImplicitMethod, type ParticleSystem, type StageContacts, type Surface,
} from '../../../core/deformables'
import { createPrimitive } from '../../../core/geometry/primitives'
import { IDENTITY_POSE } from '../../../core/math/pose'

const numbers = (...values: number[]): Float64Array => Float64Array.from(values)
const G = 9.81
const settings = { ...STAGE_SETTINGS, tolerance: 1e-9 }

/** Particles of one radius on surfaces that rest in the world. */
function onSurfaces(surfaces: readonly Surface[], radius: number, held: Uint8Array, friction: number, restitution = 0): StageContacts {
  const world = carriers([-1])
  const links = new Links(world)
  const solids = surfaces.map(surface => ({ surface, carrier: 0, reach: Infinity, friction: [{ sticking: friction, sliding: friction }], restitution: [restitution] }))
  const count = held.length
  const particles = { count, owners: new Int32Array(count), radii: new Float64Array(count).fill(radius), held, fixedTo: () => false }
  return stageContacts(links, world, held, [surfaceContacts(0, links, world, solids, particles, new Map())], null)
}

const surfaceOf = (spec: Parameters<typeof createPrimitive>[0], radius = 0.01): Surface => rigidSurface(createPrimitive(spec), IDENTITY_POSE, radius)

describe('a particle that meets a plane [PBM01-C §7.2]', () => {
  const thrown = (v: readonly number[], restitution: number, friction: number): Float64Array => {
    const normal: [number, number, number] = [0.6, 0, 0.8]
    const system: ParticleSystem = { masses: numbers(0.3), energies: [], loads: [], held: new Uint8Array(1) }
    const state = { positions: Float64Array.from(normal, value => 0.015 * value), velocities: Float64Array.from(v) }
    const contacts = onSurfaces([surfaceOf({ type: 'halfSpace', normal, offset: 0 })], 0.01, system.held, friction, restitution)
    const report = implicitEuler(system, settings).step(state, 0, 0.01, new Float64Array(3), contacts)
    expect(report.converged).toBe(true)
    return state.velocities
  }

  it('leaves with V_T − k_r V_N, in any direction', () => {
    const vn = 0.6 - 2.4
    const v = thrown([1, 2, -3], 0.7, 0)
    for (let k = 0; k < 3; k++) expect(Math.abs(v[k]! - ([1, 2, -3][k]! - 1.7 * vn * [0.6, 0, 0.8][k]!))).toBeLessThan(1e-9)
  })

  it('loses μ (1 + k_r) V_N of its slip at most, and no more than all of it', () => {
    const along = [0.8, 0, -0.6]
    const fast = thrown(along.map((t, k) => 3 * t - [0.6, 0, 0.8][k]!), 0.5, 0.4)
    expect(Math.abs(along.reduce((sum, t, k) => sum + t * fast[k]!, 0) - (3 - 0.4 * 1.5))).toBeLessThan(1e-9)
    const slow = thrown(along.map((t, k) => 0.1 * t - [0.6, 0, 0.8][k]!), 0.5, 0.4)
    expect(Math.abs(along.reduce((sum, t, k) => sum + t * slow[k]!, 0))).toBeLessThan(1e-9)
  })
})

describe('a particle on a slope of 20°', () => {
  const slope = 20 * Math.PI / 180
  const normal: [number, number, number] = [Math.sin(slope), 0, Math.cos(slope)]
  const after = (friction: number, speed: number, time: number): { along: number; gap: number; moved: number } => {
    const radius = 0.01
    const system: ParticleSystem = { masses: numbers(0.3), energies: [], loads: [gravityLoad(numbers(0.3), [0, 0, -G])], held: new Uint8Array(1) }
    const start = normal.map(value => radius * value)
    const state = { positions: Float64Array.from(start), velocities: numbers(speed * Math.cos(slope), 0, -speed * Math.sin(slope)) }
    const touches = onSurfaces([surfaceOf({ type: 'halfSpace', normal, offset: 0 })], radius, system.held, friction)
    // A residual of the tolerance × the weight changes the velocity by tolerance × g h, 1e-12 m/s; with 1e-9 a stopped particle had 1e-12 to 9e-11 m/s by turns.
    const method = implicitEuler(system, { ...settings, tolerance: 1e-11 })
    for (let s = 0; s < time * 100; s++) expect(method.step(state, s / 100, 0.01, new Float64Array(3), touches).converged).toBe(true)
    const [x, , z] = state.positions
    return {
      along: state.velocities[0]! * Math.cos(slope) - state.velocities[2]! * Math.sin(slope), gap: x! * normal[0] + z! * normal[2] - radius,
      moved: Math.hypot(x! - start[0]!, z! - start[2]!),
    }
  }

  it('does not move with μ = 0.5, not at all', () => {
    const { moved, gap } = after(0.5, 0, 1)
    expect(moved).toBeLessThan(1e-12)
    expect(Math.abs(gap)).toBeLessThan(1e-14)
  })

  it('slides with g (sin α − μ cos α) with μ = 0.2', () => {
    const { along, gap } = after(0.2, 0, 1)
    expect(Math.abs(along / (G * (Math.sin(slope) - 0.2 * Math.cos(slope))) - 1)).toBeLessThan(1e-9)
    expect(Math.abs(gap)).toBeLessThan(1e-14)
  })

  it('comes to a stop and stays with μ = 0.5, thrown downhill', () => {
    const { along, moved } = after(0.5, 1, 2)
    expect(Math.abs(along)).toBeLessThan(1e-11)
    expect(Math.abs(moved / (1 / (2 * G * (0.5 * Math.cos(slope) - Math.sin(slope)))) - 1)).toBeLessThan(0.05) // the first order of the method
  })
})

describe('1,000 particles in a bowl', () => {
  it('come to rest inside it, none outside', { tags: 'long' }, () => {
    const n = 1000
    const masses = new Float64Array(n).fill(0.01)
    const bowl: Surface = {
      distance(x, y, z, _near, normal) {
        const l = Math.hypot(x, y, z)
        normal.set([-x / l, -y / l, -z / l])
        return 1 - l
      },
    }
    const system: ParticleSystem = { masses, energies: [], loads: [gravityLoad(masses, [0, 0, -G])], held: new Uint8Array(n) }
    const state = { positions: new Float64Array(3 * n), velocities: new Float64Array(3 * n) }
    for (let i = 0; i < n; i++) {
      const r = 0.7 * Math.sqrt((i + 0.5) / n)
      state.positions.set([r * Math.cos(2.4 * i), r * Math.sin(2.4 * i), -0.1], 3 * i)
      state.velocities.set([Math.sin(i), Math.cos(3 * i), 0], 3 * i)
    }
    const touches = onSurfaces([bowl], 0.005, system.held, 0.3)
    const method = implicitEuler(system, settings)
    let outside = 0
    for (let s = 0; s < 500; s++) {
      expect(method.step(state, s * 0.01, 0.01, new Float64Array(3 * n), touches).converged).toBe(true)
      for (let i = 0; i < n; i++) if (Math.hypot(...state.positions.subarray(3 * i, 3 * i + 3)) > 0.995 + 1e-12) outside++
    }
    expect(outside).toBe(0)
    expect(Math.max(...state.velocities.map(Math.abs))).toBeLessThan(1e-9)
  })
})

describe('a rope over a fixed cylinder at the edge of sliding', () => {
  it('has the ends T₁/T₂ = e^{μφ} (capstan)', { tags: 'long' }, () => {
    const ratio = (n: number): number => {
      const [radius, friction, thickness] = [0.5, 0.3, 1e-3]
      // Half a turn about a cylinder along y, segments of equal angle, and straight ends of two segments.
      const l = (Math.PI * (radius + thickness)) / n
      const places: [number, number, number][] = []
      for (let k = 3; k > 0; k--) places.push([radius + thickness, 0, -k * l])
      for (let k = 0; k <= n; k++) places.push([(radius + thickness) * Math.cos((Math.PI * k) / n), 0, (radius + thickness) * Math.sin((Math.PI * k) / n)])
      for (let k = 1; k <= 3; k++) places.push([-radius - thickness, 0, -k * l])
      const count = places.length
      const positions = Float64Array.from(places.flat())
      const lengths = Float64Array.from({ length: count - 1 }, (_, i) => Math.hypot(...[0, 1, 2].map(k => places[i + 1]![k]! - places[i]![k]!)) / (1 + 1 / 1e3))
      const masses = new Float64Array(count).fill(1e-5)
      const energies = strandEnergies({ particles: Int32Array.from({ length: count }, (_, i) => i), restLength: lengths, straight: true, axial: 1e3, bending: 0 }, 0.01, positions)
      const cylinder: Surface = {
        distance(x, _y, z, _near, normal) {
          const r = Math.hypot(x, z)
          normal.set([x / r, 0, z / r])
          return r - radius
        },
        }
      const held = new Uint8Array(count)
      held[0] = 1
      // One end is pulled down with 1 N, the other is moved down so that the whole rope slides.
      const system: ParticleSystem = {
        masses, energies, held, loads: [{ addForces: (_t, _x, _v, f) => { f[3 * count - 1]! -= 1 } }],
        lead(t, x, v) {
          x[2] = -3 * l - 0.1 * t
          v[2] = -0.1
        },
      }
      const state = { positions, velocities: new Float64Array(3 * count) }
      const reactions = new Float64Array(3 * count)
      const touches = onSurfaces([cylinder], thickness, held, friction)
      const method = implicitEuler(system, { ...settings, tolerance: 1e-7, iterations: 400 }) // particles begin to slide one after another from one end, one per iteration
      for (let s = 0; s < 20; s++) expect(method.step(state, 0.01 * s, 0.01, reactions, touches).converged).toBe(true)
      return -reactions[2]!
    }
    const exact = Math.exp(0.3 * Math.PI)
    const [coarse, fine, finest] = [25, 100, 400].map(n => Math.abs(ratio(n) / exact - 1)) as [number, number, number]
    expect(fine).toBeLessThan(1e-3)
    expect(fine).toBeLessThan(coarse)
    // 400 times the tolerance of a step.
    expect(finest).toBeLessThan(2e-4)
  })
})

/** A square sheet of n × n cells with its middle over the origin. */
function sheet(n: number, width: number, height: number) {
  const count = (n + 1) * (n + 1)
  const positions = new Float64Array(3 * count)
  for (let v = 0; v < count; v++) positions.set([(Math.floor(v / (n + 1)) / n - 0.5) * width, ((v % (n + 1)) / n - 0.5) * width, height], 3 * v)
  const triangles: number[] = []
  for (let i = 0; i < n; i++) {
    for (let j = 0; j < n; j++) {
      const [a, b, c, d] = [i * (n + 1) + j, (i + 1) * (n + 1) + j, (i + 1) * (n + 1) + j + 1, i * (n + 1) + j + 1]
      if ((i + j) % 2 === 0) triangles.push(a, b, c, a, c, d)
      else triangles.push(a, b, d, b, c, d)
    }
  }
  const restUV = Float64Array.from(triangles.flatMap(v => [positions[3 * v]!, positions[3 * v + 1]!]))
  const masses = new Float64Array(count)
  for (const v of triangles) masses[v]! += (0.15 * (width / n) ** 2) / 6
  return { count, positions, triangles: Int32Array.from(triangles), restUV, masses }
}

const cotton = { flat: true, stretchWarp: 200, stretchWeft: 200, shear: 20, bendWarp: 1e-4, bendWeft: 1e-4 }

describe('a sheet that falls', () => {
  const shapes = [
    ['a sphere', { type: 'sphere', radius: 0.3 }], ['a box', { type: 'box', size: [0.4, 0.4, 0.4] }], ['a cylinder', { type: 'cylinder', radius: 0.2, height: 0.5 }],
    ['a capsule', { type: 'capsule', radius: 0.15, height: 0.3 }], ['a cone', { type: 'cone', radius: 0.3, height: 0.4 }], ['an ellipsoid', { type: 'ellipsoid', radii: [0.3, 0.2, 0.25] }],
    ['a superquadric', { type: 'superquadric', radii: [0.25, 0.25, 0.25], exponents: [0.6, 0.6] }],
  ] as const
  it.each(shapes)('on %s is carried by it, and no particle is inside', { tags: 'long' }, (_name, spec) => {
    const { count, positions, triangles, restUV, masses } = sheet(8, 0.6, 0.42)
    const radius = 0.005
    const surfaces = [surfaceOf(spec, radius), surfaceOf({ type: 'halfSpace', normal: [0, 0, 1], offset: -0.5 })]
    const energies = sheetEnergies({ ...cotton, triangles, restUV }, 0.02, positions)
    const system: ParticleSystem = { masses, energies, loads: [gravityLoad(masses, [0, 0, -G])], held: new Uint8Array(count) }
    const state = { positions: positions.slice(), velocities: new Float64Array(3 * count) }
    const touches = onSurfaces(surfaces, radius, system.held, 0.3)
    const method = implicitEuler(system, { ...settings, tolerance: 1e-6, iterations: 40 })
    const draped: ImplicitMethod = { step: (s, t, h, r) => method.step(s, t, h, r, touches), get error() { return method.error } }
    const steps = adaptiveSteps(system, draped, { error: Infinity, changes: energies.map(() => Infinity), shortest: 1e-4 })
    const reactions = new Float64Array(3 * count)
    const normal = new Float64Array(3)
    let deepest = 0
    for (let s = 0; s < 40; s++) {
      steps.advance(state, s / 100, 0.01, reactions)
      for (let k = 0; k < 3 * count; k += 3) {
        const [x, y, z] = state.positions.subarray(k, k + 3)
        for (const surface of surfaces) deepest = Math.max(deepest, radius - surface.distance(x!, y!, z!, 1, normal))
      }
    }
    expect(deepest).toBeLessThan(1e-9)
    let carried = 0
    for (let i = 0; i < touches.links.count; i++) carried += touches.links.forces[3 * i + 2]!
    expect(carried).toBeGreaterThan(0.3 * G * masses.reduce((sum, m) => sum + m, 0))
  })
})
