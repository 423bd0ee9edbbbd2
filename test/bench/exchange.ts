/**
 * Exchange of 10,000 different convex hulls: time of writing and of reading, elapsed and for all threads of the process, and peak memory.
 *
 *   npm run bench -- exchange [--format mjcf] [--bodies 10000]
 */

import { spawnSync } from 'node:child_process'
import { parseArgs } from 'node:util'
import { completeOptions, exportFormats, formatById, type FormatFile } from '../../core/formats'
import { requireScene, resolveScene, type Scene } from '../../core/scene'

export default async function (args: string[]): Promise<void> {
  const { values } = parseArgs({ args, options: { format: { type: 'string' }, bodies: { type: 'string', default: '10000' } } })
  if (values.format !== undefined) return measure(values.format, Number(values.bodies))
  // Each in its own process, as a user starts it: cold code and separate memory.
  for (const { id, importer } of exportFormats) {
    if (importer !== null) spawnSync(process.execPath, ['bin/bench.js', 'exchange', '--format', id, '--bodies', values.bodies], { stdio: ['ignore', 'inherit', 'inherit'] })
  }
}

async function measure(id: string, bodies: number): Promise<void> {
  const { exporter, importer } = formatById(id)!
  const scene = resolveScene(requireScene(hulls(bodies)))
  let files: readonly FormatFile[] = []
  const writing = await timed(async () => { files = (await exporter!.run(scene, 'scene', completeOptions(exporter!.options))).files })
  const byName = new Map(files.map(file => [file.name, file]))
  const size = files.reduce((sum, { content }) => sum + content.length, 0)
  const reading = await timed(() => importer!.run(files[0]!, name => byName.get(name) ?? null, completeOptions(importer!.options)))
  const memory = process.resourceUsage().maxRSS / 1024
  const told = ({ elapsed, processor }: Times): string => `${elapsed.toFixed(2).padStart(6)} s (${processor.toFixed(2)} s of processor time)`
  console.log(`  ${id.padEnd(6)} out ${told(writing)}   in ${told(reading)}   ${(size / 1e6).toFixed(1).padStart(6)} MB in ${files.length} files   ${memory.toFixed(0)} MB of memory at most`)
}

/** s; `processor`: of all threads of the process, the collector's too. */
interface Times {
  readonly elapsed: number
  readonly processor: number
}

async function timed(run: () => unknown): Promise<Times> {
  const [start, before] = [performance.now(), process.cpuUsage()]
  await run()
  const { user, system } = process.cpuUsage(before)
  return { elapsed: (performance.now() - start) / 1e3, processor: (user + system) / 1e6 }
}

/** Irregular solids of 12 to 20 points, all different. */
function hulls(count: number): Scene {
  let state = 1
  const random = (): number => {
    state = Math.imul(state, 1_664_525) + 1_013_904_223 >>> 0
    return state / 2 ** 32
  }
  const point = (): [number, number, number] => {
    const [z, angle] = [2 * random() - 1, 2 * Math.PI * random()]
    const r = Math.sqrt(1 - z * z)
    return [0.4 * r * Math.cos(angle), 0.4 * r * Math.sin(angle), 0.4 * z]
  }
  return {
    format: 'cairn-scene', version: 1, materials: [{ id: 'stone', density: 2700, friction: { static: 0.6, dynamic: 0.5 } }],
    bodies: Array.from({ length: count }, (_, i) => ({
      id: `stone-${i}`, position: [i % 100, Math.floor(i / 100), 1],
      shapes: [{ type: 'convexHull', points: Array.from({ length: 12 + i % 9 }, point), material: 'stone' }],
    })),
  }
}
