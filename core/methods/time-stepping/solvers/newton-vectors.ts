/**
 * Vectors of one solution by Newton's method in velocities, in the memory of its WebAssembly kernel. The memory holds one problem at a time: vectors are
 * valid until those of the next problem are made.
 */

/// <reference path="./newton-kernel.d.ts" />
import { memory } from 'kernel:newton'
import { kernelArrays } from '../../../math/kernel-arrays'

/** Doubles of the slopes of a row. */
export const SLOPES = 9

/** Doubles of each vector. @param size number of velocities @param rows number of rows */
export function vectorLengths(size: number, rows: number) {
  return {
    // Of the force law: its impulses and slopes, p₀, J u₀ − b, A_ii and s_i A_ii, R, bounds, μ, and zero rates.
    force: rows, slopes: SLOPES * rows, given: rows, missed: rows, diagonal: rows, yielding: rows,
    compliance: rows, least: rows, most: rows, coefficient: rows, still: rows,
    // Of the iteration, by row: rates of the round's change, of a step, and of a trial share of it; q and its change along a step; two more.
    rates: rows, stepRates: rows, tried: rows, dual: rows, along: rows, added: rows, answered: rows,
    // By velocity: u, the round's change, the same before a step, the step, the residual, and one more.
    u: size, change: size, before: size, step: size, missing: size, pushed: size,
  }
}

/** By name; and the first row of every group: single rows, then contacts of three rows. */
export type NewtonVectors = Record<keyof ReturnType<typeof vectorLengths>, Float64Array> & { readonly firsts: Int32Array }

/** Vectors for rates of rows as velocities. @param groups single rows, and contacts of three rows */
export function rowVectors(rows: number, groups: number): NewtonVectors {
  return kernelArrays(memory, vectorLengths(rows, rows), { firsts: groups })
}
