/** Every scene of `scenes/verification` can be opened in the editor and is used by a known answer. */

import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { check } from '../../core/simulation'
import { CERTIFICATE } from './cases/case'
import { allCases } from './run-cases'
import { TABLE } from './table'

const folder = new URL('../../scenes/verification/', import.meta.url)
const all = await allCases()
const used = new Set(all.map(known => known.scene))

describe('known answers of the event-driven method', () => {
  it('all close their energy balance to 1e-8, including scenes with friction and impacts', () => {
    const cases = all.filter(known => known.method === 'event-driven')
    for (const known of cases) expect(known.certificate?.energy ?? CERTIFICATE['event-driven'].energy, known.title).toBeLessThanOrEqual(1e-8)
    const audited = new Set(cases.map(known => known.scene))
    for (const file of readdirSync(folder)) {
      const name = file.replace('.cairn.json', '')
      const scene = JSON.parse(readFileSync(new URL(file, folder), 'utf8')) as {
        materials?: { friction?: { static: number }; restitution?: number }[]; simulation?: { method?: string }
      }
      const rough = (scene.materials ?? []).some(({ friction, restitution = 0 }) => (friction?.static ?? 0) > 0 || restitution > 0)
      if (rough && scene.simulation?.method !== 'penalty') expect(audited, name).toContain(name)
    }
  })
})

describe.each(TABLE.map(row => [row.case, row] as const))('the table of known answers: %s', (_, row) => {
  it('has a scene and an answer by each method that it names', () => {
    for (const [scene, answers] of Object.entries(row['event-driven'])) {
      expect(readdirSync(folder)).toContain(`${scene}.cairn.json`)
      expect(answers.length).toBeGreaterThan(0)
      const plain = all.filter(known => known.scene === scene && known.method === 'event-driven' && known.simulation === undefined)
      expect(plain.length, `cases of ${scene} with its own settings`).toBe(1)
    }
    for (const scene of row['time-stepping']) {
      const stepped = all.filter(known => known.scene === scene && known.method === 'time-stepping')
      expect(stepped.length, `time-stepped cases of ${scene}`).toBeGreaterThan(0)
      if (!row.verdict) for (const known of stepped) expect(known.convergence, `order of convergence of ${known.title}`).toBeDefined()
    }
  })
})

describe.each(readdirSync(folder).map(name => name.replace('.cairn.json', '')))('%s', name => {
  it('is valid, has a description and belongs to a known answer', () => {
    const scene = JSON.parse(readFileSync(new URL(`${name}.cairn.json`, folder), 'utf8')) as { name?: string; description?: string }
    expect(check(scene).problems.filter(problem => problem.severity === 'error')).toEqual([])
    expect(scene.name).toBeTruthy()
    expect(scene.description).toBeTruthy()
    expect(used).toContain(name)
  })
})
