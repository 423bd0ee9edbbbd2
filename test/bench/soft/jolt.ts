/** The sheet as a soft body of Jolt: springs along threads and diagonals, given as compliances for its extended position-based dynamics. */

import { BALL, FRICTION, GRAVITY, MASS, RADIUS, SHEAR, STEP, STRETCH, type Sheet, type SoftWorld } from './sheet'

interface Vector { GetX(): number; GetY(): number; GetZ(): number }
interface List { push_back(value: object): void; size(): number; at(index: number): Record<string, unknown> }
type Made = Record<string, unknown> & object
type Maker = new (...values: unknown[]) => Made
interface Jolt {
  readonly [name: string]: unknown
  readonly castObject: (object: unknown, as: unknown) => Made
}
interface System { GetBodyInterface(): Bodies; SetGravity(gravity: Made): void }
interface Bodies { CreateBody(settings: Made): Body; CreateSoftBody(settings: Made): Body; AddBody(id: unknown, activation: unknown): void }
interface Body { GetID(): unknown; GetMotionProperties(): unknown; GetCenterOfMassPosition(): Vector }

const [STATIC, MOVING] = [0, 1]

export async function jolt(load: (path: string) => Promise<unknown>, sheet: Sheet): Promise<SoftWorld> {
  const J = await ((await load('jolt-physics/wasm-compat')) as { default: () => Promise<Jolt> }).default()
  const make = (name: string, ...values: unknown[]): Made => new (J[name] as Maker)(...values)
  const call = (object: Made, method: string, ...values: unknown[]): unknown => (object[method] as (...all: unknown[]) => unknown).apply(object, values)
  const pairs = make('ObjectLayerPairFilterTable', 2)
  call(pairs, 'EnableCollision', STATIC, MOVING)
  const layers = make('BroadPhaseLayerInterfaceTable', 2, 2)
  for (const layer of [STATIC, MOVING]) call(layers, 'MapObjectToBroadPhaseLayer', layer, make('BroadPhaseLayer', layer))
  const settings = make('JoltSettings')
  Object.assign(settings, {
    mMaxBodies: 16, mObjectLayerPairFilter: pairs, mBroadPhaseLayerInterface: layers,
    mObjectVsBroadPhaseLayerFilter: make('ObjectVsBroadPhaseLayerFilterTable', layers, 2, pairs, 2),
  })
  const world = make('JoltInterface', settings)
  const system = call(world, 'GetPhysicsSystem') as System
  system.SetGravity(make('Vec3', 0, 0, -GRAVITY))
  const bodies = system.GetBodyInterface()
  const [origin, upright] = [make('RVec3', 0, 0, 0), make('Quat', 0, 0, 0, 1)]
  const ball = make('BodyCreationSettings', make('SphereShape', BALL), origin, upright, J.EMotionType_Static, STATIC)
  ball.mFriction = FRICTION
  bodies.AddBody(bodies.CreateBody(ball).GetID(), J.EActivation_DontActivate)

  const shared = make('SoftBodySharedSettings')
  const push = (list: string, value: Made): void => { (shared[list] as List).push_back(value) }
  for (const position of sheet.vertices) {
    const vertex = make('SoftBodySharedSettingsVertex')
    vertex.mPosition = make('Float3', ...position)
    vertex.mInvMass = sheet.vertices.length / MASS
    push('mVertices', vertex)
  }
  for (const triangle of sheet.triangles) call(shared, 'AddFace', make('SoftBodySharedSettingsFace', ...triangle, 0))
  for (const pair of sheet.threads) push('mEdgeConstraints', make('SoftBodySharedSettingsEdge', ...pair, 1 / STRETCH))
  for (const pair of sheet.diagonals) push('mEdgeConstraints', make('SoftBodySharedSettingsEdge', ...pair, 1 / SHEAR))
  call(shared, 'CalculateEdgeLengths')
  call(shared, 'Optimize')
  const cloth = make('SoftBodyCreationSettings', shared, origin, upright, MOVING)
  Object.assign(cloth, { mFriction: FRICTION, mVertexRadius: RADIUS, mUpdatePosition: false })
  const body = bodies.CreateSoftBody(cloth)
  bodies.AddBody(body.GetID(), J.EActivation_Activate)
  const vertices = call(J.castObject(body.GetMotionProperties(), J.SoftBodyMotionProperties), 'GetVertices') as List
  return {
    step: () => { call(world, 'Step', STEP, 1) },
    positions: () => {
      const center = body.GetCenterOfMassPosition()
      const found = new Float64Array(3 * vertices.size())
      for (let i = 0; i < vertices.size(); i++) {
        const at = vertices.at(i).mPosition as Vector
        found.set([center.GetX() + at.GetX(), center.GetY() + at.GetY(), center.GetZ() + at.GetZ()], 3 * i)
      }
      return found
    },
  }
}
