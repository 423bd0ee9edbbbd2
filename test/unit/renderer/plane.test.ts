import { describe, expect, it } from 'vitest'
import { check } from '../../../core/simulation/check'
import type { Scene } from '../../../core/scene'
import { handleInPlane, layIntoPlane, motionInPlane } from '../../../renderer/modelling/plane'
import { applyMotion, rotationAbout } from '../../../renderer/viewport/gizmos/rigid-edit'

const scattered = (): Scene => ({
  format: 'cairn-scene', version: 1, gravity: [0, 1, -9.81],
  materials: [{ id: 'stone', density: 1000, friction: { static: 0.5, dynamic: 0.5 }, restitution: 0 }],
  bodies: [
    { id: 'box', position: [1, 0.4, 2], orientation: rotationAbout([0, 0, 1], 0.5), linearVelocity: [1, 2, 3], shapes: [{ type: 'box', size: [1, 1, 1], material: 'stone' }] },
    { id: 'disc', position: [-1, -3, 2], angularVelocity: [1, 2, 3], shapes: [{ type: 'cylinder', radius: 0.2, height: 0.4, material: 'stone' }] },
    { id: 'ground', type: 'fixed', shapes: [{ type: 'halfSpace', normal: [0, 0, 1], offset: 0, material: 'stone' }] },
  ],
  joints: [{ id: 'hinge', type: 'hinge', bodyA: 'box', bodyB: null, anchor: [1, 0.4, 2], axis: [0, -2, 1] }],
})

describe('a scene that is moved into the plane', () => {
  it('has nothing outside of it, and can be run', () => {
    const scene = scattered()
    layIntoPlane(scene)
    expect(check(scene).problems.filter(({ severity }) => severity === 'error')).toEqual([])
    expect(scene).toMatchObject({ gravity: [0, 0, -9.81], simulation: { dimensions: 2 } })
    expect(scene.bodies![0]).toMatchObject({ position: [1, 0, 2], orientation: [0, 0, 0, 1], linearVelocity: [1, 0, 3] })
    expect(scene.bodies![1]).toMatchObject({ position: [-1, 0, 2], angularVelocity: [0, 2, 0] })
    expect(scene.joints![0]).toMatchObject({ anchor: [1, 0, 2], axis: [0, -1, 0] })
  })

  it('stays there when it is moved and rotated', () => {
    const scene = scattered()
    layIntoPlane(scene)
    const moved = structuredClone(scene)
    applyMotion(moved, scene, new Set(['box']), { pivot: [1, 0, 2], rotation: rotationAbout([1, 0, 0], 0.3), shift: [0.5, 0.7, -1] })
    expect(moved.bodies![0]).toMatchObject({ position: [1.5, 0, 1], orientation: [0, 0, 0, 1] })
    applyMotion(moved, scene, new Set(['box']), { pivot: [1, 0, 2], rotation: rotationAbout([0, 1, 0], 0.3), shift: [0, 0, 0] })
    expect(moved.bodies![0]!.orientation![1]).toBeCloseTo(Math.sin(0.15), 12)
    expect(check(moved).problems.filter(({ severity }) => severity === 'error')).toEqual([])
  })

  it('offers the handles of its plane', () => {
    expect(([0, 1, 2] as const).map(axis => handleInPlane({ kind: 'axis', axis }))).toEqual([true, false, true])
    expect(([0, 1, 2] as const).map(axis => handleInPlane({ kind: 'ring', axis }))).toEqual([false, true, false])
    expect(([0, 1, 2] as const).map(axis => handleInPlane({ kind: 'plane', axis }))).toEqual([false, true, false])
    expect(motionInPlane({ pivot: [0, 0, 0], rotation: [0, 0, 1, 0], shift: [1, 1, 1] })).toEqual({ pivot: [0, 0, 0], rotation: [0, 0, 0, 1], shift: [1, 0, 1] })
  })
})
