import { describe, expect, it } from 'vitest'
import { BASIS_CLAMPED, BASIS_FREE, BASIS_LIMITED, dantzig, residual, type ContactProblem } from '../../../../core/lcp'
import { repair } from '../../../../core/lcp/repair'
import { scaleProblem } from '../../../../core/lcp/scaling'
import { pyramid, randomProblem, seeded, stack } from './problems'

/** The index set with the states of one in `share` contacts changed. */
function spoiled(problem: ContactProblem, basis: Uint8Array, slip: Float64Array, share: number, random: () => number) {
  const places = basis.slice()
  const directions = slip.slice()
  problem.friction.forEach(({ normal, tangent1, tangent2, state }, c) => {
    if (random() > share) return
    const was = places[normal]
    places[normal] = was === BASIS_FREE ? BASIS_CLAMPED : was!
    if (state === 'sliding') {
      places[tangent1] = places[tangent2] = BASIS_LIMITED
      return
    }
    const slips = places[tangent1] === BASIS_LIMITED
    places[tangent1] = places[tangent2] = slips ? BASIS_CLAMPED : BASIS_LIMITED
    const angle = 6.28 * random()
    directions[2 * c] = Math.cos(angle)
    directions[2 * c + 1] = Math.sin(angle)
  })
  return { basis: places, slip: directions }
}

describe('repairing an index set', () => {
  it('repairs most index sets with a tenth of the contacts misplaced, and accepts none that is invalid', () => {
    const random = seeded(7)
    let tried = 0
    let mended = 0
    for (let seed = 1; seed <= 150; seed++) {
      const problem = randomProblem(seed, 'velocity', 90)
      const known = dantzig.solve(problem)
      if (known.status !== 'solved') continue
      tried++
      const { found } = repair(problem, scaleProblem(problem), spoiled(problem, known.basis, known.slip, 0.1, random), 1e-10)
      if (!found) continue
      mended++
      expect(residual(problem, found.f)).toBeLessThanOrEqual(1e-10)
    }
    expect(tried).toBeGreaterThan(120)
    expect(mended / tried).toBeGreaterThan(0.5)
  })

  it('recovers the forces of a pyramid from an index set with all contacts open', () => {
    const problem = pyramid(4)
    const all = { basis: new Uint8Array(problem.size).fill(BASIS_FREE), slip: new Float64Array(2 * problem.friction.length) }
    const { found, rounds } = repair(problem, scaleProblem(problem), all, 1e-10)
    expect(rounds).toBeLessThan(10)
    expect(found!.residual).toBeLessThan(1e-12)
    expect(Math.max(...found!.a.map(Math.abs))).toBeLessThan(1e-10)
  })

  it('releases a leg of a chair on four legs that contradict each other by more than the tolerance', () => {
    const chair = stack({ count: 1, frictionless: true })
    const clamped = { basis: new Uint8Array(chair.size).fill(BASIS_CLAMPED), slip: new Float64Array(0) }
    for (let leg = 0; leg < 4; leg++) for (const error of [-1e-6, 1e-6]) {
      const problem = { ...chair, b: chair.b.map((value, i) => i === leg ? value + error : value) }
      const { found } = repair(problem, scaleProblem(problem), clamped, 1e-10)
      expect(found!.residual).toBeLessThan(1e-13)
      expect([...found!.basis]).toContain(BASIS_FREE)
    }
  })

  it('lets a contact slip if sticking contacts contradict each other', () => {
    const random = seeded(3)
    const resting = pyramid(3)
    const clamped = { basis: new Uint8Array(resting.size).fill(BASIS_CLAMPED), slip: new Float64Array(2 * resting.friction.length) }
    let mended = 0
    for (let k = 0; k < 40; k++) {
      const { tangent1, tangent2 } = resting.friction[Math.floor(random() * resting.friction.length)]!
      const problem = { ...resting, b: resting.b.map((value, i) => i === tangent1 || i === tangent2 ? value + 1e-7 * (random() - 0.5) : value) }
      const { found } = repair(problem, scaleProblem(problem), clamped, 1e-10)
      if (found === undefined) continue
      mended++
      expect(residual(problem, found.f)).toBeLessThanOrEqual(1e-10)
    }
    expect(mended).toBeGreaterThan(20)
  })
})
