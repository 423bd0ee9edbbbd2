/** Arrays in the memory of a WebAssembly kernel. */

export interface KernelMemory {
  readonly buffer: ArrayBuffer
  /** Growing replaces the buffer. */
  grow(pages: number): number
}

/** Bytes of a page of WebAssembly's memory. */
const PAGE = 65_536
/** Bytes: vectors are read two doubles at a time. */
const ALIGNED = 16

/**
 * Arrays of the given lengths one after another from the start of the memory, which grows if it is too small. They keep what the memory holds, and are valid
 * until the next call.
 */
export function kernelArrays<D extends string, I extends string>(
  memory: KernelMemory, doubles: Readonly<Record<D, number>>, integers: Readonly<Record<I, number>>,
): Record<D, Float64Array> & Record<I, Int32Array> {
  let next = 0
  const place = (bytes: number): number => {
    const at = next
    next = Math.ceil((at + bytes) / ALIGNED) * ALIGNED
    return at
  }
  const placed = <K extends string>(lengths: Readonly<Record<K, number>>, size: number): [K, number, number][] =>
    (Object.entries(lengths) as [K, number][]).map(([name, length]) => [name, place(size * length), length])
  const doublesAt = placed(doubles, Float64Array.BYTES_PER_ELEMENT)
  const integersAt = placed(integers, Int32Array.BYTES_PER_ELEMENT)
  const missing = Math.ceil(next / PAGE) - memory.buffer.byteLength / PAGE
  if (missing > 0) memory.grow(missing)
  const { buffer } = memory
  return Object.fromEntries([
    ...doublesAt.map(([name, at, length]) => [name, new Float64Array(buffer, at, length)]),
    ...integersAt.map(([name, at, length]) => [name, new Int32Array(buffer, at, length)]),
  ]) as Record<D, Float64Array> & Record<I, Int32Array>
}
