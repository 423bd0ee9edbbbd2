/**
 * Controllers against closed forms, in both methods: sampling and holding give a difference equation, and a continued run equals the uninterrupted
 * one.
 */

import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { ScriptRuntime } from '../../core/dynamics/script-runtime'
import { simulate, type RunEnvironment } from '../../core/simulation'
import { BODY_STRIDE, type CheckpointFrame, type Frame, type JointFrame } from '../../core/trajectory/frame'
import { createScriptRuntime } from '../../main/run/sandbox'
import { sceneOf, worst, recorded } from './support'

let scripts: ScriptRuntime
beforeAll(async () => { scripts = await createScriptRuntime() })
afterAll(() => scripts.dispose())

const METHODS = ['event-driven', 'time-stepping'] as const
const gallery = (name: string): { simulation: object } => JSON.parse(readFileSync(new URL(`../../scenes/${name}.cairn.json`, import.meta.url), 'utf8')) as { simulation: object }
const controlled = (source: string): object => ({ forces: [{ id: 'control', type: 'script', script: 'c.ts' }], scripts: [{ id: 'c.ts', source }] })

/** A block of `mass` on a slider along x, at rest 1 m off. */
const onSlider = (mass: number, source: string, simulation: object, joint: object = {}): object => sceneOf(
  [{ id: 'block', position: [1, 0, 0], mass: { mass, inertia: [1, 1, 1, 0, 0, 0] } }], 0, simulation,
  { gravity: [0, 0, 0], joints: [{ id: 'rail', type: 'slider', bodyA: 'block', bodyB: null, anchor: [1, 0, 0], axis: [1, 0, 0], ...joint }], ...controlled(source) })

describe.each(METHODS)('%s', method => {
  it('a sampled spring and damper moves a mass by the recursion of the zero-order hold', () => {
    const [mass, period, stiffness, damping] = [2, 0.05, 30, 4]
    const source = `export const period = ${period}\nexport function control(ctx: ControlContext) {
      const x = ctx.body('block').position[0], v = ctx.joint('rail').velocity
      ctx.joint('rail').setForce(-${stiffness} * x - ${damping} * v) }`
    // Frames are at the calls and between them.
    const run = recorded(onSlider(mass, source, { duration: 2, outputRate: 60, method, timeStepping: { step: 0.01 } }), scripts)
    let [x, v] = [1, 0]
    const at: number[] = []
    for (let k = 0; k <= 40; k++) {
      at.push(x)
      const force = -stiffness * x - damping * v
      ;[x, v] = [x + v * period + force / mass * period * period / 2, v + force / mass * period]
    }
    for (const { time, bodies } of run.frames) {
      const k = Math.round(time / period)
      if (Math.abs(k * period - time) < 1e-9) expect(bodies[0], `at ${time} s`).toBeCloseTo(at[k]!, 9)
    }
    expect(worst(run, ({ energy }) => energy.residual)).toBeLessThan(1e-9)
  })

  it('a force on a body stays in the world frame until the next call', () => {
    const source = `export const period = 0.5\nexport function control(ctx: ControlContext) { ctx.body('block').applyForce(ctx.time < 0.4 ? [3, 0, 0] : [0, 0, 0]) }`
    const run = recorded(onSlider(2, source, { duration: 1, outputRate: 10, method }), scripts)
    // 1.5 m/s² for half a second: x = 1 + 0.1875, then 0.75 m/s.
    expect(run.frames[5]!.bodies[0]).toBeCloseTo(1.1875, 9)
    expect(run.frames[10]!.bodies[0]).toBeCloseTo(1.5625, 9)
  })

  it('a commanded velocity is held with a bounded force, instead of the motor\'s, until it is released', () => {
    const source = `export const period = 0.25\nexport function control(ctx: ControlContext) {
      if (ctx.time < 0.5) ctx.joint('rail').setTargetVelocity(1, 8); else ctx.joint('rail').release() }`
    const run = recorded(onSlider(2, source, { duration: 1, outputRate: 100, method, timeStepping: { step: 0.005 } }, { motor: { targetVelocity: -1, maxForce: 20 } }), scripts)
    const speed = (frame: number): number => run.frames[frame]!.bodies[7]!
    // 8 N ÷ 2 kg = 4 m/s² up to 1 m/s at 0.25 s; from 0.5 s −10 m/s² to −1 m/s at 0.7 s.
    expect([speed(10), speed(25), speed(40), speed(60), speed(80)].map(value => Math.round(value * 1e6) / 1e6 + 0)).toEqual([0.4, 1, 1, 0, -1])
    expect(run.joints[10]!.motorForce[0]).toBeCloseTo(8, 6)
  })

  it('a position is held by a spring and a damper: critically damped, x = (1 + ω t) e^(−ω t)', () => {
    const [mass, omega] = [2, 5]
    const source = `export const period = 10\nexport function control(ctx: ControlContext) {
      ctx.joint('rail').setTargetPosition(-1, { stiffness: ${mass * omega * omega}, damping: ${2 * mass * omega} }) }`
    const run = recorded(onSlider(mass, source, { duration: 2, outputRate: 50, method, timeStepping: { step: 0.001 }, eventDriven: { tolerance: 1e-10 } }), scripts)
    for (const { time, bodies } of run.frames) expect(bodies[0], `at ${time} s`).toBeCloseTo((1 + omega * time) * Math.exp(-omega * time), method === 'event-driven' ? 8 : 4)
  })

  it('reads the forces of contacts and joints just before the call', () => {
    const source = `export const period = 0.1\nexport function control(ctx: ControlContext) {
      ctx.plot('weight', ctx.contacts.reduce((sum, c) => sum + c.normalForce, 0)); ctx.plot('reaction', ctx.joint('arm').force[2]) }`
    const scene = sceneOf([
      { id: 'ground', type: 'fixed', shapes: [{ type: 'halfSpace', normal: [0, 0, 1], offset: 0, material: 'stone' }] },
      { id: 'box', position: [0, 0, 0.1], shapes: [{ type: 'box', size: [0.2, 0.2, 0.2], material: 'stone' }] },
      { id: 'hung', position: [2, 0, 2], shapes: [{ type: 'sphere', radius: 0.1, material: 'stone' }] },
    ], 0.5, { duration: 0.5, outputRate: 10, method }, {
      joints: [{ id: 'arm', type: 'hinge', bodyA: 'hung', bodyB: null, anchor: [2, 0, 3], axis: [0, 1, 0] }], ...controlled(source),
    })
    const plots: Record<string, number>[] = []
    const none = (): void => undefined
    simulate(scene, {
      sink: {
        header: none, frame: none, contacts: none, joints: none, forces: none, certificate: none, deformables: none, event: none,
        script: ({ names, values }) => plots.push(Object.fromEntries(names.map((name, k) => [name, values[k]!]))),
      },
      cancelled: () => false, scripts, now: () => 0,
    })
    expect(plots).toHaveLength(6)
    for (const { weight, reaction } of plots) {
      expect(weight).toBeCloseTo(8 * 9.81, 4)
      expect(reaction).toBeCloseTo(1000 * 4 / 3 * Math.PI * 1e-3 * 9.81, 4)
    }
  })
})

interface Parts { readonly frames: Frame[]; readonly joints: JointFrame[]; readonly rest: string[]; readonly checkpoints: CheckpointFrame[]; readonly held: string[] }

function parts(scene: object, start?: RunEnvironment['start'], work?: number): Parts {
  const found: Parts = { frames: [], joints: [], rest: [], checkpoints: [], held: [] }
  const keep = (value: unknown): void => void found.rest.push(JSON.stringify(value))
  simulate(scene, {
    sink: {
      header: () => undefined, frame: frame => found.frames.push(frame), contacts: keep, forces: keep, certificate: keep, deformables: keep, event: keep, script: keep,
      joints: joints => {
        found.joints.push(joints)
        keep(joints)
      },
      checkpoint: checkpoint => found.checkpoints.push(checkpoint),
      control: ({ held }) => {
        found.held.push(held)
        keep(held)
      },
    },
    cancelled: () => false, scripts, now: () => 0, ...(start === undefined ? {} : { start }), ...(work === undefined ? {} : { checkpointWork: work }),
  })
  return found
}

/** A controller that remembers, draws random numbers and logs, on a gallery scene of its own. */
function remembering(method: string): object {
  const scene = gallery('inverted-pendulum') as { simulation: object; scripts: { id: string; source: string }[] }
  const source = scene.scripts[0]!.source.replace('rail.setForce(', `ctx.state.sum = (ctx.state.sum ?? 0) + angle * period
  if (ctx.random('knock') < 0.05) ctx.log('knock ' + ctx.state.sum)
  rail.setForce(4 * ctx.state.sum + ctx.random('noise') + `)
  return { ...scene, scripts: [{ id: 'balance.ts', source }], simulation: { ...scene.simulation, duration: 1.2, outputRate: 60, method, timeStepping: { step: 0.005 } } }
}

describe.each(METHODS)('%s: state', method => {
  it('is repeatable bit for bit, and a run resumed from any checkpoint is the same', { tags: 'long' }, () => {
    const scene = remembering(method)
    const whole = parts(scene, undefined, 60)
    expect(whole.checkpoints.length).toBeGreaterThan(1)
    expect(parts(scene, undefined, 60).rest).toEqual(whole.rest)
    for (const checkpoint of whole.checkpoints) {
      const on = parts(scene, { checkpoint: checkpoint.state }, 60)
      expect(on.frames.map(({ hash }) => hash)).toEqual(whole.frames.slice(checkpoint.index + 1).map(({ hash }) => hash))
      expect(on.rest).toEqual(whole.rest.slice(-on.rest.length))
    }
  })

  it('is continued by a run from a recorded frame, at an instant of the controller and between two', { tags: method === 'event-driven' ? ['long'] : [] }, () => {
    const scene = remembering(method) as { bodies: { id: string }[]; joints: { id: string }[] }
    const whole = parts(scene)
    // A frame comes every 1/60 s, a call every 0.01 s.
    for (const number of [30, 31]) {
      const { time, bodies } = whole.frames[number]!
      const instant = {
        time, bodies: new Map(scene.bodies.map(({ id }, k) => [id, bodies.slice(BODY_STRIDE * k, BODY_STRIDE * (k + 1))])), particles: new Map<string, Float64Array>(),
        joints: new Map(scene.joints.map(({ id }, k) => [id, whole.joints[number]!.position[k]!])), broken: [], controls: whole.held[number]!,
      }
      const on = parts(scene, { instant })
      expect(on.held[0]).toBe(whole.held[number])
      on.frames.forEach((frame, k) => {
        const other = whole.frames[number + k]!
        frame.bodies.forEach((value, i) => { expect(value, `frame ${number + k}`).toBeCloseTo(other.bodies[i]!, method === 'event-driven' ? 7 : 9) })
      })
    }
  })
})

describe.each(METHODS)('%s: the inverted pendulum of the gallery', method => {
  it('is upright to half a degree from 4 s after its start and after both pushes, and never leaves the rails', { tags: 'long' }, () => {
    const scene = gallery('inverted-pendulum')
    const run = recorded({ ...scene, simulation: { ...scene.simulation, method } }, scripts)
    expect(run.end.status).toBe('completed')
    const pole = 2 * BODY_STRIDE
    const angle = (time: number): number => {
      const { bodies } = run.frames.find(frame => frame.time >= time - 1e-9)!
      return 2 * Math.atan2(bodies[pole + 4]!, bodies[pole + 6]!)
    }
    expect(angle(0)).toBeCloseTo(0.25, 12)
    expect(Math.max(...run.frames.map(frame => Math.abs(angle(frame.time))))).toBeLessThan(0.4)
    for (const time of [5, 10, 14.5]) expect(Math.abs(angle(time)) * 180 / Math.PI, `at ${time} s`).toBeLessThan(0.5)
    expect(Math.max(...run.frames.filter(({ time }) => time > 6 && time < 8).map(({ time }) => Math.abs(angle(time))))).toBeGreaterThan(0.03)
    expect(Math.max(...run.joints.map(({ position }) => Math.abs(position[0]!)))).toBeLessThan(1.6)
    expect(run.joints.every(({ limitForce }) => limitForce[0] === 0)).toBe(true)
  })
})

describe('a servo in time-stepping', () => {
  const held = (stiffness: number, damping: number, step: number): ReturnType<typeof recorded> => recorded(onSlider(2, `export const period = 10
    export function control(ctx: ControlContext) { ctx.joint('rail').setTargetPosition(-1, { stiffness: ${stiffness}, damping: ${damping} }) }`,
  { duration: 1, outputRate: 50, method: 'time-stepping', timeStepping: { step } }), scripts)

  it('of any stiffness and damping takes whole steps and comes to its target, however long they are', () => {
    for (const [stiffness, damping] of [[1e4, 50], [1e8, 0], [1e8, 1e4], [1e12, 1e8], [10, 1e9]] as const) {
      const run = held(stiffness, damping, 0.02)
      const end = run.frames.at(-1)!.bodies
      expect(run.certificates.some(({ degraded }) => degraded), `k = ${stiffness} N/m, d = ${damping} N s/m`).toBe(false)
      if (damping / stiffness < 0.1) expect(Math.abs(end[0]!), `k = ${stiffness} N/m, d = ${damping} N s/m`).toBeLessThan(0.05)
      // Its deviation never exceeds the initial one.
      for (const { bodies } of run.frames) expect(Math.abs(bodies[0]!)).toBeLessThan(1.0001)
    }
  })

  it('is of second order if steps resolve it: half the step gives a quarter of the error', () => {
    const omega = 5
    const error = (step: number): number => {
      const { time, bodies } = held(2 * omega * omega, 4 * omega, step).frames.at(-1)!
      return Math.abs(bodies[0]! - (1 + omega * time) * Math.exp(-omega * time))
    }
    const [coarse, fine] = [error(0.005), error(0.0025)]
    expect(coarse).toBeLessThan(2e-3)
    expect(coarse / fine).toBeGreaterThan(3.2)
    expect(coarse / fine).toBeLessThan(4.8)
  })

  it('holds a block against the ground\u2019s friction as a spring and damper would, and pushes with k times what is left', () => {
    const [stiffness, weight, friction] = [1e6, 8 * 9.81, 0.5]
    const source = `export const period = 10
    export function control(ctx: ControlContext) { ctx.joint('rail').setTargetPosition(-0.3, { stiffness: ${stiffness}, damping: 2000, maxForce: 60 }) }`
    const run = recorded(sceneOf([
      { id: 'ground', type: 'fixed', shapes: [{ type: 'halfSpace', normal: [0, 0, 1], offset: 0, material: 'stone' }] },
      { id: 'box', position: [0, 0, 0.1], shapes: [{ type: 'box', size: [0.2, 0.2, 0.2], material: 'stone' }] },
      { id: 'carrier', position: [0, 0, 0.1], mass: { mass: 0.01, inertia: [1e-4, 1e-4, 1e-4, 0, 0, 0] } },
    ], friction, { duration: 1, outputRate: 100, method: 'time-stepping', timeStepping: { step: 0.005 } }, {
      // Along x and upwards; the slider between them has negligible mass.
      joints: [{ id: 'rail', type: 'slider', bodyA: 'carrier', bodyB: null, anchor: [0, 0, 0.1], axis: [1, 0, 0] },
        { id: 'lift', type: 'slider', bodyA: 'box', bodyB: 'carrier', anchor: [0, 0, 0.1], axis: [0, 0, 1] }], ...controlled(source),
    }), scripts)
    const { bodies } = run.frames.at(-1)!
    expect(run.certificates.some(({ degraded }) => degraded)).toBe(false)
    expect(Math.abs(run.joints[5]!.motorForce[0]!)).toBeCloseTo(60, 6)
    expect(Math.abs(bodies[13]! + 0.3)).toBeLessThan(friction * weight / stiffness + 1e-6)
  })
})

describe('the four-legged walker of the gallery', () => {
  it('goes 1.2 m in 4 s, straight, and neither falls nor leans', { tags: 'long' }, () => {
    const run = recorded(gallery('four-legged-walker'), scripts)
    expect(run.end.status).toBe('completed')
    const trunk = run.frames.map(({ bodies }) => bodies.subarray(BODY_STRIDE, 2 * BODY_STRIDE))
    const last = trunk.at(-1)!
    expect(last[0]).toBeGreaterThan(1.2)
    expect(Math.abs(last[1]!)).toBeLessThan(0.1)
    // From the time at which it stands on bent legs: height of the hips, and cosine of the lean.
    for (const [, , height, x, y] of trunk.slice(35)) {
      expect(Math.abs(height! - 0.365)).toBeLessThan(0.01)
      expect(1 - 2 * (x! * x! + y! * y!)).toBeGreaterThan(Math.cos(3 * Math.PI / 180))
    }
    expect(worst(run, ({ energy }) => energy.residual)).toBeLessThan(0.03)
  })
})
