/** Breakable joints break when the reaction reaches the limit, in both methods, and stay broken in continued runs. */

import { describe, expect, it } from 'vitest'
import type { ScriptRuntime } from '../../core/dynamics/script-runtime'
import { simulate, type RunEnvironment } from '../../core/simulation'
import { BODY_STRIDE, type CheckpointFrame, type Frame, type JointFrame } from '../../core/trajectory/frame'
import { bodyIn, recorded, sceneOf, worst } from './support'

const METHODS = ['event-driven', 'time-stepping'] as const
const STEP = 0.0025
const G = 9.81

/** A mass on a joint to the world, pulled down by a force that grows by `ramp` N/s. */
const hung = (method: string, joint: object, ramp: number, more: object[] = []): object => sceneOf(
  [{ id: 'weight', position: [0, 0, 0], mass: { mass: 2, inertia: [0.1, 0.1, 0.1, 0, 0, 0] } }], 0,
  { duration: 1, outputRate: 40, method, timeStepping: { step: STEP } },
  { joints: [{ id: 'rod', bodyA: 'weight', bodyB: null, ...joint }, ...more],
    forces: [{ id: 'pull', type: 'keyframed', body: 'weight', interpolation: 'linear', keys: [{ time: 0 }, { time: 1, force: [0, 0, -ramp] }] }] })

describe.each(METHODS)('%s', method => {
  // In steps the reaction is the mean of a step, and is known at its end.
  const within = method === 'event-driven' ? 1e-9 : 1.5 * STEP

  it('a weight on a joint falls as soon as its weight and a growing pull reach the joint\'s break force', () => {
    const [limit, ramp] = [40, 50]
    const run = recorded(hung(method, { type: 'ball', anchor: [0, 0, 1], breakForce: limit }, ramp))
    expect(run.end.status).toBe('completed')
    const [parts, ...others] = run.events.filter(({ kind }) => kind === 'part')
    const time = (limit - 2 * G) / ramp
    expect(others).toEqual([])
    expect(Math.abs(parts!.time - time)).toBeLessThanOrEqual(within)
    expect(parts!.joint).toBe(0)
    expect(parts!.message).toMatch(/^force (40|40\.\d+) N of at most 40 N$/)
    // From then on z̈ = −g − r t/m.
    const from = parts!.time
    const fall = (t: number): number => -G * (t - from) ** 2 / 2 - ramp / 2 * (t ** 3 - from ** 3) / 6 + ramp / 2 * from ** 2 / 2 * (t - from)
    expect(bodyIn(run, 'weight').position[2]).toBeCloseTo(fall(1), method === 'event-driven' ? 9 : 2)
    const lag = method === 'event-driven' ? 0 : STEP / 2
    run.frames.forEach(({ time: at }, k) => {
      expect([...run.joints[k]!.broken], `at ${at} s`).toEqual(at < parts!.time ? [] : [0])
      if (at > parts!.time) expect(Math.hypot(...run.joints[k]!.force)).toBe(0)
      else if (at > 0 && at < time) expect(run.joints[k]!.force[2]! / (2 * G + ramp * (at - lag))).toBeCloseTo(1, 6)
    })
    expect(worst(run, c => c.energy.residual)).toBeLessThan(method === 'event-driven' ? 1e-8 : 1e-3)
  })

  it('a bracket breaks at its break torque about the anchor, and a stronger one does not', () => {
    // 0.5 m beside the weight: torque 0.5 (m g + r t).
    const time = (12 / 0.5 - 2 * G) / 20
    const run = recorded(hung(method, { type: 'fixed', anchor: [-0.5, 0, 0], breakForce: 1000, breakTorque: 12 }, 20))
    expect(Math.abs(run.events.find(({ kind }) => kind === 'part')!.time - time)).toBeLessThanOrEqual(within)
    const strong = recorded(hung(method, { type: 'fixed', anchor: [-0.5, 0, 0], breakForce: 1000, breakTorque: 20 }, 20))
    expect(strong.events.filter(({ kind }) => kind === 'part')).toEqual([])
    expect(bodyIn(strong, 'weight').position[2]).toBeCloseTo(0, 9)
  })

  it('of two joints that share a load the second breaks with the first if it cannot bear the whole load', () => {
    const run = recorded(sceneOf(
      [{ id: 'beam', position: [0, 0, 0], mass: { mass: 2, inertia: [0.1, 0.1, 0.1, 0, 0, 0] } }], 0, { duration: 0.4, outputRate: 40, method, timeStepping: { step: STEP } },
      { joints: [-1, 1].map(side => ({ id: side < 0 ? 'left' : 'right', type: 'hinge', bodyA: 'beam', bodyB: null, anchor: [side, 0, 0], axis: [0, 1, 0], breakForce: side < 0 ? 9 : 60 })) }))
    const parts = run.events.filter(({ kind }) => kind === 'part')
    expect(parts.map(({ joint }) => joint)).toEqual([0])
    expect(parts[0]!.time).toBeLessThanOrEqual(within)
    // It swings about the right one from rest: at first with z̈ = −m g L² ÷ (I + m L²).
    const at = run.frames.find(frame => frame.time > 0.09)!
    expect(bodyIn(run, 'beam', at).position[2]! / (-0.5 * G * 2 / 2.1 * at.time ** 2)).toBeCloseTo(1, 1)
  })

  it('continues from checkpoints and from recorded frames with its broken joints', () => {
    const scene = hung(method, { type: 'ball', anchor: [0, 0, 1], breakForce: 40 }, 50)
    const work = method === 'event-driven' ? 2 : 60
    const whole = parts(scene, undefined, work)
    expect(whole.checkpoints.some(({ time }) => time > 0.5)).toBe(true)
    for (const checkpoint of whole.checkpoints) {
      const on = parts(scene, { checkpoint: checkpoint.state }, work)
      expect(on.frames.map(({ hash }) => hash)).toEqual(whole.frames.slice(checkpoint.index + 1).map(({ hash }) => hash))
    }
    const number = 32
    const { time, bodies } = whole.frames[number]!
    const broken = [...whole.joints[number]!.broken].map(() => 'rod')
    expect(broken).toEqual(['rod'])
    const on = parts(scene, { instant: { time, bodies: new Map([['weight', bodies.slice(0, BODY_STRIDE)]]), particles: new Map(), joints: new Map(), broken } })
    on.frames.forEach((frame, k) => { expect(frame.bodies[2]).toBeCloseTo(whole.frames[number + k]!.bodies[2]!, 8) })
  })
})

const NO_SCRIPTS: ScriptRuntime = { load: id => { throw new Error(`no script ${id}`) }, dispose: () => undefined }

function parts(scene: object, start?: RunEnvironment['start'], work?: number): { frames: Frame[]; joints: JointFrame[]; checkpoints: CheckpointFrame[] } {
  const found = { frames: [] as Frame[], joints: [] as JointFrame[], checkpoints: [] as CheckpointFrame[] }
  const none = (): void => undefined
  simulate(scene, {
    sink: {
      header: none, contacts: none, forces: none, certificate: none, deformables: none, event: none, script: none,
      frame: frame => found.frames.push(frame), joints: joints => found.joints.push(joints), checkpoint: checkpoint => found.checkpoints.push(checkpoint),
    },
    cancelled: () => false, scripts: NO_SCRIPTS, now: () => 0, ...(start === undefined ? {} : { start }), ...(work === undefined ? {} : { checkpointWork: work }),
  })
  return found
}
