/** What the scripts of a scene do in its first moments: their forces and plots over a short run that is not kept. */
import { parseScene, type Scene } from '../../core/scene'
import { WRENCH_SOURCES } from '../../core/trajectory/frame'
import type { ScriptPreview, Series } from '../protocol/runs'
import type { BriefRuns } from './brief-run'
import type { TrajectoryReader } from './reader'
import { refusal } from './refusal'

/** s: of the scene. */
const LONGEST = 2
/** ms from the first frame: a scene that is slow to compute is previewed as far as it gets. */
const PATIENCE = 3000
/** N, N m: what is never larger is not drawn. */
const NOTHING = 1e-12

const FORCE = WRENCH_SOURCES.indexOf('force')

/** @throws HostError if the scene cannot run, or a script stops it; `Cancelled` */
export async function previewScripts(runs: BriefRuns, ticket: string, text: string): Promise<ScriptPreview> {
  const parsed = parseScene(text)
  if (!parsed.ok) throw refusal(parsed.problems)
  const { scene, resolved } = parsed
  const { duration } = resolved.simulation
  let begun: number | undefined
  const enough = (): boolean => performance.now() - (begun ??= performance.now()) > PATIENCE
  const start = { ...scene, simulation: { ...scene.simulation, duration: Math.min(duration, LONGEST) } }
  return runs.of(ticket, JSON.stringify(start), reader => previewOf(reader, scene, duration), enough)
}

function previewOf(reader: TrajectoryReader, scene: Scene, duration: number): ScriptPreview {
  const { forceIds, bodyIds } = reader.header
  const titles = new Map([...scene.bodies ?? [], ...scene.forces ?? []].map(({ id, name }) => [id, name ?? id]))
  const scripts = new Set(scene.forces?.flatMap(force => force.type === 'script' ? [force.id] : []))
  const found = new Map<string, Series>()
  const count = reader.frames
  const times = new Float64Array(count)
  const seriesOf = (label: string, unit: string) => {
    const known = found.get(label) ?? { time: times, values: new Float64Array(count), unit, label }
    found.set(label, known)
    return known
  }
  for (let k = 0; k < count; k++) {
    const { time, source, sourceKind, sourceBody, wrench } = reader.forces(k)
    times[k] = time
    source.forEach((force, i) => {
      const id = forceIds[force]
      if (sourceKind[i] !== FORCE || id === undefined || !scripts.has(id)) return
      const label = `${titles.get(id) ?? id} on ${titles.get(bodyIds[sourceBody[i]!]!) ?? bodyIds[sourceBody[i]!]!}`
      seriesOf(label, 'N').values[k] = Math.hypot(...wrench.subarray(6 * i, 6 * i + 3))
      seriesOf(`${label}, torque`, 'N m').values[k] = Math.hypot(...wrench.subarray(6 * i + 3, 6 * i + 6))
    })
  }
  const until = count > 0 ? times[count - 1]! : 0
  const shown = [...found.values()].filter(({ values }) => values.some(value => value > NOTHING))
  return { until, whole: until >= duration, series: [...shown, ...plotsOf(reader)] }
}

function plotsOf(reader: TrajectoryReader): Series[] {
  const plots = new Map<string, { times: number[]; values: number[] }>()
  for (let k = 0; k < reader.count('script'); k++) {
    const { time, names, values } = reader.script(k)
    names.forEach((name, i) => {
      const plot = plots.get(name) ?? { times: [], values: [] }
      plots.set(name, plot)
      plot.times.push(time)
      plot.values.push(values[i]!)
    })
  }
  return [...plots].map(([label, plot]) => ({ time: Float64Array.from(plot.times), values: Float64Array.from(plot.values), unit: '', label }))
}
