/** Collision filtering in the scene and in the four formats that support it. */

import { describe, expect, it } from 'vitest'
import { completeOptions, formatById } from '../../../../core/formats'
import { bodyAt, recorded } from '../../../verification/support'
import { compile } from '../../../../core/simulation/compile'
import { removeElements, renameId, requireScene, resolveScene, validateScene, type Scene } from '../../../../core/scene'

const ball = (id: string, collision?: { groups?: number; mask?: number; except?: string[] }) => (
  { id, shapes: [{ type: 'sphere' as const, radius: 0.5, material: 'm' }], ...collision === undefined ? {} : { collision } })
/** Ghosts touch the ground alone, walls everything but ghosts. */
const scene: Scene = {
  format: 'cairn-scene', version: 1, materials: [{ id: 'm' }],
  bodies: [ball('ground'), ball('ghost', { groups: 2, mask: 1 }), ball('spirit', { groups: 2, mask: 1 }), ball('wall', { groups: 4, mask: 5 }), ball('air', { groups: 0, mask: 0 })],
}

/** A hand that passes through all others. */
const excepting: Scene = { ...scene, bodies: [ball('floor'), ball('hand', { except: ['floor', 'left', 'right'] }), ball('left'), ball('right')] }

/** Pairs of ids that touch. */
function touching(of: Scene): string[] {
  const resolved = resolveScene(requireScene(of))
  const { mayCollide } = compile(resolved, null)
  const ids = resolved.bodies.map(({ id }) => id)
  return ids.flatMap((a, i) => ids.slice(i + 1).flatMap((b, k) => mayCollide(i, i + 1 + k) ? [`${a} ${b}`] : []))
}

describe('bodies with collision groups', () => {
  it('touch where either touches a group of the other', () => {
    expect(touching(scene)).toEqual(['ground ghost', 'ground spirit', 'ground wall'])
  })

  it('pass through bodies that one of the two excepts', () => {
    expect(touching(excepting)).toEqual(['floor left', 'floor right', 'left right'])
  })

  it.each(['event-driven', 'time-stepping', 'penalty'] as const)('fall through bodies that they except, by %s', method => {
    const fall = (collision?: { except: string[] }): number => {
      const run = recorded({
        ...scene, bodies: [{ ...ball('floor'), type: 'fixed' }, { ...ball('drop', collision), position: [0, 0, 1.01] }], simulation: { duration: 0.6, method, outputRate: 10 },
      })
      expect(run.end.status).toBe('completed')
      return bodyAt(run.frames.at(-1)!, 1).position[2]!
    }
    expect(fall()).toBeGreaterThan(0.9)
    expect(fall({ except: ['floor'] })).toBeLessThan(-0.5)
  })

  it('except existing bodies, and not themselves', () => {
    const problems = validateScene({ ...scene, bodies: [ball('a', { except: ['a', 'nobody'] })] })
    expect(problems.map(({ path }) => path)).toEqual(['bodies[0].collision.except[0]', 'bodies[0].collision.except[1]'])
  })

  it('drop exceptions of removed bodies, and follow renamed ones', () => {
    const removed = removeElements(excepting, ['left'])
    expect(removed.ok && removed.scene.bodies!.find(({ id }) => id === 'hand')!.collision!.except).toEqual(['floor', 'right'])
    const renamed = renameId(excepting, 'left', 'links')
    expect(renamed.ok && renamed.scene.bodies!.find(({ id }) => id === 'hand')!.collision!.except).toEqual(['floor', 'links', 'right'])
  })

  it('have 32 groups', () => {
    const last = { groups: 2 ** 31, mask: 2 ** 31 }
    expect(touching({ ...scene, bodies: [ball('a', last), ball('b', last), ball('c', { groups: 1, mask: 1 })] })).toEqual(['a b'])
    expect(validateScene({ ...scene, bodies: [ball('a', { groups: 2 ** 32, mask: 1 })] })[0]).toMatchObject({ path: 'bodies[0].collision.groups' })
  })
})

async function back(id: string, from: Scene): Promise<Scene> {
  const { exporter, importer } = formatById(id)!
  const { files } = await exporter!.run(resolveScene(from), 'scene', completeOptions(exporter!.options))
  return requireScene((await importer!.run(files[0]!, path => files.find(file => file.name === path) ?? null, completeOptions(importer!.options))).scene)
}

describe.each(['mjcf', 'sdf', 'gltf', 'usda'])('%s', id => {
  it('keeps which bodies touch which', async () => {
    expect(touching(await back(id, scene))).toEqual(touching(scene))
  })

  it('keeps which two bodies pass through each other', async () => {
    expect(touching(await back(id, excepting))).toEqual(touching(excepting))
  })

  it('writes nothing if all bodies touch', async () => {
    const all = await back(id, { ...scene, bodies: scene.bodies!.map(({ collision: _, ...body }) => body) })
    expect(all.bodies!.map(({ collision }) => collision)).toEqual([undefined, undefined, undefined, undefined, undefined])
  })
})

async function importText(format: string, name: string, content: string) {
  const { importer } = formatById(format)!
  return importer!.run({ name, content }, () => null, completeOptions(importer!.options))
}

describe('files of others', () => {
  it('MJCF: a robot that touches the floor and not itself', async () => {
    const { scene: found } = await importText('mjcf', 'm.xml', `<mujoco><worldbody><geom type="plane" size="1 1 1" conaffinity="1" contype="0"/>
      <body name="a"><freejoint/><geom size="1" contype="1" conaffinity="0"/></body><body name="b"><freejoint/><geom size="1" contype="1" conaffinity="0"/></body></worldbody></mujoco>`)
    expect(touching(found)).toEqual(['world a', 'world b'])
  })

  it('MJCF: geoms of one body with different collision filters are reported', async () => {
    const { losses } = await importText('mjcf', 'm.xml', `<mujoco><worldbody><body name="a"><freejoint/><geom size="1"/><geom size="2" contype="2" conaffinity="2"/></body>
      <body name="b"><freejoint/><geom size="1"/></body></worldbody></mujoco>`)
    expect(losses.map(({ path }) => path)).toContain('bodies[].collision')
  })

  it('MJCF: excluded bodies, of the world too, that no joint joins', async () => {
    const { scene: found, losses } = await importText('mjcf', 'm.xml', `<mujoco><worldbody><geom type="plane" size="1 1 1"/><body name="a"><freejoint/><geom size="1"/></body>
      <body name="b"><freejoint/><geom size="1"/></body></worldbody><contact><exclude body1="a" body2="b"/><exclude body1="world" body2="b"/></contact></mujoco>`)
    expect(touching(found)).toEqual(['world a'])
    expect(losses.filter(({ path }) => path === 'contact')).toEqual([])
  })

  it('USD: filtered pairs, of colliders and of branches', async () => {
    const body = (name: string, more = '') => `def Sphere "${name}" (prepend apiSchemas = ["PhysicsRigidBodyAPI", "PhysicsCollisionAPI"${more === '' ? '' : ', "PhysicsFilteredPairsAPI"'}]) { ${more} }`
    const { scene: found } = await importText('usda', 's.usda', `#usda 1.0\n(upAxis = "Z")\ndef Xform "World" { ${body('a', 'rel physics:filteredPairs = [</World/b>, </World/both>]')} ${body('b')}
      def Xform "both" { ${body('c')} ${body('d')} } }`)
    expect(touching(found)).toEqual(['b c', 'b d', 'c d'])
  })

  it('glTF: a list of what is not touched', async () => {
    const node = (name: string, filter: number | null) => ({
      name, extensions: { KHR_physics_rigid_bodies: { motion: { mass: 1 }, collider: { geometry: { shape: 0 }, ...filter === null ? {} : { collisionFilter: filter } } } },
    })
    const { scene: found } = await importText('gltf', 'f.gltf', JSON.stringify({
      asset: { version: '2.0' }, scene: 0, scenes: [{ nodes: [0, 1, 2] }], nodes: [node('a', 0), node('b', 0), node('c', null)], extensionsUsed: ['KHR_physics_rigid_bodies'],
      extensions: {
        KHR_implicit_shapes: { shapes: [{ type: 'sphere', sphere: { radius: 1 } }] },
        KHR_physics_rigid_bodies: { collisionFilters: [{ collisionSystems: ['robot'], notCollideWithSystems: ['robot'] }] },
      },
    }))
    expect(touching(found)).toEqual(['a c', 'b c'])
  })

  it('USD: a group that touches only itself', async () => {
    const { scene: found } = await importText('usda', 'f.usda', `#usda 1.0
(
    upAxis = "Z"
    metersPerUnit = 1
)
def Xform "a" ( prepend apiSchemas = ["PhysicsRigidBodyAPI"] )
{
    def Sphere "s" ( prepend apiSchemas = ["PhysicsCollisionAPI"] ) { double radius = 1 }
}
def Xform "b" ( prepend apiSchemas = ["PhysicsRigidBodyAPI"] )
{
    def Sphere "s" ( prepend apiSchemas = ["PhysicsCollisionAPI"] ) { double radius = 1 }
}
def Sphere "c" ( prepend apiSchemas = ["PhysicsCollisionAPI"] ) { double radius = 1 }
def PhysicsCollisionGroup "g" ( prepend apiSchemas = ["CollectionAPI:colliders"] )
{
    rel collection:colliders:includes = [</a>, </b/s>]
    bool physics:invertFilteredGroups = 1
    rel physics:filteredGroups = [</g>]
}
`)
    expect(touching(found)).toEqual(['a b'])
  })
})
