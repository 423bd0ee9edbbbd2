// @module-tag long
/** Scene → format → scene: equal except for the reported losses, for every example, every known answer, and random scenes. */

import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { completeOptions, formats } from '../../../core/formats'
import { parseScene, type ResolvedScene } from '../../../core/scene'
import { differences, untold, type Difference } from './differences'
import { randomScene } from './random-scene'

const folders = ['scenes', 'scenes/verification'].filter(folder => existsSync(folder))
const scenes = folders.flatMap(folder => readdirSync(folder).filter(name => name.endsWith('.cairn.json')).map(name => join(folder, name)))

/** Options that preserve the most of a scene; the defaults are made for people. */
const EXPORT: Readonly<Record<string, Readonly<Record<string, unknown>>>> = { urdf: { capsules: 'element' } }
const IMPORT: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  mjcf: { fixedLinks: 'keep' }, urdf: { fixedLinks: 'keep' },
}

function resolved(source: string | object): ResolvedScene {
  const parsed = parseScene(source)
  if (!parsed.ok) throw new Error(parsed.problems.map(problem => `${problem.path}: ${problem.message}`).join('\n'))
  return parsed.resolved
}

for (const { id, exporter, importer } of formats) {
  if (exporter === null || importer === null) continue
  const trip = async (scene: ResolvedScene): Promise<Difference[]> => {
    const { files, losses } = await exporter.run(scene, 'scene', completeOptions(exporter.options, EXPORT[id]))
    const byName = new Map(files.map(file => [file.name, file]))
    expect(importer.recognises(files[0]!)).toBe(true)
    const back = await importer.run(files[0]!, name => byName.get(name) ?? null, completeOptions(importer.options, IMPORT[id]))
    expect(back.missing).toEqual([])
    return untold(differences(scene, resolved(back.scene), 1e-8), losses)
  }

  describe(`${id} and back`, () => {
    it.each(scenes)('%s', async path => {
      expect(await trip(resolved(readFileSync(path, 'utf8')))).toEqual([])
    })

    it('scenes made at random', async () => {
      await fc.assert(fc.asyncProperty(randomScene, async scene => {
        const parsed = parseScene(scene)
        fc.pre(parsed.ok)
        expect(await trip(parsed.resolved)).toEqual([])
      }), { numRuns: 40 })
    }, 120_000)
  })
}
