/** Every example runs for its default duration, and its certificate holds in every frame. */

import { readdirSync, readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { ScriptRuntime } from '../../core/dynamics/script-runtime'
import { createScriptRuntime } from '../../main/run/sandbox'
import { recorded, worst } from './support'

const folder = new URL('../../scenes/', import.meta.url)
const EXAMPLES = readdirSync(folder).filter(name => name.endsWith('.cairn.json'))
/** By name without ending. */
const LONG_EXAMPLES: ReadonlySet<string> = new Set([
  'beads-on-cycloids', 'ropes-on-a-capstan', 'surfaces-by-formula',
  'twenty-dominoes', 'four-legged-walker', 'flag-in-the-wind', 'fur-on-a-swinging-ball', 'curtain-on-rings', 'five-regular-solids', 'cloth-on-a-sphere', 'inverted-pendulum',
  'box-on-a-trampoline', 'pouring-in-the-plane', 'rocking-across-a-flat-spot', 'race-of-rolling-bodies', 'rattleback',
  'rocking-ellipsoid', 'tinkertoys', 'hanging-chains',
])

/** Time-stepped examples with impacts and rolling: their energy error is of first order in the step. */
const STEPPED_ENERGY: Readonly<Record<string, number>> = { 'four-legged-walker.cairn.json': 0.03, 'pouring-in-the-plane.cairn.json': 0.001, 'rattleback.cairn.json': 0.02 }

let scripts: ScriptRuntime
beforeAll(async () => { scripts = await createScriptRuntime() })
afterAll(() => scripts.dispose())

describe.each(EXAMPLES)('%s', file => {
  it('runs to its end with every law satisfied', { tags: LONG_EXAMPLES.has(file.replace('.cairn.json', '')) ? ['long'] : [] }, () => {
    const scene = JSON.parse(readFileSync(new URL(file, folder), 'utf8')) as { deformables?: unknown[] }
    const run = recorded(scene, scripts)
    expect(run.end.message).toBe('')
    expect(run.end.status).toBe('completed')
    expect(worst(run, c => c.maxPenetration)).toBeLessThanOrEqual(1e-9)
    expect(worst(run, c => c.maxComplementarity)).toBeLessThanOrEqual(1e-10)
    expect(worst(run, c => c.maxConeViolation)).toBeLessThanOrEqual(1e-10)
    expect(worst(run, c => c.maxJointError)).toBeLessThanOrEqual(1e-9)
    // Implicit steps of deformables end at a residual of 1e-10 of the largest force, whose work accumulates.
    expect(worst(run, c => c.energy.residual)).toBeLessThanOrEqual(STEPPED_ENERGY[file] ?? (scene.deformables === undefined ? 1e-8 : 1e-7))
  })
})
