import { describe, expect, it } from 'vitest'
import { createCollider } from '../../../../core/collision/collider'
import { CurvedSearch } from '../../../../core/collision/curved/curved-search'
import { flatConvex } from '../../../../core/collision/curved/flat-convex'
import { createPrimitive, type ShapeSpec } from '../../../../core/geometry/primitives'
import { PRIMITIVE_KINDS, type Primitive } from '../../../../core/geometry/shape'
import { IDENTITY_POSE, toOuter, type Pose } from '../../../../core/math/pose'
import { normalizeQuaternion, rotateInverse } from '../../../../core/math/quaternion'
import { addScaled, dot, negate, normalize, scale, sub, type Vec3 } from '../../../../core/math/vector'
import { ascend } from './ascent'
import { sampled } from '../../../sampled'
import { between, direction, orientation, random, vector, type Random } from './random'

const KINDS = ['sphere', 'capsule', 'cylinder', 'cone', 'ellipsoid', 'superquadric', 'formula', 'box', 'hull'] as const
const CURVED_PAIRS = KINDS.slice(0, 7).flatMap((a, i) => KINDS.slice(i).map(b => [a, b] as const))

/** Making a surface takes a tenth of a second, so there are few, in powers of ten. */
const EGGS = [
  'x^2 + y^2 - (SIZE^2/5 - z^2)*(1 + z/4/SIZE)^2', '(x/0.4/SIZE)^2 + (y/0.2/SIZE)^2 + (z/0.5/SIZE)^2 - 1', 'exp(3*x/SIZE) + exp(-3*x/SIZE) + (y^2 + 2*z^2 + y*z)/(SIZE/4)^2 - 4',
]

function shapeOf(r: Random, kind: typeof KINDS[number], size = 1): ShapeSpec {
  const s = (): number => size * between(r, 0.2, 1)
  switch (kind) {
    case 'sphere': return { type: 'sphere', radius: s() }
    case 'capsule': return { type: 'capsule', radius: s(), height: s() }
    case 'cylinder': return { type: 'cylinder', radius: s(), height: s() }
    case 'cone': return { type: 'cone', radius: s(), height: s() }
    case 'ellipsoid': return { type: 'ellipsoid', radii: [s(), s(), s()] }
    case 'superquadric': return { type: 'superquadric', radii: [s(), s(), s()], exponents: [between(r, 0.2, 1.8), between(r, 0.2, 1.8)] }
    case 'formula': return { type: 'implicit', formula: EGGS[Math.floor(3 * r())]!.replaceAll('SIZE', String(10 ** Math.round(Math.log10(size)))) }
    case 'box': return { type: 'box', size: [s(), s(), s()] }
    case 'hull': return { type: 'convexHull', points: Array.from({ length: 20 }, () => scale(direction(r), size * between(r, 0.4, 0.5))) }
  }
}

/** Separation of two solids along a unit vector out of B, by their support functions. */
function separatedBy(a: Primitive, b: Primitive, at: Pose, there: Pose): (n: Vec3) => number {
  return n => dot(n, sub(
    toOuter(at, a.support(rotateInverse(at.orientation, negate(n)))), toOuter(there, b.support(rotateInverse(there.orientation, n)))))
}

const searchOf = (a: Primitive, b: Primitive): CurvedSearch => new CurvedSearch(flatConvex(a), IDENTITY_POSE, flatConvex(b), IDENTITY_POSE)

describe('the search by direction', () => {
  describe.each(CURVED_PAIRS)('%s and %s', (kindA, kindB) => sampled('are separated by the distance of their support functions, and no nearby direction is better', { few: 5, all: 25 }, cases => {
    const r = random(7)
    for (let k = 0; k < cases; k++) {
      const [a, b] = [createPrimitive(shapeOf(r, kindA)), createPrimitive(shapeOf(r, kindB))]
      const turned = orientation(r)
      const there: Pose = { position: vector(r, 0.1), orientation: orientation(r) }
      const far: Pose = { position: scale(direction(r), 3), orientation: turned }
      const apart = searchOf(a, b).separating(far, there)
      // Also near contact, where the nearest points do not determine the direction.
      const gap = k % 2 === 0 ? apart.separation : 10 ** between(r, -9, -1)
      const at: Pose = { position: addScaled(far.position, apart.normal, gap - apart.separation), orientation: turned }
      const found = searchOf(a, b).separating(at, there)
      const separated = separatedBy(a, b, at, there)
      expect(Math.abs(separated(found.normal) - found.separation)).toBeLessThan(1e-13)
      expect(Math.abs(found.separation - gap)).toBeLessThan(1e-12)
      expect(separated(ascend(separated, [found.normal, direction(r)]))).toBeLessThan(found.separation + 1e-12)
    }
  }))

  it('finds in overlap a direction at least as good as the best of a thousand', () => {
    const r = random(9)
    for (const [kindA, kindB] of CURVED_PAIRS) {
      for (let k = 0; k < 3; k++) {
        const [a, b] = [createPrimitive(shapeOf(r, kindA)), createPrimitive(shapeOf(r, kindB))]
        const far: Pose = { position: scale(direction(r), 3), orientation: orientation(r) }
        const there: Pose = { position: [0, 0, 0], orientation: orientation(r) }
        const { normal, separation } = searchOf(a, b).separating(far, there)
        const at: Pose = { ...far, position: addScaled(far.position, normal, -separation - 10 ** between(r, -6, -1)) }
        const search = searchOf(a, b)
        search.find(at, there)
        const separated = separatedBy(a, b, at, there)
        const brute = Array.from({ length: 1000 }, () => separated(direction(r))).reduce((most, s) => Math.max(most, s), separated(normal))
        expect(search.separation).toBeGreaterThanOrEqual(brute - 1e-13)
      }
    }
  })

  it('gives the same result after any motion as a fresh search', () => {
    const r = random(13)
    for (const [kindA, kindB] of CURVED_PAIRS) {
      const [a, b] = [createPrimitive(shapeOf(r, kindA)), createPrimitive(shapeOf(r, kindB))]
      const search = searchOf(a, b)
      for (let k = 0; k < 20; k++) {
        const at: Pose = { position: scale(direction(r), between(r, 1.9, 3)), orientation: orientation(r) }
        search.find(at, IDENTITY_POSE)
        const fresh = searchOf(a, b)
        fresh.find(at, IDENTITY_POSE)
        if (fresh.separation > 0) expect(Math.abs(search.separation - fresh.separation)).toBeLessThan(1e-13)
      }
    }
  })

  it('has bounded cost at every scale: sizes 1 : 1000, near, far, overlapping, and a radius of 1e17', { tags: 'long' }, () => {
    const r = random(21)
    let most = 0
    for (let k = 0; k < 2000; k++) {
      const [kindA, kindB] = CURVED_PAIRS[k % CURVED_PAIRS.length]!
      const size = 10 ** between(r, -3, 3)
      const [a, b] = [createPrimitive(shapeOf(r, kindA, size)), createPrimitive(shapeOf(r, kindB, size * 10 ** between(r, -1.5, 1.5)))]
      const search = searchOf(a, b)
      const at: Pose = { position: scale(direction(r), (a.radius + b.radius) * between(r, 0, 2)), orientation: orientation(r) }
      search.find(at, { position: [0, 0, 0], orientation: orientation(r) })
      expect(Number.isFinite(search.separation)).toBe(true)
      most = Math.max(most, search.counts.iterations)
    }
    expect(most).toBeLessThan(20_000)
    const huge = searchOf(createPrimitive({ type: 'sphere', radius: 1e17 }), createPrimitive({ type: 'ellipsoid', radii: [1, 2, 3] }))
    huge.find({ position: [0, 0, 5], orientation: [0, 0, 0, 1] }, IDENTITY_POSE)
    expect(huge.separation).toBeLessThan(0)
  })

  it('finds quickly a depth that once took 36 s', () => {
    const ellipsoid = createPrimitive({ type: 'ellipsoid', radii: [0.7145467728564597, 0.9560665149886247, 0.6380228055342057] })
    const box = createPrimitive({ type: 'box', size: [1.2966036114423034, 1.441549344396603, 1.3301431149308045] })
    const at: Pose = { position: [0, 0, 1.2681141766789918], orientation: normalizeQuaternion([0.43802965, 0.86572478, -0.09700626, -0.22190181]) }
    const there: Pose = { position: [0, 0, 2.2589729529858853], orientation: normalizeQuaternion([0.08648764, -0.80614608, -0.27677241, 0.51579591]) }
    const search = searchOf(ellipsoid, box)
    search.find(at, there)
    const separated = separatedBy(ellipsoid, box, at, there)
    const r = random(1)
    const best = Array.from({ length: 20_000 }, () => separated(normalize(direction(r)))).reduce((most, s) => Math.max(most, s))
    expect(search.separation).toBeGreaterThanOrEqual(best)
    expect(search.separation).toBeCloseTo(-0.74559016687, 7)
  })
})

it('has a collider for every two kinds of solids that can touch', () => {
  const r = random(2)
  const of = (kind: typeof PRIMITIVE_KINDS[number]): Primitive => createPrimitive(
    kind === 'halfSpace' ? { type: 'halfSpace', normal: [0, 0, 1], offset: 0 } : shapeOf(r, kind === 'polyhedron' ? 'box' : kind))
  for (const a of PRIMITIVE_KINDS) {
    for (const b of PRIMITIVE_KINDS) {
      const collider = createCollider({ primitive: of(a), pose: IDENTITY_POSE }, { primitive: of(b), pose: IDENTITY_POSE })
      expect(collider === null).toBe(a === 'halfSpace' && b === 'halfSpace')
    }
  }
})
