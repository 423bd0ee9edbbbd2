/** urdf-loader, the three.js reader of URDF, loads exported files, with links and joints at the poses of Cairn's bodies. */

import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Window } from 'happy-dom'
import { Object3D, Quaternion, Vector3 } from 'three'
import URDFLoader, { type URDFRobot } from 'urdf-loader'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { bodyMass, partsOf } from '../../../core/analysis/solids'
import { completeOptions, formatById } from '../../../core/formats'
import { composePoses, toOuter, type Pose } from '../../../core/math/pose'
import { conjugate, multiplyQuaternions, rotate, type Quat } from '../../../core/math/quaternion'
import type { Vec3 } from '../../../core/math/vector'
import { parseScene, type ResolvedBody, type ResolvedScene } from '../../../core/scene'
import { bodyAt, recorded } from '../support'
import { corpusFiles, imported } from './corpus'

/** m and rad: rounding of roll, pitch and yaw, which is largest at a pitch near ±90°. */
const SAME = 1e-7

const window = new Window()
beforeAll(() => {
  for (const name of ['DOMParser', 'Document', 'Element'] as const) vi.stubGlobal(name, window[name])
})
afterAll(async () => {
  vi.unstubAllGlobals()
  await window.happyDOM.close()
})

function resolved(source: string | object): ResolvedScene {
  const parsed = parseScene(source)
  if (!parsed.ok) throw new Error(parsed.problems.map(problem => `${problem.path}: ${problem.message}`).join('\n'))
  return parsed.resolved
}

async function written(scene: ResolvedScene): Promise<string> {
  const { exporter } = formatById('urdf')!
  return (await exporter!.run(scene, 'scene', completeOptions(exporter!.options))).files[0]!.content as string
}

/** Meshes are not loaded: only their poses are compared. */
function loaded(urdf: string): URDFRobot {
  const loader = new URDFLoader()
  loader.packages = name => name
  loader.parseCollision = true
  loader.loadMeshCb = (_path, _manager, _material, done) => { done(new Object3D()) }
  const robot = loader.parse(urdf)
  robot.updateMatrixWorld(true)
  return robot
}

function poseOf(object: Object3D): Pose {
  const { x, y, z } = object.getWorldPosition(new Vector3())
  const q = object.getWorldQuaternion(new Quaternion())
  return { position: [x, y, z], orientation: [q.x, q.y, q.z, q.w] }
}

/** Compares points at 1 m on the axes: position and orientation together, independent of the quaternion's sign. */
function apart(a: Pose, b: Pose): number {
  const corners: Vec3[] = [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]]
  return Math.max(...corners.map(corner => {
    const [p, q] = [toOuter(a, corner), toOuter(b, corner)]
    return Math.hypot(p[0] - q[0], p[1] - q[1], p[2] - q[2])
  }))
}

/** Shapes that are one geometry in the file, at the shape's own pose. */
const SIMPLE = ['box', 'sphere', 'cylinder', 'convexHull', 'ellipsoid', 'cone']

/** Difference of the loaded link, its mass and its geometry from the body at this pose. */
function farthest(robot: URDFRobot, body: ResolvedBody, at: Pose, scene: ResolvedScene): number {
  const link = robot.links[body.id]
  if (link === undefined) throw new Error(`no link ${body.id}`)
  const frame = poseOf(link)
  // A link's frame has its origin at the joint and the body's axes.
  const found = [apart({ ...frame, position: at.position }, at)]
  if (body.type === 'dynamic') {
    const { mass, centerOfMass } = bodyMass(body, partsOf(body, scene))
    const center = toOuter(at, centerOfMass)
    const theirs = toOuter(frame, link.inertial.origin.xyz as unknown as Vec3)
    found.push(Math.hypot(center[0] - theirs[0], center[1] - theirs[1], center[2] - theirs[2]), Math.abs(link.inertial.mass - mass) / mass)
  }
  if (body.shapes.every(shape => SIMPLE.includes(shape.type))) {
    const colliders = link.children.filter(child => 'isURDFCollider' in child)
    expect(colliders).toHaveLength(body.shapes.length)
    colliders.forEach((collider, k) => found.push(apart(poseOf(collider), composePoses(at, body.shapes[k]!))))
  }
  return Math.max(...found)
}

const worst = (robot: URDFRobot, scene: ResolvedScene): number => Math.max(...scene.bodies.map(body => farthest(robot, body, body, scene)))

const gallery = readdirSync('scenes').filter(name => name.endsWith('.cairn.json')).map(name => join('scenes', name))

describe('urdf-loader puts every body where Cairn has it', () => {
  const agrees = async (path: string): Promise<void> => {
    const scene = resolved(readFileSync(path, 'utf8'))
    expect(worst(loaded(await written(scene)), scene)).toBeLessThan(SAME)
  }
  /** Making their surfaces takes seconds. */
  const isLong = (path: string): boolean => /surfaces-by-formula|dice-through-a-lattice/.test(path)

  it.each(gallery.filter(path => !isLong(path)))('%s', agrees)
  it.each(gallery.filter(isLong))('%s', { tags: 'long' }, agrees)
})

describe('urdf-loader moves the joints as Cairn does', () => {
  /** Coordinate of a hinge or slider, A relative to B, between the scene's poses and these. */
  function coordinate(scene: ResolvedScene, poses: readonly Pose[], index: number): number {
    const joint = scene.joints[index]!
    if (joint.type !== 'hinge' && joint.type !== 'slider') throw new Error(`a joint of type ${joint.type}`)
    const place = (id: string | null): number => scene.bodies.findIndex(body => body.id === id)
    const now = (id: string | null): Pose => poses[place(id)] ?? { position: [0, 0, 0], orientation: [0, 0, 0, 1] }
    const start = (id: string | null): Pose => scene.bodies[place(id)] ?? { position: [0, 0, 0], orientation: [0, 0, 0, 1] }
    /** Rotation since the start, in the world frame. */
    const turned = (id: string | null): Quat => multiplyQuaternions(now(id).orientation, conjugate(start(id).orientation))
    const relative = multiplyQuaternions(conjugate(turned(joint.bodyB)), turned(joint.bodyA))
    if (joint.type === 'hinge') {
      const along = relative[0] * joint.axis[0] + relative[1] * joint.axis[1] + relative[2] * joint.axis[2]
      return 2 * Math.atan2(along, relative[3])
    }
    const shift = (id: string | null): Vec3 => {
      const from = start(id)
      const local: Vec3 = rotate(conjugate(from.orientation), [joint.anchor[0] - from.position[0], joint.anchor[1] - from.position[1], joint.anchor[2] - from.position[2]])
      return toOuter(now(id), local)
    }
    const [a, b] = [shift(joint.bodyA), shift(joint.bodyB)]
    const axis = rotate(turned(joint.bodyB), joint.axis)
    return (a[0] - b[0]) * axis[0] + (a[1] - b[1]) * axis[1] + (a[2] - b[2]) * axis[2]
  }

  const slide = resolved({
    format: 'cairn-scene', version: 1, materials: [{ id: 'stuff' }], simulation: { duration: 0.5, outputRate: 10 },
    bodies: [
      { id: 'cart', position: [0.3, 0, 1], orientation: [0, 0.6, 0, 0.8], shapes: [{ type: 'box', size: [0.2, 0.2, 0.2], material: 'stuff' }] },
      { id: 'bob', position: [0.3, 0.4, 1], shapes: [{ type: 'cylinder', radius: 0.1, height: 0.3, position: [0, 0, 0.1], material: 'stuff' }] },
    ],
    joints: [
      { id: 'rail', type: 'slider', bodyA: 'cart', bodyB: null, anchor: [0.3, 0, 1], axis: [0.6, 0, 0.8] },
      { id: 'pivot', type: 'hinge', bodyA: 'cart', bodyB: 'bob', anchor: [0.3, 0.1, 1.2], axis: [1, 0, 0] },
    ],
  })
  const moving: [string, ResolvedScene][] = [
    ...['double-pendulum', 'door-with-a-motor', 'four-bar'].map((name): [string, ResolvedScene] => {
      const scene = resolved(readFileSync(`scenes/${name}.cairn.json`, 'utf8'))
      return [name, { ...scene, simulation: { ...scene.simulation, duration: 0.5 } }]
    }),
    ['a pendulum that is the hinge\'s second body, on a cart on an inclined rail', slide],
  ]

  it.each(moving)('%s', async (_name, scene) => {
    const run = recorded(scene)
    expect(run.end.status).toBe('completed')
    const poses = scene.bodies.map((_, i) => bodyAt(run.frames.at(-1)!, i) as unknown as Pose)
    const robot = loaded(await written(scene))
    let moved = 0
    scene.joints.forEach((joint, index) => {
      const theirs = robot.joints[joint.id]
      if (theirs === undefined) return
      const value = coordinate(scene, poses, index)
      theirs.ignoreLimits = true
      theirs.setJointValue(value)
      if (Math.abs(value) > 1e-3) moved++
    })
    expect(moved).toBeGreaterThan(0)
    robot.updateMatrixWorld(true)
    scene.bodies.forEach((body, i) => expect(farthest(robot, body, poses[i]!, scene)).toBeLessThan(SAME))
  })
})

/** The loader does not know <drake:joint>, so links behind one have no parent there. */
function hangsOn(robot: URDFRobot, link: Object3D): boolean {
  for (let above: Object3D | null = link; above !== null; above = above.parent) if (above === robot) return true
  return false
}

const corpus = corpusFiles().filter(file => file.format === 'urdf')

describe.skipIf(corpus.length === 0)('real files', () => {
  it.each(corpus.map(file => [file.name, file] as const))('%s: the same there, and again after a round trip', async (_name, file) => {
    const { scene: source } = await imported(file, { fixedLinks: 'keep', root: 'fixed' })
    const scene = resolved(source)
    const text = readFileSync(file.path, 'utf8')
    // Drake has a world link without a declaration.
    const original = loaded(text.includes('<link name="world"') ? text : text.replace('</robot>', '<link name="world"/></robot>'))
    let compared = 0
    for (const body of scene.bodies) {
      const link = original.links[body.name ?? body.id]
      if (link === undefined || !hangsOn(original, link)) continue
      expect([body.id, apart(poseOf(link), body) < SAME]).toStrictEqual([body.id, true])
      compared++
    }
    expect(compared).toBeGreaterThan(0)
    expect(worst(loaded(await written(scene)), scene)).toBeLessThan(SAME)
  })
})
