import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { bodyIn, floor, recorded, sceneOf, size, turn, worst } from './support'

const [A, B, C] = [1, 0.8, 0.5]
const FORMS = {
  implicit: { type: 'implicit', formula: `(x/${A})^2 + (y/${B})^2 + (z/${C})^2 - 1` },
  parametric: {
    type: 'parametric', x: `${A}*cos(u)*cos(v)`, y: `${B}*cos(u)*sin(v)`, z: `${C}*sin(u)`, u: [-Math.PI / 2, Math.PI / 2], v: [-Math.PI, Math.PI],
  },
}
const EGG = { type: 'implicit', formula: 'x^2 + y^2 - (0.09 - z^2)*(1 - z)^2' }
const PEBBLE = { type: 'implicit', formula: 'exp(6*x) + exp(-6*x) + exp(7*z) + exp(-7*z) + 22*y^2 + 6*x*y - 5' }

interface Scene { bodies: { shapes: object[] }[] }
const rocking = JSON.parse(readFileSync(new URL('../../scenes/verification/rocking-ellipsoid-slightly.cairn.json', import.meta.url), 'utf8')) as Scene

describe('a body given by a formula', () => {
  it('rocks as the ellipsoid does that the formula describes, both ways of giving it, to 1e-9 after 5 s', { tags: 'long' }, () => {
    const exact = recorded(rocking)
    for (const form of Object.values(FORMS)) {
      const scene = structuredClone(rocking)
      scene.bodies[1]!.shapes[0] = { ...form, material: 'stone' }
      const run = recorded(scene)
      expect(run.end.message + run.end.status).toBe('completed')
      const [found, expected] = [bodyIn(run, 'ellipsoid'), bodyIn(exact, 'ellipsoid')]
      for (const part of ['position', 'orientation', 'linearVelocity', 'angularVelocity'] as const) {
        found[part].forEach((value, k) => expect(Math.abs(value - expected[part][k]!)).toBeLessThan(1e-9))
      }
    }
  })

  it.each(['event-driven', 'time-stepping'])('falls on a ledge, on another and on the ground without overlap, %s', { tags: 'long' }, method => {
    const run = recorded(sceneOf([
      floor,
      { id: 'ledge', type: 'fixed', position: [0.2, 0, 0.1], shapes: [{ type: 'box', size: [0.4, 2, 0.2], material: 'stone' }] },
      { id: 'egg', type: 'dynamic', position: [0, 0, 0.6], orientation: turn([0.6, 0.8, 0], 0.7), shapes: [{ ...EGG, material: 'stone' }] },
      { id: 'pebble', type: 'dynamic', position: [0.05, 0.1, 1.2], orientation: turn([0, 1, 0], 0.3), shapes: [{ ...PEBBLE, material: 'stone' }] },
      { id: 'ball', type: 'dynamic', position: [-0.1, -0.1, 1.7], shapes: [{ type: 'sphere', radius: 0.15, material: 'stone' }] },
    ], 0.4, { method, duration: 1, outputRate: 120 }))
    expect(run.end.message + run.end.status).toBe('completed')
    expect(worst(run, c => c.maxPenetration)).toBeLessThan(1e-9)
    expect(worst(run, c => c.maxComplementarity)).toBeLessThan(1e-9)
    expect(run.contacts.some(({ count }) => count > 2)).toBe(true)
    expect(size(bodyIn(run, 'pebble').position)).toBeGreaterThan(0)
  })
})
