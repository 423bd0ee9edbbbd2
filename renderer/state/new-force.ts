import { freshId, type Force, type ForceType, type Scene, type Script } from '../../core/scene'
import { newElement } from './free-names'
import { bodiesOf, typeOf } from './scene-access'

/** Forces between particles: they need deformables, the others a body. */
export const INTERACTIONS: ReadonlySet<ForceType> = new Set<ForceType>(['pair', 'lennard-jones'])

/** A force with initial values that have a visible effect, on the selected bodies or deformables if it needs any. */
export function newForce(
  type: ForceType, label: string, scene: Scene, selected: readonly string[],
): { force: Force; script: Script | null } {
  const made = newElement(scene, label, type === 'script' ? 'script-force' : type)
  const chosen = selected.filter(body => bodiesOf(scene).some(one => one.id === body && typeOf(one) === 'dynamic'))
  if (type === 'pair' || type === 'lennard-jones') return { force: interaction(made, type, scene, selected), script: null }
  const some = chosen.length > 0 ? { bodies: [...chosen] } : {}
  const body = chosen[0] ?? bodiesOf(scene).find(one => typeOf(one) === 'dynamic')?.id ?? bodiesOf(scene)[0]!.id
  switch (type) {
    case 'uniform': return { force: { ...made, type, ...some, force: [1, 0, 0] }, script: null }
    case 'point': return { force: { ...made, type, body, point: [0, 0, 0], force: [1, 0, 0] }, script: null }
    case 'torque': return { force: { ...made, type, body, torque: [0, 0, 1] }, script: null }
    case 'drag': return { force: { ...made, type, ...some, linear: 0.1 }, script: null }
    case 'spring': return { force: { ...made, type, bodyA: body, bodyB: chosen[1] ?? null, pointB: chosen[1] ? [0, 0, 0] : [0, 0, 2], stiffness: 50 }, script: null }
    case 'attractor': return { force: { ...made, type, ...some, center: [0, 0, 0], strength: 1 }, script: null }
    case 'wind': return { force: { ...made, type, ...some, velocity: [2, 0, 0], quadratic: 0.1 }, script: null }
    case 'keyframed': return { force: { ...made, type, body, keys: [{ time: 0, force: [0, 0, 0] }, { time: 1, force: [1, 0, 0] }] }, script: null }
    case 'guide': return { force: { ...made, type, keys: [{ time: 0, body, target: [0, 0, 1], stiffness: 50, damping: 5 }] }, script: null }
    case 'script': {
      const present = scene.scripts?.[0]
      if (present) return { force: { ...made, type, script: present.id }, script: null }
      const script = newScript(freshId(scene, 'push.ts'), body)
      return { force: { ...made, type, script: script.id }, script }
    }
  }
}

/** Between the selected deformables, or all. */
function interaction(made: { readonly id: string; readonly name?: string }, type: 'pair' | 'lennard-jones', scene: Scene, selected: readonly string[]): Force {
  const deformables = (scene.deformables ?? []).map(({ id }) => id).filter(id => selected.includes(id))
  const some = deformables.length > 0 ? { deformables } : {}
  return type === 'pair' ? { ...made, type, ...some, energy: 0.1, cutOff: 0.3 } : { ...made, type, ...some, depth: 0.01, diameter: 0.1, cutOff: 0.3 }
}

export function newScript(id: string, body: string): Script {
  return {
    id,
    source: `/** Called at every stage of the integrator: a pure function of time and state. */
export default function (ctx: ForceContext): void {
  const body = ctx.body('${body}')
  if (ctx.time < 1) body.applyForce([2 * body.mass, 0, 0])
}
`,
  }
}

/** A controller of the first joint with a coordinate, or of the body if there is none. */
export function newController(id: string, body: string, joint: string | null): Script {
  return {
    id,
    source: `/** Seconds between two calls; what a call sets stays until the next. */
export const period = 0.01

/** What is kept from call to call: plain data. */
export const state = { sum: 0 }

export function control(ctx: ControlContext): void {
${joint === null
    ? `  const body = ctx.body('${body}')
  const off = 1 - body.centerOfMass[2]
  ctx.state.sum += off * period
  body.applyForce([0, 0, body.mass * (9.81 + 20 * off + 5 * ctx.state.sum - 6 * body.linearVelocity[2])])
  ctx.plot('height off by', off)`
    : `  const joint = ctx.joint('${joint}')
  const target = Math.sin(ctx.time)
  ctx.state.sum += (target - joint.position) * period
  joint.setTargetPosition(target, { stiffness: 100, damping: 10, maxForce: 1000 })
  ctx.plot('off by', target - joint.position)`}
}
`,
  }
}
