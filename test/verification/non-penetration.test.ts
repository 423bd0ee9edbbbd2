import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { facePlanes, solidAt } from '../../core/analysis/convex-solid'
import { overlapVolume, volumeBelow } from '../../core/analysis/overlap'
import { HalfSpace } from '../../core/geometry/half-space'
import { Polyhedron } from '../../core/geometry/polyhedron'
import { createPrimitives, type ShapeSpec } from '../../core/geometry/primitives'
import { composePoses, type Pose } from '../../core/math/pose'
import { bodyAt, recorded, sceneOf, type Recorded } from './support'

interface SceneBody {
  readonly id: string
  readonly type: string
  readonly shapes: readonly (ShapeSpec & { readonly position?: Pose['position'], readonly orientation?: Pose['orientation'] })[]
}

/** Largest volume, in m³, in which two bodies overlap in any frame, by clipping; shares no code with contact finding. */
function worstOverlap(bodies: readonly SceneBody[], { frames }: Recorded): number {
  const parts = bodies.map(body => body.shapes.flatMap(shape => createPrimitives(shape).map(primitive => ({
    primitive, pose: { position: shape.position ?? ([0, 0, 0] as const), orientation: shape.orientation ?? ([0, 0, 0, 1] as const) },
  }))))
  let worst = 0
  for (const frame of frames) {
    const solids = parts.map((own, i) => own.map(({ primitive, pose }) => {
      const state = bodyAt(frame, i)
      const at = composePoses({ position: state.position as unknown as Pose['position'], orientation: state.orientation as unknown as Pose['orientation'] }, pose)
      return primitive instanceof Polyhedron ? { solid: solidAt(primitive, at), planes: null }
        : { solid: null, planes: primitive instanceof HalfSpace ? [primitive.placed(at)] : null }
    }))
    solids.forEach((own, i) => solids.slice(i + 1).forEach((others, k) => {
      if (bodies[i]!.type !== 'dynamic' && bodies[i + 1 + k]!.type !== 'dynamic') {
        return
      }
      for (const p of own) {
        for (const q of others) {
          const [solid, other] = p.solid ? [p, q] : [q, p]
          if (solid.solid) {
            worst = Math.max(worst, other.solid ? overlapVolume(solid.solid, other.solid) : other.planes ? volumeBelow(solid.solid, other.planes) : 0)
          }
        }
      }
    }))
  }
  return worst
}

describe('no overlap in any frame', () => {
  it('of the jack that rolls down the stairs', () => {
    const scene = JSON.parse(readFileSync(join(import.meta.dirname, '../../scenes/jack-down-stairs.cairn.json'), 'utf8')) as { bodies: SceneBody[], simulation: object }
    const run = recorded({ ...scene, simulation: { ...scene.simulation, duration: 2, outputRate: 60 } })
    expect(run.end.message + run.end.status).toBe('completed')
    expect(worstOverlap(scene.bodies, run)).toBeLessThanOrEqual(1e-12)
  })

  it('where a 1 cm cube at 1,000 m/s meets a 1 mm pane at 60 frames a second: it never gets to the other side', () => {
    const bodies = [
      { id: 'pane', type: 'fixed', shapes: [{ type: 'box', size: [0.001, 1, 1], material: 'stone' }] },
      { id: 'bullet', type: 'dynamic', position: [-7.3, 0.1, 0.1], linearVelocity: [1000, 0, 0], angularVelocity: [300, 200, 100],
        shapes: [{ type: 'box', size: [0.01, 0.01, 0.01], material: 'stone' }] },
    ]
    const run = recorded(sceneOf(bodies, 0.3, { duration: 0.1, outputRate: 60 }, { gravity: [0, 0, 0] }, 0.5))
    expect(run.end.message + run.end.status).toBe('completed')
    expect(run.frames.every(frame => bodyAt(frame, 1).position[0]! < 0)).toBe(true)
    expect(run.events.some(event => event.kind === 'impact' && Math.abs(event.time - 7.29 / 1000) < 1e-5)).toBe(true)
    expect(worstOverlap(bodies as unknown as SceneBody[], run)).toBeLessThanOrEqual(1e-18)
  })

  it('where a 1 cm sphere spinning at 1,000 rad/s meets the pane at 1,000 m/s', () => {
    const run = recorded(sceneOf([
      { id: 'pane', type: 'fixed', shapes: [{ type: 'box', size: [0.001, 1, 1], material: 'stone' }] },
      { id: 'ball', type: 'dynamic', position: [-7.3, 0.1, 0.1], linearVelocity: [1000, 0, 0], angularVelocity: [0, 0, 1000],
        shapes: [{ type: 'sphere', radius: 0.005, material: 'stone' }] },
    ], 0.3, { duration: 0.1, outputRate: 60 }, { gravity: [0, 0, 0] }, 0.5))
    expect(run.end.message + run.end.status).toBe('completed')
    expect(run.frames.every(frame => bodyAt(frame, 1).position[0]! < 0)).toBe(true)
  })

  it('is what the judge says, not what it cannot see: two boxes set into each other do overlap', () => {
    const boxes = [0, 0.5].map(x => solidAt(createPrimitives({ type: 'box', size: [1, 1, 1] })[0] as Polyhedron, { position: [x, 0, 0], orientation: [0, 0, 0, 1] }))
    expect(volumeBelow(boxes[0]!, facePlanes(boxes[1]!))).toBeCloseTo(0.5, 12)
  })
})
