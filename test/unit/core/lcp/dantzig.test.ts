import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  BASIS_CLAMPED, BASIS_FREE, BASIS_LIMITED, basicSolutions, dantzig, leastNorm, relativeAcceleration, residual, rowResiduals, type ContactProblem,
  type ContactSolution,
} from '../../../../core/lcp'
import { assemble, box, corners, pyramid, randomProblem, stack, tangents, type Touch } from './problems'

const g = 9.81
const normals = (problem: ContactProblem, f: Float64Array): number[] => problem.friction.map(contact => f[contact.normal]!)
const total = (values: number[]): number => values.reduce((sum, value) => sum + value, 0)

/** A unit cube on an incline whose slope points at `azimuth`, in the incline's own frame. */
function blockOnIncline(slope: number, azimuth: number, mu: number, muDynamic = mu, turn = 0): ContactProblem {
  const pull = [g * Math.sin(slope) * Math.cos(azimuth), g * Math.sin(slope) * Math.sin(azimuth), -g * Math.cos(slope)] as const
  const touches: Touch[] = corners([0, 0, 0], 1, 1).map(point => ({ a: 0, b: -1, point, normal: [0, 0, 1], mu, muDynamic, turn }))
  return assemble([box([0, 0, 0.5], [1, 1, 1], 1, pull)], touches)
}

/** Tangential acceleration of the contact c in space, from its rows. */
function slipInSpace(problem: ContactProblem, solution: ContactSolution, c: number, turn: number): number[] {
  const { tangent1, tangent2 } = problem.friction[c]!
  const [t1, t2] = tangents([0, 0, 1], turn)
  return [0, 1, 2].map(k => solution.a[tangent1]! * t1[k]! + solution.a[tangent2]! * t2[k]!)
}

describe('a chair on four legs', () => {
  it('puts a quarter of its weight on each', () => {
    const problem = stack({ count: 1 })
    const solution = leastNorm(problem, dantzig.solve(problem))
    expect(solution.status).toBe('solved')
    for (const f of normals(problem, solution.f)) expect(f).toBeCloseTo(g / 4, 12)
    expect(Math.max(...solution.a.map(Math.abs))).toBeLessThan(1e-13)
  })
})

describe('a block on an incline', () => {
  const slopes = fc.double({ min: 0.05, max: 0.5, noNaN: true })
  const angles = fc.double({ min: 0, max: 6.3, noNaN: true })

  it('rests below the angle of friction, whichever way the incline points and however the axes lie', () => {
    fc.assert(fc.property(slopes, angles, angles, (slope, azimuth, turn) => {
      const problem = blockOnIncline(slope, azimuth, Math.tan(slope) * 1.0001, undefined, turn)
      const solution = dantzig.solve(problem)
      expect(solution.status).toBe('solved')
      expect(Math.max(...solution.a.map(Math.abs))).toBeLessThan(1e-12)
      expect(total(normals(problem, solution.f))).toBeCloseTo(g * Math.cos(slope), 10)
    }), { numRuns: 200 })
  })

  it('slides above it with g (sin θ − μ cos θ) straight down the slope', () => {
    fc.assert(fc.property(slopes, angles, angles, (slope, azimuth, turn) => {
      const mu = Math.tan(slope) * 0.8
      const problem = blockOnIncline(slope, azimuth, mu, undefined, turn)
      const solution = dantzig.solve(problem)
      expect(solution.status).toBe('solved')
      const rate = g * (Math.sin(slope) - mu * Math.cos(slope))
      for (let c = 0; c < 4; c++) {
        const [x, y] = slipInSpace(problem, solution, c, turn)
        expect(x).toBeCloseTo(rate * Math.cos(azimuth), 9)
        expect(y).toBeCloseTo(rate * Math.sin(azimuth), 9)
      }
    }), { numRuns: 200 })
  })

  it('starts with the dynamic coefficient once the static one has given way', () => {
    const slope = 0.3
    const held = dantzig.solve(blockOnIncline(slope, 0.4, Math.tan(slope) * 1.01, Math.tan(slope) * 0.5))
    expect(Math.max(...held.a.map(Math.abs))).toBeLessThan(1e-12)
    const problem = blockOnIncline(slope, 0.4, Math.tan(slope) * 0.99, Math.tan(slope) * 0.5)
    const gone = dantzig.solve(problem)
    expect(gone.status).toBe('solved')
    expect(Math.hypot(...slipInSpace(problem, gone, 0, 0))).toBeCloseTo(g * Math.sin(slope) / 2, 10)
  })
})

describe('the exact cone', () => {
  it('pushes at 45° to the friction axes as along one: F/m − μ g', () => {
    for (const azimuth of [0, Math.PI / 4, 1, 2.2]) {
      const pull = [6 * Math.cos(azimuth), 6 * Math.sin(azimuth), -g] as const
      const problem = assemble([box([0, 0, 0], [1, 1, 1], 1, pull)], [{ a: 0, b: -1, point: [0, 0, 0], normal: [0, 0, 1], mu: 0.4 }])
      const solution = dantzig.solve(problem)
      expect(Math.hypot(solution.a[1]!, solution.a[2]!)).toBeCloseTo(6 - 0.4 * g, 12)
    }
  })

  it('does not know the axes: turned tangents give the same motion and the same forces', () => {
    let compared = 0
    for (let seed = 1; seed <= 60; seed++) {
      const base = { count: 1 + seed % 4, mu: 0.3 + 0.01 * (seed % 30), tilt: 0.02 * (seed % 20) }
      const straight = stack({ ...base, turn: 0 })
      const turned = stack({ ...base, turn: seed })
      const one = leastNorm(straight, dantzig.solve(straight))
      const two = leastNorm(turned, dantzig.solve(turned))
      expect([one.status, two.status]).toEqual(['solved', 'solved'])
      straight.friction.forEach((contact, c) => {
        expect(two.f[contact.normal]!).toBeCloseTo(one.f[contact.normal]!, 8)
        const [a, b] = [slipInSpace(straight, one, c, 0), slipInSpace(turned, two, c, seed)]
        a.forEach((value, k) => expect(b[k]!).toBeCloseTo(value, 8))
        compared++
      })
    }
    expect(compared).toBeGreaterThan(200)
  })
})

describe('stacks', () => {
  it.each([10, 20])('of %i carry all the weight above at every face', count => {
    const problem = stack({ count })
    const solution = leastNorm(problem, dantzig.solve(problem))
    expect(solution.status).toBe('solved')
    for (let face = 0; face < count; face++) {
      for (let k = 0; k < 4; k++) expect(solution.f[problem.friction[4 * face + k]!.normal]! / ((count - face) * g / 4) - 1).toBeCloseTo(0, 9)
    }
  })

  it('bear a thousandfold weight on top', () => {
    const problem = stack({ count: 10, masses: [1, 1, 1, 1, 1, 1, 1, 1, 1, 1000] })
    const solution = dantzig.solve(problem)
    expect(solution.status).toBe('solved')
    expect(total(normals(problem, solution.f).slice(0, 4)) / (1009 * g) - 1).toBeCloseTo(0, 10)
  })

  it('lean together on an incline as far as friction and tipping allow', () => {
    for (const tilt of [0.04, 0.09]) expect(Math.max(...dantzig.solve(stack({ count: 10, tilt })).a.map(Math.abs))).toBeLessThan(1e-9)
    const tipping = dantzig.solve(stack({ count: 10, tilt: 0.12 })) // tan⁻¹(1/10) = 0.0997
    expect(tipping.status).toBe('solved')
    expect(Math.max(...tipping.a.map(Math.abs))).toBeGreaterThan(0.01)
  })

  it('stand as a pyramid of twenty-one', () => {
    const problem = pyramid(6)
    const solution = leastNorm(problem, dantzig.solve(problem))
    expect(solution.status).toBe('solved')
    expect(total(problem.friction.slice(0, 24).map(contact => solution.f[contact.normal]!))).toBeCloseTo(21 * g, 8)
    const mirror = (c: number): number => 4 * (5 - Math.floor(c / 4)) + [1, 0, 3, 2][c % 4]! // bottom row, left to right
    for (let c = 0; c < 24; c++) {
      expect(solution.f[problem.friction[c]!.normal]!).toBeCloseTo(solution.f[problem.friction[mirror(c)]!.normal]!, 9)
    }
  })
})

describe('random heaps', () => {
  for (const level of ['velocity', 'acceleration'] as const) {
    it(`are solved at the ${level} level, degenerate and rank-deficient ones too`, () => {
      let pivots = 0
      let unknowns = 0
      for (let seed = 1; seed <= 400; seed++) {
        const problem = randomProblem(seed, level, 60)
        const solution = dantzig.solve(problem)
        expect([seed, solution.status]).toEqual([seed, 'solved'])
        expect(solution.residual).toBeLessThan(1e-10)
        expect(residual(problem, solution.f)).toBeLessThan(1e-10)
        pivots += solution.pivots
        unknowns += problem.size
      }
      expect(pivots / unknowns).toBeLessThan(2)
    })
  }

  it('up to 300 unknowns', () => {
    for (let seed = 1; seed <= 6; seed++) {
      const solution = dantzig.solve(randomProblem(seed, 'velocity', 300))
      expect([seed, solution.status]).toEqual([seed, 'solved'])
    }
  })

  it('that neither guesses nor pivoting solve are solved: wedged ones, and ones whose sliding contacts have to be decided apart', { tags: 'long' }, () => {
    for (const [seed, most] of [[25, 300], [550, 300], [2725, 75], [4812, 75]] as const) {
      const problem = randomProblem(seed, 'acceleration', most)
      const solution = dantzig.solve(problem)
      expect([seed, solution.status]).toEqual([seed, 'solved'])
      expect(residual(problem, solution.f)).toBeLessThan(1e-10)
    }
  })

  it('that have no forces are told by a ray: no choice of closed sliding contacts has any either', () => {
    for (const seed of [1969, 3120]) {
      const problem = randomProblem(seed, 'acceleration', 75)
      expect([seed, dantzig.solve(problem).status]).toEqual([seed, 'ray'])
      expect(basicSolutions(problem)).toEqual([])
    }
  })

  it('give the same bits every time', () => {
    const problem = randomProblem(7, 'velocity', 60)
    expect([...dantzig.solve(problem).f]).toEqual([...dantzig.solve(problem).f])
  })
})

describe('joints, limits and motors', () => {
  const beam = box([0, 0, 0], [1, 1, 1], 2, [0, 0, -g])

  it('hold a hanging body by three redundant rows', () => {
    const link = { a: 0, b: -1, point: [0, 0, 0] as const, axis: [0, 0, 1] as const }
    const problem = assemble([beam], [], [link, link, link])
    const solution = leastNorm(problem, dantzig.solve(problem))
    for (const f of solution.f) expect(f).toBeCloseTo(2 * g / 3, 12)
  })

  it('let a motor give what it can and no more', () => {
    const motor = (most: number) => assemble([beam], [], [{ a: 0, b: -1, point: [0, 0, 0], axis: [0, 0, 1], bounds: [-most, most] }])
    expect(dantzig.solve(motor(100)).f[0]).toBeCloseTo(2 * g, 12)
    const weak = dantzig.solve(motor(5))
    expect(weak.f[0]).toBe(5)
    expect(weak.a[0]).toBeCloseTo(-g + 2.5, 12)
  })

  it('say so when equalities contradict each other', () => {
    const problem = assemble([beam], [], [0, 1].map(() => ({ a: 0, b: -1, point: [0, 0, 0] as const, axis: [0, 0, 1] as const })))
    problem.b[1]! += 1
    const solution = dantzig.solve(problem)
    expect(solution.status).toBe('infeasible')
    expect(solution.residual).toBeGreaterThan(1e-3)
  })
})

describe('Painlevé’s rod', () => {
  /** A rod at 72° whose lower end slides; coefficient of friction as a multiple of the critical one. */
  function rod(multiple: number, freeNormal: number): ContactProblem {
    const theta = 72 * Math.PI / 180
    const critical = (Math.cos(theta) ** 2 + 1 / 8) / (Math.sin(theta) * Math.cos(theta))
    expect(critical).toBeCloseTo(0.75025, 5)
    const body = { mass: 1, inertia: [1 / 8, 1 / 8, 1 / 8] as const, position: [Math.cos(theta), 0, Math.sin(theta)] as const, free: [0, 0, freeNormal, 0, 0, 0] as const }
    return assemble([body], [{ a: 0, b: -1, point: [0, 0, 0], normal: [0, 0, 1], mu: critical * multiple, slip: [-1, 0, 0] }])
  }

  it('is steady below the critical friction', () => {
    for (const multiple of [0, 0.5, 0.9]) {
      const solution = dantzig.solve(rod(multiple, -g))
      expect(solution.status).toBe('solved')
      expect(solution.a[0]).toBeCloseTo(0, 12)
    }
  })

  it('has no contact force above it when it presses on the ground: a ray', () => {
    const solution = dantzig.solve(rod(1.2, -g))
    expect(solution.status).toBe('ray')
    expect(solution.ray[0]).toBeGreaterThan(0)
    const change = relativeAcceleration({ ...rod(1.2, -g), b: new Float64Array(3) }, solution.ray)
    expect(change[0]).toBeLessThanOrEqual(0)
  })
})

describe('of two motions that satisfy every law', () => {
  // Past its critical friction a rod lifted by 3 m/s² may part, or slide on with a force.
  const theta = 72 * Math.PI / 180
  const mu = 1.2 * (Math.cos(theta) ** 2 + 1 / 8) / (Math.sin(theta) * Math.cos(theta))
  const rod = { mass: 1, inertia: [1 / 8, 1 / 8, 1 / 8] as const, position: [Math.cos(theta), 0, Math.sin(theta)] as const, free: [0, 0, 3, 0, 0, 0] as const }
  const problem = assemble([rod], [{ a: 0, b: -1, point: [0, 0, 0], normal: [0, 0, 1], mu, slip: [-1, 0, 0] }])

  it('the one without force is found where nothing is known of before', () => {
    const { f, a, status } = dantzig.solve(problem)
    expect([status, f[0]]).toEqual(['solved', 0])
    expect(a[0]).toBeCloseTo(3, 12)
  })

  it('the one that holds is, where it held', () => {
    const held = { basis: Uint8Array.of(BASIS_CLAMPED, BASIS_LIMITED, BASIS_LIMITED), slip: Float64Array.of(-1, 0) }
    const { f, a } = dantzig.solve(problem, { start: held })
    expect(f[0]).toBeGreaterThan(1)
    expect(Math.abs(a[0]!)).toBeLessThan(1e-12)
  })
})

describe('the start basis', () => {
  it('is taken when it still holds and refused when it does not', () => {
    const problem = stack({ count: 3, tilt: 0.05 })
    const first = dantzig.solve(problem)
    const again = dantzig.solve(problem, { start: first })
    expect([again.basisHit, again.pivots]).toEqual([true, 0])
    const steeper = dantzig.solve(stack({ count: 3, tilt: 0.7 }), { start: first })
    expect([steeper.basisHit, steeper.status]).toEqual([false, 'solved'])
  })

  it('holds while a block slides on', () => {
    const problem = blockOnIncline(0.5, 0.3, 0.2)
    const first = leastNorm(problem, dantzig.solve(problem))
    expect([...first.basis].filter(place => place === BASIS_LIMITED).length).toBe(8)
    expect(dantzig.solve(blockOnIncline(0.51, 0.31, 0.2), { start: first }).basisHit).toBe(true)
  })
})

describe('the residual', () => {
  const problem = stack({ count: 1 })
  const solution = dantzig.solve(problem)

  it('sees every way to be wrong', () => {
    const spoilt = (change: (f: Float64Array) => void): number => {
      const f = solution.f.slice()
      change(f)
      return residual(problem, f)
    }
    expect(spoilt(() => undefined)).toBeLessThan(1e-14)
    expect(spoilt(f => { f[0]! += 0.1 })).toBeGreaterThan(1e-3) // too much normal force: a ≠ 0
    expect(spoilt(f => { f.fill(0) })).toBeGreaterThan(0.1) // it falls through
    expect(spoilt(f => { f[0] = NaN })).toBe(Infinity)
    expect(residual(problem, solution.f.map(x => -x))).toBeGreaterThan(0.1)
  })

  it('sees friction outside its cone and friction that does not oppose the slip', () => {
    const single = assemble([box([0, 0, 0], [1, 1, 1], 1, [6, 0, -g])], [{ a: 0, b: -1, point: [0, 0, 0], normal: [0, 0, 1], mu: 0.4 }])
    const good = dantzig.solve(single)
    expect(residual(single, good.f)).toBeLessThan(1e-14)
    const stuck = good.f.slice()
    const { tangent1, tangent2 } = single.friction[0]!
    const size = Math.hypot(stuck[tangent1]!, stuck[tangent2]!)
    stuck[tangent1]! *= 6 / size
    stuck[tangent2]! *= 6 / size // holds the block, with more friction than there is
    expect(rowResiduals(single, stuck, relativeAcceleration(single, stuck))[tangent1]).toBeGreaterThan(0.1)
    const across = good.f.slice()
    across[tangent1] = -good.f[tangent2]!
    across[tangent2] = good.f[tangent1]!
    expect(residual(single, across)).toBeGreaterThan(0.1)
  })

  it('does not depend on units or on the order of magnitude of the masses', () => {
    const off = (mass: number): number => {
      const heavy = stack({ count: 1, masses: [mass] })
      const f = dantzig.solve(heavy).f
      f[0]! *= 1.001
      return residual(heavy, f)
    }
    expect(off(1000) / off(1)).toBeCloseTo(1, 9)
  })
})

describe('parting', () => {
  it('leaves f = 0 where a contact opens', () => {
    const problem = assemble([box([0, 0, 0.5], [1, 1, 1], 1, [0, 0, 3])], corners([0, 0, 0], 1, 1).map(point => ({ a: 0, b: -1, point, normal: [0, 0, 1] as const, mu: 0.5 })))
    const solution = dantzig.solve(problem)
    expect([...solution.f].every(f => f === 0)).toBe(true)
    expect([...solution.basis].every(place => place === BASIS_FREE)).toBe(true)
  })

  it('leaves the lower edge of a tipping block clamped', () => {
    const solution = dantzig.solve(blockOnIncline(0.9, 0, 5))
    const [a0, a1, a2, a3] = [0, 3, 6, 9].map(i => solution.a[i]!)
    expect(a1).toBeCloseTo(a2!, 12)
    expect(Math.abs(a0!)).toBeLessThan(1e-12)
    expect(Math.abs(a3!)).toBeLessThan(1e-12)
    expect(a1).toBeGreaterThan(0.1)
    expect(solution.basis[0] === BASIS_CLAMPED || solution.basis[9] === BASIS_CLAMPED).toBe(true)
  })
})
