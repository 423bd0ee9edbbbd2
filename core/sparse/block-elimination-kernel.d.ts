/** The WebAssembly kernel that bin/kernels.js builds from kernels/block-elimination.ts. Addresses are bytes in `memory`; growing it replaces its buffer. */
declare module 'kernel:block-elimination' {
  export const memory: { readonly buffer: ArrayBuffer, grow(pages: number): number }
  export function eliminate(
    columns: number, count: number, k: number, starts: number, counts: number, rows: number, L: number, D: number, y: number, pivot: number,
  ): void
}
