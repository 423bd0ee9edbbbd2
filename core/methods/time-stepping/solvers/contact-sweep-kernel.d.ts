/** The WebAssembly kernel that bin/kernels.js builds from kernels/contact-sweep.ts. Addresses are bytes in `memory`; growing it replaces its buffer. */
declare module 'kernel:contact-sweep' {
  export const memory: { readonly buffer: ArrayBuffer, grow(pages: number): number }
  export function sweep(
    records: number, rows: number, placesA: number, placesB: number, u: number, p: number, b: number, count: number, relaxation: number, backwards: boolean,
  ): number
}
