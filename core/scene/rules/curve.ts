import { FormulaDerivatives, MeasureError } from '../../expression'
import { distance } from '../../math/vector'
import type { Path } from '../path'
import type { Curve } from '../types'
import { requireDirection, requirePerpendicular, type RuleContext } from './context'

type CurveOf<T extends Curve['type']> = Extract<Curve, { type: T }>

/** Reports degenerate curves. */
export function checkCurve(context: RuleContext, curve: Curve, path: Path, owner: string): void {
  const { list } = context
  switch (curve.type) {
    case 'line': return requireDirection(context, curve.direction, [...path, 'direction'], owner)
    case 'circle': return requireDirection(context, curve.normal, [...path, 'normal'], owner)
    case 'helix': return requireDirection(context, curve.axis, [...path, 'axis'], owner)
    case 'ellipse': {
      requireDirection(context, curve.semiAxisA, [...path, 'semiAxisA'], owner)
      requireDirection(context, curve.semiAxisB, [...path, 'semiAxisB'], owner)
      requirePerpendicular(context, curve.semiAxisA, curve.semiAxisB, [...path, 'semiAxisB'], owner)
      return
    }
    case 'spline': {
      const { points, closed } = curve
      if (closed && points.length < 3) {
        list.report('InvalidJoint', [...path, 'points'], 'A closed spline needs at least 3 points', { value: points, ids: [owner] })
      }
      const ends = closed ? [...points, points[0]!] : points
      const i = ends.findIndex((point, k) => k > 0 && distance(point, ends[k - 1]!) === 0)
      if (i > 0) list.report('InvalidJoint', [...path, 'points', i % points.length], 'Two neighbouring points coincide', { value: ends[i], ids: [owner] })
      return
    }
    case 'formula': return checkFormulas(context, curve, path, owner)
  }
}

/** Number of points in the range of a formula at which it is checked. */
const SAMPLES = 256

function checkFormulas({ list }: RuleContext, { x, y, z, u: [from, to] }: CurveOf<'formula'>, path: Path, owner: string): void {
  if (!(from < to)) {
    list.report('InvalidJoint', [...path, 'u'], 'The range of u is empty', { value: [from, to], allowed: 'two numbers, the first below the second', ids: [owner] })
    return
  }
  const courses = Object.entries({ x, y, z }).flatMap(([field, text]) => {
    try {
      return [{ field, course: new FormulaDerivatives(text, 'u') }]
    } catch (error) {
      if (!(error instanceof MeasureError)) throw error
      list.report('InvalidJoint', [...path, field], `${error.message} At character ${error.at + 1}.`, {
        value: text, ids: [owner], ...error.allowed === undefined ? {} : { allowed: error.allowed },
      })
      return []
    }
  })
  if (courses.length < 3) return
  for (let i = 0; i <= SAMPLES; i++) {
    const u = from + (to - from) * i / SAMPLES
    let speed = 0
    for (const { field, course } of courses) {
      const found = course.at(u)
      speed = Math.max(speed, Math.abs(found[1]!))
      if (found.every(Number.isFinite)) continue
      list.report('InvalidJoint', [...path, field], `The formula or one of its first three derivatives has no value at u = ${u}`, {
        value: u, allowed: 'a formula that is smooth in the range of u', ids: [owner],
      })
      return
    }
    if (speed > 0) continue
    list.report('InvalidJoint', path, `The derivative of the curve vanishes at u = ${u}, so it has no direction there`, {
      value: u, allowed: 'formulas whose derivatives by u do not all vanish at the same u', ids: [owner],
    })
    return
  }
}
