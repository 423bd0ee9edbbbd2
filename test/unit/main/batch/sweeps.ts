/** A slope and a block on it, as a sweep over friction and angle: the scene of most tests in this folder. */
import { PreparedSweep } from '../../../../main/batch/plan'
import { parseLet, parseParameter } from '../../../../main/batch/values-text'
import type { SweepPlan } from '../../../../main/protocol/sweeps'

/** Gravity is turned instead of the slope. */
export const incline = JSON.stringify({
  format: 'cairn-scene', version: 1, name: 'Incline',
  materials: [{ id: 'stone', density: 2000, friction: { static: 0.5, dynamic: 0.5 }, restitution: 0 }],
  bodies: [
    { id: 'slope', type: 'fixed', shapes: [{ type: 'halfSpace', normal: [0, 0, 1], offset: 0, material: 'stone' }] },
    { id: 'block', position: [0, 0, 0.25], shapes: [{ type: 'box', size: [0.5, 0.5, 0.5], material: 'stone' }] },
  ],
  simulation: { duration: 0.1, outputRate: 60 },
})

export const friction = 'mu=materials.stone.friction.static+materials.stone.friction.dynamic'
export const tilt = [parseLet('gravity[0]=9.81*sin(angle*pi/180)'), parseLet('gravity[1]=0'), parseLet('gravity[2]=-9.81*cos(angle*pi/180)')]

export function plan(change: Partial<SweepPlan> = {}): SweepPlan {
  return {
    scenes: [{ name: 'incline', text: incline }], parameters: [parseParameter(`${friction}=0.1:0.9:5`, false), parseParameter('angle=5:40:4', true)], lets: tilt,
    design: { kind: 'grid' }, measures: 'x = bodies.block.position[0]@end, force = max(contacts.normalForce), energy.residual', keep: { kind: 'none' },
    timeLimit: null, memoryLimit: null, ...change,
  }
}

export const prepared = (change: Partial<SweepPlan> = {}) => new PreparedSweep(plan(change))
