import { formatPath, type Path } from '../path'
import type { InertiaComponents } from '../schema/field'
import type { RuleContext } from './context'
import { shortNumber } from '../../math/short-number'

/** Inertia written to six digits may violate A + B ≥ C by as much, relative to the trace. */
const INERTIA_TOLERANCE = 1e-6

/** Principal moments of a symmetric tensor (xx, yy, zz, xy, xz, yz) in ascending order, by cyclic Jacobi rotations. */
function principalMoments([xx, yy, zz, xy, xz, yz]: InertiaComponents): [number, number, number] {
  // Scaled, so that neither squares nor sums overflow.
  const scale = Math.max(Math.abs(xx), Math.abs(yy), Math.abs(zz), Math.abs(xy), Math.abs(xz), Math.abs(yz))
  if (scale === 0) return [0, 0, 0]
  const m = [[xx / scale, xy / scale, xz / scale], [xy / scale, yy / scale, yz / scale], [xz / scale, yz / scale, zz / scale]]
  for (let sweep = 0; sweep < 50; sweep++) {
    const off = m[0]![1]! * m[0]![1]! + m[0]![2]! * m[0]![2]! + m[1]![2]! * m[1]![2]!
    if (off === 0) break
    for (const [p, q] of [[0, 1], [0, 2], [1, 2]] as const) annihilate(m, p, q)
  }
  const moments = [m[0]![0]! * scale, m[1]![1]! * scale, m[2]![2]! * scale].sort((p, q) => p - q)
  return [moments[0]!, moments[1]!, moments[2]!]
}

/** The rotation in the plane of axes p and q that makes their product zero. */
function annihilate(m: number[][], p: number, q: number): void {
  const product = m[p]![q]!
  if (product === 0) return
  const theta = (m[q]![q]! - m[p]![p]!) / (2 * product)
  const t = (theta >= 0 ? 1 : -1) / (Math.abs(theta) + Math.sqrt(theta * theta + 1))
  const c = 1 / Math.sqrt(t * t + 1)
  const s = t * c
  const r = 3 - p - q
  m[p]![p]! -= t * product
  m[q]![q]! += t * product
  m[p]![q] = m[q]![p] = 0
  const rp = m[r]![p]!
  const rq = m[r]![q]!
  m[r]![p] = m[p]![r] = c * rp - s * rq
  m[r]![q] = m[q]![r] = s * rp + c * rq
}

/** Reports an inertia that no solid has. */
export function checkInertia({ list }: RuleContext, inertia: InertiaComponents, path: Path, owner: string): void {
  const [a, b, c] = principalMoments(inertia)
  const trace = a + b + c
  const shown = `principal moments ${[a, b, c].map(moment => shortNumber(moment, 6)).join(', ')}`
  const details = { value: inertia, ids: [owner] }
  if (!(a > 0)) {
    list.report('InvalidInertia', path, `The inertia is not positive definite: ${shown}`, {
      ...details, allowed: 'xx, yy, zz, xy, xz, yz with three principal moments > 0',
    })
  } else if (a + b - c < -INERTIA_TOLERANCE * trace) {
    list.report('InvalidInertia', path, `No solid has this inertia: ${shown}, and ${formatPath(path)} needs A + B ≥ C`, {
      ...details, allowed: 'principal moments of which any two sum to at least the third',
    })
  }
}
