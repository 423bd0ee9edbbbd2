/** A particle that rubs on a turning body: its forces are the gradient of their potential, which line searches of Newton's method rely on. */

import { expect, it } from 'vitest'
import { carriers, Links, rigidSurface, setStart, stageContacts, surfaceContacts, type StageContacts } from '../../../../core/deformables'
import { CONTACT, ROD } from '../../../../core/deformables/contact/links'
import { createPrimitive } from '../../../../core/geometry/primitives'
import { IDENTITY_POSE } from '../../../../core/math/pose'

const RADIUS = 0.01

/** Particle 0 on a box whose blocks are 1 and 2; both at positions, m, in the frame of `X`. */
function touching(): { links: Links; contacts: StageContacts; X: Float64Array } {
  const all = carriers([-1, 1])
  setStart(all, 1, {
    pose: { ...IDENTITY_POSE, position: [0, 0, 0] }, rotation: [1, 0, 0, 0, 1, 0, 0, 0, 1], center: [0, 0, 0], velocity: [0, 0, 0], angularVelocity: [0, 0, 0],
  })
  // L⁻¹, lower triangular.
  all.inverseRoots.set([2, 0, 0, 0.3, 1.5, 0, -0.4, 0.2, 3], 9)
  const links = new Links(all)
  const surface = rigidSurface(createPrimitive({ type: 'box', size: [0.4, 0.4, 0.2] }), IDENTITY_POSE, RADIUS)
  const solid = { surface, carrier: 1, reach: 0.3, friction: [{ sticking: 0.5, sliding: 0.5 }], restitution: [0] }
  const particles = { count: 1, owners: new Int32Array(1), radii: Float64Array.of(RADIUS), held: new Uint8Array(3), fixedTo: () => false }
  const contacts = stageContacts(links, all, new Uint8Array(3), [surfaceContacts(0, links, all, [solid], particles, new Map())], null)
  // Off the edge of the box, so that the normal turns with the particle.
  const x = Float64Array.of(0.206, 0.05, 0.106, 0, 0, 0, 0, 0, 0)
  contacts.begin(x, new Float64Array(9), 0.01, x)
  links.penalties[0] = 1000
  links.pressures[0] = 5
  links.limits[0] = 2.5
  links.rubs.set([0.3, -0.7, 0.2])
  links.planes.set([0, 0, 1])
  return { links, contacts, X: Float64Array.of(0.2055, 0.0503, 0.1062, 1e-4, -2e-4, 3e-4, 0.004, -0.006, 0.005) }
}

/** J, and N on the blocks. */
function evaluate(contacts: StageContacts, X: Float64Array): { potential: number; f: Float64Array } {
  const f = new Float64Array(9)
  const sums = { largest: 0, potential: 0 }
  contacts.addForces(X, f, sums)
  return { potential: sums.potential, f }
}

it('forces on the particle, on the body and the turning part of its moment are the gradient of the potential', () => {
  const { contacts, X } = touching()
  const { f } = evaluate(contacts, X)
  const c = new Float64Array(9)
  contacts.addTurning(X, f, c)
  const h = 1e-7
  for (let k = 0; k < 9; k++) {
    const [more, less] = [X.slice(), X.slice()]
    more[k]! += h
    less[k]! -= h
    const slope = (evaluate(contacts, more).potential - evaluate(contacts, less).potential) / (2 * h)
    expect(Math.abs(f[k]! - c[k]! + slope)).toBeLessThan(1e-6 * 5)
  }
  // The part from rotation is small, but far larger than the tolerance of Newton's method.
  expect(Math.hypot(c[6]!, c[7]!, c[8]!)).toBeGreaterThan(1e-4)
})

it('friction of a contact that opened, until its bound is renewed, depends on the place only', () => {
  const force = (...way: Float64Array[]): Float64Array => {
    const { links, contacts } = touching()
    // A contact without a force, as after Newton's method.
    links.pressures[0] = 0
    const [f] = way.map(X => evaluate(contacts, X).f).slice(-1)
    expect(links.presses[0]).toBe(0)
    return f!
  }
  const [from, to] = [touching().X, touching().X]
  from[2]! += 0.004
  to.set(from)
  to[0]! += 5e-4
  expect(Math.hypot(...force(to).subarray(0, 3))).toBeGreaterThan(0.1)
  expect(force(from, to)).toEqual(force(to))
})

it('a factored matrix serves only while the same contacts press, and rub in the same way', () => {
  const { links, contacts, X } = touching()
  const assemble = (): void => { contacts.addBlocks(X, () => true, true) }
  evaluate(contacts, X)
  expect(contacts.unchanged).toBe(false)
  assemble()
  expect(contacts.unchanged).toBe(true)
  // The particle moves a little, and its friction stays below the bound.
  evaluate(contacts, X.map((x, k) => k < 3 ? x + 1e-6 : x))
  expect(contacts.unchanged).toBe(true)
  links.limits[0] = 1e-3
  evaluate(contacts, X)
  expect(contacts.unchanged).toBe(false)
  assemble()
  expect(contacts.unchanged).toBe(true)
  links.pressures[0] = links.limits[0] = 0
  evaluate(contacts, X.map((x, k) => k === 2 ? x + 0.01 : x))
  expect(contacts.unchanged).toBe(false)
  assemble()
  // A new link without a force changes nothing, one of another kind does: the directions of rods turn.
  links.add(CONTACT, 0, 0, 0)
  links.gaps[1] = 1
  expect(contacts.unchanged).toBe(true)
  links.kinds[1] = ROD
  expect(contacts.unchanged).toBe(false)
})
