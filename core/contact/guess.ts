/** The index set of an island's next solve, predicted from the states of its points and pending changes. */

import { BASIS_CLAMPED, BASIS_FREE, BASIS_IDLE, BASIS_LIMITED } from '../lcp/problem'
import { dot, length, scale, ZERO } from '../math/vector'
import type { Island } from './island'
import { pointForce } from './island-forces'
/**
 * The index set to try first: the states of the points, with pending changes applied. It treats mirror-image points alike,
 * so the solution keeps the symmetry; and at most instants it needs no pivoting at all [Baraff92 §8.2].
 */
export function guess(island: Island): { basis: Uint8Array; slip: Float64Array } {
  const basis = new Uint8Array(island.problem.size)
  const slip = new Float64Array(island.slip.length)
  island.limits.forEach((limit, i) => { basis[island.limitRow[i]!] = limit.normal === 'parting' ? BASIS_FREE : BASIS_CLAMPED })
  island.points.forEach((point, i) => {
    const row = island.pointRow[i]!
    const free = point.hint?.kind === 'free' || (point.settled && point.normal === 'parting')
    const idle = point.settled && point.normal === 'idle'
    basis[row] = free ? BASIS_FREE : idle ? BASIS_IDLE : BASIS_CLAMPED
    if (island.frictionIndex[i]! < 0) return
    const index = island.coneIndex[i]!
    const direction = point.friction === 'sliding' ? point.slip : point.hint?.kind === 'slip' ? point.hint.direction : null
    const { tangent1, tangent2 } = island.geometry[i]!
    const components = direction === null ? [0, 0] as const : [dot(direction, tangent1), dot(direction, tangent2)] as const
    if (index < 0) {
      if (free || idle) basis[row + 1] = basis[row + 2] = BASIS_FREE
      else island.axes[i]!.place(components, basis, slip)
      return
    }
    const limited = direction !== null || island.law.name === 'crawl'
    basis[row + 1] = basis[row + 2] = free || idle ? BASIS_FREE : limited ? BASIS_LIMITED : BASIS_CLAMPED
    if (!limited) return
    slip.set(direction === null ? island.slip.subarray(2 * index, 2 * index + 2) : components, 2 * index)
  })
  for (const spin of island.spins) {
    const { normal, rows } = spin.rows
    const rests = normal < 0 || basis[normal] === BASIS_CLAMPED
    const direction = spin.spin.friction === 'sliding' ? spin.spin.slip : spin.spin.hint
    basis.fill(!rests ? BASIS_FREE : direction === null ? BASIS_CLAMPED : BASIS_LIMITED, spin.row, spin.row + rows.length)
    if (direction !== null) slip.set(spin.components(direction), spin.at)
  }
  return { basis, slip }
}

/** Sets pending changes of points close to or beyond their bound, from least-norm forces of the frozen set at this instant. */
export function markReachedBounds(island: Island, f: Float64Array): void {
  const near = f.reduce((largest, value) => Math.max(largest, Math.abs(value)), 0) * TIE
  island.points.forEach((point, i) => {
    if (point.normal !== 'holding') return
    const { normalForce, friction } = pointForce(island, i, f)
    const size = length(friction)
    const { tangent1, tangent2 } = island.geometry[i]!
    const axes = island.axes[i]!
    if (normalForce <= near) point.hint = { kind: 'free' }
    else if (point.friction !== 'sticking' || island.frictionIndex[i]! < 0 || island.law.name === 'crawl') return
    else if (axes !== null) {
      const direction = axes.reached(f, near, [tangent1, tangent2])
      if (direction !== ZERO) point.hint = { kind: 'slip', direction }
    } else if (point.material.staticFriction * normalForce - size <= near) point.hint = { kind: 'slip', direction: scale(friction, -1 / size) }
  })
  for (const spin of island.spins) {
    const torque = spin.torque(f)
    const size = length(torque)
    const reached = spin.bound(f) - size <= near * spin.reach
    spin.spin.hint = spin.spin.friction === 'sticking' && reached && size > 0 ? scale(torque, -1 / size) : null
  }
}

/** × the largest force of an island: bounds this near are reached together. */
export const TIE = 1e-8
