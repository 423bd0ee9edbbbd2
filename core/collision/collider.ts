/**
 * Registry of colliders by the two kinds of primitives. A new pair needs one file and one entry here.
 *
 * Primitives come with their poses in the body frames and are transformed there once, so colliders use body frames only.
 */

import type { Cone } from '../geometry/cone'
import type { Cylinder } from '../geometry/cylinder'
import type { Capsule } from '../geometry/capsule'
import type { HalfSpace } from '../geometry/half-space'
import type { Polyhedron } from '../geometry/polyhedron'
import type { Primitive, PrimitiveKind } from '../geometry/shape'
import type { SmoothPrimitive } from '../geometry/smooth'
import type { Sphere } from '../geometry/sphere'
import type { Pose } from '../math/pose'
import { UNIT_Z } from '../math/vector'
import type { Ball } from './ball'
import type { PairCollider } from './contact'
import { CurvedSearch } from './curved/curved-search'
import { flatConvex } from './curved/flat-convex'
import { SwappedCollider } from './pairs/swapped'
import { PolyhedronHalfSpaceCollider } from './polyhedron-half-space'
import { PolyhedraCollider } from './polyhedron-polyhedron'
import { featureSet } from './feature-set'
import { FeatureSetCollider } from './feature-set-collider'
import { rodOf, type Rod } from './rod'
import { RodHalfSpaceCollider } from './rod-half-space'
import { RodPolyhedronCollider } from './rod-polyhedron'
import { RodRodCollider } from './rod-rod'
import { roundOf, type Round } from './round'
import { RoundHalfSpaceCollider } from './round-half-space'
import { SmoothHalfSpaceCollider } from './smooth-half-space'
import { SmoothPolyhedronCollider } from './smooth-polyhedron'
import { SmoothRodCollider } from './smooth-rod'
import { SmoothSmoothCollider } from './smooth-smooth'
import { SphereHalfSpaceCollider } from './sphere-half-space'
import { SpherePolyhedronCollider } from './sphere-polyhedron'
import { SphereSphereCollider } from './sphere-sphere'
import { SmoothSupport } from './support'

export interface PlacedPrimitive {
  readonly primitive: Primitive
  /** In the body frame. */
  readonly pose: Pose
}

type Maker = (a: PlacedPrimitive, b: PlacedPrimitive) => PairCollider

const polyhedron = ({ primitive, pose }: PlacedPrimitive): Polyhedron => (primitive as Polyhedron).placed(pose)
const halfSpace = ({ primitive, pose }: PlacedPrimitive): HalfSpace => (primitive as HalfSpace).placed(pose)
const ball = ({ primitive, pose }: PlacedPrimitive): Ball => ({ center: pose.position, radius: (primitive as Sphere).radius })
const smooth = ({ primitive, pose }: PlacedPrimitive): SmoothSupport => new SmoothSupport(primitive as SmoothPrimitive, pose)
const rod = ({ primitive, pose }: PlacedPrimitive): Rod => rodOf(primitive as Capsule, pose)
const ballAsRod = (placed: PlacedPrimitive): Rod => ({ from: placed.pose.position, direction: UNIT_Z, length: 0, radius: ball(placed).radius })

const round = ({ primitive, pose }: PlacedPrimitive): Round => roundOf(primitive as Cylinder | Cone, pose)

const search = (a: PlacedPrimitive, b: PlacedPrimitive): CurvedSearch =>
  new CurvedSearch(flatConvex(a.primitive), a.pose, flatConvex(b.primitive), b.pose)

const CURVED = ['ellipsoid', 'superquadric', 'formula'] as const

const listed = (a: PrimitiveKind, b: PrimitiveKind): [`${PrimitiveKind}/${PrimitiveKind}`, Maker] => [`${a}/${b}`,
  (p, q) => new FeatureSetCollider(featureSet(p.primitive, p.pose), featureSet(q.primitive, q.pose))]

const makers = new Map<`${PrimitiveKind}/${PrimitiveKind}`, Maker>([
  ['polyhedron/polyhedron', (a, b) => new PolyhedraCollider(polyhedron(a), polyhedron(b))],
  ['polyhedron/halfSpace', (a, b) => new PolyhedronHalfSpaceCollider(polyhedron(a), halfSpace(b))],
  ['sphere/sphere', (a, b) => new SphereSphereCollider(ball(a), ball(b))],
  ['sphere/halfSpace', (a, b) => new SphereHalfSpaceCollider(ball(a), halfSpace(b))],
  ['sphere/polyhedron', (a, b) => new SpherePolyhedronCollider(ball(a), polyhedron(b))],
  ['capsule/halfSpace', (a, b) => new RodHalfSpaceCollider(rod(a), halfSpace(b))],
  ['capsule/polyhedron', (a, b) => new RodPolyhedronCollider(rod(a), polyhedron(b), search(a, b))],
  ['capsule/capsule', (a, b) => new RodRodCollider(rod(a), rod(b), search(a, b))],
  ['cylinder/halfSpace', (a, b) => new RoundHalfSpaceCollider(round(a), halfSpace(b))],
  ['cone/halfSpace', (a, b) => new RoundHalfSpaceCollider(round(a), halfSpace(b))],
  ...(['polyhedron', 'sphere', 'capsule', ...CURVED, 'cylinder'] as const).map(other => listed('cylinder', other)),
  ...(['polyhedron', 'sphere', 'capsule', ...CURVED, 'cylinder', 'cone'] as const).map(other => listed('cone', other)),
  ['capsule/sphere', (a, b) => new RodRodCollider(rod(a), ballAsRod(b), search(a, b))],
  ...CURVED.flatMap((kind): [`${PrimitiveKind}/${PrimitiveKind}`, Maker][] => [
    [`${kind}/halfSpace`, (a, b) => new SmoothHalfSpaceCollider(smooth(a), halfSpace(b))],
    [`${kind}/capsule`, (a, b) => new SmoothRodCollider(smooth(a), rod(b), search(a, b))],
    [`${kind}/polyhedron`, (a, b) => new SmoothPolyhedronCollider(smooth(a), polyhedron(b))],
    ...(['sphere', ...CURVED] as const).map((other): [`${PrimitiveKind}/${PrimitiveKind}`, Maker] =>
      [`${kind}/${other}`, (a, b) => new SmoothSmoothCollider(smooth(a), smooth(b))]),
  ]),
])

/**
 * Polygons collide as polygons with polygons and half-spaces in their plane. Round shapes collide with the prism at a point in that plane, because the prism
 * extends equally to both sides.
 */
function asMetBy(placed: PlacedPrimitive, other: PrimitiveKind): PlacedPrimitive {
  const { primitive } = placed
  if (primitive.kind !== 'polyhedron' || other === 'polyhedron' || other === 'halfSpace') return placed
  return { ...placed, primitive: (primitive as Polyhedron).prism ?? primitive }
}

/**
 * A new collider for two primitives of two bodies; `null` if the pair cannot touch: two half-spaces are both fixed.
 * @throws RangeError for two kinds without a collider
 */
export function createCollider(placedA: PlacedPrimitive, placedB: PlacedPrimitive): PairCollider | null {
  const [kindA, kindB] = [placedA.primitive.kind, placedB.primitive.kind]
  const [a, b] = [asMetBy(placedA, kindB), asMetBy(placedB, kindA)]
  const straight = makers.get(`${kindA}/${kindB}`)
  if (straight) {
    return straight(a, b)
  }
  const turned = makers.get(`${kindB}/${kindA}`)
  if (turned) {
    return new SwappedCollider(turned(b, a))
  }
  if (kindA === 'halfSpace' && kindB === 'halfSpace') {
    return null
  }
  throw new RangeError(`There is no collider for ${kindA} and ${kindB}: without one the two would pass through each other.`)
}
