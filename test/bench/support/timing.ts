/** ms: the shortest of several runs, which other load disturbed least. */
export function best(run: () => unknown, runs = 15): number {
  let least = Infinity
  for (let i = 0; i < runs; i++) {
    const start = performance.now()
    run()
    least = Math.min(least, performance.now() - start)
  }
  return least
}

export function report(title: string, figures: Readonly<Record<string, number>>): void {
  console.log(`  ${title}`)
  for (const [name, milliseconds] of Object.entries(figures)) {
    const time = milliseconds < 1 ? `${(milliseconds * 1000).toFixed(1)} µs` : `${milliseconds.toFixed(1)} ms`
    console.log(`    ${name.padEnd(52)} ${time.padStart(10)}`)
  }
}
