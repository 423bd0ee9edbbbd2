import { basename, dirname, join } from 'node:path'
import { exporterById, exporters } from '../../core/formats'
import { parseScene } from '../../core/scene'
import { readSceneText, writeWhole } from '../engine/files'
import { inspect } from '../engine/inspect'
import { Arguments } from './arguments'
import { withReader } from './inspect'
import { exitCodes, print, printJson, Refusal, say, usage } from './output'
import { applyOverrides, type Override } from './overrides'

export const exportOptions = {
  to: { type: 'string' }, output: { type: 'string', short: 'o' }, at: { type: 'string' }, from: { type: 'string' }, json: { type: 'boolean' },
} as const

/** `cairn export <scene> --to mjcf`: files beside the scene or at `-o`, and what the target cannot say. */
export async function exportScene(args: readonly string[]): Promise<number> {
  const given = Arguments.parse(args, exportOptions, ['scene'])
  const path = given.positionals[0]!
  const to = given.choice('to', exporters.map(({ id }) => id))
  if (to === undefined) throw usage('--to is missing.', exporters.map(({ id }) => id).join(', '))
  const exporter = exporterById(to)!
  const parsed = parseScene(applyOverrides(readSceneText(path), statesAt(given)))
  if (!parsed.ok) throw new Refusal(parsed.problems)
  const output = given.text('output') ?? `${path.replace(/\.cairn\.json$|\.cairn$|\.json$/, '')}${exporter.extension}`
  const stem = basename(output).replace(/\.[^.]*$/, '')
  const { files, losses } = exporter.run(parsed.resolved, stem)
  const written = files.map((file, index) => {
    const target = index === 0 ? output : join(dirname(output), file.name)
    writeWhole(target, file.text)
    return target
  })
  if (given.flag('json')) printJson({ status: 'completed', format: exporter.id, files: written, losses })
  else for (const file of written) print(file)
  for (const loss of losses) say(`loss: ${loss.path}: ${loss.message} Instead: ${loss.instead}`)
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
  const { bodies } = withReader(run, reader => inspect(reader, time))
  return (bodies as Record<string, unknown>[]).flatMap(body => ['position', 'orientation', 'linearVelocity', 'angularVelocity']
    .filter(key => body[key] !== undefined).map(key => ({ path: `bodies.${String(body.id)}.${key}`, value: body[key] })))
}
