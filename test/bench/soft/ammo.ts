/** The sheet as a soft body of Bullet in ammo.js, whose stiffness is a dimensionless number from 0 to 1: the largest is used. */

import { BALL, FRICTION, GRAVITY, MASS, RADIUS, STEP, type Sheet, type SoftWorld } from './sheet'

/** Position iterations, of which ten are what demos take. */
const ITERATIONS = 10
/** btSoftBody's SDF_RS and VF_SS: against rigid bodies, and vertices against faces of soft ones. */
const COLLISIONS = 0x11

type Made = Record<string, (...values: unknown[]) => never>
type Ammo = Record<string, new (...values: unknown[]) => Made> & { castObject(object: unknown, as: unknown): Made }
interface Vector { x(): number; y(): number; z(): number }

export async function ammo(load: (path: string) => Promise<unknown>, sheet: Sheet): Promise<SoftWorld> {
  const A = await ((await load('ammojs3/dist/ammo.wasm.js')) as { default: () => Promise<Ammo> }).default()
  const make = (name: string, ...values: unknown[]): Made => new A[name]!(...values)
  const call = (object: Made, method: string, ...values: unknown[]): Made => object[method]!(...values)
  const config = make('btSoftBodyRigidBodyCollisionConfiguration')
  const dispatcher = make('btCollisionDispatcher', config)
  const world = make('btSoftRigidDynamicsWorld', dispatcher, make('btDbvtBroadphase'), make('btSequentialImpulseConstraintSolver'), config, make('btDefaultSoftBodySolver'))
  const gravity = make('btVector3', 0, 0, -GRAVITY)
  call(world, 'setGravity', gravity)
  call(call(world, 'getWorldInfo'), 'set_m_gravity', gravity)
  const place = make('btTransform')
  call(place, 'setIdentity')
  const ball = make('btRigidBody', make('btRigidBodyConstructionInfo', 0, make('btDefaultMotionState', place), make('btSphereShape', BALL), make('btVector3', 0, 0, 0)))
  call(ball, 'setFriction', FRICTION)
  call(world, 'addRigidBody', ball)
  const body = call(make('btSoftBodyHelpers'), 'CreateFromTriMesh', call(world, 'getWorldInfo'), sheet.vertices.flat(), sheet.triangles.flat(), sheet.triangles.length, false)
  const settings = call(body, 'get_m_cfg')
  call(settings, 'set_piterations', ITERATIONS)
  call(settings, 'set_collisions', COLLISIONS)
  call(settings, 'set_kDF', FRICTION)
  call(body, 'setTotalMass', MASS, false)
  call(call(A.castObject(body, A.btCollisionObject), 'getCollisionShape'), 'setMargin', RADIUS)
  call(world, 'addSoftBody', body, 1, -1)
  const nodes = call(body, 'get_m_nodes')
  return {
    step: () => { call(world, 'stepSimulation', STEP, 0, STEP) },
    positions: () => Float64Array.from(sheet.vertices.flatMap((_, i) => {
      const at = call(call(nodes, 'at', i), 'get_m_x') as unknown as Vector
      return [at.x(), at.y(), at.z()]
    })),
  }
}
