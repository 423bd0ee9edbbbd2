/**
 * Row indices of an island's contact problem: joints, drives, spins of joints, limits, then normal, two tangents and spins of each touching point.
 */

import type { JointEquations } from '../dynamics/joints/joint'
import { jointEquations } from '../dynamics/joints/rows'
import { ROW_BOX, ROW_EQUALITY, ROW_FRICTION, ROW_SPIN, ROW_UNILATERAL, type ContactProblem, type FrictionRows } from '../lcp/problem'
import type { Drive, JointSpin, TouchingLimit, TouchingPoint } from './constraints'
import type { FrictionalContact } from './friction-law'
import { IslandSpin } from './island-spin'
import type { JointElement } from './world'

/** A joint of the island with its place among the document's joints and its equations' storage. */
export interface IslandJoint {
  readonly index: number
  readonly element: JointElement
  readonly firstRow: number
  readonly equations: JointEquations
}

export type MutableFriction = { -readonly [K in keyof FrictionRows]: FrictionRows[K] }

export interface IslandContents {
  readonly bodies: readonly number[]
  readonly points: readonly TouchingPoint[]
  readonly joints: readonly { readonly index: number; readonly element: JointElement }[]
  readonly limits: readonly TouchingLimit[]
  readonly drives: readonly Drive[]
  readonly jointSpins: readonly JointSpin[]
  readonly interrupt: (() => void) | undefined
}

export interface IslandLayout {
  readonly joints: readonly IslandJoint[]
  /** First row of each drive, limit and point. */
  readonly driveRow: readonly number[]
  readonly limitRow: readonly number[]
  readonly pointRow: readonly number[]
  /** Spins of joints, then of points. */
  readonly spins: readonly IslandSpin[]
  readonly frictionRows: MutableFriction[]
  readonly frictional: FrictionalContact[]
  /** By point: its index in `frictionRows` and `frictional`; −1 where frictionless. */
  readonly frictionIndex: readonly number[]
  /** Under the exact law of friction; A and b are still zero. */
  readonly exact: ContactProblem
}

/** Assigns rows to the island's constraints and allocates its problem. */
export function layOut({ points, joints: elements, limits, drives, jointSpins, interrupt }: IslandContents): IslandLayout {
  let row = 0
  const joints = elements.map(({ index, element }): IslandJoint => {
    const joint = { index, element, firstRow: row, equations: jointEquations(element.constraint) }
    row += element.constraint.rows
    return joint
  })
  const equalities = row
  const driveRow = drives.map(() => row++)
  const boxes = row
  const spins = jointSpins.map(entry => new IslandSpin(entry.spin, { joint: entry }, entry.element.constraint, -1, (row += 3) - 3))
  const spun = row
  const limitRow = limits.map(() => row++)
  const frictionRows: MutableFriction[] = []
  const frictional: FrictionalContact[] = []
  const frictionIndex: number[] = []
  const kinds: number[] = new Array<number>(row)
  kinds.fill(ROW_EQUALITY, 0, equalities).fill(ROW_BOX, equalities, boxes).fill(ROW_SPIN, boxes, spun).fill(ROW_UNILATERAL, spun)
  const pointRow = points.map(point => {
    const first = row
    kinds.push(ROW_UNILATERAL)
    row++
    if (point.material.staticFriction > 0) {
      frictionIndex.push(frictionRows.length)
      frictionRows.push({
        normal: first, tangent1: row, tangent2: row + 1,
        staticFriction: point.material.staticFriction, dynamicFriction: point.material.dynamicFriction,
        state: point.friction === 'sliding' ? 'sliding' : 'static', slip1: 0, slip2: 0,
      })
      frictional.push({ point, velocity1: 0, velocity2: 0 })
      kinds.push(ROW_FRICTION, ROW_FRICTION)
      row += 2
    } else {
      frictionIndex.push(-1)
    }
    for (const spin of point.spins) {
      const found = new IslandSpin(spin, { point }, point, first, row)
      spins.push(found)
      kinds.push(...found.rows.rows.map(() => ROW_SPIN))
      row += found.rows.rows.length
    }
    return first
  })
  const lower = new Float64Array(row).fill(-Infinity)
  const upper = new Float64Array(row).fill(Infinity)
  drives.forEach((drive, i) => {
    lower[driveRow[i]!] = -drive.maxForce
    upper[driveRow[i]!] = drive.maxForce
  })
  const exact: ContactProblem = {
    size: row, A: new Float64Array(row * row), b: new Float64Array(row), kind: Uint8Array.from(kinds), lower, upper,
    friction: frictionRows, spin: spins.map(spin => spin.rows), level: 'acceleration',
    ...interrupt === undefined ? {} : { interrupt },
  }
  return { joints, driveRow, limitRow, pointRow, spins, frictionRows, frictional, frictionIndex, exact }
}
