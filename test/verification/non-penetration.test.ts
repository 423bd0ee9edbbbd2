import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { facePlanes, solidAt } from '../../core/analysis/convex-solid'
import { volumeBelow } from '../../core/analysis/overlap'
import type { Polyhedron } from '../../core/geometry/polyhedron'
import { createPrimitives } from '../../core/geometry/primitives'
import { worstOverlap, type SceneBody } from './overlap'
import { bodyAt, recorded, sceneOf } from './support'

describe('no overlap in any frame', () => {
  it('of the jack that rolls down the stairs', () => {
    const scene = JSON.parse(readFileSync(join(import.meta.dirname, '../../scenes/jack-down-stairs.cairn.json'), 'utf8')) as { bodies: SceneBody[], simulation: object }
    const run = recorded({ ...scene, simulation: { ...scene.simulation, duration: 2, outputRate: 60 } })
    expect(run.end.message + run.end.status).toBe('completed')
    expect(worstOverlap(scene.bodies, run)).toBeLessThanOrEqual(1e-12)
  })

  it('where a 1 cm cube at 1,000 m/s meets a 1 mm pane at 60 frames a second: it never gets to the other side', { tags: 'long' }, () => {
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

  it('is not due to a blind measurement: two boxes placed inside each other do overlap', () => {
    const boxes = [0, 0.5].map(x => solidAt(createPrimitives({ type: 'box', size: [1, 1, 1] })[0] as Polyhedron, { position: [x, 0, 0], orientation: [0, 0, 0, 1] }))
    expect(volumeBelow(boxes[0]!, facePlanes(boxes[1]!))).toBeCloseTo(0.5, 12)
  })
})
