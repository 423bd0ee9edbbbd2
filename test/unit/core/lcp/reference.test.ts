import { describe, expect, it } from 'vitest'
import { solve } from 'yalps'
import { dantzig, lemke, lemkeSolver, type ContactProblem } from '../../../../core/lcp'
import { deSaxceResidual, readContactBench, readFriction, readLcp, REFERENCE, referenceFiles } from './reference'

const lcps = referenceFiles('siconos/lcp', '.dat')
const frictions = referenceFiles('siconos/friction', '.dat')
const benches = referenceFiles('contactbench', '.json')
const absent = (files: string[]): string => files.length === 0 ? ` (skipped: no reference data in ${REFERENCE})` : ''

/** Problems that end on a ray because they have no solution: no z ≥ 0 at all makes w ≥ 0, as the linear program says. */
const RAYS = [
  'lcp_CPS_4.dat', 'lcp_CPS_4bis.dat', 'lcp_Pang_isolated_sol.dat', 'lcp_Pang_isolated_sol_perturbed.dat',
  'lcp_inf_sol_perturbed.dat', 'lcp_tobenna.dat',
]
/** Too large for a unit test; solved in the benchmark. */
const LARGE = ['Capsules-i100-889.dat', 'FrictionContactProblem00237.dat']

describe.skipIf(lcps.length === 0)(`the LCPs of the reference${absent(lcps)}`, () => {
  it.each(lcps)('%s', name => {
    const { n, M, q } = readLcp(name)
    const found = lemke(M, q)
    expect(found.status).toBe(RAYS.includes(name) ? 'ray' : 'solved')
    let error = 0
    for (let i = 0; i < n; i++) error += Math.min(found.z[i]!, found.w[i]!) ** 2
    if (found.status === 'solved') expect(Math.sqrt(error) / Math.hypot(...q)).toBeLessThan(1e-12)
    else {
      expect(isFeasible(n, M, q)).toBe(false)
      for (let i = 0; i < n; i++) {
        if (found.ray[i]! > 1e-9) expect(found.ray.reduce((sum, value, j) => sum + M[i * n + j]! * value, 0)).toBeLessThan(1e-9)
      }
    }
  })
})

/** Whether some z ≥ 0 has M z + q ≥ 0. */
function isFeasible(n: number, M: Float64Array, q: Float64Array): boolean {
  const indices = Array.from({ length: n }, (_, i) => i)
  return solve({
    direction: 'minimize', objective: 'sum', constraints: new Map(indices.map(i => [`w${i}`, { min: -q[i]! }])),
    variables: new Map(indices.map(j => [`z${j}`, new Map([['sum', 1], ...indices.map(i => [`w${i}`, M[i * n + j]!] as const)])])),
  }).status === 'optimal'
}

const meetsCoulomb = (problem: ContactProblem): void => {
  const found = dantzig.solve(problem)
  expect(found.status).toBe('solved')
  expect(deSaxceResidual(problem, found.f, found.a)).toBeLessThan(1e-10)
}

describe.skipIf(frictions.length === 0)(`the friction problems of the reference${absent(frictions)}`, () => {
  it.each(frictions.filter(name => !LARGE.includes(name)))('%s', name => meetsCoulomb(readFriction(name)))

  it.each(frictions.filter(name => name.startsWith('Rover') || name.startsWith('NES')))('%s by Lemke’s algorithm', name => {
    const problem = readFriction(name)
    const found = lemkeSolver.solve(problem)
    expect(found.status).toBe('solved')
    expect(deSaxceResidual(problem, found.f, found.a)).toBeLessThan(1e-10)
  })
})

describe.skipIf(benches.length === 0)(`the contact benchmark${absent(benches)}`, () => {
  it.each(benches)('%s', name => meetsCoulomb(readContactBench(name)))
})
