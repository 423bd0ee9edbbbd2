import { mkdirSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { formatById } from '../../core/formats'
import { exportRun, FORCES, runTargets } from '../engine/exchange-run'
import { PAGE } from '../engine/page/page'
import { writeWhole } from '../engine/files'
import type { Arguments } from './arguments'
import { optionsOf } from './format-options'
import { withReader } from './inspect'
import { exitCodes, print, printJson, log, usage } from './output'

/** Whether an argument names a recorded run. */
export function isRun(path: string): boolean {
  return path.endsWith('.mcap')
}

/** `cairn export <run.mcap> --to gltf|usda|obj|stl|forces|html`: films of a run, its bodies at an instant, its forces, a page that plays it. */
export async function exportRecorded(given: Arguments, path: string): Promise<number> {
  const to = given.choice('to', [...runTargets])
  if (to === undefined) throw usage('--to is missing.', runTargets.join(', '))
  if (given.text('from') !== undefined) throw usage('--from names a run beside a scene; here the run itself is exported.', '--at')
  const format = formatById(to)
  const extension = to === FORCES ? '.forces.json' : to === PAGE ? '.html' : (format!.motion ?? format!.exporter)!.extension
  const output = given.text('output') ?? `${path.slice(0, -'.mcap'.length)}${extension}`
  const stem = basename(output).replace(/(\.forces)?\.[^.]*$/, '')
  const request = { target: to, stem, rate: given.number('rate', { above: 0 }) ?? null, at: given.number('at', { least: 0 }) ?? null, options: optionsOf(given) }
  const { files, losses } = await withReader(path, reader => exportRun(reader, request))
  const written = files.map((file, index) => {
    const target = index === 0 ? output : join(dirname(output), file.name)
    mkdirSync(dirname(target), { recursive: true })
    writeWhole(target, file.data)
    return target
  })
  if (given.flag('json')) printJson({ status: 'completed', format: to, files: written, losses })
  else for (const file of written) print(file)
  for (const loss of losses) log(`loss: ${loss.path}: ${loss.message}; instead: ${loss.instead}`)
  return exitCodes.done
}
