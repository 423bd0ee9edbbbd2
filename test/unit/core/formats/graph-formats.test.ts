/** SDFormat, glTF and USD: real files, faulty ones, and large scenes. */

import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { completeOptions, formatById, type FormatFile, type ImportResult } from '../../../../core/formats'
import { bodyMass, partsOf } from '../../../../core/analysis/solids'
import { parseScene, resolveScene, type Scene } from '../../../../core/scene'
import { readScene } from './scene-files'

const CORPUS = resolve(import.meta.dirname, '../../../../../shared/reference/exchange')
const FORMATS = [{ id: 'sdf', ending: '.sdf', folder: 'sdf' }, { id: 'usda', ending: '.usda', folder: 'usd' }, { id: 'gltf', ending: '.gltf', folder: 'gltf' }] as const

function filesBelow(folder: string, ending: string): string[] {
  if (!existsSync(folder)) return []
  return readdirSync(folder, { withFileTypes: true }).flatMap(entry => entry.isDirectory() ? filesBelow(join(folder, entry.name), ending)
    : entry.name.endsWith(ending) ? [join(folder, entry.name)] : [])
}

async function importFile(format: string, path: string): Promise<ImportResult> {
  const { importer } = formatById(format)!
  const folder = dirname(path)
  const resolve = (name: string): FormatFile | null => existsSync(join(folder, name)) ? { name, content: new Uint8Array(readFileSync(join(folder, name))) } : null
  return importer!.run({ name: relative(folder, path), content: readFileSync(path, 'utf8') }, resolve, completeOptions(importer!.options))
}

interface Facts {
  links?: number, bodies?: number, motion_nodes?: number, joints?: number | unknown[], gravity?: unknown, masses?: Record<string, number>, total_stated_mass?: number
  joints_by_type?: Record<string, number>
}

describe.each(FORMATS)('$id', ({ id, ending, folder }) => {
  const files = filesBelow(join(CORPUS, folder), ending)

  test.runIf(files.length > 0)('converts every file of the corpus, with the facts that it states', async () => {
    for (const path of files) {
      const { facts } = JSON.parse(readFileSync(`${path}.expected.json`, 'utf8')) as { facts: Facts }
      const { scene, losses } = await importFile(id, path)
      const resolved = resolveScene(scene)
      expect(parseScene(scene).ok, path).toBe(true)
      expect(losses.filter(({ message }) => message.endsWith('.')), path).toEqual([])
      const moving = resolved.bodies.filter(body => body.type !== 'fixed')
      const masses = facts.masses ?? {}
      for (const [name, mass] of Object.entries(masses)) {
        const plain = name.split(/::|\//).at(-1)!
        const found = resolved.bodies.filter(({ id: body, type }) => type === 'dynamic' && (body === plain || body.endsWith(`.${plain}`) || name.split('::')[0] === body || body.replace(/-\d+$/, '') === plain))
        const near = found.some(body => Math.abs(bodyMass(body, body.mass?.mass === undefined ? partsOf(body, resolved) : []).mass - mass) <= 1e-9 * mass)
        expect(near, `${path}: mass ${mass} of ${name}, ${found.map(body => body.mass?.mass).join(', ')}`).toBe(true)
      }
      const stated = typeof facts.joints === 'number' ? facts.joints : (facts.joints ?? []).length
      const unjoined = losses.filter(({ instead }) => /not joined|turn independently/.test(instead) || instead === 'nothing: only one').length
      const gears = resolved.joints.filter(joint => joint.type === 'gear' && joint.id.endsWith('-follows')).length
      expect(resolved.joints.length - gears + unjoined, `${path}: joints`).toBe(stated)
      if (id === 'sdf') expect(resolved.bodies.length, path).toBe(facts.links)
      if (id === 'usda') expect(moving.length, path).toBe(facts.bodies)
    }
  }, 60_000)

  test('refuses invalid data with a typed error, never a crash', async () => {
    const { importer, exporter } = formatById(id)!
    const good = (await exporter!.run(readScene('scenes/four-bar.cairn.json'), 'x', completeOptions(exporter!.options, id === 'gltf' ? { text: true } : {}))).files[0]!
    const text = good.content as string
    await fc.assert(fc.asyncProperty(fc.nat(text.length - 1), fc.nat(40), fc.string({ maxLength: 8 }), async (at, cut, put) => {
      const broken = text.slice(0, at) + put + text.slice(at + cut)
      try {
        await importer!.run({ name: `x${ending}`, content: broken }, () => null, completeOptions(importer!.options))
      } catch (error) {
        expect(error).toHaveProperty('path')
        expect(error).toHaveProperty('ids')
      }
    }), { numRuns: 300 })
  }, 60_000)

  test('takes 10,000 bodies in each direction within 3 s of processor time', { tags: 'long' }, async () => {
    const scene = resolveScene(manyBodies(10_000))
    const { exporter, importer } = formatById(id)!
    const start = process.cpuUsage()
    const out = await exporter!.run(scene, 'scene', completeOptions(exporter!.options))
    const written = process.cpuUsage(start).user / 1e6
    const middle = process.cpuUsage()
    const back = await importer!.run(out.files[0]!, name => out.files.find(file => file.name === name) ?? null, completeOptions(importer!.options))
    const read = process.cpuUsage(middle).user / 1e6
    console.log(`${id}: 10,000 bodies written in ${written.toFixed(2)} s, read in ${read.toFixed(2)} s`)
    expect(back.scene.bodies).toHaveLength(10_000)
  })
})

function manyBodies(count: number): Scene {
  return {
    format: 'cairn-scene', version: 1, materials: [{ id: 'steel', density: 7850, friction: { static: 0.5, dynamic: 0.4 } }],
    bodies: Array.from({ length: count }, (_, i) => ({
      id: `box-${i}`, position: [i % 100, Math.floor(i / 100) % 100, 1.5 * Math.floor(i / 10_000) + 1], orientation: [0, 0, Math.sin(i), Math.cos(i)],
      shapes: [{ type: 'box', size: [0.5, 0.4, 0.3], material: 'steel' }],
    })),
    joints: Array.from({ length: count / 2 }, (_, i) => ({
      id: `hinge-${i}`, type: 'hinge', bodyA: `box-${2 * i}`, bodyB: `box-${2 * i + 1}`, anchor: [2 * i % 100, Math.floor(2 * i / 100) % 100, 1], axis: [0, 1, 0],
    })),
  } as Scene
}
