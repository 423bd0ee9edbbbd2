/** Runs a neutral scene with one of Cairn's methods, measured by the harness's own analysers. */

import { BODY_STRIDE } from '../../../core/trajectory/frame'
import { simulate } from '../../../core/simulation'
import { toCairn, type NeutralBody, type NeutralScene, type SimulationSettings } from './scene'

/** Cairn's methods by their names in tables, with the settings of each profile. */
export const CAIRN: Readonly<Record<string, { readonly method: 'event-driven' | 'time-stepping', readonly profiles: Readonly<Record<string, SimulationSettings>> }>> = {
  'cairn-ed': { method: 'event-driven', profiles: { default: {}, quality: { eventDriven: { tolerance: 1e-12 } } } },
  'cairn-ts': { method: 'time-stepping', profiles: { default: {}, standard: { timeStepping: { contactModel: 'standard' } } } },
}

export interface CairnJob {
  readonly engine: string
  readonly profile: string
  readonly scene: string
  readonly dt?: number
  /** m: the gap tolerance of time-stepping; the default if absent. */
  readonly tolerance?: number
  readonly maxSeconds: number
}

/** The harness's result format, so that one table can hold all engines. */
export interface Row {
  readonly engine: string
  readonly profile: string
  readonly scene: string
  readonly dt?: number
  readonly error?: string
  readonly steps?: number
  readonly complete?: boolean
  readonly finite?: boolean
  readonly msMedian?: number
  readonly msTailMedian?: number
  readonly msP95?: number
  readonly msTotal?: number
  readonly metrics?: Readonly<Record<string, unknown>> | null
  /** Cairn's own certificates, the worst of all frames: residual of the contact solver, m/s, and of the energy balance, relative. Other engines have none. */
  readonly certificate?: { readonly complementarity: number, readonly audit: number }
}

interface BodyState { readonly def: NeutralBody, readonly p: number[], readonly q: number[], readonly v: number[], readonly w: number[] }

/** The harness's measuring functions. */
export interface Harness {
  readonly loadScene: (id: string) => NeutralScene
  readonly analysers: Readonly<Record<string, (scene: NeutralScene) => {
    observe(t: number, states: BodyState[]): void
    result(states: BodyState[], t: number): Record<string, unknown>
  }>>
  readonly quantile: (values: number[], share: number) => number
}

export function runCairn({ engine, profile, scene: id, dt: wanted, tolerance, maxSeconds }: CairnJob, harness: Harness): Omit<Row, 'engine' | 'profile' | 'scene'> {
  const { method, profiles } = CAIRN[engine]!
  const scene = harness.loadScene(id)
  const dt = wanted ?? scene.dt
  const settings = profiles[profile]!
  const analyser = harness.analysers[scene.analysis.type]!(scene)
  const ms: number[] = []
  const deadline = performance.now() + 1000 * maxSeconds
  let states: BodyState[] = []
  const certificate = { complementarity: 0, audit: 0 }
  let mark = performance.now()
  const end = simulate(toCairn(scene, dt, { ...settings, method, timeStepping: { ...settings.timeStepping, ...(tolerance === undefined ? {} : { tolerance }), step: dt } }), {
    sink: {
      header: () => undefined,
      frame: ({ index, bodies }) => {
        if (index > 0) ms.push(performance.now() - mark)
        states = statesOf(scene.bodies, bodies)
        analyser.observe(index * dt, states)
        mark = performance.now()
      },
      contacts: () => undefined, joints: () => undefined, forces: () => undefined, deformables: () => undefined, script: () => undefined, event: () => undefined,
      certificate: ({ maxComplementarity, energy }) => {
        certificate.complementarity = Math.max(certificate.complementarity, maxComplementarity)
        certificate.audit = Math.max(certificate.audit, Math.abs(energy.residual))
      },
    },
    cancelled: () => performance.now() > deadline,
    scripts: { load: script => { throw new Error(`no neutral scene has scripts, and yet ${script}`) }, dispose: () => undefined },
    now: () => performance.now() / 1000,
  })
  const steps = ms.length
  const finite = states.every(({ p, q }) => [...p, ...q].every(Number.isFinite))
  return {
    dt, steps, certificate, complete: end.status === 'completed', finite,
    msMedian: harness.quantile(ms, 0.5), msTailMedian: harness.quantile(ms.slice(Math.floor(0.75 * steps)), 0.5), msP95: harness.quantile(ms, 0.95),
    msTotal: ms.reduce((a, b) => a + b, 0), metrics: finite && states.length > 0 ? analyser.result(states, steps * dt) : null,
    ...(end.status === 'stopped' ? { error: `${end.reason} at ${end.simulatedTime} s: ${end.message}` } : {}),
  }
}

/** Existing bodies in the scene's order; fixed ones keep their definition. */
function statesOf(defs: readonly NeutralBody[], bodies: Float64Array): BodyState[] {
  return defs.flatMap((def, i): BodyState[] => {
    const at = i * BODY_STRIDE
    if (Number.isNaN(bodies[at]!)) return []
    if (def.type === 'static') return [{ def, p: [...def.position], q: [...def.quaternion], v: [0, 0, 0], w: [0, 0, 0] }]
    const part = (from: number, to: number): number[] => [...bodies.subarray(at + from, at + to)]
    return [{ def, p: part(0, 3), q: part(3, 7), v: part(7, 10), w: part(10, 13) }]
  })
}
