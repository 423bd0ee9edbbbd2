/** Exported glTF passes Khronos's validator, and moves in Havok as in Cairn; it is read by glTF Transform, independently of our own reader. */

import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { WebIO } from '@gltf-transform/core'
import HavokPhysics from '@babylonjs/havok'
import {
  Axis, HavokPlugin, NullEngine, Physics6DoFConstraint, PhysicsBody, PhysicsConstraintAxis, PhysicsMotionType, PhysicsShapeBox, Quaternion, Scene, TransformNode, Vector3,
} from '@babylonjs/core'
import { beforeAll, describe, expect, test } from 'vitest'
import { completeOptions, formatById } from '../../../../core/formats'
import { filmGltf } from '../../../../core/formats/gltf/film'
import { RIGID_BODIES, type GltfNode, type GltfPhysicsJoint } from '../../../../core/formats/gltf/json'
import { resolveScene, type ResolvedScene, type Scene as Document } from '../../../../core/scene'
import { readScene, sceneFiles } from './scene-files'

const require = createRequire(import.meta.url)
const validator = require('gltf-validator') as { validateBytes(bytes: Uint8Array, options?: object): Promise<{ issues: { numErrors: number; messages: { code: string; message: string; pointer?: string }[] } }> }

async function glb(scene: ResolvedScene): Promise<Uint8Array> {
  const { exporter } = formatById('gltf')!
  return (await exporter!.run(scene, 'scene', completeOptions(exporter!.options))).files[0]!.content as Uint8Array
}

describe('gltf-validator', () => {
  test('finds no error in any scene of the project, nor in a film', { tags: 'long' }, async () => {
    const still = { position: [0, 0, 1], orientation: [0, 0, 0, 1] } as const
    for (const file of sceneFiles) {
      const scene = readScene(file)
      const frames = [0, 0.1, 0.2].map(time => ({ time, poses: scene.bodies.map((_, i) => time === 0 && i === 0 ? null : { ...still, position: [i, time, 1] as const }) }))
      for (const bytes of [await glb(scene), filmGltf(scene, frames, 'x', { text: false }).files[0]!.content as Uint8Array]) {
        const { issues } = await validator.validateBytes(bytes, { maxIssues: 20 })
        expect(issues.messages.filter(({ code }) => issues.numErrors > 0 && !code.startsWith('UNSUPPORTED')), file).toEqual([])
      }
    }
  })
})

interface Body { readonly node: TransformNode; readonly body: PhysicsBody }

interface Physical {
  readonly nodes: GltfNode[]
  readonly scenes: { readonly extras: { readonly cairn: { readonly gravity: [number, number, number] } } }[]
  readonly extensions: Record<string, { readonly physicsJoints?: GltfPhysicsJoint[] }>
}

/** Havok's world of a glTF as its JSON stands. */
async function havokWorld(bytes: Uint8Array, plugin: HavokPlugin, scene: Scene): Promise<Map<string, Body>> {
  const { json } = await new WebIO().binaryToJSON(bytes)
  const document = json as unknown as Physical
  scene.enablePhysics(new Vector3(...document.scenes[0]!.extras.cairn.gravity), plugin)
  const nodes = document.nodes.map((node, i) => {
    const made = new TransformNode(node.name ?? String(i), scene)
    made.position = new Vector3(...(node.translation ?? [0, 0, 0]) as [number, number, number])
    made.rotationQuaternion = new Quaternion(...(node.rotation ?? [0, 0, 0, 1]) as [number, number, number, number])
    return made
  })
  const parents = new Map<number, number>()
  document.nodes.forEach((node, i) => node.children?.forEach(child => parents.set(child, i)))
  const found = new Map<string, Body>()
  const bodies = new Map<number, PhysicsBody>()
  document.nodes.forEach((node, i) => {
    const motion = (node.extensions?.[RIGID_BODIES] as { motion?: Record<string, number[] & number> } | undefined)?.motion
    if (motion === undefined) return
    const made = nodes[i]!
    const body = new PhysicsBody(made, PhysicsMotionType.DYNAMIC, false, scene)
    body.shape = new PhysicsShapeBox(Vector3.Zero(), Quaternion.Identity(), new Vector3(0.01, 0.01, 0.01), scene)
    body.shape.filterCollideMask = 0
    body.setMassProperties({
      mass: motion.mass!, centerOfMass: new Vector3(...motion.centerOfMass as unknown as [number, number, number]),
      // Babylon expects moments of inertia per unit mass.
      inertia: new Vector3(...motion.inertiaDiagonal as unknown as [number, number, number]).scale(1 / motion.mass!),
      inertiaOrientation: new Quaternion(...motion.inertiaOrientation as unknown as [number, number, number, number]),
    })
    const turned = (v: number[] | undefined): Vector3 => new Vector3(...(v ?? [0, 0, 0]) as [number, number, number]).applyRotationQuaternion(made.rotationQuaternion!)
    body.setLinearVelocity(turned(motion.linearVelocity))
    body.setAngularVelocity(turned(motion.angularVelocity))
    body.setLinearDamping(0)
    body.setAngularDamping(0)
    bodies.set(i, body)
    found.set(node.name!, { node: made, body })
  })
  const world = new PhysicsBody(new TransformNode('world', scene), PhysicsMotionType.STATIC, false, scene)
  const end = (index: number) => {
    const parent = parents.get(index)
    const body = parent === undefined ? undefined : bodies.get(parent)
    return { body: body ?? world, node: nodes[index]! }
  }
  document.nodes.forEach((node, i) => {
    const joint = (node.extensions?.[RIGID_BODIES] as { joint?: { connectedNode: number; joint: number } } | undefined)?.joint
    if (joint === undefined) return
    const [b, a] = [end(i), end(joint.connectedNode)]
    const [linear, angular] = [
      [PhysicsConstraintAxis.LINEAR_X, PhysicsConstraintAxis.LINEAR_Y, PhysicsConstraintAxis.LINEAR_Z],
      [PhysicsConstraintAxis.ANGULAR_X, PhysicsConstraintAxis.ANGULAR_Y, PhysicsConstraintAxis.ANGULAR_Z],
    ] as const
    const limits = document.extensions[RIGID_BODIES]!.physicsJoints![joint.joint]!.limits!.flatMap(limit => [
      ...(limit.linearAxes ?? []).map(k => ({ axis: linear[k]!, minLimit: limit.min, maxLimit: limit.max })),
      ...(limit.angularAxes ?? []).map(k => ({ axis: angular[k]!, minLimit: limit.min, maxLimit: limit.max })),
    ])
    const axis = (of: TransformNode, k: Vector3): Vector3 => k.applyRotationQuaternion(of.rotationQuaternion!)
    const constraint = new Physics6DoFConstraint({
      pivotA: b.node.position.clone(), pivotB: a.node.position.clone(), axisA: axis(b.node, Axis.X), axisB: axis(a.node, Axis.X),
      perpAxisA: axis(b.node, Axis.Y), perpAxisB: axis(a.node, Axis.Y), collision: false,
    }, limits, scene)
    b.body.addConstraint(a.body, constraint)
  })
  return found
}

const CASES: Record<string, { document: Document; body: string; after: (t: number) => [number, number, number]; within: number }> = {
  'a thrown and spinning box': {
    document: {
      format: 'cairn-scene', version: 1, materials: [{ id: 'm' }],
      bodies: [{ id: 'box', position: [1, 2, 3], orientation: [0.5, 0.5, 0.5, 0.5], linearVelocity: [1, -2, 4], angularVelocity: [3, 1, -2], shapes: [{ type: 'box', size: [1, 2, 3], material: 'm' }] }],
    },
    body: 'box', after: t => [1 + t, 2 - 2 * t, 3 + 4 * t - 9.81 / 2 * t * t], within: 0.006,
  },
  'a rod on a hinge, let go level': {
    document: {
      format: 'cairn-scene', version: 1, materials: [{ id: 'm' }],
      bodies: [{ id: 'rod', position: [0.5, 0, 2], shapes: [{ type: 'box', size: [1, 0.05, 0.05], material: 'm' }] }],
      joints: [{ id: 'pin', type: 'hinge', bodyA: 'rod', bodyB: null, anchor: [0, 0, 2], axis: [0, 1, 0] }],
    },
    body: 'rod',
    after: rodAngle, within: 0.003,
  },
}

/** The physical pendulum by fine steps: I = m (l²/3 + w²/12 + ...) about the pin, drop from level. */
function rodAngle(t: number): [number, number, number] {
  const inertia = (1 + 0.05 * 0.05) / 12 + 0.25
  let angle = 0
  let rate = 0
  const h = 1e-5
  for (let k = 0; k < Math.round(t / h); k++) {
    const half = rate + 0.5 * h * 9.81 * 0.5 * Math.cos(angle) / inertia
    angle += h * half
    rate = half + 0.5 * h * 9.81 * 0.5 * Math.cos(angle) / inertia
  }
  return [0.5 * Math.cos(angle), 0, 2 - 0.5 * Math.sin(angle)]
}

describe('Havok', () => {
  let havok: Awaited<ReturnType<typeof HavokPhysics>>
  beforeAll(async () => {
    havok = await HavokPhysics({ wasmBinary: readFileSync(require.resolve('@babylonjs/havok').replace(/HavokPhysics_(umd|es)\.js$/, 'HavokPhysics.wasm')) as unknown as ArrayBuffer })
  })

  test.each(Object.entries(CASES))('moves %s for a second as the equations say', async (_, { document, body, after, within }) => {
    const engine = new NullEngine()
    const scene = new Scene(engine)
    const plugin = new HavokPlugin(true, havok)
    const bodies = await havokWorld(await glb(resolveScene(document)), plugin, scene)
    const { node } = bodies.get(body)!
    const step = 1 / 2000
    for (let k = 0; k < 2000; k++) plugin.executeStep(step, [...bodies.values()].map(one => one.body))
    // Havok is y up.
    const { x, y, z } = node.position
    const [ex, ey, ez] = after(1)
    expect(Math.hypot(x - ex, -z - ey, y - ez)).toBeLessThan(within)
    scene.dispose()
    engine.dispose()
  }, 60_000)
})
