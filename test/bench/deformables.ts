/** Cost of a step of particles, ropes and cloth: the shortest of several steps each. */

import {
  carriers, distanceCondition, energyOf, gravityLoad, implicitEuler, Links, multipliers, pairLoad, rattle, rigidSurface, sheetEnergies, softPair, STAGE_SETTINGS,
  stageContacts, surfaceContacts, type ParticleSystem,
} from '../../core/deformables'
import { createPrimitive } from '../../core/geometry/primitives'
import { IDENTITY_POSE } from '../../core/math/pose'

const G = 9.81
/** The notes' linearised step: one Newton iteration. */
const settings = { ...STAGE_SETTINGS, iterations: 1, linearTolerance: 1e-2 }

interface Cost {
  readonly what: string
  readonly 'ms a step': string
  readonly detail: string
}

/** Processor time of a step: the minimum and the median of several. */
function timed(what: string, steps: number, step: (k: number) => string): Cost {
  const times: number[] = []
  let detail = ''
  for (let k = 0; k < steps; k++) {
    const start = process.cpuUsage().user
    detail = step(k)
    times.push((process.cpuUsage().user - start) / 1000)
  }
  times.sort((a, b) => a - b)
  return { what, 'ms a step': `${times[0]!.toFixed(1)} (median ${times[steps >> 1]!.toFixed(1)})`, detail }
}

/** A sheet of n × n vertices, 1 m wide, on a sphere; no contact with itself. */
function drape(n: number): Cost {
  const count = n * n
  const positions = Float64Array.from({ length: 3 * count }, (_, k) => {
    const v = Math.floor(k / 3)
    return k % 3 === 0 ? Math.floor(v / n) / (n - 1) - 0.5 : k % 3 === 1 ? (v % n) / (n - 1) - 0.5 : 0.31
  })
  const triangles: number[] = []
  for (let i = 0; i + 1 < n; i++) {
    for (let j = 0; j + 1 < n; j++) {
      const [a, b, c, d] = [i * n + j, (i + 1) * n + j, (i + 1) * n + j + 1, i * n + j + 1]
      if ((i + j) % 2 === 0) triangles.push(a, b, c, a, c, d)
      else triangles.push(a, b, d, b, c, d)
    }
  }
  const restUV = Float64Array.from(triangles.flatMap(v => [positions[3 * v]!, positions[3 * v + 1]!]))
  const masses = new Float64Array(count).fill(0.15 / count)
  const material = { flat: true, stretchWarp: 200, stretchWeft: 200, shear: 20, bendWarp: 1e-4, bendWeft: 1e-4 }
  const energies = sheetEnergies({ ...material, triangles: Int32Array.from(triangles), restUV }, 0.02, positions)
  const system: ParticleSystem = { masses, energies, loads: [gravityLoad(masses, [0, 0, -G])], held: new Uint8Array(count) }
  const world = carriers([-1])
  const links = new Links(world)
  const ball = { surface: rigidSurface(createPrimitive({ type: 'sphere', radius: 0.3 }), IDENTITY_POSE, 0.005), carrier: 0, reach: 0.3, friction: [{ sticking: 0.3, sliding: 0.3 }], restitution: [0] }
  const particles = { count, owners: new Int32Array(count), radii: new Float64Array(count).fill(0.005), held: system.held, fixedTo: () => false }
  const touches = stageContacts(links, world, system.held, [surfaceContacts(0, links, world, [ball], particles, new Map())], null)
  const state = { positions, velocities: new Float64Array(3 * count) }
  const method = implicitEuler(system, settings)
  const reactions = new Float64Array(3 * count)
  return timed(`cloth ${n} × ${n} on a sphere, h = 1/60, not with itself`, 12, k => {
    const report = method.step(state, k / 60, 1 / 60, reactions, touches)
    return `${report.converged ? '' : 'not converged, '}${report.iterations} Newton, ${report.linearIterations} linear iterations, residual ${report.residual.toExponential(1)}`
  })
}

/** 10,000 particles of a lattice of 20 × 20 × 25, springs along edges and across cells. */
function lattice(): Cost {
  const size = [20, 20, 25] as const
  const index = (i: number, j: number, k: number): number => (i * size[1] + j) * size[2] + k
  const pairs: number[] = []
  const lengths: number[] = []
  const count = size[0] * size[1] * size[2]
  const positions = new Float64Array(3 * count)
  for (let i = 0; i < size[0]; i++) {
    for (let j = 0; j < size[1]; j++) {
      for (let k = 0; k < size[2]; k++) {
        positions.set([0.05 * i, 0.05 * j, 0.05 * k], 3 * index(i, j, k))
        for (const [a, b, c] of [[1, 0, 0], [0, 1, 0], [0, 0, 1], [1, 1, 0], [1, 0, 1], [0, 1, 1]] as const) {
          if (i + a >= size[0] || j + b >= size[1] || k + c >= size[2]) continue
          pairs.push(index(i, j, k), index(i + a, j + b, k + c))
          lengths.push(0.05 * Math.sqrt(a + b + c))
        }
      }
    }
  }
  const masses = new Float64Array(count).fill(0.01)
  const springs = energyOf(distanceCondition(Int32Array.from(pairs), Float64Array.from(lengths)), new Float64Array(lengths.length).fill(500), new Float64Array(lengths.length).fill(1), count)
  const held = Uint8Array.from({ length: count }, (_, v) => (v % size[2] === 0 ? 1 : 0))
  const state = { positions, velocities: new Float64Array(3 * count) }
  const method = implicitEuler({ masses, energies: [springs], loads: [gravityLoad(masses, [0, 0, -G])], held }, { ...settings, solver: 'block-jacobi' })
  return timed('lattice of 10,000 particles, implicit, h = 1/60', 12, k => {
    const report = method.step(state, k / 60, 1 / 60, new Float64Array(3 * count))
    return `${lengths.length} springs, ${report.iterations} Newton, ${report.linearIterations} linear iterations, residual ${report.residual.toExponential(1)}`
  })
}

function interacting(count: number): Cost {
  const side = Math.ceil(Math.cbrt(count))
  const x = Float64Array.from({ length: 3 * count }, (_, k) => {
    const v = Math.floor(k / 3)
    return (k % 3 === 0 ? v % side : k % 3 === 1 ? Math.floor(v / side) % side : Math.floor(v / side / side)) + 0.2 * Math.sin(7 * k)
  })
  const load = pairLoad(count, softPair(1, 1.5), 1.5)
  const f = new Float64Array(3 * count)
  return timed(`${count.toLocaleString('en')} particles that repel each other`, 15, () => {
    f.fill(0)
    load.addForces(0, x, x, f)
    return 'forces of one explicit step'
  })
}

/** 1,000 rods of 1 cm that hang and swing. */
function rope(): Cost {
  const n = 1000
  const inverse = Float64Array.from({ length: n + 1 }, (_, i) => (i === 0 ? 0 : 100))
  const constraints = multipliers([distanceCondition(Int32Array.from({ length: 2 * n }, (_, k) => Math.floor(k / 2) + (k % 2)), new Float64Array(n).fill(0.01))], inverse)
  const state = {
    positions: Float64Array.from({ length: 3 * (n + 1) }, (_, k) => (k % 3 === 2 ? -(k - 2) / 300 : 0)),
    velocities: Float64Array.from({ length: 3 * (n + 1) }, (_, k) => (k % 3 === 0 ? k / 3 / n : 0)),
  }
  return timed('rope of 1,000 rods, direct, h = 1/600', 20, k => {
    const { positions, parts } = rattle(constraints, state, inverse, k / 600, 1 / 600, 1e-9, 'direct', (_t, _x, _v, f) => { for (let i = 1; i <= n; i++) f[3 * i + 2]! -= 0.01 * G })
    return `${positions.iterations} projections, ${parts} parts, drift ${positions.drift.toExponential(1)} m`
  })
}

export default function main(): void {
  console.table([rope(), interacting(25_000), interacting(100_000), lattice(), drape(25), drape(100)])
}
