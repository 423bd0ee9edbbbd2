/** A bead on a cycloid, whose period does not depend on the amplitude (Huygens), in the three formulations of the course notes [PBM01-F §4.3, §5]. */

import { describe, expect, it } from 'vitest'
import { ball, bodyIn, recorded, sceneOf, type Recorded } from './support'

const g = 9.81
const mass = 0.5
/** m: of the rolling circle. */
const r = 0.3
const omega = Math.sqrt(g / (4 * r))
const wire = { type: 'formula', center: [0, 0, 0], x: `${r}*(u + sin(u))`, y: '0', z: `${r}*(1 - cos(u))`, u: [-3, 3] }
const place = (u: number): number[] => [r * (u + Math.sin(u)), 0, r * (1 - Math.cos(u))]

function swing(from: number, simulation: object): Recorded {
  const bead = { ...ball('bead', 0.05, place(from)), mass: { mass, inertia: [0.01, 0.01, 0.01, 0, 0, 0] } }
  return recorded(sceneOf([bead], 0, { duration: 5, outputRate: 40, ...simulation },
    { joints: [{ id: 'wire', type: 'pointOnCurve', bodyA: 'bead', bodyB: null, anchor: place(from), curve: wire }] }))
}

/** Way along the wire from its lowest point: s = 4 r sin(u/2), s(t) = s₀ cos ωt; the wire pushes with m g (cos(u/2) + (s₀² − s²)/(16 r² cos(u/2))). */
function worst(run: Recorded, from: number): { place: number; way: number; force: number } {
  const s0 = 4 * r * Math.sin(from / 2)
  const found = { place: 0, way: 0, force: 0 }
  run.frames.forEach((frame, i) => {
    const s = s0 * Math.cos(omega * frame.time)
    const u = 2 * Math.asin(s / (4 * r))
    const { position } = bodyIn(run, 'bead', frame)
    const joint = run.joints[i]!
    const push = mass * g * (Math.cos(u / 2) + (s0 * s0 - s * s) / (16 * r * r * Math.cos(u / 2)))
    found.place = Math.max(found.place, Math.hypot(...place(u).map((x, k) => x - position[k]!)))
    found.way = Math.max(found.way, Math.abs(joint.position[0]! - (s - s0)))
    found.force = Math.max(found.force, Math.abs(Math.hypot(...joint.force) / push - 1))
  })
  return found
}

describe('a bead on a cycloid', () => {
  const keepsTime = (coordinates: 'maximal' | 'reduced', from: number) => {
    const found = worst(swing(from, { method: 'event-driven', coordinates, eventDriven: { tolerance: 1e-12 } }), from)
    expect(found.place).toBeLessThan(1e-8)
    expect(found.way).toBeLessThan(1e-8)
    expect(found.force).toBeLessThan(1e-8)
  }

  it('in maximal coordinates from u = 0.3 swings in 4π √(r/g)', () => keepsTime('maximal', 0.3))

  it('in reduced coordinates from u = 0.3 swings in 4π √(r/g)', { tags: 'long' }, () => keepsTime('reduced', 0.3))

  it.each(['maximal', 'reduced'] as const)('and from u = 2.6 in the same time, in %s coordinates', { tags: 'long' }, coordinates => keepsTime(coordinates, 2.6))

  it('held by springs has that period up to their compliance', { tags: 'long' }, () => {
    const soft = [1e5, 1e6].map(stiffness => worst(swing(1.5, {
      method: 'penalty', duration: 1, penalty: { step: 2e-4, joints: { stiffness, damping: 2 * Math.sqrt(mass * stiffness) } },
    }), 1.5).place)
    expect(soft[0]!).toBeLessThan(20 * mass * g / 1e5)
    expect(soft[1]! / soft[0]!).toBeLessThan(0.2)
  })

  it('stays on it in time-stepping', { tags: 'long' }, () => {
    const errors = [200, 400].map(steps => worst(swing(1.5, { method: 'time-stepping', duration: 2, timeStepping: { step: 1 / steps } }), 1.5).place)
    expect(errors[0]! / errors[1]!).toBeGreaterThan(3.5)
  })

  it('slides the same if the whole scene is rotated and moved', () => {
    // A quarter turn about z, away from the origin.
    const [x, , z] = place(1) as [number, number, number]
    const half = Math.SQRT1_2
    const anchor = [2, x + 3, z + 1]
    const bead = { ...ball('bead', 0.05, anchor), mass: { mass, inertia: [0.01, 0.01, 0.01, 0, 0, 0] } }
    const run = recorded(sceneOf([bead], 0, { method: 'event-driven', duration: 2, outputRate: 20, eventDriven: { tolerance: 1e-12 } }, {
      joints: [{ id: 'wire', type: 'pointOnCurve', bodyA: 'bead', bodyB: null, anchor, curve: { ...wire, center: [2, 3, 1], orientation: [0, 0, half, half] } }],
    }))
    const s0 = 4 * r * Math.sin(0.5)
    for (const frame of run.frames) {
      const [px, , pz] = place(2 * Math.asin(s0 * Math.cos(omega * frame.time) / (4 * r))) as [number, number, number]
      const { position } = bodyIn(run, 'bead', frame)
      ;[2, px + 3, pz + 1].forEach((expected, k) => expect(position[k]!).toBeCloseTo(expected, 8))
    }
  })

  it('stops with a typed error at the end of the formulas\' range', () => {
    const anchor = [0, 0, 0.5]
    const bead = { ...ball('bead', 0.05, anchor), mass: { mass, inertia: [0.01, 0.01, 0.01, 0, 0, 0] } }
    const run = recorded(sceneOf([bead], 0, { method: 'event-driven', duration: 2 }, {
      joints: [{ id: 'wire', type: 'pointOnCurve', bodyA: 'bead', bodyB: null, anchor, curve: { ...wire, x: 'u', z: '(1 - u)^1.5/2', u: [-1, 0.9] } }],
    }))
    expect(run.end.status).toBe('stopped')
    expect(run.end.ids).toEqual(['wire'])
  })

  it.each([
    [{ x: 'v' }, 'joints[0].curve.x', /There is no variable "v"/], [{ z: 'sqrt(u)' }, 'joints[0].curve.z', /has no value at u = -3/],
    [{ u: [1, 1] }, 'joints[0].curve.u', /range of u is empty/], [{ x: '1', z: 'u^2' }, 'joints[0].curve', /vanishes at u = 0/],
    [{ y: 'sin(' }, 'joints[0].curve.y', /At character/],
  ])('is refused where %j', (change, path, message) => {
    const joints = [{ id: 'wire', type: 'pointOnCurve', bodyA: 'bead', bodyB: null, anchor: [0, 0, 0], curve: { ...wire, ...change } }]
    let fault: unknown
    try {
      recorded(sceneOf([ball('bead', 0.05, [0, 0, 0])], 0, {}, { joints }))
    } catch (error) {
      fault = error
    }
    const { problems } = fault as { problems: { path: string; message: string }[] }
    expect(problems.map(problem => problem.path)).toContain(path)
    expect(problems.map(problem => problem.message).join()).toMatch(message)
  })
})
