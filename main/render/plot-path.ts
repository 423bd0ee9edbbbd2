/** Quantities of a run as they are typed: `energy.total`, `bodies.box.position.z`, `pairs.box/ground.normalForce`. */
import { HostError } from '../protocol/host'
import type { SeriesRequest } from '../protocol/runs'

const components = ['x', 'y', 'z', 'magnitude'] as const
const bodyQuantities = ['position', 'linearVelocity', 'angularVelocity'] as const
const pairQuantities = ['normalForce', 'frictionForce', 'contacts'] as const
const jointQuantities = ['position', 'velocity', 'force', 'torque', 'error', 'motorForce', 'limitForce'] as const
const energies = ['kinetic', 'potential', 'total', 'friction', 'impacts', 'drag', 'scripts', 'joints', 'kinematic', 'spawned', 'residual'] as const
const certificates = ['maxPenetration', 'maxComplementarity', 'maxJointError', 'maxConeViolation', 'contacts', 'pivots'] as const

export const plotForms = [
  `energy.${energies.join('|')}`, `certificate.${certificates.join('|')}`, `bodies.<id>.${bodyQuantities.join('|')}[.${components.join('|')}]`,
  `pairs.<id>/<id>.${pairQuantities.join('|')}`, `joints.<id>.${jointQuantities.join('|')}`, 'script.<name>',
] as const

/** Ids may hold dots: quantity and component are the last parts. @throws HostError `UnknownQuantity` */
export function parsePlotPath(path: string): SeriesRequest {
  const [what = '', ...rest] = path.split('.')
  const last = rest.at(-1) ?? ''
  const one = <const T extends string>(choices: readonly T[], text: string): T | undefined => choices.find(choice => choice === text)
  if (what === 'energy' && rest.length === 1 && one(energies, last)) return { what, quantity: one(energies, last)! }
  if (what === 'certificate' && rest.length === 1 && one(certificates, last)) return { what, quantity: one(certificates, last)! }
  if (what === 'script' && rest.length > 0 && last !== '') return { what, name: rest.join('.') }
  if (what === 'joints' && rest.length > 1 && one(jointQuantities, last)) return { what: 'joint', joint: rest.slice(0, -1).join('.'), quantity: one(jointQuantities, last)! }
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
  const message = `"${path}" is no quantity of a run.`
  throw new HostError('UnknownQuantity', message, [{ name: 'UnknownQuantity', severity: 'error', message, path: '', value: path, allowed: plotForms.join(', '), ids: [] }])
}
