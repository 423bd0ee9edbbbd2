/**
 * Scenes in two dimensions: all motion is in the plane y = 0 and about y [PEG17 §4, §5.1].
 *
 * Bodies keep six velocities. No load moves symmetric bodies out of the plane: contacts lie in it, and `EquationsOfMotion` omits other components of
 * loads. The input is checked here and rounded, so that zeros stay exact zeros.
 */

import type { BodyMass } from '../geometry/mass'
import { formulaCurve } from '../geometry/formula/formula-curve'
import { OFF_PLANE } from '../geometry/planar'
import type { Quat } from '../math/quaternion'
import { length, type Vec3 } from '../math/vector'
import type { ResolvedBody, ResolvedJoint, ResolvedScene } from '../scene'
import { notSupported, type Problem } from './problem'

export function isPlanar({ simulation }: ResolvedScene): boolean {
  return simulation.dimensions === 2
}

/** The body without the rounding errors of its motion out of the plane. */
export function planarBody(body: ResolvedBody): ResolvedBody {
  const flat = ([x, , z]: Vec3): Vec3 => [x, 0, z]
  const turn = ([, y, , w]: Quat): Quat => [0, y, 0, w]
  const placed = {
    ...body, position: flat(body.position), orientation: turn(body.orientation), linearVelocity: flat(body.linearVelocity),
    angularVelocity: [0, body.angularVelocity[1], 0] as const,
  }
  if (body.path === undefined) return placed
  return {
    ...placed,
    path: body.path.map(({ time, position, orientation }) =>
      ({ time, ...(position === undefined ? {} : { position: flat(position) }), ...(orientation === undefined ? {} : { orientation: turn(orientation) }) })),
  }
}

/** The products of inertia of a body that is symmetric about the plane are zero. */
export function planarMass({ mass, centerOfMass: [x, , z], inertia: [xx, , xz, , yy, , , , zz] }: BodyMass): BodyMass {
  return { mass, centerOfMass: [x, 0, z], inertia: [xx, 0, xz, 0, yy, 0, xz, 0, zz] }
}

/** All problems of motion out of the plane; shapes are checked elsewhere. */
export function planarProblems(scene: ResolvedScene): Problem[] {
  if (!isPlanar(scene)) return []
  const problems: Problem[] = []
  const report = (path: string, what: string, value: unknown, allowed: string, ids: readonly string[]): void => {
    problems.push({ name: 'OffPlane', severity: 'error', path, value, allowed, ids, message: `two dimensions: ${what}` })
  }
  const vector = (path: string, name: string, value: Vec3, ids: readonly string[]): void => {
    if (Math.abs(value[1]) > OFF_PLANE * Math.max(1, length(value))) report(path, `${name} leaves the plane of x and z`, value, 'y = 0', ids)
  }
  vector('gravity', 'gravity', scene.gravity, [])
  scene.gravityKeys?.forEach(({ gravity }, k) => vector(`gravityKeys[${k}].gravity`, 'gravity', gravity, []))
  scene.bodies.forEach((body, i) => {
    const { id, position, orientation, linearVelocity, angularVelocity, path, mass } = body
    const at = `bodies[${i}]`
    const pose = (where: string, p: Vec3 | undefined, q: Quat | undefined): void => {
      if (p !== undefined) vector(`${where}.position`, `"${id}"`, p, [id])
      if (q !== undefined && Math.max(Math.abs(q[0]), Math.abs(q[2])) > OFF_PLANE) {
        report(`${where}.orientation`, `"${id}" is rotated out of the plane; rotate its shapes within the body instead`, q, 'a turn about y', [id])
      }
    }
    pose(at, position, orientation)
    path?.forEach((key, k) => pose(`${at}.path[${k}]`, key.position, key.orientation))
    vector(`${at}.linearVelocity`, `the velocity of "${id}"`, linearVelocity, [id])
    if (Math.max(Math.abs(angularVelocity[0]), Math.abs(angularVelocity[2])) > OFF_PLANE) {
      report(`${at}.angularVelocity`, `"${id}" rotates out of the plane`, angularVelocity, 'x = z = 0', [id])
    }
    if (mass?.centerOfMass !== undefined) vector(`${at}.mass.centerOfMass`, `the centre of mass of "${id}"`, mass.centerOfMass, [id])
  })
  scene.joints.forEach((joint, i) => jointProblems(joint, `joints[${i}]`, report, vector))
  scene.deformables.forEach(({ id }, i) => problems.push(notSupported(`deformables[${i}]`, 'deformables in two dimensions', id, [id], 'three dimensions')))
  return problems
}

type Report = (path: string, what: string, value: unknown, allowed: string, ids: readonly string[]) => void
type InPlane = (path: string, name: string, value: Vec3, ids: readonly string[]) => void

function jointProblems(joint: ResolvedJoint, path: string, report: Report, vector: InPlane): void {
  const { id } = joint
  const alongY = (key: string, axis: Vec3): void => {
    if (Math.abs(axis[1]) < (1 - OFF_PLANE) * length(axis)) report(`${path}.${key}`, `the axis of "${id}" is not along y`, axis, 'an axis along y', [id])
  }
  if (joint.type === 'gear') return
  if (joint.type === 'universal' || joint.type === 'cylindrical' || joint.type === 'planar') {
    report(`${path}.type`, `"${id}" is a ${joint.type} joint, which is not available in two dimensions`, joint.type, 'hinge, slider, fixed, ball, distance, pointOnCurve or gear', [id])
    return
  }
  vector(`${path}.anchor`, `the anchor of "${id}"`, joint.anchor, [id])
  if (joint.type === 'distance') vector(`${path}.anchorB`, `the anchor of "${id}"`, joint.anchorB, [id])
  if (joint.type === 'hinge') alongY('axis', joint.axis)
  if (joint.type === 'slider') vector(`${path}.axis`, `the axis of "${id}"`, joint.axis, [id])
  if (joint.type !== 'pointOnCurve') return
  const { curve } = joint
  const inCurve = (key: string, value: Vec3): void => vector(`${path}.curve.${key}`, `the curve of "${id}"`, value, [id])
  switch (curve.type) {
    case 'line':
      inCurve('point', curve.point)
      inCurve('direction', curve.direction)
      break
    case 'circle':
      inCurve('center', curve.center)
      alongY('curve.normal', curve.normal)
      break
    case 'ellipse':
      inCurve('center', curve.center)
      inCurve('semiAxisA', curve.semiAxisA)
      inCurve('semiAxisB', curve.semiAxisB)
      break
    case 'helix':
      report(`${path}.curve.type`, `the curve of "${id}" is a helix, which leaves the plane`, curve.type, 'line, circle, ellipse, spline, formula', [id])
      break
    case 'formula': {
      const { at, pieces } = formulaCurve(curve)
      if (pieces.some(u => at(u).position[1] !== 0)) {
        report(`${path}.curve`, `the curve of "${id}" leaves the plane`, curve.y, 'y = 0, the centre in the plane, rotated about y', [id])
      }
      break
    }
    case 'spline':
      curve.points.forEach((point, k) => inCurve(`points[${k}]`, point))
  }
}
