import { describe, expect, it } from 'vitest'
import { requireScene, resolveScene } from '../../../../core/scene'
import { handoversOf } from '../../../../core/simulation/handovers'

const box = (id: string, more: object = {}) => ({ id, position: [0, 0, 1], shapes: [{ type: 'box', size: [1, 1, 1], material: 'wood' }], ...more })
const scene = (more: object = {}, simulation: object = {}) => resolveScene(requireScene(JSON.stringify({
  format: 'cairn-scene', version: 1, materials: [{ id: 'wood' }],
  bodies: [box('late', { spawnTime: 1 }), box('first', { removeTime: 1 }), box('later', { spawnTime: 2 }), box('plain', { spawnTime: 1.5 })],
  simulation: { method: 'time-stepping', outputRate: 60, duration: 3, timeStepping: { handovers: [2, 1] }, ...simulation }, ...more,
})))
const bodies = (known: ReturnType<typeof scene>) => known.bodies.map(({ id, removeTime }) => removeTime === undefined ? id : `${id} until ${removeTime}`)

describe('a scene that was changed while it ran', () => {
  it('contains in each part the elements added until then, in that order, and no later end times', () => {
    const { times, part } = handoversOf(scene(), false)
    expect(times).toEqual([1, 2])
    expect([0, 1, 2].map(done => bodies(part(done)))).toEqual([['first', 'plain'], ['first until 1', 'plain', 'late'], ['first until 1', 'plain', 'late', 'later']])
  })

  it('contains from the start what a sensor measures, and with a joint its bodies', () => {
    const sensed = handoversOf(scene({ sensors: [{ id: 's', type: 'pose', body: 'late' }] }), false)
    expect(bodies(sensed.part(0))).toEqual(['late', 'first', 'plain'])
    const pose = { position: [0, 0, 1], orientation: [0, 0, 0, 1] }
    const joint = { id: 'j', type: 'ball', bodyA: 'later', bodyB: null, anchor: [0, 0, 1], spawnTime: 1, poseA: pose }
    const joined = handoversOf(scene({ joints: [joint] }), false)
    expect([0, 1].map(done => joined.part(done).joints.length)).toEqual([0, 1])
    expect(bodies(joined.part(1))).toContain('later')
  })

  it('is used as a whole if it begins at an instant, with another method, and for times that are not frames', () => {
    for (const { times, part } of [
      handoversOf(scene(), true), handoversOf(scene({}, { method: 'event-driven' }), false), handoversOf(scene({}, { timeStepping: { handovers: [0.999, 7, 0] } }), false),
    ]) {
      expect(times).toEqual([])
      expect(part(0).bodies).toHaveLength(4)
    }
  })
})
