/** Ropes, hair and cloth at rest against the catenary, the cantilever, the elastica and the continuum of a sheet. */

import { describe, expect, it } from 'vitest'
import {
  elementWorkspace, gravityLoad, settle, sheetEnergies, STAGE_SETTINGS, storedEnergy, strandEnergies, type Load, type ParticleSystem,
} from '../../../core/deformables'

/** Where a system comes to rest. */
function atRest(system: ParticleSystem, positions: Float64Array): { positions: Float64Array; reactions: Float64Array } {
  const state = { positions: positions.slice(), velocities: new Float64Array(positions.length) }
  const reactions = new Float64Array(positions.length)
  expect(settle(system, { ...STAGE_SETTINGS, tolerance: 1e-10, solver: 'direct' }, state, 0.02, 1e6, reactions).converged).toBe(true)
  return { positions: state.positions, reactions }
}

/** Particles of a line cut into n, with the masses of half segments at the ends. */
function line(n: number, length: number, density: number): { particles: Int32Array; restLength: Float64Array; masses: Float64Array } {
  const l = length / n
  return {
    particles: Int32Array.from({ length: n + 1 }, (_, i) => i), restLength: new Float64Array(n).fill(l),
    masses: Float64Array.from({ length: n + 1 }, (_, i) => density * l * (i === 0 || i === n ? 0.5 : 1)),
  }
}

describe('an elastic rope between two nails', () => {
  // ρ, g, EA, rest length and span; the elastic catenary [Irvine 81]: x(s) = H s/EA + (H/ρg)(asinh(V/H) − asinh((V − ρ g s)/H)).
  const [density, g, axial, length, span] = [0.2, 9.81, 50, 2, 1.5]
  const weight = density * g * length
  const reach = (H: number): number => (H * length) / axial + ((2 * H) / (density * g)) * Math.asinh(weight / 2 / H)
  let [low, high] = [1e-3, 10]
  for (let k = 0; k < 200; k++) {
    const middle = (low + high) / 2
    if (reach(middle) > span) high = middle
    else low = middle
  }
  const H = (low + high) / 2
  const V = weight / 2
  const sag = (s: number): number => (s / axial) * (V - (density * g * s) / 2) + (H / (density * g)) * (Math.sqrt(1 + (V / H) ** 2) - Math.sqrt(1 + ((V - density * g * s) / H) ** 2))

  const hung = (n: number): { sag: number; pull: number; lift: number } => {
    const { particles, restLength, masses } = line(n, length, density)
    const positions = Float64Array.from({ length: 3 * (n + 1) }, (_, k) => (k % 3 === 0 ? (k / 3 / n) * span : k % 3 === 2 ? -0.8 * Math.sin((Math.PI * (k - 2)) / 3 / n) : 0))
    const held = new Uint8Array(n + 1)
    held[0] = held[n] = 1
    const energies = strandEnergies({ particles, restLength, straight: true, axial, bending: 0 }, 0, positions)
    const rest = atRest({ masses, energies, loads: [gravityLoad(masses, [0, 0, -g])], held }, positions)
    return { sag: -rest.positions[3 * (n / 2) + 2]!, pull: -rest.reactions[0]!, lift: rest.reactions[2]! }
  }

  it('hangs in the elastic catenary with its end forces, to 1e-4 at 200 segments', { tags: 'long' }, () => {
    const { sag: depth, pull, lift } = hung(200)
    expect(Math.abs(depth / sag(length / 2) - 1)).toBeLessThan(1e-4)
    expect(Math.abs(pull / H - 1)).toBeLessThan(1e-4)
    expect(Math.abs(lift / V - 1)).toBeLessThan(1e-9)
  })

  it('errs with 1 ÷ n²', () => {
    const error = (n: number): number => Math.abs(hung(n).sag - sag(length / 2))
    expect(error(20) / error(40)).toBeGreaterThan(3.7)
    expect(error(40) / error(80)).toBeGreaterThan(3.7)
  })
})

/** A hair of length L clamped horizontally at its first two particles; the load acts on the others. */
function cantilever(n: number, length: number, bending: number, load: (masses: Float64Array) => Load, factor?: (s: number) => number): Float64Array {
  const l = length / n
  // The first segment is in the clamp, as the root of a strand.
  const count = n + 2
  const positions = Float64Array.from({ length: 3 * count }, (_, k) => (k % 3 === 0 ? (k / 3 - 1) * l : 0))
  const masses = Float64Array.from({ length: count }, (_, i) => (0.1 * length * (i === count - 1 ? 0.5 : 1)) / n)
  const held = new Uint8Array(count)
  held[0] = held[1] = 1
  const energies = strandEnergies({
    particles: Int32Array.from({ length: count }, (_, i) => i), restLength: new Float64Array(n + 1).fill(l), straight: true, axial: 1e5, bending,
    clamped: Uint8Array.from({ length: n + 1 }, (_, i) => i === 0 ? 1 : 0),
    bendFactors: factor ? Float64Array.from({ length: count }, (_, i) => factor((i - 1) * l)) : null,
  }, 0, positions)
  return atRest({ masses, energies, loads: [load(masses)], held }, positions).positions
}

describe('a hair clamped at one end', () => {
  it('sinks by ρ g A L⁴ ÷ 8 EI under little weight, 1e-3 at 200 segments', () => {
    const [L, EI] = [0.5, 1]
    const error = (n: number): number => Math.abs(-cantilever(n, L, EI, masses => gravityLoad(masses, [0, 0, -0.1])).at(-1)! / ((0.1 * 0.1 * L ** 4) / (8 * EI)) - 1)
    expect(error(200)).toBeLessThan(1e-3)
    expect(error(10)).toBeLessThan(0.01)
    expect(error(10) / error(20)).toBeGreaterThan(3.7)
  })
})

describe('a hair with painted stiffness', () => {
  it('clamped, with EI (1 + s/L), sinks by F L³ (4 ln 2 − 5/2) ÷ EI under a small force at its end', () => {
    // w = ∫ F (L − s)² ÷ (EI (1 + s/L)) ds = F L³/EI ∫ (1 − u)² ÷ (1 + u) du = F L³/EI (4 ln 2 − 5/2).
    const [L, EI, F, exact] = [0.5, 1, 1e-3, 1e-3 * 0.5 ** 3 * (4 * Math.log(2) - 2.5)]
    const end = (): Load => ({ addForces(_t, _x, _v, f) { f[f.length - 1]! -= F } })
    const error = (n: number): number => Math.abs(-cantilever(n, L, EI, end, s => 1 + Math.max(0, s) / L).at(-1)! / exact - 1)
    expect(error(100)).toBeLessThan(1e-3)
    expect(error(10)).toBeLessThan(0.02)
    expect(error(10) / error(20)).toBeGreaterThan(1.9)
  })

  it('pulled, with EA (1 + s/L), gets longer by F L ln 2 ÷ EA', () => {
    const [L, EA, F, n] = [0.5, 20, 1, 40]
    const positions = Float64Array.from({ length: 3 * (n + 1) }, (_, k) => k % 3 === 2 ? -(k - 2) / 3 * L / n : 0)
    const { particles, restLength, masses } = line(n, L, 0.01)
    const held = Uint8Array.from(masses, (_, i) => i === 0 ? 1 : 0)
    const stretchFactors = Float64Array.from({ length: n }, (_, k) => 1 + (k + 0.5) / n)
    const pull: Load = { addForces(_t, _x, _v, f) { f[f.length - 1]! -= F } }
    const energies = strandEnergies({ particles, restLength, straight: true, axial: EA, bending: 0, stretchFactors }, 0, positions)
    const rest = atRest({ masses, held, loads: [pull], energies }, positions)
    expect(Math.abs((-rest.positions.at(-1)! - L) / (F * L * Math.log(2) / EA) - 1)).toBeLessThan(1e-4)
  })
})

describe('a hair clamped at one end and loaded at the other', () => {
  it('takes the shape of the elastica', () => {
    // EI θ″ = −P cos θ, θ(0) = 0, θ′(L) = 0, by shooting with small steps [Love 1927 §262].
    const [L, EI, P] = [1, 1, 3]
    const shot = (curvature: number): { end: number; x: number; z: number } => {
      const steps = 4000
      const h = L / steps
      let [theta, bend, x, z] = [0, curvature, 0, 0]
      const slope = (a: number): number => (-P / EI) * Math.cos(a)
      for (let k = 0; k < steps; k++) {
        const middle = theta + (h / 2) * bend + ((h * h) / 8) * slope(theta)
        x += h * Math.cos(middle)
        z += h * Math.sin(middle)
        const next = theta + h * bend + ((h * h) / 2) * slope(middle)
        bend += (h / 6) * (slope(theta) + 4 * slope(middle) + slope(next))
        theta = next
      }
      return { end: bend, x, z }
    }
    let [low, high] = [0, 10]
    for (let k = 0; k < 100; k++) {
      const middle = (low + high) / 2
      if (shot(middle).end > 0) high = middle
      else low = middle
    }
    const exact = shot(low)
    const tip = (n: number): [number, number] => {
      const x = cantilever(n, L, EI, masses => ({ addForces: (_t, _x, _v, f) => { f[3 * masses.length - 1]! += P } }))
      return [x.at(-3)!, x.at(-1)!]
    }
    const [x, z] = tip(200)
    expect(Math.abs(x - exact.x)).toBeLessThan(1e-3)
    expect(Math.abs(z - exact.z)).toBeLessThan(1e-3)
  })
})

/** A sheet of nx × ny cells of a rectangle; `cut` says how a cell falls into triangles, `shift` moves inner vertices of the mesh (not of the sheet). */
function rectangle(nx: number, ny: number, width: number, height: number, cut: 'up' | 'down' | 'alternating', shift = 0) {
  const index = (i: number, j: number): number => i * (ny + 1) + j
  const uv = Float64Array.from({ length: 2 * (nx + 1) * (ny + 1) }, (_, k) => {
    const v = Math.floor(k / 2)
    const [i, j] = [Math.floor(v / (ny + 1)), v % (ny + 1)]
    const inner = i > 0 && i < nx && j > 0 && j < ny
    const moved = inner ? shift * Math.sin(12.9898 * v + 78.233 * (k % 2)) : 0
    return k % 2 === 0 ? ((i + moved) * width) / nx : ((j + moved) * height) / ny
  })
  const triangles: number[] = []
  for (let i = 0; i < nx; i++) {
    for (let j = 0; j < ny; j++) {
      const [a, b, c, d] = [index(i, j), index(i + 1, j), index(i + 1, j + 1), index(i, j + 1)]
      if (cut === 'up' || (cut === 'alternating' && (i + j) % 2 === 0)) triangles.push(a, b, c, a, c, d)
      else triangles.push(a, b, d, b, c, d)
    }
  }
  const restUV = Float64Array.from(triangles.flatMap(v => [uv[2 * v]!, uv[2 * v + 1]!]))
  return { uv, triangles: Int32Array.from(triangles), restUV, index, count: (nx + 1) * (ny + 1) }
}

const material = { flat: true, stretchWarp: 100, stretchWeft: 80, shear: 40, bendWarp: 0.02, bendWeft: 0.02 }

/** Five ways to cut the same sheet, from 200 to 20,000 triangles. */
const cuts = [['up', 10, 10, 0], ['down', 24, 16, 0.2], ['alternating', 40, 40, 0.25], ['alternating', 30, 90, 0], ['up', 100, 100, 0.3]] as const

describe('a sheet cut into triangles in five ways', () => {
  const energies = (place: (u: number, v: number) => [number, number, number]): { stretch: number; bend: number }[] => cuts.map(([cut, nx, ny, shift]) => {
    const { uv, triangles, restUV, count } = rectangle(nx, ny, 1, 1, cut, shift)
    const x = Float64Array.from(Array.from({ length: count }, (_, v) => place(uv[2 * v]!, uv[2 * v + 1]!)).flat())
    const made = sheetEnergies({ ...material, triangles, restUV }, 0, x)
    const workspace = elementWorkspace(made.map(({ condition }) => condition))
    const sum = (kind: string): number => made.filter(({ condition }) => condition.kind === kind).reduce((total, energy) => total + storedEnergy(energy, x, workspace), 0)
    return { stretch: sum('stretch'), bend: sum('bend') }
  })

  it('stretches and shears alike: ½ (k_u S_u² + k_v S_v² + k θ²) A', () => {
    const angle = 0.15
    for (const { stretch } of energies((u, v) => [1.1 * u + 0.95 * v * Math.sin(angle), 0.95 * v * Math.cos(angle), 0])) {
      expect(Math.abs(stretch / (0.5 * (100 * 0.1 ** 2 + 80 * 0.05 ** 2 + 40 * angle ** 2)) - 1)).toBeLessThan(1e-9)
    }
  })

  it.each([0, 30, 45, 77])('bends alike about an axis at %d°: ½ b κ² A to 1 %', degrees => {
    const [c, s] = [Math.cos((degrees * Math.PI) / 180), Math.sin((degrees * Math.PI) / 180)]
    const radius = 1
    const bent = energies((u, v) => {
      const [along, across] = [c * u + s * v, -s * u + c * v]
      return [radius * Math.sin(across / radius), along, radius * (1 - Math.cos(across / radius))]
    })
    for (const { bend } of bent) expect(Math.abs(bend / (0.5 * 0.02 / radius ** 2) - 1)).toBeLessThan(0.01)
  })
})

describe('a strip of cloth that hangs', () => {
  it('grows longer by ρ g L² ÷ 2k', () => {
    const [n, L, density, g] = [50, 1, 0.1, 9.81]
    const { uv, triangles, restUV, count, index } = rectangle(2, n, 0.1, L, 'alternating')
    const x = Float64Array.from(Array.from({ length: count }, (_, v) => [uv[2 * v]!, 0, -uv[2 * v + 1]!]).flat())
    const masses = new Float64Array(count)
    const area = (0.05 * L) / n / 2
    for (const v of triangles) masses[v]! += (density * area) / 3
    const held = new Uint8Array(count)
    for (let i = 0; i <= 2; i++) held[index(i, 0)] = 1
    const rest = atRest({ masses, held, loads: [gravityLoad(masses, [0, 0, -g])], energies: sheetEnergies({ ...material, bendWarp: 0, bendWeft: 0, triangles, restUV }, 0, x) }, x)
    const longer = -rest.positions[3 * index(1, n) + 2]! - L
    expect(Math.abs(longer / ((density * g * L * L) / (2 * 80)) - 1)).toBeLessThan(1e-3)
  })
})

describe('a strip of cloth painted with factors of its stiffness, pulled by F', () => {
  const [L, width, F, k] = [1, 0.1, 0.5, 80]
  /** How much longer it gets; `factor` is by the distance from the held end, in the middle of a triangle. */
  function longer(nx: number, ny: number, cut: 'up' | 'down' | 'alternating', factor: (v: number) => number): number {
    const { uv, triangles, restUV, count, index } = rectangle(nx, ny, width, L, cut)
    const x = Float64Array.from(Array.from({ length: count }, (_, v) => [uv[2 * v]!, 0, -uv[2 * v + 1]!]).flat())
    const masses = new Float64Array(count).fill(0.01 / count)
    const held = new Uint8Array(count)
    for (let i = 0; i <= nx; i++) held[index(i, 0)] = 1
    const pull: Load = { addForces(_t, _x, _v, f) { for (let i = 0; i <= nx; i++) f[3 * index(i, ny) + 2]! -= (F / nx) * (i === 0 || i === nx ? 0.5 : 1) } }
    const stretchFactors = Float64Array.from({ length: triangles.length / 3 }, (_, t) => {
      let mean = 0
      for (let c = 0; c < 3; c++) mean += factor(uv[2 * triangles[3 * t + c]! + 1]!) / 3
      return mean
    })
    const rest = atRest({ masses, held, loads: [pull], energies: sheetEnergies({ ...material, bendWarp: 0, bendWeft: 0, triangles, restUV, stretchFactors }, 0, x) }, x)
    let sum = 0
    for (let i = 0; i <= nx; i++) sum += (-rest.positions[3 * index(i, ny) + 2]! - L) / (nx + 1)
    return sum
  }

  it('with k and 2k in its halves, gets longer by F L (1/k + 1/2k) ÷ 2w, as a half of the length of the cell between them', () => {
    const exact = (F / width) * (L / 2) * (1 / k + 1 / (2 * k))
    // The step is in the middle of a row of cells, which is neither k nor 2k.
    const error = (n: number): number => Math.abs(longer(2, n, 'alternating', v => v < L / 2 ? 1 : 2) / exact - 1)
    const [coarse, fine, finest] = [error(11), error(33), error(99)]
    expect(coarse).toBeLessThan(0.02)
    expect(coarse / fine).toBeGreaterThan(2.7)
    expect(fine / finest).toBeGreaterThan(2.7)
    expect(finest).toBeLessThan(2e-3)
  })

  it('with k (1 + v/L), gets longer by F L ln 2 ÷ k w in every mesh', () => {
    const exact = ((F / width) * L * Math.log(2)) / k
    for (const [nx, ny, cut] of [[2, 40, 'alternating'], [4, 60, 'up'], [1, 80, 'down'], [6, 50, 'alternating']] as const) {
      expect(Math.abs(longer(nx, ny, cut, v => 1 + v / L) / exact - 1)).toBeLessThan(1e-3)
    }
  })
})

describe('a sheet in a frame of four hinged bars', () => {
  it('sheared by an angle resists with the moment k θ A, the same everywhere in it', () => {
    const theta = 0.2
    const place = (u: number, v: number): [number, number, number] => [u + v * Math.sin(theta), v * Math.cos(theta), 0]
    for (const [cut, nx, ny, shift] of [['up', 8, 8, 0], ['alternating', 6, 9, 0.2]] as const) {
      const { uv, triangles, restUV, count, index } = rectangle(nx, ny, 1, 1, cut, shift)
      // The rim is on the frame; inner vertices start off their equilibrium.
      const held = new Uint8Array(count)
      for (let i = 0; i <= nx; i++) for (let j = 0; j <= ny; j++) if (i % nx === 0 || j % ny === 0) held[index(i, j)] = 1
      const x = Float64Array.from(Array.from({ length: count }, (_, v) =>
        place(uv[2 * v]!, uv[2 * v + 1]!).map((value, k) => value + (held[v] === 1 || k === 2 ? 0 : 0.005 * Math.sin(7 * v + k)))).flat())
      const masses = new Float64Array(count).fill(0.1 / count)
      const { positions, reactions } = atRest({ masses, held, loads: [], energies: sheetEnergies({ ...material, triangles, restUV }, 0, x) }, x)
      for (let v = 0; v < count; v++) place(uv[2 * v]!, uv[2 * v + 1]!).forEach((value, k) => expect(Math.abs(positions[3 * v + k]! - value)).toBeLessThan(1e-8))
      // Virtual work: the bars along v rotate with θ and the top bar moves with them, so the frame's work is that of the reactions along ∂x/∂θ.
      let moment = 0
      for (let v = 0; v < count; v++) moment += reactions[3 * v]! * uv[2 * v + 1]! * Math.cos(theta) - reactions[3 * v + 1]! * uv[2 * v + 1]! * Math.sin(theta)
      expect(Math.abs(moment / (40 * theta) - 1)).toBeLessThan(1e-8)
    }
  })
})

describe('a strip bent to a whole circle', () => {
  it('resists with the moment b κ a width', () => {
    const [n, L] = [160, 1]
    const { uv, triangles, restUV, count } = rectangle(n, 4, L, 0.05, 'alternating')
    const rolled = (radius: number): Float64Array => Float64Array.from(Array.from({ length: count }, (_, v) => [
      radius * Math.sin(uv[2 * v]! / radius), uv[2 * v + 1]!, radius * (1 - Math.cos(uv[2 * v]! / radius)),
    ]).flat())
    const radius = L / (2 * Math.PI)
    const made = sheetEnergies({ ...material, triangles, restUV }, 0, rolled(radius)).filter(({ condition }) => condition.kind === 'bend')
    const workspace = elementWorkspace(made.map(({ condition }) => condition))
    const energy = (kappa: number): number => made.reduce((sum, each) => sum + storedEnergy(each, rolled(1 / kappa), workspace), 0)
    // The moment turns the ends by κ L: M w = dE/d(κ L).
    const kappa = 1 / radius
    const moment = (energy(kappa * 1.001) - energy(kappa * 0.999)) / (0.002 * kappa * L)
    expect(Math.abs(moment / (0.02 * kappa * 0.05) - 1)).toBeLessThan(1e-3)
  })
})
