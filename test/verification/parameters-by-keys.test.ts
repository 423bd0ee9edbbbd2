/** Parameters that change at keys, as scripts see them, against closed forms in every method; and runs continued from checkpoints. */

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { ScriptRuntime } from '../../core/dynamics/script-runtime'
import { sceneHash, parseScene } from '../../core/scene'
import { simulate } from '../../core/simulation'
import { createScriptRuntime } from '../../main/run/sandbox'
import { recorded, sceneOf, worst } from './support'

let scripts: ScriptRuntime
beforeAll(async () => { scripts = await createScriptRuntime() })
afterAll(() => scripts.dispose())

const push = 'export default function (ctx: ForceContext) { ctx.body(\'block\').applyForce([ctx.parameters.push, 0, 0]) }'
/** 2 kg in space, pushed by the parameter: 3 N, from 0.35 s on −1 N, from 0.75 s on 5 N. */
const pushed = (simulation: object, rest: object = {}): object => sceneOf(
  [{ id: 'block', mass: { mass: 2, inertia: [1, 1, 1, 0, 0, 0] } }], 0, simulation, {
    gravity: [0, 0, 0], forces: [{ id: 'pushing', type: 'script', script: 'push.ts' }], scripts: [{ id: 'push.ts', source: push }],
    parameters: [{ id: 'push', value: 3, keys: [{ time: 0.35, value: -1 }, { time: 0.75, value: 5 }] }], ...rest,
  })

/** Each method with the work between its checkpoints, so that there are several, and not hundreds. */
const METHODS = [['event-driven', 6], ['time-stepping', 20], ['penalty', 2000]] as const

describe.each(METHODS)('%s', (method, checkpointWork) => {
  it('impulses are the sum of force × time between the keys, independent of frames and steps', () => {
    const run = recorded(pushed({ duration: 1, outputRate: 8, method, timeStepping: { step: 0.02 } }), scripts)
    const impulse = (time: number): number => 3 * Math.min(time, 0.35) - Math.max(0, Math.min(time, 0.75) - 0.35) + 5 * Math.max(0, time - 0.75)
    expect(run.frames).toHaveLength(9)
    for (const { time, bodies } of run.frames) expect(bodies[7], `at ${time} s`).toBeCloseTo(impulse(time) / 2, 12)
    expect(worst(run, ({ energy }) => energy.residual)).toBeLessThan(1e-9)
    expect(run.events.filter(({ kind }) => kind === 'breakpoint').map(({ time }) => time)).toEqual([0.35, 0.75])
  })

  it('resumed from any checkpoint gives the same run', { tags: 'long' }, () => {
    const scene = pushed({ duration: 1, outputRate: 40, method, timeStepping: { step: 0.02 } })
    const hashes = (start?: { checkpoint: string }): { found: string[]; checkpoints: { index: number; state: string }[] } => {
      const [found, checkpoints]: [string[], { index: number; state: string }[]] = [[], []]
      const none = (): void => undefined
      simulate(scene, {
        sink: {
          header: none, contacts: none, joints: none, forces: none, deformables: none, certificate: none, script: none, event: none,
          frame: ({ hash }) => void found.push(hash), checkpoint: ({ index, state }) => void checkpoints.push({ index, state }),
        },
        cancelled: () => false, scripts, now: () => 0, checkpointWork, ...start === undefined ? {} : { start },
      })
      return { found, checkpoints }
    }
    const { found, checkpoints } = hashes()
    expect(checkpoints.length).toBeGreaterThan(1)
    for (const { index, state } of checkpoints) expect(hashes({ checkpoint: state }).found).toEqual(found.slice(index + 1))
  })
})

describe('a scene whose scripts read parameters', () => {
  const hash = (scene: object): string => {
    const parsed = parseScene(scene)
    if (!parsed.ok) throw new Error(parsed.problems[0]!.message)
    return sceneHash(parsed.resolved)
  }

  it('has another hash with another value or key, but not with another range', () => {
    const parameters = (change: object): object => pushed({}, { parameters: [{ id: 'push', value: 3, ...change }] })
    const all = [{}, { value: 4 }, { keys: [{ time: 1, value: 3 }] }, { keys: [{ time: 1, value: 2 }] }].map(change => hash(parameters(change)))
    expect(new Set(all).size).toBe(4)
    expect(hash(parameters({ min: 0, max: 9, unit: 'N' }))).toBe(all[0])
    const without = (value: number): string => hash(pushed({}, { scripts: [], forces: [], parameters: [{ id: 'push', value }] }))
    expect(without(1)).toBe(without(2))
  })

  it('is refused if keys go back, leave the range, or contradict a formula', () => {
    const faults = (change: object): unknown[] => {
      const parsed = parseScene(pushed({}, { parameters: [{ id: 'push', value: 3, max: 4, ...change }] }))
      return parsed.ok ? [] : parsed.problems.map(({ name, path, value }) => [name, path, value])
    }
    expect(faults({ keys: [{ time: 1, value: 1 }, { time: 1, value: 2 }] })).toEqual([['InvalidKeys', 'parameters[0].keys[1].time', 1]])
    expect(faults({ keys: [{ time: 1, value: 5 }] })).toEqual([['OutOfRange', 'parameters[0].keys[0].value', 5]])
    expect(faults({ value: '=1 + 2', keys: [{ time: 1, value: 2 }] })).toEqual([['InvalidKeys', 'parameters[0].keys', 1]])
  })
})
