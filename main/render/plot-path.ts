/** Parses plots: quantities as paths or formulas, separated by commas, and the horizontal axis. */
import type { DeformableQuantity, SeriesRequest } from '../protocol/runs'

const components = ['x', 'y', 'z', 'magnitude'] as const
const bodyQuantities = ['position', 'linearVelocity', 'angularVelocity'] as const
const pairQuantities = ['normalForce', 'frictionForce', 'contacts'] as const
const jointQuantities = ['position', 'velocity', 'force', 'torque', 'error', 'motorForce', 'limitForce'] as const
const energies = [
  'kinetic', 'potential', 'total', 'friction', 'impacts', 'drag', 'scripts', 'joints', 'kinematic', 'spawned', 'elastic', 'damping', 'numerical', 'residual',
] as const
const deformableQuantities = ['kinetic', 'stretching', 'bending', 'worstStrain', 'meanStrain', 'largestTension'] as const satisfies readonly DeformableQuantity[]
const certificates = ['maxPenetration', 'maxComplementarity', 'maxJointError', 'maxConeViolation', 'contacts', 'pivots'] as const

export interface TypedPlot {
  readonly title: string
  readonly requests: readonly SeriesRequest[]
  /** Null: time. */
  readonly against: SeriesRequest | null
}

const AGAINST = / against /

/**
 * `joints.pin.velocity against joints.pin.position`, `energy.kinetic, 0.5*2*bodies.ball.speed^2`: text that is not a path is a formula, as in
 * the editor.
 */
export function parsePlot(text: string): TypedPlot {
  const [of = '', ...against] = text.split(AGAINST)
  return {
    title: of.trim(), requests: pieces(of).map(requestOf), against: against.length > 0 ? requestOf(against.join(' against ').trim()) : null,
  }
}

const requestOf = (text: string): SeriesRequest => parsePlotPath(text) ?? { what: 'formula', text }

/** Splits at commas outside of brackets. */
function pieces(text: string): string[] {
  const found = ['']
  let depth = 0
  for (const letter of text) {
    if ('([{'.includes(letter)) depth++
    if (')]}'.includes(letter)) depth--
    if (letter === ',' && depth === 0) found.push('')
    else found[found.length - 1] += letter
  }
  return found.map(piece => piece.trim())
}

/** Ids may contain dots: quantity and component are the last parts. @returns null if it is not a quantity's path */
export function parsePlotPath(path: string): SeriesRequest | null {
  const [what = '', ...rest] = path.split('.')
  const last = rest.at(-1) ?? ''
  const one = <const T extends string>(choices: readonly T[], text: string): T | undefined => choices.find(choice => choice === text)
  if (what === 'energy' && rest.length === 1 && one(energies, last)) return { what, quantity: one(energies, last)! }
  if (what === 'certificate' && rest.length === 1 && one(certificates, last)) return { what, quantity: one(certificates, last)! }
  if (what === 'script' && rest.length > 0 && last !== '') return { what, name: rest.join('.') }
  if (what === 'joints' && rest.length > 1 && one(jointQuantities, last)) return { what: 'joint', joint: rest.slice(0, -1).join('.'), quantity: one(jointQuantities, last)! }
  if (what === 'deformables' && rest.length > 1 && one(deformableQuantities, last)) {
    return { what: 'deformable', deformable: rest.slice(0, -1).join('.'), quantity: one(deformableQuantities, last)! }
  }
  if (what === 'bodies') {
    const component = rest.length > 2 ? one(components, last) : undefined
    const named = component === undefined ? rest : rest.slice(0, -1)
    const quantity = one(bodyQuantities, named.at(-1) ?? '')
    if (quantity && named.length > 1) return { what: 'body', body: named.slice(0, -1).join('.'), quantity, component: component ?? 'magnitude' }
  }
  if (what === 'pairs' && rest.length > 1) {
    const [bodyA, bodyB, more] = rest.slice(0, -1).join('.').split('/')
    const quantity = one(pairQuantities, last)
    if (bodyA && bodyB && more === undefined && quantity) return { what: 'pair', bodyA, bodyB, quantity }
  }
  return null
}
