/**
 * Arrays of the sweeps of one problem, in the memory of their WebAssembly kernel, which the TypeScript twin shares. They are valid until the next problem
 * uses the memory.
 */

/// <reference path="./contact-sweep-kernel.d.ts" />
import { memory } from 'kernel:contact-sweep'
import { kernelArrays } from '../../../math/kernel-arrays'
import { CONTACT_RECORD } from './contact-record'

/** Doubles of a body's velocity: linear, 0, angular, 0. */
export const VELOCITY = 8
/** Offset of the angular velocity in it. */
export const ANGULAR = 4

export interface SweepMemory {
  /** `CONTACT_RECORD` doubles a contact. */
  readonly records: Float64Array
  /** By contact: its first row, and the offsets of its bodies in `u`. */
  readonly rows: Int32Array
  readonly placesA: Int32Array
  readonly placesB: Int32Array
  /** M⁻¹ Jᵀ p, `VELOCITY` doubles a body; the last entry represents all immovable ones. */
  readonly u: Float64Array
  /** By row. */
  readonly p: Float64Array
  readonly b: Float64Array
}

/** Arrays for so many contacts, bodies and rows, all 0. */
export function sweepMemory(contacts: number, bodies: number, rows: number): SweepMemory {
  const arrays = kernelArrays(memory,
    { records: CONTACT_RECORD * contacts, u: VELOCITY * bodies, p: rows, b: rows }, { rows: contacts, placesA: contacts, placesB: contacts })
  for (const array of Object.values(arrays)) array.fill(0)
  return arrays
}
