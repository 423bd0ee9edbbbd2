/**
 * The first half second of every gallery scene ends in the state that is written down here, to the last bit: on any machine, and after any change that means
 * to change no motion. A change that means to writes down the hashes that it gives, which are in the failure, and their digest in core/simulation/version.ts:
 * runs that were kept from before are then computed anew.
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

/** s */
const DURATION = 0.5

let scripts: ScriptRuntime
beforeAll(async () => { scripts = await createScriptRuntime() })
afterAll(() => scripts.dispose())

it('a hash is written down for every gallery scene, and for no other', () => {
  expect(Object.keys(known)).toEqual(scenes)
})

describe.each(scenes)('%s', name => {
  it('ends in the hash that is written down', { tags: name === 'cloth-on-a-sphere.cairn.json' ? ['long'] : [] }, () => {
    const scene = JSON.parse(readFileSync(new URL(name, folder), 'utf8')) as { simulation?: object }
    expect(recorded({ ...scene, simulation: { ...scene.simulation, duration: DURATION } }, scripts).end.finalHash).toBe(known[name])
  })
})

it('the engine names its motions by the digest of these hashes', () => {
  expect(MOTION).toBe(createHash('sha256').update(JSON.stringify(known)).digest('hex').slice(0, 8))
})
