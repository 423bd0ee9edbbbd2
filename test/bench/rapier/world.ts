/** A scene of Cairn in rapier, at rapier's default settings. */

import rapier from '@dimforge/rapier3d-compat'
import { solidsOf } from '../../../core/analysis/solids'
import { rotateInverse } from '../../../core/math/quaternion'
import { sub, type Vec3 } from '../../../core/math/vector'
import type { ResolvedBody, ResolvedScene } from '../../../core/scene'
import type { Pose } from '../../../core/math/pose'

export class RapierWorld {
  private readonly world: rapier.World
  private readonly bodies: rapier.RigidBody[] = []

  /** @param step s */
  static async create(scene: ResolvedScene, step: number): Promise<RapierWorld> {
    await rapier.init()
    return new RapierWorld(scene, step)
  }

  private constructor(scene: ResolvedScene, step: number) {
    this.world = new rapier.World(xyz(scene.gravity))
    this.world.timestep = step
    for (const body of scene.bodies) this.bodies.push(this.add(body, scene))
    for (const joint of scene.joints) {
      if (joint.type !== 'hinge') throw new Error(`${joint.id}: no ${joint.type} joints in this comparison`)
      const at = (id: string | null): { handle: rapier.RigidBody, pose: Pose } => {
        const i = scene.bodies.findIndex(body => body.id === id)
        if (i < 0) return { handle: this.world.createRigidBody(rapier.RigidBodyDesc.fixed()), pose: { position: [0, 0, 0], orientation: [0, 0, 0, 1] } }
        return { handle: this.bodies[i]!, pose: scene.bodies[i]! }
      }
      const [a, b] = [at(joint.bodyA), at(joint.bodyB)]
      const inBody = (pose: Pose): rapier.Vector => xyz(rotateInverse(pose.orientation, sub(joint.anchor, pose.position)))
      const axisIn = (pose: Pose): rapier.Vector => xyz(rotateInverse(pose.orientation, joint.axis))
      const data = rapier.JointData.revoluteWithAxes(inBody(a.pose), inBody(b.pose), axisIn(a.pose), axisIn(b.pose))
      this.world.createImpulseJoint(data, a.handle, b.handle, true).setContactsEnabled(false)
    }
  }

  step(): void {
    this.world.step()
  }

  poses(): Pose[] {
    return this.bodies.map(body => {
      const [p, q] = [body.translation(), body.rotation()]
      return { position: [p.x, p.y, p.z], orientation: [q.x, q.y, q.z, q.w] }
    })
  }

  private add(body: ResolvedBody, scene: ResolvedScene): rapier.RigidBody {
    const dynamic = body.type === 'dynamic'
    const description = (dynamic ? rapier.RigidBodyDesc.dynamic() : rapier.RigidBodyDesc.fixed())
      .setTranslation(...body.position).setRotation(xyzw(body.orientation))
    if (dynamic) description.setLinvel(...body.linearVelocity).setAngvel(xyz(body.angularVelocity))
    const handle = this.world.createRigidBody(description)
        for (const { primitive, pose, material } of body.shapes.flatMap(shape => solidsOf(shape).map(primitive => ({ primitive, pose: shape, material: shape.material })))) {
      const { density, friction, restitution } = scene.materials.find(({ id }) => id === material)!
      const shape = 'vertices' in primitive ? rapier.ColliderDesc.convexHull(new Float32Array((primitive.vertices as Vec3[]).flat())) : rapier.ColliderDesc.ball(primitive.radius)
      if (shape === null) throw new Error(`${body.id}: rapier makes no hull of it`)
      shape.setTranslation(...pose.position).setRotation(xyzw(pose.orientation)).setDensity(density).setFriction(friction.dynamic).setRestitution(restitution)
      this.world.createCollider(shape, handle)
    }
    return handle
  }
}

const xyz = ([x, y, z]: Vec3): rapier.Vector => ({ x, y, z })
const xyzw = ([x, y, z, w]: Pose['orientation']): rapier.Rotation => ({ x, y, z, w })
