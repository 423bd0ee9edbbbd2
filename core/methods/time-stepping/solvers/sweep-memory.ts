/**
 * Arrays of the sweeps of one problem, in the memory of their WebAssembly kernel, which the TypeScript twin shares. They are valid until the next problem
 * uses the memory.
 */

/// <reference path="./contact-sweep-kernel.d.ts" />
import { memory } from 'kernel:contact-sweep'
import { CONTACT_RECORD } from './contact-record'

/** Bytes of a page of WebAssembly's memory. */
const PAGE = 65_536
const DOUBLE = 8
const INTEGER = 4
/** Bytes: records are read two doubles at a time. */
const ALIGNED = 16
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
  let next = 0
  const take = (bytes: number): number => {
    const at = next
    next = Math.ceil((at + bytes) / ALIGNED) * ALIGNED
    return at
  }
  const records = take(DOUBLE * CONTACT_RECORD * contacts)
  const u = take(DOUBLE * VELOCITY * bodies)
  const p = take(DOUBLE * rows)
  const b = take(DOUBLE * rows)
  const integers = [0, 1, 2].map(() => take(INTEGER * contacts))
  const missing = Math.ceil(next / PAGE) - memory.buffer.byteLength / PAGE
  if (missing > 0) memory.grow(missing)
  const { buffer } = memory
  new Float64Array(buffer, 0, next / DOUBLE).fill(0)
  return {
    records: new Float64Array(buffer, records, CONTACT_RECORD * contacts), u: new Float64Array(buffer, u, VELOCITY * bodies),
    p: new Float64Array(buffer, p, rows), b: new Float64Array(buffer, b, rows),
    rows: new Int32Array(buffer, integers[0], contacts), placesA: new Int32Array(buffer, integers[1], contacts),
    placesB: new Int32Array(buffer, integers[2], contacts),
  }
}
