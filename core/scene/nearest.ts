/** The known name nearest to the input, for "did you mean"; null if none is near. Of equally near names the earlier one is taken. */
export function nearestName(written: string, known: Iterable<string>): string | null {
  const text = written.slice(0, 64).toLowerCase()
  let best: string | null = null
  let least = Math.max(1, Math.floor(text.length / 3)) + 1
  for (const name of known) {
    const other = name.toLowerCase()
    const distance = editDistance(text, other)
    if (distance < least) {
      least = distance
      best = name
    }
  }
  return best
}

/** Number of insertions, deletions, substitutions and swaps of neighbours that turn one text into the other [Damerau 1964]. */
function editDistance(a: string, b: string): number {
  let beforeLast: number[] = []
  let last = Array.from({ length: b.length + 1 }, (_, j) => j)
  for (let i = 1; i <= a.length; i++) {
    const row = [i]
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1]
      let cost = Math.min(last[j]! + 1, row[j - 1]! + 1, last[j - 1]! + (same ? 0 : 1))
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) cost = Math.min(cost, beforeLast[j - 2]! + 1)
      row.push(cost)
    }
    beforeLast = last
    last = row
  }
  return last[b.length]!
}
