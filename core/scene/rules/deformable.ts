import { cross, distance, dot, sub, type Vec3 } from '../../math/vector'
import type { Path } from '../path'
import type { Attachment, Deformable, DeformableOf, ParticleMotion } from '../types'
import { requireDirection, requireReference, type RuleContext } from './context'
import { checkKeyTimes } from './keys'
import { checkConditions, MAX_PROBLEMS, requireVertex } from './vertex-condition'
import { CLOTH, HAIR, STIFFEST } from '../schema/deformable-limits'
import { crossingsOf } from './sheet-crossing'
import { verticesOfDeformable } from './vertex-count'

/** × the square of its longest side: a triangle with less area does not define directions of stretching. */
const MIN_AREA = 1e-9
/** m: largest distance of the vertices of a seam at the start. */
const SEWN = 1e-9
/** Tolerated deviation of the sum of weights from 1: rounding to the digits typed. */
const WEIGHT_ROUNDING = 1e-6

export function checkDeformable(context: RuleContext, deformable: Deformable, path: Path): void {
  requireReference(context, 'materials', deformable.material, [...path, 'material'], deformable.id)
  switch (deformable.type) {
    case 'particles':
      checkSprings(context, deformable, path)
      break
    case 'rope':
      checkPolyline(context, deformable.points, [...path, 'points'], deformable.id)
      break
    case 'hair':
      deformable.strands.forEach(({ body, points }, i) => {
        requireReference(context, 'bodies', body ?? null, [...path, 'strands', i, 'body'], deformable.id)
        checkPolyline(context, points, [...path, 'strands', i, 'points'], deformable.id)
      })
      checkPainted(context, deformable.id, verticesOfDeformable(deformable), path, [
        ['stretchFactors', deformable.stretchFactors, deformable.axialStiffness ?? HAIR.axialStiffness],
        ['bendFactors', deformable.bendFactors, deformable.bendingStiffness ?? HAIR.bendingStiffness],
      ])
      break
    case 'cloth':
      checkSheet(context, deformable, path)
      break
  }
  checkHeld(context, deformable, path)
  checkConditions(context, deformable, path)
}

function checkSprings(context: RuleContext, { id, particles, springs = [] }: DeformableOf<'particles'>, path: Path): void {
  springs.forEach(({ a, b }, i) => {
    if (context.list.problems.length >= MAX_PROBLEMS) return
    const where = [...path, 'springs', i]
    if (!requireVertex(context, a, particles.length, [...where, 'a'], id) || !requireVertex(context, b, particles.length, [...where, 'b'], id)
      || a !== b) return
    context.list.report('InvalidVertex', [...where, 'b'], 'A spring joins two different particles',
      { value: b, allowed: 'another particle than the first', ids: [id] })
  })
}

function checkPolyline({ list }: RuleContext, points: readonly Vec3[], path: Path, owner: string): void {
  for (let i = 1; i < points.length && list.problems.length < MAX_PROBLEMS; i++) {
    if (distance(points[i - 1]!, points[i]!) > 0) continue
    list.report('InvalidVertex', [...path, i], 'Two neighbouring points coincide', { value: points[i], allowed: 'points apart from each other', ids: [owner] })
  }
}

function checkSheet(context: RuleContext, cloth: DeformableOf<'cloth'>, path: Path): void {
  const { list } = context
  const { id, vertices, triangles, restUV, seams = [] } = cloth
  if (restUV !== undefined && restUV.length !== vertices.length) {
    list.report('InvalidVertex', [...path, 'restUV'], `There are ${restUV.length} rest coordinates for ${vertices.length} vertices`, {
      value: restUV.length, allowed: `${vertices.length}, one for each vertex`, ids: [id],
    })
  }
  const { stretchWarp, stretchWeft, shear, bendWarp, bendWeft } = { ...CLOTH, ...cloth }
  checkPainted(context, cloth.id, vertices.length, path, [
    ['stretchFactors', cloth.stretchFactors, Math.max(stretchWarp, stretchWeft)], ['shearFactors', cloth.shearFactors, shear],
    ['bendFactors', cloth.bendFactors, Math.max(bendWarp, bendWeft)],
  ])
  if (cloth.warp !== undefined) requireDirection(context, cloth.warp, [...path, 'warp'], id)
  const used = new Uint8Array(vertices.length)
  const edges = new Map<number, number>()
  triangles.forEach((triangle, i) => {
    if (list.problems.length >= MAX_PROBLEMS) return
    const where = [...path, 'triangles', i]
    if (!triangleStands(context, cloth, triangle, where)) return
    for (let k = 0; k < 3; k++) {
      const [a, b] = [triangle[k]!, triangle[(k + 1) % 3]!]
      used[a] = 1
      const key = Math.min(a, b) * vertices.length + Math.max(a, b)
      const count = (edges.get(key) ?? 0) + 1
      edges.set(key, count)
      if (count !== 3) continue
      list.report('InvalidTriangle', where, `Its edge from ${a} to ${b} already belongs to two triangles`,
        { value: triangle, allowed: 'at most two triangles at an edge', ids: [id] })
    }
  })
  if (list.failed) return
  const loose = used.indexOf(0)
  if (loose >= 0) {
    list.report('InvalidVertex', [...path, 'vertices', loose], `Vertex ${loose} belongs to no triangle, so it has no mass`,
      { value: vertices[loose], allowed: 'vertices of triangles only', ids: [id] })
  }
  seams.forEach(([a, b], i) => {
    const where = [...path, 'seams', i]
    if (!requireVertex(context, a, vertices.length, [...where, 0], id) || !requireVertex(context, b, vertices.length, [...where, 1], id)) return
    if (a === b) list.report('InvalidVertex', where, 'A seam joins two different vertices', { value: [a, b], allowed: 'two vertex numbers', ids: [id] })
    else if (distance(vertices[a]!, vertices[b]!) > SEWN) {
      list.report('InvalidVertex', where, `The vertices ${a} and ${b} of a seam are separated at the start`,
        { value: distance(vertices[a]!, vertices[b]!), allowed: `the same place, to ${SEWN} m`, ids: [id] })
    }
  })
  if (!list.failed) checkUntangled(context, cloth, path)
}


/** @param painted fields, their factors, and the largest stiffness that these multiply */
function checkPainted(
  { list }: RuleContext, id: string, vertices: number, path: Path, painted: readonly (readonly [string, readonly number[] | undefined, number])[],
): void {
  for (const [field, factors, stiffness] of painted) {
    if (factors === undefined) continue
    if (factors.length !== vertices) {
      list.report('InvalidVertex', [...path, field], `There are ${factors.length} factors for ${vertices} vertices`, {
        value: factors.length, allowed: `${vertices}, one for each vertex`, ids: [id],
      })
      continue
    }
    const stiff = factors.findIndex(factor => factor * stiffness > STIFFEST)
    if (stiff >= 0) list.report('InvalidVertex', [...path, field, stiff], `The painted stiffness of vertex ${stiff} is ${factors[stiff]! * stiffness}`, {
      value: factors[stiff], allowed: `0 to ${STIFFEST / stiffness}, so that the stiffness is at most ${STIFFEST}`, ids: [id],
    })
  }
}

/** Vertices found not to cross with these triangles: edits keep both arrays if they change something else. */
const untangled = new WeakMap<readonly Vec3[], readonly (readonly number[])[]>()

/** Contacts keep sheets as they start: one that crosses itself would stay so. */
function checkUntangled({ list }: RuleContext, { id, vertices, triangles, seams = [] }: DeformableOf<'cloth'>, path: Path): void {
  if (untangled.get(vertices) === triangles) return
  const same = Int32Array.from(vertices, (_, v) => v)
  for (const [a, b] of seams) {
    const [kept, other] = [Math.min(same[a]!, same[b]!), Math.max(same[a]!, same[b]!)]
    for (let v = 0; v < same.length; v++) if (same[v] === other) same[v] = kept
  }
  const crossings = crossingsOf(vertices, triangles, same, MAX_PROBLEMS - list.problems.length)
  if (crossings.length === 0) untangled.set(vertices, triangles)
  for (const { triangle, other, edge: [p, q] } of crossings) {
    list.report('InvalidTriangle', [...path, 'triangles', triangle], `The edge from ${p} to ${q} of triangle ${other} passes through this triangle`,
      { value: triangles[triangle], allowed: 'a surface that does not cross itself at the start', ids: [id] })
  }
}

function triangleStands(context: RuleContext, { id, vertices, restUV }: DeformableOf<'cloth'>, triangle: readonly number[], path: Path): boolean {
  const { list } = context
  const refuse = (message: string, value: unknown, allowed: string): false => {
    list.report('InvalidTriangle', path, message, { value, allowed, ids: [id] })
    return false
  }
  if (triangle.length !== 3) return refuse(`The face has ${triangle.length} corners`, triangle, 'three vertex numbers')
  const missing = triangle.find(vertex => vertex >= vertices.length)
  if (missing !== undefined) return refuse(`The triangle refers to vertex ${missing}, and there are ${vertices.length}`, triangle,
    `indices from 0 to ${vertices.length - 1}`)
  if (new Set(triangle).size < 3) return refuse('The triangle has a vertex twice', triangle, 'three different vertices')
  const corners = triangle.map(vertex => vertices[vertex]!)
  const flat = triangle.map((vertex): Vec3 => [...restUV?.[vertex] ?? [0, 0], 0])
  for (const [what, [a, b, c]] of [['at the start', corners], ['in its rest coordinates', flat]] as const) {
    if (what !== 'at the start' && restUV?.length !== vertices.length) continue
    const n = cross(sub(b!, a!), sub(c!, a!))
    const area = 0.5 * Math.sqrt(dot(n, n))
    const longest = Math.max(distance(a!, b!), distance(b!, c!), distance(c!, a!))
    if (!(area > MIN_AREA * longest * longest)) return refuse(`The triangle has no area ${what}`, area,
      `more than ${MIN_AREA} × the square of its longest side, m²`)
  }
  return true
}

/** Pins, attachments and controlled vertices. */
function checkHeld(context: RuleContext, deformable: Deformable, path: Path): void {
  const { list } = context
  const { id, pins = [], attachments = [], controlled = [] } = deformable
  const count = verticesOfDeformable(deformable)
  const held = new Map<number, string>()
  const hold = (vertex: number, where: Path, name: 'InvalidVertex' | 'InvalidAttachment', what: string): void => {
    const before = held.get(vertex)
    if (before !== undefined) list.report(name, where, `Vertex ${vertex} is already held by ${before}`,
      { value: vertex, allowed: 'each vertex held once', ids: [id] })
    held.set(vertex, what)
  }
  pins.forEach((vertex, i) => {
    if (list.problems.length >= MAX_PROBLEMS) return
    if (requireVertex(context, vertex, count, [...path, 'pins', i], id)) hold(vertex, [...path, 'pins', i], 'InvalidVertex', `pins[${i}]`)
  })
  attachments.forEach((attachment, i) => {
    if (list.problems.length >= MAX_PROBLEMS) return
    const where = [...path, 'attachments', i]
    requireReference(context, 'bodies', attachment.body, [...where, 'body'], id)
    if (!attachmentStands(context, deformable, attachment, where)) return
    if (attachment.vertex !== undefined) hold(attachment.vertex, [...where, 'vertex'], 'InvalidAttachment', `attachments[${i}]`)
  })
  controlled.forEach(({ vertices, motion }, i) => {
    const where = [...path, 'controlled', i]
    checkMotion(context, motion, [...where, 'motion'], id)
    vertices.forEach((vertex, k) => {
      if (list.problems.length >= MAX_PROBLEMS) return
      const at = [...where, 'vertices', k]
      if (requireVertex(context, vertex, count, at, id)) hold(vertex, at, 'InvalidVertex', `controlled[${i}]`)
    })
  })
}

function checkMotion(context: RuleContext, motion: ParticleMotion, path: Path, id: string): void {
  if (motion.type === 'keys') return checkKeyTimes(context, motion.keys, 0, [...path, 'keys'], [id])
  if (motion.type !== 'loop') return
  const places: Vec3[] = [[0, 0, 0], ...motion.points, [0, 0, 0]]
  for (let i = 1; i < places.length; i++) {
    if (distance(places[i - 1]!, places[i]!) > 0) continue
    context.list.report('InvalidKeys', [...path, 'points', Math.min(i - 1, motion.points.length - 1)], i === 1 || i === places.length - 1
      ? 'The closed path already begins and ends at the initial position' : 'Two neighbouring offsets coincide',
    { value: places[Math.min(i, motion.points.length)], allowed: 'points apart from each other', ids: [id] })
    return
  }
}

function attachmentStands(context: RuleContext, deformable: Deformable, { vertex, triangle, weights }: Attachment, path: Path): boolean {
  const { list } = context
  const refuse = (where: Path, message: string, value: unknown, allowed: string): false => {
    list.report('InvalidAttachment', where, message, { value, allowed, ids: [deformable.id] })
    return false
  }
  if ((vertex === undefined) === (triangle === undefined)) return refuse(path, 'An attachment holds either a vertex or a point of a triangle',
    { vertex, triangle }, 'vertex, or triangle')
  if (vertex !== undefined) {
    if (weights !== undefined) return refuse([...path, 'weights'], 'A vertex has no weights', weights, 'weights beside a triangle only')
    return requireVertex(context, vertex, verticesOfDeformable(deformable), [...path, 'vertex'], deformable.id)
  }
  const triangles = deformable.type === 'cloth' ? deformable.triangles.length : 0
  if (triangle! >= triangles) {
    return refuse([...path, 'triangle'], triangles === 0 ? 'Only cloth has triangles' : `There is no triangle ${triangle}`, triangle, triangles === 0
      ? 'a vertex' : `0 to ${triangles - 1}`)
  }
  if (weights !== undefined && !(weights.every(weight => weight >= 0) && Math.abs(weights[0] + weights[1] + weights[2] - 1) <= WEIGHT_ROUNDING)) {
    return refuse([...path, 'weights'], 'The weights do not give a point of the triangle', weights, 'three numbers ≥ 0 with the sum 1')
  }
  return true
}
