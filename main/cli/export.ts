import { mkdirSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { exportFormats, formatById } from '../../core/formats'
import { exportText } from '../engine/exchange'
import { writeWhole } from '../engine/files'
import { inspect } from '../engine/inspect'
import { readScene } from '../engine/prefabs'
import { Arguments } from './arguments'
import { exportRecorded, isRun } from './export-run'
import { formatOption, optionsOf } from './format-options'
import { withReader } from './inspect'
import { exitCodes, print, printJson, log, usage } from './output'
import { applyOverrides, type Override } from './overrides'

export const exportOptions = {
  to: { type: 'string' }, output: { type: 'string', short: 'o' }, at: { type: 'string' }, from: { type: 'string' }, rate: { type: 'string' }, ...formatOption, json: { type: 'boolean' },
} as const

/** `cairn export <scene> --to mjcf`: files beside the scene or at `-o`, and the losses. */
export async function exportScene(args: readonly string[]): Promise<number> {
  const given = Arguments.parse(args, exportOptions, ['scene'])
  const path = given.positionals[0]!
  if (isRun(path)) return exportRecorded(given, path)
  const ids = exportFormats.map(({ id }) => id)
  const to = given.choice('to', ids)
  if (to === undefined) throw usage('--to is missing.', ids.join(', '))
  const { extension } = formatById(to)!.exporter!
  const text = applyOverrides(readScene(path), statesAt(given))
  const output = given.text('output') ?? `${path.replace(/\.cairn\.json$|\.cairn$|\.json$/, '')}${extension}`
  const { files, losses } = await exportText(text, to, basename(output).replace(/\.[^.]*$/, ''), optionsOf(given))
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

/** `--at t --from run.mcap`: the bodies as they were then. */
function statesAt(given: Arguments): Override[] {
  const run = given.text('from')
  const time = given.number('at', { least: 0 })
  if (run === undefined) {
    if (time !== undefined) throw usage('--at needs --from run.mcap.')
    return []
  }
  const { bodies } = withReader(run, reader => inspect(reader, time), { sound: true })
  return (bodies as Record<string, unknown>[]).flatMap(body => ['position', 'orientation', 'linearVelocity', 'angularVelocity']
    .filter(key => body[key] !== undefined).map(key => ({ path: `bodies.${String(body.id)}.${key}`, value: body[key] })))
}
