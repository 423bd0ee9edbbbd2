/** Contact forces of two runs: the resultant on a body of each pair, since single contacts of one pair need not be the same. */
import type { ContactFrame, TrajectoryHeader } from '../../../core/trajectory/frame'
import { ownerId } from '../../../core/trajectory/owner'

/** Resultants by pair of ids, N, on the body whose id sorts first. */
export type PairForces = ReadonlyMap<string, readonly [number, number, number]>

export function pairForces(contacts: ContactFrame, header: Pick<TrajectoryHeader, 'bodyIds' | 'deformableIds'>): PairForces {
  const forces = new Map<string, [number, number, number]>()
  for (let k = 0; k < contacts.count; k++) {
    const [a, b] = [ownerId(header, contacts.bodyA[k]!) ?? '', ownerId(header, contacts.bodyB[k]!) ?? '']
    const [key, sign] = a < b ? [`${a} – ${b}`, 1] : [`${b} – ${a}`, -1]
    const sum = forces.get(key) ?? [0, 0, 0]
    for (const n of [0, 1, 2] as const) sum[n] += sign * (contacts.normal[3 * k + n]! * contacts.normalForce[k]! + contacts.frictionForce[3 * k + n]!)
    forces.set(key, sum)
  }
  return forces
}

const none = [0, 0, 0] as const

/** The pair with the largest difference of resultants, and that difference, N. A pair that only one run has counts as zero force in the other. */
export function worstForce(first: PairForces, second: PairForces): { readonly pair: string; readonly difference: number } {
  let [pair, difference] = ['', 0]
  for (const key of new Set([...first.keys(), ...second.keys()])) {
    const [f, g] = [first.get(key) ?? none, second.get(key) ?? none]
    const apart = Math.hypot(f[0] - g[0], f[1] - g[1], f[2] - g[2])
    if (apart > difference) [pair, difference] = [key, apart]
  }
  return { pair, difference }
}
