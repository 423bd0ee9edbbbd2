/** The WebAssembly kernel that bin/kernels.js builds from kernels/newton.ts. Addresses are bytes in `memory`; growing it replaces its buffer. */
declare module 'kernel:newton' {
  export const memory: { readonly buffer: ArrayBuffer, grow(pages: number): number }
  export function fill(
    blocks: number, gradient: number, response: number, slopes: number, firsts: number, places: number, singles: number, count: number, columns: number,
  ): void
  export function factor(
    order: number, count: number, counts: number, below: number, beside: number, targets: number, blocks: number, inverse: number, scratch: number,
  ): 0 | 1
  export function solve(
    order: number, count: number, counts: number, others: number, below: number, beside: number, blocks: number, inverse: number, x: number, scratch: number,
  ): void
  export function look(
    firsts: number, singles: number, groups: number, change: number, stiffness: number, dual: number, frozen: boolean, yielding: number,
    force: number, slopes: number, given: number, missed: number, compliance: number, least: number, most: number, friction: number,
  ): void
  export function push(rows: number, bodies: number, slots: number, response: number, p: number, u: number): void
  export function rates(rows: number, slots: number, gradient: number, u: number, out: number): void
}
