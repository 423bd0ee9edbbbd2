import { extname } from 'node:path'
import type { RecordedFrame } from '../../core/analysis/force-balance'
import { CONTACT_CHOICES, FIGURE_DEFAULTS, freeBodyFigure, INK_CHOICES, LABEL_CHOICES, pdfOf, svgOf, VIEW_CHOICES, type Figure } from '../../core/formats/figure'
import { requireScene, resolveScene } from '../../core/scene'
import { writeWhole } from '../engine/files'
import { inspect, massesOfRun } from '../engine/inspect'
import type { TrajectoryReader } from '../engine/reader'
import { Arguments } from './arguments'
import { withReader } from './inspect'
import { exitCodes, print, printJson, Refusal, log, usage } from './output'

export const figureOptions = {
  body: { type: 'string' }, time: { type: 'string' }, output: { type: 'string', short: 'o' }, view: { type: 'string' }, labels: { type: 'string' },
  contacts: { type: 'string' }, ink: { type: 'string' }, width: { type: 'string' }, polygon: { type: 'boolean' }, table: { type: 'boolean' }, json: { type: 'boolean' },
} as const

/** `cairn figure <run.mcap> --body id -o diagram.svg|diagram.pdf`: the free-body diagram of a body at a time. */
export async function figure(args: readonly string[]): Promise<number> {
  const given = Arguments.parse(args, figureOptions, ['run.mcap'])
  const body = given.text('body')
  if (body === undefined) throw usage('--body is missing.', 'the id of a body')
  const output = given.text('output')
  const ending = extname(output ?? '').toLowerCase()
  if (output === undefined || !['.svg', '.pdf'].includes(ending)) throw usage(output === undefined ? '-o is missing.' : `-o is "${output}".`, 'a file ending in .svg or .pdf')
  const options = {
    view: given.choice('view', VIEW_CHOICES) ?? FIGURE_DEFAULTS.view, labels: given.choice('labels', LABEL_CHOICES) ?? FIGURE_DEFAULTS.labels,
    contacts: given.choice('contacts', CONTACT_CHOICES) ?? FIGURE_DEFAULTS.contacts, ink: given.choice('ink', INK_CHOICES) ?? FIGURE_DEFAULTS.ink,
    width: given.number('width', { least: 240, most: 2000 }) ?? FIGURE_DEFAULTS.width, polygon: given.flag('polygon'), table: given.flag('table'),
  }
  const time = given.number('time', {})
  const made = withReader(given.positionals[0]!, reader => {
    const index = reader.header.bodyIds.indexOf(body)
    if (index < 0) throw fault('UnknownReference', `This run has no body "${body}".`, body, reader.header.bodyIds.join(', '))
    const recorded = recordedAt(reader, time)
    const written = requireScene(reader.scene)
    const found = freeBodyFigure(recorded, { written, resolved: resolveScene(written) }, index, options)
    if (found === null) throw fault('NotThere', `The body "${body}" does not exist at ${recorded.frame.time} s.`, body)
    return found
  }, { sound: true })
  const { data, replaced } = ending === '.pdf' ? pdfOf(made.drawing) : { data: new TextEncoder().encode(svgOf(made.drawing)), replaced: [] }
  writeWhole(output, data)
  if (replaced.length > 0) log(`loss: characters missing in the PDF's fonts are question marks: ${replaced.join(' ')}`)
  if (given.flag('json')) printJson({ status: 'completed', output, ...toldOf(made), replaced })
  else print(output)
  return exitCodes.done
}

/** The frame at a time, or the one before: forces are shown as solved. */
function recordedAt(reader: TrajectoryReader, time: number | undefined): RecordedFrame {
  const { frame: number } = inspect(reader, time)
  const { header } = reader
  return {
    header, masses: massesOfRun(reader.scene, header), frame: reader.frame(number), contacts: reader.contacts(number), joints: reader.joints(number),
    forces: reader.forces(number),
  }
}

function toldOf({ diagram: { time, center, forces, sum, rate, residual, omitted } }: Figure): object {
  return {
    time, center, sum, rate, residual, omitted,
    forces: forces.map(({ letter, number, ...force }) => ({ symbol: letter + number, ...force })),
  }
}

function fault(name: string, message: string, value: unknown, allowed?: string): Refusal {
  return new Refusal([{ name, severity: 'error', message, path: '', value, ids: [], ...(allowed === undefined ? {} : { allowed }) }])
}
