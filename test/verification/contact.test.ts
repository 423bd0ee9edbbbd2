import { describe, expect, it } from 'vitest'
import { ball, bodyAt, box, contactForceOn, floor, recorded, sceneOf, size, times, turn, worst } from './support'

const g = 9.81
const slope = 20 * Math.PI / 180

/** A cube of 1 m on a 20° slope, turned by `yaw` about the slope's normal. */
function incline(friction: number, yaw: number, duration: number, angle = slope): object {
  const normal = [Math.sin(angle), 0, Math.cos(angle)]
  return sceneOf([
    { id: 'slope', type: 'fixed', shapes: [{ type: 'halfSpace', normal, offset: 0, material: 'stone' }] },
    box('block', [1, 1, 1], normal.map(x => 0.5 * x), { orientation: times(turn([0, 1, 0], angle), turn([0, 0, 1], yaw)) }),
  ], friction, { duration, outputRate: 60 })
}

describe('a block on a 20° incline', () => {
  const yaws = [0, 0.1, 0.3, Math.PI / 4, 1, 1.5, 2.5, 3.1]

  it.each(yaws)('slides with g (sin θ − μ cos θ) for μ = 0.2, turned by %f rad about the normal', yaw => {
    const run = recorded(incline(0.2, yaw, 1))
    const expected = g * (Math.sin(slope) - 0.2 * Math.cos(slope))
    const last = bodyAt(run.frames.at(-1)!, 1)
    expect(Math.abs(size(last.linearVelocity) / expected - 1)).toBeLessThanOrEqual(1e-8)
    expect(size(last.angularVelocity)).toBeLessThanOrEqual(1e-9)
    expect(worst(run, c => c.energy.residual)).toBeLessThanOrEqual(1e-8)
    expect(worst(run, c => c.maxComplementarity)).toBeLessThanOrEqual(1e-10)
  })

  it.each(yaws)('does not move for μ = 0.5, and its friction is m g sin θ, turned by %f rad', yaw => {
    const run = recorded(incline(0.5, yaw, 3))
    const [first, last] = [bodyAt(run.frames[0]!, 1), bodyAt(run.frames.at(-1)!, 1)]
    expect(size(last.position.map((x, k) => x - first.position[k]!))).toBeLessThanOrEqual(1e-12)
    const weight = 1000 * g
    for (const contacts of run.contacts) {
      const { friction, normal } = contactForceOn(contacts, 1)
      expect(Math.abs(size(friction) / (weight * Math.sin(slope)) - 1)).toBeLessThanOrEqual(1e-9)
      expect(Math.abs(size(normal) / (weight * Math.cos(slope)) - 1)).toBeLessThanOrEqual(1e-9)
    }
    expect(worst(run, c => c.maxConeViolation)).toBeLessThanOrEqual(1e-10)
  })

  it('is told apart from one a thousandth of a radian too steep', () => {
    const critical = Math.atan(0.5)
    expect(size(bodyAt(recorded(incline(0.5, 0.3, 0.3, critical - 1e-3)).frames.at(-1)!, 1).linearVelocity)).toBeLessThanOrEqual(1e-12)
    const steeper = critical + 1e-3
    const expected = 0.3 * g * (Math.sin(steeper) - 0.5 * Math.cos(steeper))
    const speed = size(bodyAt(recorded(incline(0.5, 0.3, 0.3, steeper)).frames.at(-1)!, 1).linearVelocity)
    // Relative to what gravity alone would give: the difference of two nearly equal forces cannot be more exact than they are.
    expect(Math.abs(speed - expected)).toBeLessThanOrEqual(1e-9 * 0.3 * g)
  })
})

it('a block that slides to rest takes v₀²/2μg and stays', () => {
  const [mu, v0] = [0.3, 2]
  const run = recorded(sceneOf([floor, box('block', [1, 1, 0.2], [0, 0, 0.1], { linearVelocity: [v0 * 0.6, v0 * 0.8, 0] })], mu, { duration: 1.5, outputRate: 60 }))
  const stop = run.events.find(event => event.kind === 'stick')!
  expect(Math.abs(stop.time / (v0 / (mu * g)) - 1)).toBeLessThanOrEqual(1e-9)
  const last = bodyAt(run.frames.at(-1)!, 1)
  expect(Math.abs(size(last.position.slice(0, 2)) / (v0 * v0 / (2 * mu * g)) - 1)).toBeLessThanOrEqual(1e-9)
  expect(size(last.linearVelocity)).toBeLessThanOrEqual(1e-12)
})

describe('a bouncing ball', () => {
  it.each([0.5, 0.8, 0.9])('with e = %f lands when it should, and comes to rest at t₀ (1 + e)/(1 − e)', e => {
    const run = recorded(sceneOf([floor, ball('ball', 0.5, [0, 0, 1.5])], 0, { duration: 0.46 * (1 + e) / (1 - e) + 0.5, outputRate: 30 }, {}, e))
    const t0 = Math.sqrt(2 / g)
    const impacts = run.events.filter(event => event.kind === 'impact')
    let time = t0
    let speed = g * t0
    for (const impact of impacts.slice(0, 20)) {
      expect(Math.abs(impact.time - time)).toBeLessThanOrEqual(1e-9)
      expect(Math.abs(impact.approachSpeed - speed)).toBeLessThanOrEqual(1e-9 * Math.max(speed, 1e-2))
      speed *= e
      time += 2 * speed / g
    }
    expect(Math.abs(impacts.at(-1)!.restTime - t0 * (1 + e) / (1 - e))).toBeLessThanOrEqual(1e-6)
    expect(worst(run, c => c.energy.residual)).toBeLessThanOrEqual(1e-8)
  })

  it('with e = 1 bounces for ever at one height', () => {
    const run = recorded(sceneOf([floor, ball('ball', 0.5, [0, 0, 1.5])], 0, { duration: 10, outputRate: 30 }, {}, 1))
    const t0 = Math.sqrt(2 / g)
    const impacts = run.events.filter(event => event.kind === 'impact')
    expect(impacts.length).toBe(11)
    impacts.forEach((impact, n) => expect(Math.abs(impact.time - (2 * n + 1) * t0)).toBeLessThanOrEqual(1e-9))
    expect(worst(run, c => c.energy.residual)).toBeLessThanOrEqual(1e-10)
  })
})

it('a stack of ten carries the weight above each box for ten seconds', () => {
  const boxes = Array.from({ length: 10 }, (_, k) => box(`box-${k + 1}`, [1, 1, 1], [0, 0, 0.5 + k]))
  const run = recorded(sceneOf([floor, ...boxes], 0.5, { duration: 10, outputRate: 10 }))
  const weight = 1000 * g
  for (const contacts of run.contacts) {
    for (let k = 0; k < 10; k++) {
      let under = 0
      for (let i = 0; i < contacts.count; i++) {
        const pair = [contacts.bodyA[i], contacts.bodyB[i]]
        if (pair.includes(k) && pair.includes(k + 1)) under += contacts.normalForce[i]!
      }
      expect(Math.abs(under / ((10 - k) * weight) - 1)).toBeLessThanOrEqual(1e-9)
    }
  }
  expect(worst(run, c => c.maxPenetration)).toBeLessThanOrEqual(1e-9)
  for (let k = 1; k <= 10; k++) {
    const [first, last] = [bodyAt(run.frames[0]!, k), bodyAt(run.frames.at(-1)!, k)]
    expect(size(last.position.map((x, i) => x - first.position[i]!))).toBeLessThanOrEqual(1e-12)
  }
})

it('a ball rolls down with 5/7 g sin θ where it sticks, and slips beyond tan θ = 7μ/2', () => {
  const rolling = (angle: number, mu: number) => {
    const normal = [Math.sin(angle), 0, Math.cos(angle)]
    const run = recorded(sceneOf([
      { id: 'slope', type: 'fixed', shapes: [{ type: 'halfSpace', normal, offset: 0, material: 'stone' }] }, ball('ball', 0.5, normal.map(x => 0.5 * x)),
    ], mu, { duration: 1, outputRate: 20 }))
    return size(bodyAt(run.frames.at(-1)!, 1).linearVelocity)
  }
  expect(Math.abs(rolling(slope, 0.3) / (5 / 7 * g * Math.sin(slope)) - 1)).toBeLessThanOrEqual(1e-8)
  expect(Math.abs(rolling(slope, 0.05) / (g * (Math.sin(slope) - 0.05 * Math.cos(slope))) - 1)).toBeLessThanOrEqual(1e-8)
})

it('a sliding ball starts to roll at 2v₀/7μg with 5v₀/7', () => {
  const [v0, mu] = [3, 0.2]
  const run = recorded(sceneOf([floor, ball('ball', 0.5, [0, 0, 0.5], { linearVelocity: [v0, 0, 0] })], mu, { duration: 0.6, outputRate: 60 }))
  const stick = run.events.find(event => event.kind === 'stick')!
  expect(Math.abs(stick.time / (2 * v0 / (7 * mu * g)) - 1)).toBeLessThanOrEqual(1e-8)
  expect(Math.abs(bodyAt(run.frames.at(-1)!, 1).linearVelocity[0]! / (5 * v0 / 7) - 1)).toBeLessThanOrEqual(1e-8)
})

it('a block is pushed as easily at 45° to the axes of friction as along them', () => {
  const accelerate = (angle: number) => {
    const run = recorded(sceneOf([floor, box('block', [1, 1, 0.1], [0, 0, 0.05])], 0.3, { duration: 0.5, outputRate: 20 }, {
      forces: [{ id: 'push', type: 'uniform', bodies: ['block'], force: [600 * Math.cos(angle), 600 * Math.sin(angle), 0] }],
    }))
    return size(bodyAt(run.frames.at(-1)!, 1).linearVelocity) / 0.5
  }
  const expected = 600 / 100 - 0.3 * g
  for (const angle of [0, Math.PI / 4, 1]) expect(Math.abs(accelerate(angle) / expected - 1)).toBeLessThanOrEqual(1e-10)
})

it('a block tips over its edge where tan θ exceeds width ÷ height', () => {
  const tips = (angle: number) => {
    const normal = [Math.sin(angle), 0, Math.cos(angle)]
    const run = recorded(sceneOf([
      { id: 'slope', type: 'fixed', shapes: [{ type: 'halfSpace', normal, offset: 0, material: 'stone' }] },
      box('block', [0.5, 1, 1], normal.map(x => 0.5 * x), { orientation: turn([0, 1, 0], angle) }),
    ], 2, { duration: 0.2, outputRate: 20 }))
    return size(bodyAt(run.frames.at(-1)!, 1).angularVelocity) > 1e-8
  }
  const critical = Math.atan(0.5)
  expect(tips(critical - 1e-6)).toBe(false)
  expect(tips(critical + 1e-6)).toBe(true)
})

it('three equal balls share an impact as the law says: all at once, or pair after pair', () => {
  const balls = [0, 1, 2].map(k => ball(`ball-${k}`, 0.5, [k === 0 ? -0.5 : k, 0, 0], k === 0 ? { linearVelocity: [1, 0, 0] } : {}))
  const after = (impact: string) => {
    const run = recorded(sceneOf(balls, 0, { duration: 1, outputRate: 10, eventDriven: { impact } }, { gravity: [0, 0, 0] }, 1))
    return [0, 1, 2].map(k => bodyAt(run.frames.at(-1)!, k).linearVelocity[0]!)
  }
  const close = (got: number[], expected: number[]) => got.forEach((value, k) => expect(Math.abs(value - expected[k]!)).toBeLessThanOrEqual(1e-12))
  close(after('simultaneous'), [-1 / 3, 2 / 3, 2 / 3])
  close(after('sequential'), [0, 0, 1])
})
