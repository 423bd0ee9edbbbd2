import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Scene, Shape } from '../../../../../core/scene'
import { IDENTITY_POSE } from '../../../../../core/math/pose'
import { rotate } from '../../../../../core/math/quaternion'
import { distance, type Vec3 } from '../../../../../core/math/vector'
import { DEFAULT_CAMERA } from '../../../../../renderer/state/view'
import { project, rayThrough, toPixel } from '../../../../../renderer/viewport/camera/projection'
import { moveDrag, rotateDrag } from '../../../../../renderer/viewport/gizmos/drag'
import { gizmoFrame } from '../../../../../renderer/viewport/gizmos/gizmo-frame'
import { handleAt, moveHandles, rotateHandles, SIZES } from '../../../../../renderer/viewport/gizmos/handles'
import { dragSize, sizeHandlesOf } from '../../../../../renderer/viewport/gizmos/resize'
import { applyMotion, rotationAbout } from '../../../../../renderer/viewport/gizmos/rigid-edit'
import { snap, stepFor } from '../../../../../renderer/viewport/gizmos/snapping'

const view = project(DEFAULT_CAMERA, 1440, 900, { center: [0, 0, 0], radius: 5 }, [0, 0, 0])
const through = (point: Vec3) => rayThrough(view, ...toPixel(view, point)!)

describe('snapping', () => {
  it('gives the nearest multiple, as a short decimal', () => {
    fc.assert(fc.property(fc.double({ min: -100, max: 100, noNaN: true }), fc.constantFrom(0.05, 0.1, 0.25, 1e-3), (value, step) => {
      const snapped = snap(value, step)
      expect(Math.abs(snapped - value)).toBeLessThanOrEqual(step / 2 + 1e-9)
      expect(String(snapped).length).toBeLessThan(10)
    }))
    expect(snap(0.149, 0.05)).toBe(0.15)
    expect(snap(0.123456, 0)).toBe(0.123456)
  })

  it('is toggled by Ctrl and made finer by Shift', () => {
    const none = { ctrl: false, shift: false }
    expect(stepFor(0.1, true, none)).toBe(0.1)
    expect(stepFor(0.1, false, none)).toBe(0)
    expect(stepFor(0.1, true, { ctrl: true, shift: false })).toBe(0)
    expect(stepFor(0.1, false, { ctrl: true, shift: false })).toBe(0.1)
    expect(stepFor(0.1, true, { ctrl: false, shift: true })).toBeCloseTo(0.01, 15)
  })
})

describe('move', () => {
  const frame = gizmoFrame([0.12, 0.2, 0.5], null)

  it('along an axis follows the pointer along that axis alone', () => {
    const drag = moveDrag({ kind: 'axis', axis: 0 }, frame, through([0.12, 0.2, 0.5]), view, true)!
    const { shift } = drag(through([0.62, 0.2, 0.5]), 0)!.motion
    expect(distance(shift, [0.5, 0, 0])).toBeLessThan(1e-9)
  })

  it('snaps the coordinate to the world\'s grid, or moves by whole increments along local axes', () => {
    const id = { kind: 'axis', axis: 0 } as const
    const start = through([0.12, 0.2, 0.5])
    const to = through([0.33, 0.2, 0.5])
    expect(frame.origin[0] + moveDrag(id, frame, start, view, true)!(to, 0.1)!.motion.shift[0]).toBeCloseTo(0.3, 12)
    expect(moveDrag(id, frame, start, view, false)!(to, 0.1)!.motion.shift[0]).toBe(0.2)
  })

  it('in a plane leaves the third coordinate alone', () => {
    const drag = moveDrag({ kind: 'plane', axis: 2 }, frame, through([0.12, 0.2, 0.5]), view, true)!
    const { shift } = drag(through([-0.4, 0.9, 0.5]), 0)!.motion
    expect(distance(shift, [-0.52, 0.7, 0])).toBeLessThan(1e-9)
  })
})

describe('rotate', () => {
  const frame = gizmoFrame([0, 0, 0.5], null)
  const rim = (angle: number): Vec3 => [Math.cos(angle), Math.sin(angle), 0.5]

  it('rotates by the angle through which the pointer moved around the axis', () => {
    const drag = rotateDrag({ kind: 'ring', axis: 2 }, frame, through(rim(-1)), view)!
    const { rotation } = drag(through(rim(-0.3)), 0)!.motion
    expect(distance(rotate(rotation, [1, 0, 0]), [Math.cos(0.7), Math.sin(0.7), 0])).toBeLessThan(1e-9)
  })

  it('counts whole turns and rounds to increments', () => {
    const drag = rotateDrag({ kind: 'ring', axis: 2 }, frame, through(rim(0)), view)!
    let last = drag(through(rim(0)), 0)!
    for (let angle = 0; angle <= 7.5; angle += 0.25) last = drag(through(rim(angle)), Math.PI / 12)!
    expect(last.readout[0]![1]).toBe(435)
  })
})

describe('handles', () => {
  it('of a move gizmo keep their size on the screen at any distance', () => {
    for (const far of [1, 10, 100]) {
      const away = project({ ...DEFAULT_CAMERA, distance: far }, 1440, 900, { center: [0, 0, 0], radius: 5 }, [0, 0, 0])
      const handles = moveHandles(gizmoFrame(DEFAULT_CAMERA.target, null), away)
      const z = handles.find(handle => handle.id.kind === 'axis' && handle.id.axis === 2)!
      const length = Math.hypot(z.path[1]![0] - 720, z.path[1]![1] - 450)
      expect(length).toBeGreaterThan(SIZES.axis * 0.85)
      expect(length).toBeLessThan(SIZES.axis * 1.05)
    }
  })

  it('are hit where they are drawn: the tip of an axis, the middle, the near half of a ring', () => {
    const frame = gizmoFrame(DEFAULT_CAMERA.target, null)
    const move = moveHandles(frame, view)
    for (const handle of move.filter(({ tip }) => tip === 'arrow')) expect(handleAt(move, ...handle.path[1]!)?.id).toEqual(handle.id)
    expect(handleAt(move, 720, 450)?.id).toEqual({ kind: 'free' })
    expect(handleAt(move, 200, 200)).toBeNull()
    const rings = rotateHandles(frame, view).filter(({ id }) => id.kind === 'ring')
    for (const ring of rings) {
      const middle = ring.path[Math.floor(ring.path.length / 2)]!
      expect(handleAt(rings, ...middle)).not.toBeNull()
      expect(ring.back.length).toBeGreaterThan(10)
    }
  })

  it('leave out the axis that points at the camera', () => {
    const top = project({ ...DEFAULT_CAMERA, azimuth: -Math.PI / 2, elevation: Math.PI / 2 }, 1440, 900, { center: [0, 0, 0], radius: 5 }, [0, 0, 0])
    const axes = moveHandles(gizmoFrame(DEFAULT_CAMERA.target, null), top).flatMap(({ id }) => id.kind === 'axis' ? [id.axis] : [])
    expect(axes).toEqual([0, 1])
  })
})

describe('resize', () => {
  const box: Shape = { type: 'box', size: [1, 2, 3], material: 'm' }

  it('of a box by one face leaves the opposite face where it is', () => {
    const handle = sizeHandlesOf(box, IDENTITY_POSE)[0]!
    expect(handle.point).toEqual([0.5, 0, 0])
    const { shape } = dragSize(handle, 0.3, 0.1)
    expect(shape).toMatchObject({ size: [1.3, 2, 3], position: [0.15, 0, 0] })
  })

  it('never makes a size zero or negative', () => {
    for (const handle of sizeHandlesOf(box, IDENTITY_POSE)) expect(dragSize(handle, -10, 0.1).value).toBeGreaterThan(0)
  })

  it('scales the points of a hull about its origin', () => {
    const points: Vec3[] = [[2, 0, 0], [0, 1, 0], [0, 0, 1], [-1, -1, -1]]
    const [handle] = sizeHandlesOf({ type: 'convexHull', points, material: 'm' }, IDENTITY_POSE)
    expect(dragSize(handle!, 1, 0).shape).toMatchObject({ points: [[3, 0, 0], [0, 1.5, 0], [0, 0, 1.5], [-1.5, -1.5, -1.5]] })
  })

  it('has handles for every shape', () => {
    const shapes: Shape[] = [
      { type: 'sphere', radius: 1, material: 'm' }, { type: 'capsule', radius: 1, height: 1, material: 'm' }, { type: 'cone', radius: 1, height: 1, material: 'm' },
      { type: 'cylinder', radius: 1, height: 1, material: 'm' }, { type: 'ellipsoid', radii: [1, 2, 3], material: 'm' },
      { type: 'superquadric', radii: [1, 2, 3], exponents: [1, 1], material: 'm' }, { type: 'halfSpace', normal: [0, 0, 2], offset: 4, material: 'm' },
    ]
    for (const shape of shapes) {
      const handles = sizeHandlesOf(shape, IDENTITY_POSE)
      expect(handles.length).toBeGreaterThan(0)
      for (const handle of handles) {
        const unchanged = dragSize(handle, 0, 0)
        expect(unchanged.value).toBe(handle.value)
        const grown = sizeHandlesOf(dragSize(handle, 0.5, 0).shape, IDENTITY_POSE).find(({ label, direction }) =>
          label === handle.label && distance(direction, handle.direction) < 1e-9)!
        expect(grown.value).toBeCloseTo(handle.value + 0.5, 9)
        expect(distance(grown.point, handle.point)).toBeCloseTo(0.5, 9)
      }
    }
  })
})

describe('a rigid edit', () => {
  const scene: Scene = {
    format: 'cairn-scene', version: 1,
    bodies: [{ id: 'a', position: [1, 0, 0.1] }, { id: 'b', position: [2, 0, 0] }, { id: 'c', position: [3, 0, 0] }],
    joints: [
      { id: 'ab', type: 'hinge', bodyA: 'a', bodyB: 'b', anchor: [1.5, 0, 0], axis: [1, 0, 0] },
      { id: 'bc', type: 'hinge', bodyA: 'b', bodyB: 'c', anchor: [2.5, 0, 0], axis: [1, 0, 0] },
    ],
  }
  const edited = (ids: string[], motion: Parameters<typeof applyMotion>[3]) => {
    const draft = structuredClone(scene)
    applyMotion(draft, scene, new Set(ids), motion)
    return draft
  }

  it('moves selected bodies, and the joints between them', () => {
    const after = edited(['a', 'b'], { pivot: [0, 0, 0], rotation: [0, 0, 0, 1], shift: [0, 0, 0.3] })
    expect(after.bodies!.map(body => body.position)).toEqual([[1, 0, 0.4], [2, 0, 0.3], [3, 0, 0]])
    expect(after.joints!.map(joint => 'anchor' in joint && joint.anchor)).toEqual([[1.5, 0, 0.3], [2.5, 0, 0]])
  })

  it('rotates about the pivot, including axes of joints', () => {
    const after = edited(['a', 'b'], { pivot: [1, 0, 0.1], rotation: rotationAbout([0, 0, 1], Math.PI / 2), shift: [0, 0, 0] })
    expect(after.bodies![0]!.position).toEqual([1, 0, 0.1])
    expect(distance(after.bodies![1]!.position!, [1, 1, 0])).toBeLessThan(1e-12)
    const hinge = after.joints![0]!
    expect(hinge.type === 'hinge' && distance(hinge.axis, [0, 1, 0])).toBeLessThan(1e-12)
  })

  it('writes nothing if nothing moved', () => {
    expect(edited(['a', 'b', 'c'], { pivot: [0, 0, 0], rotation: [0, 0, 0, 1], shift: [0, 0, 0] })).toEqual(scene)
  })
})
