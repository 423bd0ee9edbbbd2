/** Runs examples for their default duration; their certificates hold in every frame. */

import { readdirSync, readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { ScriptRuntime } from '../../core/dynamics/script-runtime'
import { createScriptRuntime } from '../../main/run/sandbox'
import { recorded, worst } from './support'

const folder = new URL('../../scenes/', import.meta.url)
export const EXAMPLES = readdirSync(folder).filter(name => name.endsWith('.cairn.json'))
export const LONG_EXAMPLES: ReadonlySet<string> = new Set(['twenty-dominoes.cairn.json'])

/**
 * What runs, lands and falls on each other by time-stepping: its energy is that of a first-order method, which halves with the step. Of cloth and hair tied to
 * bodies that joints lead, the audit leaves work out: what is unexplained falls three- to fourfold as the step halves, and is nothing for the bodies alone.
 */
const STEPPED_ENERGY: Readonly<Record<string, number>> = {
  'four-legged-walker.cairn.json': 0.03, 'pouring-in-the-plane.cairn.json': 0.001, 'curtain-on-rings.cairn.json': 0.004, 'fur-on-a-swinging-ball.cairn.json': 2e-4,
}

export function runExamples(names: readonly string[]): void {
  let scripts: ScriptRuntime
  beforeAll(async () => { scripts = await createScriptRuntime() })
  afterAll(() => scripts.dispose())

  describe.each(names)('%s', file => {
    it('runs to its end with every law satisfied', () => {
      const scene = JSON.parse(readFileSync(new URL(file, folder), 'utf8')) as { deformables?: unknown[] }
      const run = recorded(scene, scripts)
      expect(run.end.message).toBe('')
      expect(run.end.status).toBe('completed')
      expect(worst(run, c => c.maxPenetration)).toBeLessThanOrEqual(1e-9)
      expect(worst(run, c => c.maxComplementarity)).toBeLessThanOrEqual(1e-10)
      expect(worst(run, c => c.maxConeViolation)).toBeLessThanOrEqual(1e-10)
      expect(worst(run, c => c.maxJointError)).toBeLessThanOrEqual(1e-9)
      // Implicit steps of deformables are iterated until 1e-10 of their largest force is left, and that works along all the way.
      expect(worst(run, c => c.energy.residual)).toBeLessThanOrEqual(STEPPED_ENERGY[file] ?? (scene.deformables === undefined ? 1e-8 : 1e-7))
    })
  })
}
