/** Moving heaps: many falling bodies, stepped in substeps. They never overlap, come to rest exactly, and balance their energy. */

import { describe, expect, it } from 'vitest'
import { bodyAt, box, contactForceOn, floor, recorded, sceneOf, size, turn, worst } from './support'

const SIZES = [[0.4, 0.3, 0.2], [0.3, 0.3, 0.3], [0.5, 0.2, 0.2]] as const
const STEP = 1 / 60

/** Boxes that tumble onto each other between four walls. */
function heap(name: string, x: number, count: number, down = -2): object[] {
  return Array.from({ length: count }, (_, i) => box(`${name}${i}`, [...SIZES[i % 3]!], [
    x + 0.6 * (i % 3) - 0.6, 0.6 * (Math.floor(i / 3) % 3) - 0.6, 0.4 + 0.6 * Math.floor(i / 9),
  ], { orientation: turn([1, 0.3 + i % 4, 0.2], 0.5 * i), angularVelocity: [i % 5 - 2, 1, i % 3], linearVelocity: [0, 0, down] }))
}

function walls(name: string, x: number): object[] {
  return [[1.2, 0], [-1.2, 0], [0, 1.2], [0, -1.2]].map(([dx, dy], k) => ({
    ...box(`${name}${k}`, dx === 0 ? [2.6, 0.2, 3] : [0.2, 2.6, 3], [x + dx!, dy!, 1.5]), type: 'fixed',
  }))
}

function run(bodies: readonly object[], duration: number, given: { restitution?: number, tolerance?: number, contactModel?: string, work?: number, step?: number } = {}) {
  const { restitution = 0, tolerance, contactModel = 'standard', work, step = STEP } = given
  return recorded(sceneOf([floor, ...bodies], 0.5, {
    method: 'time-stepping', duration, outputRate: 60,
    timeStepping: { step, contactModel, ...(tolerance === undefined ? {} : { tolerance }) },
  }, {}, restitution), undefined, undefined, work)
}

describe.each(['standard', 'peg'])('seventy boxes that fall into a box, by the %s model', contactModel => {
  const boxes = heap('b', 0, 70)
  const fallen = run([...walls('w', 0), ...boxes], 6, { contactModel })
  const last = fallen.frames.at(-1)!

  it('never overlap', () => {
    expect(fallen.end.status).toBe('completed')
    expect(fallen.end.solver.name).toMatch(/heap \d+/)
    expect(worst(fallen, certificate => certificate.maxPenetration)).toBe(0)
  })

  it('come to rest exactly, with forces that satisfy their laws', () => {
    for (let i = 0; i < boxes.length; i++) {
      const { linearVelocity, angularVelocity } = bodyAt(last, 1 + 4 + i)
      expect(size(linearVelocity) + size(angularVelocity)).toBe(0)
    }
    const { maxComplementarity, maxConeViolation, solverCalls } = fallen.certificates.at(-1)!
    expect(maxComplementarity).toBeLessThanOrEqual(1e-10)
    expect(maxConeViolation).toBeLessThanOrEqual(1e-12)
    // Bodies at rest are left out of steps.
    expect(solverCalls).toBe(0)
  })

  it('rest on the floor and against the walls with forces that sum to their weight', () => {
    const contacts = fallen.contacts.at(-1)!
    let lifted = 0
    for (const body of [0, 1, 2, 3, 4]) lifted -= contactForceOn(contacts, body).total[2]!
    const volume = boxes.reduce((sum: number, _, i) => sum + SIZES[i % 3]!.reduce((product: number, side) => product * side, 1), 0)
    expect(lifted / (1000 * volume * 9.81)).toBeCloseTo(1, 8)
  })

  it('fall with forces that satisfy their laws to 3 cm/s at any time', () => {
    expect(worst(fallen, ({ maxComplementarity }) => maxComplementarity)).toBeLessThanOrEqual(0.03)
  })

  it('balance their energy, with what the substeps lose', () => {
    expect(worst(fallen, ({ energy }) => Math.abs(energy.residual))).toBeLessThanOrEqual(2e-5)
    const { numerical, initial } = fallen.certificates.at(-1)!.energy
    expect(numerical).toBeLessThan(0)
    expect(numerical).toBeGreaterThan(-5e-3 * initial)
  })
})

describe('a heap whose run is resumed from a checkpoint every twentieth step', () => {
  const boxes = heap('b', 0, 70)
  const fallen = run([...walls('w', 0), ...boxes], 5.5, { work: 20 * 71 })

  it('comes to rest as well: its initial guess is stored in the checkpoint', () => {
    const last = fallen.frames.at(-1)!
    expect(boxes.map((_, i) => size(bodyAt(last, 5 + i).linearVelocity)).filter(speed => speed > 0)).toEqual([])
  })
})

describe('two heaps', () => {
  it('do not disturb each other, bit for bit', () => {
    const alone = run(heap('a', 0, 70), 0.3)
    const beside = run([...heap('a', 0, 70), ...heap('b', 200, 66, -5)], 0.3)
    for (let i = 1; i <= 70; i++) expect(bodyAt(beside.frames.at(-1)!, i)).toEqual(bodyAt(alone.frames.at(-1)!, i))
  })
})

describe('a heap of balls and boxes that bounce', () => {
  const mixed = heap('b', 0, 72).map((body, i) => i % 4 === 0
    ? { ...body, shapes: [{ type: 'sphere', radius: 0.15, material: 'stone' }] } : body)
  const bounced = run([...walls('w', 0), ...mixed], 1.5, { restitution: 0.5 })

  it('neither gains energy nor overlaps', () => {
    expect(bounced.end.status).toBe('completed')
    expect(worst(bounced, certificate => certificate.maxPenetration)).toBe(0)
    let before = Infinity
    for (const { energy } of bounced.certificates) {
      expect(energy.kinetic + energy.potential).toBeLessThanOrEqual(before * (1 + 1e-3))
      before = energy.kinetic + energy.potential
    }
    expect(worst(bounced, ({ energy }) => Math.abs(energy.residual))).toBeLessThanOrEqual(2e-5)
  })
})

describe('ninety discs that fall on each other', () => {
  const discs = Array.from({ length: 90 }, (_, i) => ({
    id: `d${i}`, position: [0.6 * (i % 3) - 0.6, 0.6 * (Math.floor(i / 3) % 3) - 0.6, 0.4 + 0.6 * Math.floor(i / 9)],
    orientation: turn([1, 0.3 + i % 4, 0.2], 0.5 * i), angularVelocity: [i % 5 - 2, 1, i % 3], linearVelocity: [0, 0, -2],
    shapes: [{ type: 'cylinder', radius: 0.2, height: 0.1, material: 'stone' }],
  }))

  it('do not overlap, and land without energy from position corrections: discs are held all around', { tags: 'long' }, () => {
    const fallen = run([...walls('w', 0), ...discs], 0.5)
    expect(fallen.end.status).toBe('completed')
    expect(worst(fallen, certificate => certificate.maxPenetration)).toBe(0)
    expect(worst(fallen, ({ energy }) => Math.abs(energy.residual))).toBeLessThanOrEqual(2e-4)
  })
})

describe('a heap on a plate that rises', () => {
  it('gets its energy from the plate', () => {
    const plate = { ...box('plate', [6, 6, 0.2], [0, 0, -0.1 + 0.02]), type: 'kinematic', linearVelocity: [0, 0, 1.5] }
    const lifted = run([plate, ...heap('b', 0, 66)], 0.5)
    expect(lifted.end.solver.name).toMatch(/heap \d+/)
    expect(worst(lifted, certificate => certificate.maxPenetration)).toBe(0)
    expect(worst(lifted, ({ energy }) => Math.abs(energy.residual))).toBeLessThanOrEqual(5e-5)
  })
})

describe('a fast body that hits a heap before a thin wall', () => {
  const thin = { ...box('pane', [0.01, 4, 4], [1.5, 0, 2]), type: 'fixed' }

  it('does not pass through the wall', () => {
    const ball = { id: 'ball', position: [-3, 0, 0.5], linearVelocity: [150, 0, 0], shapes: [{ type: 'sphere', radius: 0.1, material: 'stone' }] }
    const shot = run([thin, ...heap('b', 0, 66, -1), ball], 0.05)
    const { position } = bodyAt(shot.frames.at(-1)!, 68)
    expect(position[0]).toBeLessThan(1.5)
    expect(worst(shot, certificate => certificate.maxPenetration)).toBe(0)
  })

  const shoot = (k: number) => {
    const shape = k % 2 === 1 ? { type: 'sphere', radius: 0.1, material: 'stone' } : { type: 'box', size: [0.2, 0.1, 0.3], material: 'stone' }
    const body = { id: 'shot', position: [-3, 0.05 * (k % 7) - 0.15, 0.4 + 0.11 * (k % 11)], linearVelocity: [40 + 3 * k, 0, 0], shapes: [shape] }
    const count = [66, 30, 12, 50][k % 4]!
    const shot = run([thin, ...heap('b', 0, count, -1), body], 0.05, {
      step: [1 / 60, 1 / 120, 1 / 240][k % 3]!, contactModel: k % 5 === 0 ? 'peg' : 'standard', restitution: 0.3 * (k % 3),
    })
    expect(shot.end.status).toBe('completed')
    expect(worst(shot, certificate => certificate.maxPenetration)).toBe(0)
    const through = Array.from({ length: count + 1 }, (_, i) => bodyAt(shot.frames.at(-1)!, 2 + i).position).filter(([x, y]) => x! > 1.5 && Math.abs(y!) < 2)
    expect(through).toEqual([])
  }

  it.each([40, 93])('overlaps no body afterwards, and nothing passes through the wall: shot %i', shoot)
  it.each([35, 65, 80, 110, 115, 120, 140])('overlaps no body afterwards, and nothing passes through the wall: shot %i', { tags: 'long' }, shoot)
})
