import { describe, expect, it } from 'vitest'
import { parseScene } from '../../../core/scene'
import type { Row } from '../../bench/peers/run'
import { toCairn, type NeutralScene } from '../../bench/peers/scene'
import { markdown, standing } from '../../bench/peers/table'

const neutral: NeutralScene = {
  format: 'rigid-scene/1', id: 'T', title: 'A tetrahedron on a hinge above a floor', gravity: [0, 0, -9.81], dt: 0.01, duration: 1,
  material: { friction: 0.5, restitution: 0.25 }, analysis: { type: 'cradle' },
  bodies: [
    { id: 'floor', type: 'static', shape: { type: 'box', halfExtents: [2, 2, 0.5] }, position: [0, 0, -0.5], quaternion: [0, 0, 0, 1] },
    {
      id: 'hull', type: 'dynamic', position: [0, 0, 2], quaternion: [0, 0, 0, 1], linearVelocity: [1, 0, 0], angularVelocity: [0, 2, 0], mass: 3, inertia: [1, 1.5, 2],
      spawnTime: 0.5,
      shape: { type: 'hull', vertices: [[1, 0, 0], [-1, 1, 0], [-1, -1, 0], [0, 0, 1]], faces: [[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]] },
    },
  ],
  joints: [{ id: 'pivot', type: 'hinge', a: null, b: 'hull', anchor: [0, 0, 2], axis: [0, 1, 0] }],
}

describe('a neutral scene', () => {
  it('becomes a valid scene of the same mechanics', () => {
    const parsed = parseScene(toCairn(neutral, 0.01, { method: 'event-driven' }))
    if (!parsed.ok) throw new Error(JSON.stringify(parsed))
    const { bodies, joints, materials, gravity, simulation } = parsed.resolved
    expect(gravity).toEqual([0, 0, -9.81])
    expect(materials[0]).toMatchObject({ friction: { static: 0.5, dynamic: 0.5 }, restitution: 0.25 })
    expect(bodies[0]).toMatchObject({ type: 'fixed', shapes: [{ type: 'box', size: [4, 4, 1] }] })
    expect(bodies[1]).toMatchObject({
      type: 'dynamic', spawnTime: 0.5, linearVelocity: [1, 0, 0], angularVelocity: [0, 2, 0], mass: { mass: 3, inertia: [1, 1.5, 2, 0, 0, 0] },
    })
    expect(joints[0]).toMatchObject({ type: 'hinge', bodyA: null, bodyB: 'hull', axis: [0, 1, 0] })
    expect(simulation).toMatchObject({ method: 'event-driven', eventDriven: { impact: 'sequential' } })
    expect(simulation.duration * simulation.outputRate).toBeCloseTo(100, 9)
  })

  it('of another format is refused', () => {
    expect(() => toCairn({ ...neutral, format: 'rigid-scene/2' }, 0.01, {})).toThrow('unknown format')
  })
})

describe('the error–time plane', () => {
  const row = (engine: string, msTotal: number, maxVelocityError: number, rest: Partial<Row> = {}): Row =>
    ({ engine, profile: 'default', scene: 'S9a', steps: 10, complete: true, finite: true, msTotal, metrics: { maxVelocityError }, ...rest })

  it('names the peers that are both faster and more accurate', () => {
    const found = standing('S9a', 'cradle', [row('rapier', 10, 1e-5), row('jolt', 30, 1e-9), row('havok', 10, 1e-4), row('cairn-ed', 20, 5e-5)])
    expect(found.beatenBy).toEqual([{ run: 'cairn-ed default', peers: ['rapier default'] }])
    expect(found.ratio).toBeCloseTo(5e-5 / 1e-9, 3)
    expect(markdown([found], 'here')).toContain('cairn-ed default: rapier default')
  })

  it('counts no run that ended early as correct, and every correct one as better than a failure', () => {
    const found = standing('S9a', 'cradle', [row('rapier', 900, 1e-4), row('jolt', 1, 1e-9, { complete: false }), row('cairn-ts', 1, 0, { error: 'refused' })])
    expect(found.points.map(({ right }) => right)).toEqual([true, false, false])
    expect(found.beatenBy).toEqual([{ run: 'cairn-ts default', peers: ['rapier default'] }])
  })
})
