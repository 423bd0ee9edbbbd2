import type { ContactFrame } from '../../../core/trajectory/frame'
import { indexOf, type Recorded } from '../support'
import { furthest, type Comparison, type VerificationCase } from './case'
import { moved } from './incline'

const g = 9.81

/** Sum of the normal forces between two bodies, N. */
function between(run: Recorded, contacts: ContactFrame, a: string, b: string): number {
  const pair = [indexOf(run, a), indexOf(run, b)]
  let sum = 0
  for (let i = 0; i < contacts.count; i++) {
    if (pair.includes(contacts.bodyA[i]!) && pair.includes(contacts.bodyB[i]!)) sum += contacts.normalForce[i]!
  }
  return sum
}

/** @param column bodies from the ground up with their masses, kg */
function stack(run: Recorded, column: readonly (readonly [string, number])[]): Comparison[] {
  const total = column.reduce((sum, [, mass]) => sum + mass, 0)
  const forces = run.contacts.flatMap(contacts => column.map(([id], k) => {
    const above = column.slice(k).reduce((sum, [, mass]) => sum + mass, 0)
    return [above * g, between(run, contacts, k === 0 ? 'ground' : column[k - 1]![0], id)] as const
  }))
  return [
    furthest('forces: the weight above, N, relative to all', forces, 1e-9, total * g),
    furthest('drift, m', column.map(([id]) => [0, moved(run, id)] as const), 1e-12),
  ]
}

const boxes = (n: number) => Array.from({ length: n }, (_, k) => [`box-${k + 1}`, 1000] as const)

/** Normal forces and their intervals in every frame that has them. */
function legs(run: Recorded): Comparison[] {
  const weight = 4 * g
  const legs = run.contacts.map(contacts => [0, 1, 2, 3].map(i => ({
    force: contacts.normalForce[i]!, least: contacts.interval[2 * i]!, greatest: contacts.interval[2 * i + 1]!,
  })))
  const known = legs.flat().filter(leg => !Number.isNaN(leg.least))
  return [
    furthest('force of each leg, m g/4', legs.flat().map(leg => [weight / 4, leg.force] as const), 1e-10, weight),
    furthest('least force of each leg, 0', known.map(leg => [0, leg.least] as const), 1e-10, weight),
    furthest('greatest force of each leg, m g/2', known.map(leg => [weight / 2, leg.greatest] as const), 1e-10, weight),
  ]
}

export const cases: readonly VerificationCase[] = [
  { title: 'chair on four legs', scene: 'chair', method: 'event-driven', compare: legs },
  { title: 'stack of 10', scene: 'stack-of-10', method: 'event-driven', compare: run => stack(run, boxes(10)) },
  { title: 'stack of 20', scene: 'stack-of-20', method: 'event-driven', compare: run => stack(run, boxes(20)) },
  { title: 'mass ratio 1:1000', scene: 'mass-ratio-1000', method: 'event-driven', compare: run => stack(run, [['light', 1], ['heavy', 1000]]) },
]
