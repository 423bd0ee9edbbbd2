/**
 * The first half second of every gallery scene ends in the stored state, bit for bit: on any machine, and after any change that should not affect
 * motion. An intended change of motion stores the new hashes, which the failure prints, and their digest in core/simulation/version.ts, so that
 * cached runs are computed again.
 */

import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { ScriptRuntime } from '../../core/dynamics/script-runtime'
import { MOTION } from '../../core/simulation/version'
import { createScriptRuntime } from '../../main/run/sandbox'
import { recorded } from './support'

const folder = new URL('../../scenes/', import.meta.url)
const scenes = readdirSync(folder).filter(name => name.endsWith('.cairn.json'))
const known = JSON.parse(readFileSync(new URL('gallery-hashes.json', import.meta.url), 'utf8')) as Record<string, string>

/** By name without ending. */
const LONG_SCENES: ReadonlySet<string> = new Set([
  'cloth-on-a-sphere', 'curtain-on-rings', 'four-legged-walker', 'card-house', 'box-on-a-trampoline', 'fur-on-a-swinging-ball', 'rocking-across-a-flat-spot',
  'flag-in-the-wind', 'ropes-on-a-capstan',
])

/** s */
const DURATION = 0.5

let scripts: ScriptRuntime
beforeAll(async () => { scripts = await createScriptRuntime() })
afterAll(() => scripts.dispose())

it('there is a stored hash for every gallery scene, and for no other', () => {
  expect(Object.keys(known)).toEqual(scenes)
})

describe.each(scenes)('%s', name => {
  it('ends in the stored hash', { tags: LONG_SCENES.has(name.replace('.cairn.json', '')) ? ['long'] : [] }, () => {
    const scene = JSON.parse(readFileSync(new URL(name, folder), 'utf8')) as { simulation?: object }
    expect(recorded({ ...scene, simulation: { ...scene.simulation, duration: DURATION } }, scripts).end.finalHash).toBe(known[name])
  })
})

it('the engine names its motions by the digest of these hashes', () => {
  expect(MOTION).toBe(createHash('sha256').update(JSON.stringify(known)).digest('hex').slice(0, 8))
})
