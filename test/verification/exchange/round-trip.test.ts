/** Scene → format → scene: equal but for the losses told, for every example, every known answer, and scenes made at random. */

import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { completeOptions, formats } from '../../../core/formats'
import { parseScene, type Joint, type ResolvedScene, type Scene } from '../../../core/scene'
import { differences, untold } from './differences'

const folders = ['scenes', 'scenes/verification'].filter(folder => existsSync(folder))
const scenes = folders.flatMap(folder => readdirSync(folder).filter(name => name.endsWith('.cairn.json')).map(name => join(folder, name)))

/** What keeps the most of a scene, where the defaults are made for people. */
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
  const trip = async (scene: ResolvedScene): Promise<string[]> => {
    const { files, losses } = await exporter.run(scene, 'scene', completeOptions(exporter.options))
    const byName = new Map(files.map(file => [file.name, file]))
    expect(importer.recognises(files[0]!)).toBe(true)
    const back = await importer.run(files[0]!, name => byName.get(name) ?? null, completeOptions(importer.options, IMPORT[id]))
    expect(back.missing).toEqual([])
    return untold(differences(scene, resolved(back.scene)), losses)
  }

  describe(`${id} and back`, () => {
    it.each(scenes)('%s', async path => {
      expect(await trip(resolved(readFileSync(path, 'utf8')))).toEqual([])
    })

    it('scenes made at random', async () => {
      await fc.assert(fc.asyncProperty(randomScene, async scene => {
        expect(await trip(resolved(scene))).toEqual([])
      }), { numRuns: 40 })
    })
  })
}

const coordinate = fc.double({ min: -3, max: 3, noNaN: true })
const size = fc.double({ min: 0.05, max: 1, noNaN: true })
const point = fc.tuple(coordinate, coordinate, coordinate)
const turn = fc.tuple(coordinate, coordinate, coordinate, fc.double({ min: 0.1, max: 2, noNaN: true }))
  .map(q => q.map(part => part / Math.sqrt(q.reduce((sum, x) => sum + x * x, 0))) as [number, number, number, number])
const shape = fc.oneof(
  fc.record({ type: fc.constant('box' as const), size: fc.tuple(size, size, size) }),
  fc.record({ type: fc.constant('sphere' as const), radius: size }),
  fc.record({ type: fc.constant('cylinder' as const), radius: size, height: size }),
  fc.record({ type: fc.constant('capsule' as const), radius: size, height: size }),
  fc.record({ type: fc.constant('ellipsoid' as const), radii: fc.tuple(size, size, size) }),
)
const placedShape = fc.tuple(shape, point, turn).map(([one, position, orientation]) => ({ ...one, position, orientation, material: 'stuff' }))
const axis = point.filter(([x, y, z]) => x * x + y * y + z * z > 0.01)
const freedom = fc.record({
  limits: fc.option(fc.record({ lower: fc.double({ min: -2, max: -0.1, noNaN: true }), upper: fc.double({ min: 0.1, max: 2, noNaN: true }) }), { nil: undefined }),
  damping: fc.double({ min: 0, max: 2, noNaN: true }), friction: fc.double({ min: 0, max: 2, noNaN: true }),
})

const randomScene: fc.Arbitrary<Scene> = fc.record({
  count: fc.integer({ min: 1, max: 5 }), seeds: fc.array(fc.tuple(placedShape, point, turn, point, point), { minLength: 5, maxLength: 5 }),
  joints: fc.array(fc.tuple(fc.constantFrom('hinge' as const, 'slider' as const, 'ball' as const, 'fixed' as const), fc.nat(4), fc.nat(4), point, axis, freedom), { maxLength: 6 }),
  gravity: point, friction: fc.double({ min: 0, max: 1, noNaN: true }),
}).map(({ count, seeds, joints, gravity, friction }): Scene => {
  // Not covered: several joints between the same two bodies, and a body welded to the world, which formats say as a fixed body.
  const joined = new Set<string>()
  return {
    format: 'cairn-scene', version: 1, gravity, materials: [{ id: 'stuff', friction: { static: friction, dynamic: friction } }],
    bodies: seeds.slice(0, count).map(([one, position, orientation, linearVelocity, angularVelocity], i) =>
      ({ id: `body${i}`, position, orientation, linearVelocity, angularVelocity, shapes: [one] })),
    joints: joints.flatMap(([type, a, b, anchor, along, acts], i): Joint[] => {
      const [bodyA, bodyB] = [a % count, b % (count + 1)]
      if (bodyA === bodyB || joined.has(`${Math.min(bodyA, bodyB)} ${Math.max(bodyA, bodyB)}`) || (type === 'fixed' && bodyB === count)) return []
      joined.add(`${Math.min(bodyA, bodyB)} ${Math.max(bodyA, bodyB)}`)
      const common = { id: `joint${i}`, bodyA: `body${bodyA}`, bodyB: bodyB === count ? null : `body${bodyB}`, anchor }
      if (type === 'ball' || type === 'fixed') return [{ ...common, type }]
      const { limits, ...rest } = acts
      return [{ ...common, type, axis: along, ...rest, ...(limits === undefined ? {} : { limits }) }]
    }),
  }
})
