/** SDFormat, glTF and USD against real files, against all scenes of the project, and against random ones. */

import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { completeOptions, formatById, type FormatFile, type ImportResult } from '../../../../core/formats'
import { bodyMass, partsOf } from '../../../../core/analysis/solids'
import { parseScene, resolveScene, type ResolvedScene, type Scene } from '../../../../core/scene'
import { differences, untold } from './same-scene'
import { readScene, sceneFiles } from './scene-files'

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

async function roundTrip(format: string, scene: ResolvedScene, options: Record<string, unknown> = {}) {
  const { exporter, importer } = formatById(format)!
  const out = await exporter!.run(scene, 'scene', completeOptions(exporter!.options, options))
  const back = await importer!.run(out.files[0]!, name => out.files.find(file => file.name === name) ?? null, completeOptions(importer!.options))
  return { out, back }
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

  test('brings every scene of the gallery and the verification suite back, but for the losses told', async () => {
    for (const file of sceneFiles) {
      const scene = readScene(file)
      const { out, back } = await roundTrip(id, scene)
      expect(untold(differences(scene, resolveScene(back.scene)), out.losses), file).toEqual([])
    }
  }, 300_000)

  test('brings random scenes back, but for the losses told', async () => {
    await fc.assert(fc.asyncProperty(randomScene, async written => {
      const document = JSON.parse(JSON.stringify(written)) as Scene
      const parsed = parseScene(document)
      fc.pre(parsed.ok)
      const scene = resolveScene(document)
      const { out, back } = await roundTrip(id, scene)
      expect(untold(differences(scene, resolveScene(back.scene), 1e-8), out.losses)).toEqual([])
    }), { numRuns: 25 })
  }, 400_000)

  test('refuses rubbish with a typed error, never a crash', async () => {
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

  test('takes 10,000 bodies in each direction within 3 s of processor time', async () => {
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
  }, 120_000)
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

const real = (least: number, most: number) => fc.double({ min: least, max: most, noNaN: true }).map(x => Math.round(x * 1e6) / 1e6)
const vector = (size: number) => fc.tuple(real(-size, size), real(-size, size), real(-size, size))
const turn = fc.tuple(real(-1, 1), real(-1, 1), real(-1, 1), real(-1, 1)).filter(q => Math.hypot(...q) > 0.1).map(q => q.map(x => x / Math.hypot(...q)))
const length = real(0.05, 2)
const sized = fc.oneof(
  fc.record({ type: fc.constant('box'), size: fc.tuple(length, length, length) }), fc.record({ type: fc.constant('sphere'), radius: length }),
  fc.record({ type: fc.constant('capsule'), radius: length, height: length }), fc.record({ type: fc.constant('cylinder'), radius: length, height: length }),
  fc.record({ type: fc.constant('cone'), radius: length, height: length }), fc.record({ type: fc.constant('ellipsoid'), radii: fc.tuple(length, length, length) }),
)
const direction = vector(1).filter(v => Math.hypot(...v) > 0.1)
const freedom = fc.record({
  limits: fc.option(fc.record({ lower: real(-2, -0.1), upper: real(0.1, 2) }), { nil: undefined }),
  motor: fc.option(fc.record({ targetVelocity: real(-3, 3), maxForce: real(0.1, 50) }), { nil: undefined }),
  damping: fc.oneof(fc.constant(0), real(0.01, 5)), friction: fc.oneof(fc.constant(0), real(0.01, 5)),
  spring: fc.option(fc.record({ stiffness: real(0.1, 100), rest: real(-1, 1) }), { nil: undefined }),
})
const COUNT = 5
const ends = fc.tuple(fc.nat(COUNT), fc.nat(COUNT)).filter(([a, b]) => a !== b)
const kinds = fc.oneof(
  fc.tuple(fc.constant('hinge'), freedom, direction), fc.tuple(fc.constant('slider'), freedom, direction), fc.tuple(fc.constant('ball'), freedom, direction),
  fc.tuple(fc.constant('fixed'), freedom, direction), fc.tuple(fc.constant('universal'), freedom, direction),
  fc.tuple(fc.constant('cylindrical'), freedom, direction), fc.tuple(fc.constant('planar'), freedom, direction), fc.tuple(fc.constant('distance'), freedom, direction),
)

/** Five bodies that may be anything, and up to four joints between them and the world. */
const randomScene: fc.Arbitrary<Scene> = fc.record({
  bodies: fc.array(fc.record({
    type: fc.constantFrom('dynamic', 'dynamic', 'dynamic', 'fixed', 'kinematic'), position: vector(5), orientation: turn, linearVelocity: vector(3), angularVelocity: vector(3),
    shapes: fc.array(fc.tuple(sized, vector(1), turn), { minLength: 1, maxLength: 3 }),
  }), { minLength: COUNT, maxLength: COUNT }),
  joints: fc.array(fc.tuple(kinds, ends, vector(3), fc.boolean()), { maxLength: 4 }),
  gravity: vector(10), coefficient: real(0, 1), restitution: real(0, 1),
}).map(({ bodies, joints, gravity, coefficient, restitution }) => ({
  format: 'cairn-scene', version: 1, gravity,
  materials: [{ id: 'one', density: 500, friction: { static: coefficient, dynamic: coefficient / 2, torsional: 0.01 * coefficient }, restitution, color: '#3366cc' }],
  bodies: bodies.map(({ shapes, linearVelocity, angularVelocity, ...body }, i) => ({
    id: `body.${i}`, ...body, ...body.type === 'fixed' ? {} : { linearVelocity, angularVelocity },
    shapes: shapes.map(([shape, position, orientation]) => ({ ...shape, position, orientation, material: 'one' })),
  })),
  joints: joints.map(([[type, free, axis], [a, b], anchor, collide], i) => {
    const base = { id: `joint-${i}`, type, bodyA: a === COUNT ? null : `body.${a}`, bodyB: b === COUNT ? null : `body.${b}`, collide }
    const kept = JSON.parse(JSON.stringify(free)) as object
    const across = Math.abs(axis[0]) < 0.9 * Math.hypot(...axis) ? [0, axis[2], -axis[1]] : [-axis[2], 0, axis[0]]
    switch (type) {
      case 'hinge':
      case 'slider':
        return { ...base, anchor, axis, ...kept }
      case 'universal':
        return { ...base, anchor, axisA: axis, axisB: across, rotationA: kept, rotationB: {} }
      case 'cylindrical':
        return { ...base, anchor, axis, rotation: kept, translation: { damping: free.damping } }
      case 'planar':
        return { ...base, anchor, normal: axis }
      case 'distance':
        return { ...base, anchor, anchorB: [anchor[0] + 1, anchor[1], anchor[2]] }
      case 'ball':
        return { ...base, anchor, damping: free.damping, friction: free.friction }
      default:
        return { ...base, anchor }
    }
  }),
}) as unknown as Scene)
