/** Every scene of `scenes/verification` is one that the editor opens and a known answer uses. */

import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { check } from '../../core/simulation'
import { allCases } from './run-cases'

const folder = new URL('../../scenes/verification/', import.meta.url)
const used = new Set((await allCases()).map(known => known.scene))

describe.each(readdirSync(folder).map(name => name.replace('.cairn.json', '')))('%s', name => {
  it('is valid, says what it shows and belongs to a known answer', () => {
    const scene = JSON.parse(readFileSync(new URL(`${name}.cairn.json`, folder), 'utf8')) as { name?: string; description?: string }
    expect(check(scene).problems.filter(problem => problem.severity === 'error')).toEqual([])
    expect(scene.name).toBeTruthy()
    expect(scene.description).toBeTruthy()
    expect(used).toContain(name)
  })
})
