import { existsSync } from 'node:fs'
import { extname, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { TrajectoryReader } from '../engine/reader'
import { seriesOf } from '../engine/series'
import { findBrowser } from '../render/find-browser'
import { parsePlot } from '../render/plot-path'
import { render as renderRun, type RenderJob } from '../render/render'
import { Arguments } from './arguments'
import { openReader } from './inspect'
import { exitCodes, print, printJson, Refusal, usage } from './output'
import { Progress } from './progress'

export const renderOptions = {
  'time': { type: 'string' }, 'video': { type: 'boolean' }, 'output': { type: 'string', short: 'o' }, 'from': { type: 'string' }, 'to': { type: 'string' },
  'rate': { type: 'string' }, 'speed': { type: 'string' }, 'size': { type: 'string' }, 'overlays': { type: 'string' }, 'view': { type: 'string' },
  'theme': { type: 'string' }, 'time-code': { type: 'boolean' }, 'transparent': { type: 'boolean' }, 'plot': { type: 'string', multiple: true }, 'json': { type: 'boolean' },
} as const

/** Beside the built command line's folder. */
const pages = fileURLToPath(new URL('../renderer', import.meta.url))

/** Names of the editor's overlays on the command line. */
const overlays: Readonly<Record<string, readonly string[]>> = {
  'grid': ['grid'], 'axes': ['axes'], 'scales': ['scales'], 'points': ['contactPoints'], 'normals': ['contactNormals'], 'regions': ['contactRegions'],
  'arrows': ['normalForces', 'frictionForces'], 'totals': ['totalForces'], 'cones': ['frictionCones'], 'impulses': ['impulses'], 'joints': ['joints'],
  'forces': ['forces'], 'velocities': ['velocities'], 'centers': ['massCenters'], 'inertia': ['inertiaEllipsoids'], 'trails': ['trails'], 'names': ['names'],
  'edges': ['edges'], 'pieces': ['pieces'], 'values': ['forceValues'], 'shadows': ['contactShadows'], 'occlusion': ['ambientOcclusion'],
}
const views = ['front', 'back', 'left', 'right', 'top', 'bottom', 'isometric', 'fit'] as const
const defaultOverlays = 'grid,scales,points,regions,arrows,impulses,joints,forces,edges'
const largest = 8192

/** `cairn render <run.mcap>`: a picture at a time, or a film over a range. */
export async function render(args: readonly string[]): Promise<number> {
  const given = Arguments.parse(args, renderOptions, ['run.mcap'])
  const run = resolve(given.positionals[0]!)
  const output = given.text('output')
  if (output === undefined) throw usage('-o is missing.', 'a file ending in .png, .webm or .mp4')
  const reader = openReader(run)
  let call: RenderJob['call']
  try {
    call = await callOf(given, reader, output)
  } finally {
    reader.close()
  }
  const browser = findBrowser()
  if (browser === null) throw fault('NoBrowser', 'No browser of the Chromium family was found. CAIRN_CHROMIUM may name one.', process.env.CAIRN_CHROMIUM ?? '')
  if (!existsSync(pages)) throw fault('NotBuilt', 'The editor is not built: run npm start or npm run build first.', pages)
  const abort = new AbortController()
  const cancel = () => abort.abort()
  for (const signal of signals) process.once(signal, cancel)
  let progress: Progress | null = null
  try {
    const made = await renderRun({
      browser, pages, run, output, call, signal: abort.signal,
      progress: (done, of) => (progress ??= new Progress(of)).updateCount(done, 'pictures'),
    })
    if (given.flag('json')) printJson({ status: 'completed', output, ...made as object | undefined })
    else print(`written to ${output}`)
  } finally {
    (progress as Progress | null)?.end()
    for (const signal of signals) process.off(signal, cancel)
  }
  return exitCodes.done
}

const signals = ['SIGINT', 'SIGTERM'] as const

async function callOf(given: Arguments, reader: TrajectoryReader, output: string): Promise<RenderJob['call']> {
  const video = given.flag('video')
  const ending = extname(output).toLowerCase()
  const endings = video ? ['.webm', '.mp4'] : ['.png']
  if (!endings.includes(ending)) throw usage(`-o is "${output}".`, `${video ? 'with' : 'without'} --video a file ending in ${endings.join(' or ')}`)
  if (reader.frames === 0) throw fault('NoFrames', 'The file ends before its first frame.', reader.path)
  const last = reader.frame(reader.frames - 1).time
  const picture = await pictureOf(given, reader)
  if (!video) {
    for (const name of ['from', 'to', 'rate', 'speed']) if (given.text(name) !== undefined) throw usage(`--${name} goes with --video.`)
    return { name: 'picture', spec: picture, time: given.number('time', { least: 0, most: last }) ?? last }
  }
  if (picture.transparent) throw usage('--transparent is for pictures.', 'without --video')
  if (given.text('time') !== undefined) throw usage('--time is for pictures.', 'with --video: --from and --to')
  if (picture.width % 2 !== 0 || picture.height % 2 !== 0) throw usage(`--size is ${picture.width}x${picture.height}.`, 'even numbers, for films')
  const from = given.number('from', { least: 0, most: last }) ?? 0
  const to = given.number('to', { above: from, most: last }) ?? last
  if (!(to > from)) throw usage('There is nothing between --from and the end of the run.', `--from below ${last}`)
  const rate = given.number('rate', { above: 0, most: 240 }) ?? 30
  const speed = given.number('speed', { above: 0 }) ?? 1
  return { name: 'film', spec: { ...picture, format: ending.slice(1), from, to, rate, speed } }
}

async function pictureOf(given: Arguments, reader: TrajectoryReader) {
  const [, width, height] = /^(\d{1,5})x(\d{1,5})$/.exec(given.text('size') ?? '1920x1080') ?? []
  if (width === undefined || [width, height].some(side => !(Number(side) >= 16 && Number(side) <= largest))) {
    throw usage(`--size is "${given.text('size')}".`, `width x height in pixels, as in 1920x1080, each 16 to ${largest}`)
  }
  const plots = given.texts('plot').map(parsePlot)
  // Checked before a browser is started: plots of quantities that the run does not have are refused.
  for (const { requests, against } of plots) await seriesOf(reader, against ? [...requests, against] : requests)
  return {
    width: Number(width), height: Number(height), overlays: overlaysOf(given.text('overlays') ?? defaultOverlays), view: given.choice('view', views) ?? 'fit',
    theme: given.choice('theme', ['dark', 'light']) ?? 'dark', timeCode: given.flag('time-code'), transparent: given.flag('transparent'), plots,
  }
}

function overlaysOf(text: string): Record<string, boolean> {
  const wanted = text === 'none' ? [] : text.split(',').map(name => name.trim())
  for (const name of wanted) if (!Object.hasOwn(overlays, name)) throw usage(`--overlays has "${name}".`, `none, or some of ${Object.keys(overlays).join(', ')}`)
  return Object.fromEntries(Object.entries(overlays).flatMap(([name, keys]) => keys.map(key => [key, wanted.includes(name)])))
}

function fault(name: string, message: string, value: unknown): Refusal {
  return new Refusal([{ name, severity: 'error', message, path: '', value, ids: [] }])
}
