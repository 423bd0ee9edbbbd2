/** `npm run work`: counts the work again, prints the differences, and stores the counts. */
import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { workloads, type Counts, type Work } from './workloads'

const path = fileURLToPath(new URL('work.json', import.meta.url))

export const writtenDown = (): Work => JSON.parse(readFileSync(path, 'utf8')) as Work

/** One line for each changed count. */
export function changes(before: Counts | undefined, after: Counts): string[] {
  if (!before) return ['new']
  return [...new Set([...Object.keys(before), ...Object.keys(after)])].filter(key => before[key] !== after[key]).map(key => {
    const [old, now] = [before[key], after[key]]
    const share = typeof old === 'number' && typeof now === 'number' && old > 0 ? ` (${now >= old ? '+' : ''}${((now / old - 1) * 100).toFixed(1)} %)` : ''
    return `${key} ${old ?? 'none'} → ${now ?? 'none'}${share}`
  })
}

export default function record(): void {
  const before = writtenDown()
  const after: Record<string, Counts> = {}
  for (const [name, work] of workloads()) {
    after[name] = work()
    const changed = changes(before[name], after[name])
    if (changed.length > 0) console.log(`${name}: ${changed.join(', ')}`)
  }
  for (const name of Object.keys(before).filter(name => !(name in after))) console.log(`${name}: gone`)
  writeFileSync(path, `{\n${Object.entries(after).map(([name, counts]) => `  ${JSON.stringify(name)}: ${JSON.stringify(counts)}`).join(',\n')}\n}\n`)
}
