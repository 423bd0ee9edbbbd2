import { statSync } from 'node:fs'
import { resolve } from 'node:path'
import { shortNumber } from '../../core/math/short-number'
import { describeField, parseScene, sceneSchema, schemaAt } from '../../core/scene'
import type { TrajectoryEnd } from '../../core/trajectory/frame'
import { readScene } from '../engine/prefabs'
import { TrajectoryReader } from '../engine/reader'
import { summarize } from '../engine/summary'
import type { Problem } from '../protocol/problem'
import type { RunReport } from '../run/job'
import { launchRun } from '../run/launch'
import { Arguments } from './arguments'
import { withReader } from './inspect'
import { exitCodes, print, printJson, problemJson, problemText, Refusal, log, usage } from './output'
import { applyOverrides, parseOverride, type Override } from './overrides'
import { Progress } from './progress'
import { recordedStart, requireSame, resumption } from './run-start'

export const simulateOptions = {
  output: { type: 'string', short: 'o' }, duration: { type: 'string' }, rate: { type: 'string' }, method: { type: 'string' }, step: { type: 'string' },
  'contact-model': { type: 'string' }, solver: { type: 'string' }, set: { type: 'string', multiple: true },
  from: { type: 'string' }, at: { type: 'string' }, resume: { type: 'boolean' }, json: { type: 'boolean' },
} as const

type Ended = Extract<RunReport, { kind: 'ended' }>

/** `cairn simulate <scene>`: runs it in a thread, so that Ctrl-C takes effect at once and finishes the file. */
export async function simulate(args: readonly string[]): Promise<number> {
  const given = Arguments.parse(args, simulateOptions, ['scene'])
  const path = given.positionals[0]!
  if (given.flag('resume')) return resume(given, path)
  const output = given.text('output') ?? defaultOutput(path)
  if (resolve(output) === resolve(path)) throw usage('The output would replace the scene.')
  const overrides = overridesOf(given)
  const written = readScene(path)
  const text = applyOverrides(written, overrides(written))
  const start = recordedStart(given)
  if (start !== undefined && resolve(output) === resolve(given.text('from')!)) throw usage('The output would replace the run that it starts from.')
  return finish(given, await run({ scene: text, output, ...(start === undefined ? {} : { start }) }), output, path)
}

/** `cairn simulate <scene or run.mcap> --resume`: continues a cancelled, stopped or killed run in its file. */
async function resume(given: Arguments, path: string): Promise<number> {
  if (given.text('from') !== undefined) throw usage('--from with --resume: a resumed run starts where it was interrupted.')
  const isRun = path.endsWith('.mcap')
  const output = given.text('output') ?? (isRun ? path : defaultOutput(path))
  const written = isRun ? null : readScene(path)
  const left = resumption(output, written === null ? null : applyOverrides(written, overridesOf(given)(written)))
  if (left.completed) {
    log(`"${output}" is complete: there is nothing to resume.`)
    return withReader(output, reader => {
      if (given.flag('json')) printJson(summarize(reader))
      else printSummary(summarize(reader), output)
      return exitCodes.done
    })
  }
  const ended = await run({ scene: left.scene, output, ...(left.start === undefined ? {} : { start: left.start }) })
  requireSame(output, left)
  return finish(given, ended, output, path)
}

function finish(given: Arguments, ended: Ended, output: string, path: string): number {
  const summary = summaryOf(output, ended, path)
  if (given.flag('json')) printJson(summary)
  else printSummary(summary, output)
  if (ended.problem) log(problemText(ended.problem))
  return { completed: exitCodes.done, cancelled: exitCodes.cancelled, stopped: exitCodes.stopped }[ended.end.status]
}

/** The scene's path with `.mcap`. */
export function defaultOutput(scene: string): string {
  return `${scene.replace(/\.cairn\.json$|\.cairn$|\.json$/, '')}.mcap`
}

type Method = 'event-driven' | 'time-stepping' | 'penalty' | 'auto'

/** Sections of the methods that may run; `auto` chooses one of two. */
const SECTIONS: Readonly<Record<Method, readonly string[]>> = {
  'event-driven': ['eventDriven'], 'time-stepping': ['timeStepping'], penalty: ['penalty'], auto: ['eventDriven', 'timeStepping'],
}

/** The method that a scene requests. */
function methodIn(text: string): Method {
  const parsed = parseScene(text)
  return parsed.ok ? parsed.scene.simulation?.method ?? 'auto' : 'auto'
}

function solversOf(section: string): readonly string[] {
  const schema = schemaAt(sceneSchema, ['simulation', section, 'solver'], {})
  return schema === null ? [] : describeField('solver', schema).options
}

/** Changes to a scene by options. `--step` and `--solver` apply to the method that will run, which may depend on the scene. */
function overridesOf(given: Arguments): (scene: string) => Override[] {
  const method = given.choice('method', ['auto', 'event-driven', 'time-stepping', 'penalty'])
  const step = given.number('step', { above: 0 })
  const solver = given.text('solver')
  const plain = [
    { path: 'simulation.duration', value: given.number('duration', { above: 0 }) },
    { path: 'simulation.outputRate', value: given.number('rate', { above: 0 }) },
    { path: 'simulation.method', value: method },
    { path: 'simulation.timeStepping.contactModel', value: given.choice('contact-model', ['standard', 'peg', 'half-spaces', 'locally-nonconvex']) },
  ].filter(({ value }) => value !== undefined)
  const sets = given.texts('set').map(parseOverride)
  return scene => {
    const sections = step === undefined && solver === undefined ? [] : SECTIONS[methodIn(applyOverrides(scene, [...plain, ...sets]))]
    const know = sections.filter(section => solver !== undefined && solversOf(section).includes(solver))
    const takers = know.length > 0 ? know : sections // if none knows it, the check lists what is allowed
    return [
      ...plain,
      ...(step === undefined ? [] : sections.map(section => ({ path: `simulation.${section}.step`, value: step }))),
      ...(solver === undefined ? [] : takers.map(section => ({ path: `simulation.${section}.solver`, value: solver }))),
      ...sets,
    ]
  }
}

function run(request: Parameters<typeof launchRun>[0]): Promise<Ended> {
  return new Promise((done, fail) => {
    let progress: Progress | null = null
    let interrupts = 0
    const launched = launchRun(request, report => {
      if (report.kind === 'begun') progress = new Progress(report.header.duration)
      if (report.kind === 'flushed') return progress?.update(report.time, report.frames)
      if (report.kind === 'preparing') return progress?.prepare(report.progress)
      if (report.kind === 'begun' || report.kind === 'live' || report.kind === 'input') return undefined
      progress?.end()
      for (const signal of signals) process.off(signal, cancel)
      if (report.kind === 'ended') return done(report)
      return fail(report.kind === 'refused' ? new Refusal(report.problems) : new Error(report.message))
    })
    const cancel = () => {
      if (++interrupts === 1) {
        log('Cancelling: the file is being finished. Press again to stop at once.')
        return launched.cancel()
      }
      return process.exit(exitCodes.cancelled)
    }
    for (const signal of signals) process.on(signal, cancel)
  })
}

const signals = ['SIGINT', 'SIGTERM'] as const

/** From the file as far as written; from the run's end only if there is no file to read. */
function summaryOf(output: string, { end, problem }: Ended, scene: string) {
  const fault = problem ? { error: problemJson(problem) } : {}
  try {
    if (!statSync(output).isFile()) return { ...bare(end, problem, scene), ...fault }
    const reader = new TrajectoryReader(output)
    try {
      return { ...summarize(reader, end), ...fault }
    } finally {
      reader.close()
    }
  } catch {
    return { ...bare(end, problem, scene), ...fault } // the disk was full before the header was written
  }
}

function bare(end: TrajectoryEnd, problem: Problem | null, scene: string) {
  return {
    status: end.status, reason: end.reason || null, message: problem?.message ?? end.message, ids: end.ids, scene, simulatedTime: end.simulatedTime,
    wallTime: end.wallTime, frames: end.frames, steps: end.steps, finalHash: end.finalHash, events: {}, solver: end.solver,
    fallbacks: end.fallbacks, certificate: null,
    warnings: end.warnings, complete: false, damage: [],
  }
}

function printSummary(summary: ReturnType<typeof summaryOf>, output: string): void {
  const { status, reason, simulatedTime, wallTime, frames, steps, events, warnings, solver } = summary
  print(`${status}${reason ? `: ${reason}` : ''}`)
  print(`${simulatedTime} s simulated in ${wallTime?.toFixed(2) ?? '?'} s, ${frames} frames, ${steps} steps${solver?.name ? `, solver ${solver.name}` : ''}`)
  const counted = Object.entries(events).filter(([, count]) => count > 0).map(([kind, count]) => `${kind} ${count}`)
  if (counted.length > 0) print(`events: ${counted.join(', ')}`)
  if (summary.fallbacks && summary.fallbacks.count > 0) {
    const { count, time } = summary.fallbacks
    print(`less exact: ${count} fallback${count === 1 ? '' : 's'}, in ${shortNumber(time)} s of the simulated time`)
  }
  if (summary.certificate) {
    const { maxPenetration, maxComplementarity, maxJointError, maxConeViolation } = summary.certificate as Record<string, number>
    const [depth, complementarity, joints, cones] = [maxPenetration, maxComplementarity, maxJointError, maxConeViolation].map(value => shortNumber(value!, 3))
    print(`accuracy: penetration ${depth} m, complementarity ${complementarity}, joints ${joints}, cones ${cones}`)
  }
  for (const warning of warnings) print(`warning: ${warning}`)
  print(`written to ${output}`)
}
