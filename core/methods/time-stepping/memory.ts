/** Impulses and index sets of the last step, by the identity of their rows: where the next step's solver begins. */

import type { StepIsland } from './step-island'

interface Remembered {
  readonly p: readonly [number, number, number]
  readonly basis: readonly [number, number, number]
  readonly slip: readonly [number, number]
  /** Whether the index set was that of an exact solution. */
  readonly warm: boolean
}

export class ImpulseMemory {
  private rows = new Map<string, Remembered>()

  /** The guess for an island that has just been assembled; `scale` is this step's length ÷ the last one's. */
  recall(island: StepIsland, scale: number): void {
    const { problem } = island
    if (problem === null) return
    let known = true
    const at = (key: string, row: number, rows: number, friction: number): void => {
      const found = this.rows.get(key)
      if (found === undefined) {
        known = false
        return
      }
      known &&= found.warm
      for (let k = 0; k < rows; k++) {
        problem.p[row + k] = found.p[k]! * scale
        problem.basis[row + k] = found.basis[k]!
      }
      if (friction >= 0) problem.slip.set(found.slip, 2 * friction)
    }
    this.visit(island, at)
    problem.warm = known
  }

  /** Forgets the last step and keeps this one. */
  keep(islands: readonly StepIsland[]): void {
    const next = new Map<string, Remembered>()
    for (const island of islands) {
      const { problem } = island
      if (problem === null || island.mode !== 'contact') continue
      const { p, basis, slip, warm } = problem
      this.visit(island, (key, row, rows, friction) => next.set(key, {
        p: [p[row]!, rows > 1 ? p[row + 1]! : 0, rows > 2 ? p[row + 2]! : 0],
        basis: [basis[row]!, rows > 1 ? basis[row + 1]! : 0, rows > 2 ? basis[row + 2]! : 0],
        slip: friction < 0 ? [0, 0] : [slip[2 * friction]!, slip[2 * friction + 1]!], warm,
      }))
    }
    this.rows = next
  }

  private visit(island: StepIsland, at: (key: string, row: number, rows: number, friction: number) => void): void {
    for (const { index, element, firstRow } of island.joints) {
      for (let r = 0; r < element.constraint.rows; r++) at(`joint/${index}/${r}`, firstRow + r, 1, -1)
    }
    for (const { drive, row } of island.drives) at(`${drive.source}/${drive.joint}/${drive.coordinate}`, row, 1, -1)
    for (const { joint, coordinate, side, row } of island.limits) at(`limit/${joint}/${coordinate}/${side}`, row, 1, -1)
    let friction = 0
    for (const active of island.constraints) {
      const frictional = active.friction > 0
      at(active.constraint.key, active.row, frictional ? 3 : 1, frictional ? friction++ : -1)
    }
  }
}
