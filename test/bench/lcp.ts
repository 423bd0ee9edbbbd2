/**
 * The contact-force solvers compared with one dense LU solve of the same size: Dantzig's method on frictionless and frictional contact problems of
 * stacks, cold and from the last index set; the cost of a frozen index set; 10,000 random heaps; the large problems of the reference; and whole
 * event-driven runs with 40 to 200 frictional contacts compared with real time.
 */

import { dantzig, leastNorm, solveFrozen, type ContactProblem } from '../../core/lcp'
import { luFactor, luSolve } from '../../core/math/factor'
import { pyramid, randomProblem, stack } from '../unit/core/lcp/problems'
import { ball, box, floor, recorded, sceneOf, worst } from '../verification/support'
import { deSaxceResidual, readFriction, referenceFiles } from '../unit/core/lcp/reference'

/** ms of one run: the fastest tenth of many runs after warm-up, which other work on the machine did not interrupt. */
function cost(run: () => unknown): number {
  const begun = process.cpuUsage().user
  while (process.cpuUsage().user - begun < 60_000) run()
  const times: number[] = []
  const start = process.cpuUsage().user
  while (times.length < 20 || (times.length < 1000 && process.cpuUsage().user - start < 120_000)) {
    const from = process.hrtime.bigint()
    run()
    times.push(Number(process.hrtime.bigint() - from) / 1e6)
  }
  return times.sort((x, y) => x - y)[Math.floor(times.length / 10)]!
}

function against(name: string, problem: ContactProblem, later = problem): Record<string, string | number> {
  const n = problem.size
  const regular = Float64Array.from({ length: n * n }, (_, k) => ((k * 7919) % 1009) / 1009) // dense: no zero to skip
  for (let i = 0; i < n; i++) regular[i * n + i]! += n
  const lu = cost(() => luSolve(luFactor(regular, n), problem.b))
  const first = dantzig.solve(problem)
  const cold = cost(() => dantzig.solve(problem))
  const shared = leastNorm(problem, first)
  const warm = cost(() => dantzig.solve(later, { start: shared }))
  const frozen = cost(() => solveFrozen(problem, shared.basis, shared.slip, shared.rank))
  return {
    problem: name, n, 'LU ms': lu.toFixed(2), 'cold ÷ LU': (cold / lu).toFixed(2), 'warm ÷ LU': (warm / lu).toFixed(2),
    'frozen ÷ LU': (frozen / lu).toFixed(2), 'least norm ÷ LU': (cost(() => leastNorm(problem, first)) / lu).toFixed(2), pivots: first.pivots,
    status: first.status, residual: first.residual.toExponential(1),
    'hit later': String(dantzig.solve(later, { start: shared }).basisHit),
  }
}

function heaps(count: number): Record<string, string | number>[] {
  return (['velocity', 'acceleration'] as const).map(level => {
    const by: Record<string, number> = {}
    let pivots = 0
    let unknowns = 0
    let most = 0
    let worst = 0
    const start = process.cpuUsage().user
    for (let seed = 1; seed <= count / 2; seed++) {
      const problem = randomProblem(seed, level, seed % 25 === 0 ? 300 : 75)
      const found = dantzig.solve(problem)
      by[found.status] = (by[found.status] ?? 0) + 1
      pivots += found.pivots
      unknowns += problem.size
      most = Math.max(most, problem.size)
      if (found.status === 'solved') worst = Math.max(worst, found.residual)
      else console.log(`    ${level} ${seed}: ${found.status}, residual ${found.residual.toExponential(1)}`)
    }
    return {
      level, problems: count / 2, ...by, 'pivots ÷ n': (pivots / unknowns).toFixed(2), 'largest n': most, 'worst residual': worst.toExponential(1),
      'ms each': ((process.cpuUsage().user - start) / 500 / count).toFixed(2),
    }
  })
}

/** Boxes thrown to slide and spin on the floor, four contacts each. */
const sliders = (count: number): object => sceneOf(
  [floor, ...Array.from({ length: count }, (_, i) => box(`b${i}`, [1, 1, 0.5], [2 * i, 0, 0.25], {
    linearVelocity: [0.3 * (i % 3), 3 + 0.2 * (i % 5), 0], angularVelocity: [0, 0, 1 + i % 3],
  }))], 0.4, { method: 'event-driven', duration: 1, outputRate: 60 })

/** A stack of slabs, at rest or struck by a ball half way up. */
const slabs = (count: number, struck: boolean): object => sceneOf([
  floor, ...Array.from({ length: count }, (_, i) => box(`b${i}`, [1, 1, 0.5], [0, 0, 0.25 + 0.5 * i])),
  ...struck ? [ball('ball', 0.3, [-2, 0.1, 0.25 * count + 0.1], { linearVelocity: [8, 0, 0] })] : [],
], 0.5, { method: 'event-driven', duration: struck ? 0.155 : 1, outputRate: 60 })

/** Simulated s ÷ processor s: of the first run, compiling included, and of the next. */
function eventDriven(name: string, scene: object): Record<string, string | number> {
  const measured = () => {
    const start = process.cpuUsage().user
    const run = recorded(scene)
    return { run, ratio: (1e6 * run.end.simulatedTime / (process.cpuUsage().user - start)).toFixed(2) }
  }
  const first = measured()
  const { run } = first
  const { status, simulatedTime, steps, solver } = run.end
  const count = (kind: string): number => run.events.filter(event => event.kind === kind).length
  return {
    scene: name, contacts: Math.max(...run.contacts.map(frame => frame.count)), 'simulated s': simulatedTime, 'first run': first.ratio,
    'next run': measured().ratio, steps, restarts: count('restart'), degraded: count('degraded'), solves: solver.calls, status,
    complementarity: worst(run, ({ maxComplementarity }) => maxComplementarity).toExponential(1),
  }
}

export default function main(): void {
  console.table([50, 100, 200, 400, 800].map(n => against('frictionless stack', stack({ count: n / 4, frictionless: true }))))
  console.table([
    ...[5, 10, 20, 40].map(count => against('stack at rest', stack({ count }))),
    against('stack on an incline', stack({ count: 10, tilt: 0.05 }), stack({ count: 10, tilt: 0.051 })),
    against('stack tipping', stack({ count: 10, tilt: 0.12 }), stack({ count: 10, tilt: 0.121 })),
    against('pyramid of 21', pyramid(6)),
    against('pyramid sliding', pyramid(6, 0.3, 0.35), pyramid(6, 0.3, 0.351)),
  ])
  console.table(heaps(10_000))
  console.table(referenceFiles('siconos/friction', '.dat').map(name => {
    const problem = readFriction(name)
    const start = process.cpuUsage().user
    const found = dantzig.solve(problem)
    return {
      name, n: problem.size, status: found.status, residual: deSaxceResidual(problem, found.f, found.a).toExponential(1),
      'ms': ((process.cpuUsage().user - start) / 1000).toFixed(0),
    }
  }))
  console.table([
    ...[10, 20, 50].map(count => eventDriven(`${count} boxes sliding`, sliders(count))),
    ...[10, 20].map(count => eventDriven(`${count} slabs at rest`, slabs(count, false))),
    eventDriven('10 slabs struck', slabs(10, true)),
  ])
}
