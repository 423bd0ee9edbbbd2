import { length } from '../../math/vector'
import type { Quat } from '../../math/quaternion'
import { formatPath, type Path } from '../path'
import type { InertiaComponents } from '../schema/body'
import type { Body } from '../types'
import type { RuleContext } from './context'
import { principalMoments } from './inertia'
import { checkShape } from './shape'

/** A written quaternion this far from unit length is a mistake, not rounding: nobody writes fewer than three digits. */
const UNIT_TOLERANCE = 1e-3
/** Inertia written to six digits may violate A + B ≥ C by as much, relative to the trace. */
const INERTIA_TOLERANCE = 1e-6

export function checkBody(context: RuleContext, body: Body, path: Path): void {
  const { list } = context
  checkOrientation(context, body.orientation, [...path, 'orientation'], body.id)
  const type = body.type ?? 'dynamic'
  const shapes = body.shapes ?? []
  shapes.forEach((shape, i) => {
    const where = [...path, 'shapes', i]
    checkOrientation(context, shape.orientation, [...where, 'orientation'], body.id)
    checkShape(context, shape, where, body.id)
    if (shape.type === 'halfSpace' && type !== 'fixed') {
      list.report('HalfSpaceNotFixed', where, `A half-space belongs to a fixed body, and "${body.id}" is ${type}`, {
        value: 'halfSpace', allowed: 'a body of type fixed, or another shape', ids: [body.id],
      })
    }
  })
  if (type === 'dynamic' && shapes.length === 0 && (body.mass?.mass === undefined || body.mass.inertia === undefined)) {
    list.report('MissingMass', [...path, 'mass'], `"${body.id}" is dynamic and has neither shapes nor mass and inertia`, {
      value: body.mass, allowed: 'at least one shape, or mass and inertia', ids: [body.id],
    })
  }
  if (body.mass?.inertia) checkInertia(context, body.mass.inertia, [...path, 'mass', 'inertia'], body.id)
  if (type === 'fixed') {
    for (const key of ['linearVelocity', 'angularVelocity'] as const) {
      const velocity = body[key]
      if (!velocity || length(velocity) === 0) continue
      list.report('IgnoredVelocity', [...path, key], `"${body.id}" is fixed, so its velocity has no effect`, {
        value: velocity, allowed: 'zero, or a body of type dynamic or kinematic', ids: [body.id], severity: 'warning',
      })
    }
  }
}

function checkOrientation({ list }: RuleContext, q: Quat | undefined, path: Path, owner: string): void {
  if (!q) return
  const norm = Math.sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3])
  if (Math.abs(norm - 1) <= UNIT_TOLERANCE) return
  list.report('InvalidOrientation', path, `The quaternion has length ${norm}; an orientation is a unit quaternion [x, y, z, w]`, {
    value: q, allowed: 'four numbers whose squares sum to 1', ids: [owner],
  })
}

function checkInertia({ list }: RuleContext, inertia: InertiaComponents, path: Path, owner: string): void {
  const [a, b, c] = principalMoments(inertia)
  const trace = a + b + c
  const shown = `principal moments ${[a, b, c].map(moment => Number(moment.toPrecision(6))).join(', ')}`
  const details = { value: inertia, ids: [owner] }
  if (!(a > 0)) {
    list.report('InvalidInertia', path, `The inertia is not positive definite: ${shown}`, {
      ...details, allowed: 'xx, yy, zz, xy, xz, yz with three principal moments > 0',
    })
  } else if (a + b - c < -INERTIA_TOLERANCE * trace) {
    list.report('InvalidInertia', path, `No solid has this inertia: ${shown}, and ${formatPath(path)} needs A + B ≥ C`, {
      ...details, allowed: 'principal moments of which no two sum to less than the third',
    })
  }
}
