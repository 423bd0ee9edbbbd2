/** One run from scene to file, in the calling thread. */
import { ScriptError, type LoadedScript, type ScriptParameters, type ScriptRuntime } from '../../core/dynamics/script-runtime'
import { parseScene, type ParseResult } from '../../core/scene'
import { RefusedError, simulateParsed, type RunEnvironment } from '../../core/simulation'
import type { TrajectoryEnd } from '../../core/trajectory/frame'
import type { Problem } from '../protocol/problem'
import { activityIndex, cancelIndex, inputIndex, type RunReport, type RunRequest, type RunStart } from './job'
import { copyFurther } from './further'
import { OutputError } from './mcap-writer'
import { Recorder } from './recorder'
import { LiveSession } from './live'
import { scriptRuntimeFor } from './script-runtime'

const now = () => performance.now() / 1000

/** s between two notifications of work before the first frame. */
const noticeInterval = 0.2

export async function compute(request: RunRequest, report: (report: RunReport) => void): Promise<void> {
  const control = new Int32Array(request.control)
  const parsed = parseScene(request.scene)
  const scripts = new Remembering(await scriptRuntimeFor(parsed, control.subarray(activityIndex, activityIndex + 1)))
  const recorder = new Recorder({
    path: request.output, scene: request.scene, now,
    progress: ({ bytes, frames, time }) => report({ kind: 'flushed', bytes, frames, time }),
      ...(request.start?.kind === 'checkpoint' ? { after: request.start.bytes } : {}),
  })
  const cancelled = (): boolean => Atomics.load(control, cancelIndex) !== 0
  const live = request.live === undefined ? null : new LiveSession(
    request.live.port, control.subarray(inputIndex, inputIndex + 1), parameterIdsOf(parsed), report, now, cancelled)
  const started = now()
  let lastNotice = started
  try {
    const end = simulateParsed(parsed, {
      sink: {
        header: header => {
          recorder.header(header)
          if (request.start?.kind === 'further') copyFurther(request.start.of, header, recorder)
          live?.header(header)
          report({ kind: 'begun', header })
        },
        frame: frame => recorder.frame(frame),
        contacts: contacts => recorder.contacts(contacts),
        joints: joints => {
          recorder.joints(joints)
          if (live) live.solved.joints = joints
        },
        forces: forces => recorder.forces(forces),
        control: control => recorder.control(control),
        sensors: sensors => {
          recorder.sensors(sensors)
          if (live) live.solved.sensors = sensors
        },
        deformables: deformables => recorder.deformables(deformables),
        certificate: certificate => {
          recorder.certificate(certificate)
          if (live) live.solved.certificate = certificate
        },
        script: script => recorder.script(script),
        event: event => recorder.event(event),
        checkpoint: checkpoint => recorder.checkpoint(checkpoint),
      },
      cancelled,
      preparing: progress => {
        if (now() - lastNotice < noticeInterval) return
        lastNotice = now()
        report({ kind: 'preparing', progress })
      },
      scripts, now, ...(request.start === undefined ? {} : { start: environmentStart(request.start) }),
      ...(live === null ? {} : { live }),
      ...(request.checkpointWork === undefined ? {} : { checkpointWork: request.checkpointWork }),
    })
    recorder.end(end)
    if (live !== null) report({ kind: 'input', done: live.done })
    report({ kind: 'ended', end, problem: end.status === 'stopped' ? stopProblem(parsed, end, scripts) : null, complete: true })
  } catch (error) {
    if (error instanceof RefusedError) return report({ kind: 'refused', problems: error.problems })
    if (!(error instanceof OutputError)) throw error
    if (error.name === 'OutputNotCreated') {
      return report({ kind: 'refused', problems: [{ name: error.name, severity: 'error', message: error.message, path: '', file: error.path, ids: [] }] })
    }
    const end = interrupted(recorder, error, now() - started)
    report({ kind: 'ended', end, problem: { name: error.name, severity: 'error', message: error.message, path: '', file: error.path, ids: [],
      time: end.simulatedTime }, complete: false })
  } finally {
    scripts.dispose()
  }
}

function parameterIdsOf(parsed: ParseResult): string[] {
  return parsed.ok ? parsed.resolved.parameters.map(({ id }) => id) : []
}

function environmentStart(start: RunStart): NonNullable<RunEnvironment['start']> {
  return start.kind === 'instant' ? { instant: start.instant } : { checkpoint: start.state }
}

/** The end of a run whose file could no longer be written. */
function interrupted(recorder: Recorder, error: OutputError, wallTime: number): TrajectoryEnd {
  const { frames, time, hash } = recorder.last
  return {
    status: 'stopped', reason: error.name, message: error.message, ids: [], simulatedTime: time, wallTime, frames, steps: 0, finalHash: hash,
    solver: { name: recorder.begun?.solver ?? '', calls: 0, basisHits: 0, pivots: 0, maxContacts: 0 }, fallbacks: { count: 0, time: 0 }, warnings: [],
  }
}

function stopProblem(parsed: ParseResult, end: TrajectoryEnd, { last, lastTime }: Remembering): Problem {
  const common = { name: end.reason, severity: 'error', ids: end.ids, time: end.simulatedTime } as const
  if (end.reason !== 'ScriptError' || !last) return { ...common, message: end.message, path: '' }
  const index = parsed.ok ? parsed.resolved.scripts.findIndex(script => script.id === last.script) : -1
  return {
    ...common, message: last.message, path: `scripts[${index}].source`, ids: [last.script], time: lastTime,
    ...(last.line > 0 ? { line: last.line, column: last.column } : {}),
  }
}

/** Forwards calls and keeps the last error with its position in the source, which the end of a run does not contain. */
class Remembering implements ScriptRuntime {
  last: ScriptError | null = null
  /** s, simulated: time of the last error. */
  lastTime = 0

  constructor(private readonly inner: ScriptRuntime) {}

  load(id: string, source: string, bodyIds: readonly string[], seed: number, parameters?: ScriptParameters): LoadedScript {
    const script = this.inner.load(id, source, bodyIds, seed, parameters)
    const { breakpoints, computes, controller } = script
    return {
      id, breakpoints, computes, output: () => script.output(),
      evaluate: (time, state, wrenches) => this.noting(time, () => script.evaluate(time, state, wrenches)),
      controller: controller === null ? null : {
        period: controller.period, act: (time, ...seen) => this.noting(time, () => controller.act(time, ...seen)),
      },
    }
  }

  private noting<T>(time: number, call: () => T): T {
    try {
      return call()
    } catch (error) {
      if (error instanceof ScriptError) {
        this.last = error
        this.lastTime = time
      }
      throw error
    }
  }

  dispose(): void {
    this.inner.dispose()
  }
}
