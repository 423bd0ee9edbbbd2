/** Every example runs its default duration to the end, and its certificate holds in every frame. */

import { readdirSync, readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { ScriptRuntime } from '../../core/dynamics/script-runtime'
import { createScriptRuntime } from '../../main/run/sandbox'
import { recorded, worst } from './support'

const folder = new URL('../../scenes/', import.meta.url)
const examples = readdirSync(folder).filter(name => name.endsWith('.cairn.json'))

let scripts: ScriptRuntime
beforeAll(async () => { scripts = await createScriptRuntime() })
afterAll(() => scripts.dispose())

describe.each(examples)('%s', file => {
  it('runs to its end with every law satisfied', () => {
    const scene = JSON.parse(readFileSync(new URL(file, folder), 'utf8')) as object
    const run = recorded(scene, scripts)
    expect(run.end.message).toBe('')
    expect(run.end.status).toBe('completed')
    expect(worst(run, c => c.maxPenetration)).toBeLessThanOrEqual(1e-9)
    expect(worst(run, c => c.maxComplementarity)).toBeLessThanOrEqual(1e-10)
    expect(worst(run, c => c.maxConeViolation)).toBeLessThanOrEqual(1e-10)
    expect(worst(run, c => c.maxJointError)).toBeLessThanOrEqual(1e-9)
    expect(worst(run, c => c.energy.residual)).toBeLessThanOrEqual(1e-8)
  })
})
