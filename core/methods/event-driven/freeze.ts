/** Copies the index set of a solution to points, spins, limits and drives: their states remain until the next restart. */

import type { Island } from '../../contact/island'
import {
  BASIS_CLAMPED, BASIS_CONE, BASIS_FREE, BASIS_LIMITED, BASIS_LOWER, BASIS_UPPER, type ContactSolution,
} from '../../lcp/problem'
import { ZERO } from '../../math/vector'
import type { RunContext } from './context'

/** Freezes the island and sets the states of its constraints from the index set. */
export function freeze(context: RunContext, island: Island, solution: ContactSolution): void {
  island.freeze(context.equations.snapshot, solution)
  island.points.forEach((point, i) => {
    const row = island.pointRow[i]!
    const place = solution.basis[row]!
    point.settled = true
    point.hint = null
    point.normal = place === BASIS_CLAMPED ? 'holding' : place === BASIS_FREE ? 'parting' : 'idle'
    if (point.normal === 'holding') point.heldGap = Math.min(Math.max(island.geometry[i]!.location.gap, 0), context.tolerances.gap)
    if (island.frictionIndex[i]! < 0 || point.normal !== 'holding') {
      if (point.friction === 'sliding' && point.onset) point.friction = 'none'
      return
    }
    const axes = island.axes[i]!
    const tangent = axes === null ? solution.basis[row + 1]! : axes.slides ? BASIS_LIMITED : point.slip === ZERO ? BASIS_CLAMPED : BASIS_LIMITED
    if (island.law.name === 'crawl') {
      if (point.friction !== 'sliding') point.friction = 'sticking'
    } else if (tangent === BASIS_CLAMPED || tangent === BASIS_CONE) {
      point.friction = 'sticking'
      point.onset = false
    } else if (tangent === BASIS_LIMITED && point.friction !== 'sliding') {
      point.friction = 'sliding'
      point.onset = true
    }
  })
  for (const { spin, row, rows: { normal } } of island.spins) {
    const place = solution.basis[row]!
    spin.hint = null
    if (normal >= 0 && solution.basis[normal] !== BASIS_CLAMPED) {
      if (spin.friction === 'sliding' && spin.onset) spin.friction = 'none'
    } else if (place === BASIS_CLAMPED || place === BASIS_CONE) {
      spin.friction = 'sticking'
      spin.onset = false
    } else if (place === BASIS_LIMITED && spin.friction !== 'sliding') {
      spin.friction = 'sliding'
      spin.onset = true
    }
  }
  island.limits.forEach((limit, i) => {
    limit.normal = solution.basis[island.limitRow[i]!] === BASIS_CLAMPED ? 'holding' : 'idle'
  })
  island.drives.forEach((drive, i) => {
    const place = solution.basis[island.driveRow[i]!]!
    drive.state = place === BASIS_LOWER ? 'negative' : place === BASIS_UPPER ? 'positive' : 'holding'
  })
}

/** Rows of saturated drives keep their force in the frozen basis; nothing else changes before the next restart. */
export function saturate(context: RunContext): void {
  context.equations.jointLoads.saturated = context.drives.filter(drive =>
    drive.state !== 'holding' && !drive.element.broken && !context.equations.islands.some(island => island.drives.includes(drive)))
}
