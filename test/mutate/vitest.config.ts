/** Vitest with a fault in the code, or with marks that record which tests reach a place. Files on disk are not changed. */
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'
import { BaseSequencer } from 'vitest/node'
import { kernels } from '../../bin/kernels.js'
import { TAGS } from '../../vitest.config'
import type { Order } from './order'
import type { Mutation } from './places'

const root = fileURLToPath(new URL('../..', import.meta.url))
const { tests, fault, watched = [] } = JSON.parse(readFileSync(process.env.CAIRN_MUTATE!, 'utf8')) as Order

class AsGiven extends BaseSequencer {
  override sort: BaseSequencer['sort'] = async files => {
    const place = ({ moduleId }: { moduleId: string }): number => tests.findIndex(test => moduleId.endsWith(test))
    return [...files].sort((p, q) => place(p) - place(q))
  }
}

/** Marks are inserted from the last to the first, so that what stands before them stays where it is. */
function marked(code: string, places: readonly (Mutation & { index: number })[]): string {
  const marks = places.flatMap(({ start, end, kind, index }) => [
    { at: start, opens: true, length: end - start, text: kind === 'statement' ? `{passedPlaces[${index}]=1;` : `(passedPlaces[${index}]=1,(` },
    { at: end, opens: false, length: end - start, text: kind === 'statement' ? '}' : '))' },
  ])
  // At one position what ends stands before what begins, the inner of two ends first, and the outer of two beginnings.
  marks.sort((p, q) => q.at - p.at || Number(q.opens) - Number(p.opens) || (p.opens ? p.length - q.length : q.length - p.length))
  let text = code
  for (const { at, text: mark } of marks) text = text.slice(0, at) + mark + text.slice(at)
  return `const passedPlaces = globalThis.passedPlaces;${text}`
}

export default defineConfig({
  root,
  cacheDir: `node_modules/.cache/vite-mutate/${createHash('sha256').update(JSON.stringify(fault ?? null)).digest('hex').slice(0, 8)}`,
  plugins: [kernels(), {
    name: 'fault', enforce: 'pre',
    transform(code, id) {
      const file = id.startsWith(root) ? id.slice(root.length) : id
      if (file === fault?.file) return code.slice(0, fault.start) + fault.text + code.slice(fault.end)
      const places = watched.map((place, index) => ({ ...place, index })).filter(place => place.file === file)
      return places.length > 0 ? marked(code, places) : null
    },
  }],
  test: {
    tags: TAGS, include: [...tests], environment: 'node', setupFiles: ['test/seed.ts', 'test/verification/measure.ts', 'test/mutate/reached.ts'],
    testTimeout: 600_000, hookTimeout: 600_000, sequence: { sequencer: AsGiven },
  },
})
