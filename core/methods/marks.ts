/** Times at which a method has to stop. */

/** × a time: two that differ by rounding are one. */
const ROUNDING = 1e-12

/** Sorted, each once; of two that differ by rounding the one among `exact` counts, whose sums and quotients others have come to in another way. */
export function mergedTimes(exact: readonly number[], others: readonly number[]): number[] {
  const sorted = [...new Set(exact)].sort((a, b) => a - b)
  if (others.length === 0) return sorted
  const found = [...others].sort((a, b) => a - b)
  const merged: number[] = []
  let k = 0
  for (const time of sorted) {
    const near = ROUNDING * time
    while (k < found.length && found[k]! < time - near) push(merged, found[k++]!)
    while (k < found.length && found[k]! <= time + near) k++
    merged.push(time)
  }
  while (k < found.length) push(merged, found[k++]!)
  return merged
}

function push(merged: number[], time: number): void {
  if (merged.length === 0 || time - merged.at(-1)! > ROUNDING * time) merged.push(time)
}
