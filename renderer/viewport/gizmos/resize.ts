/** Handles that change a shape's own sizes, in the shape's axes; bodies have no scale. */

import { composePoses, toOuter, type Pose } from '../../../core/math/pose'
import { rotate } from '../../../core/math/quaternion'
import { add, addScaled, length, normalize, scale, type Vec3 } from '../../../core/math/vector'
import type { Shape } from '../../../core/scene'
import { poseOf } from '../../state/scene-access'
import type { Axis } from './gizmo-frame'
import { snap, tidy } from './snapping'

export interface SizeHandle {
  /** World: where the handle is, where its line starts, and the unit direction in which it is dragged. */
  readonly point: Vec3
  readonly from: Vec3
  readonly direction: Vec3
  readonly axis: Axis | null
  /** What is shown while dragging, e.g. `size x`, and its present value, m or a factor. */
  readonly label: string
  readonly unit: string
  readonly value: number
  /** The shape with this value instead. */
  resized(value: number): Shape
  /** Change of the value when the handle moves by one metre. */
  readonly rate: number
}

/** Smallest size that a drag can make, m. */
const LEAST = 1e-4

/** Drags the handle by `by` metres along its direction; values are multiples of `step`, where that is not 0. */
export function dragSize(handle: SizeHandle, by: number, step: number): { shape: Shape; value: number } {
  const value = Math.max(LEAST, snap(handle.value + by * handle.rate, step) || LEAST)
  return { shape: handle.resized(value), value }
}

export function sizeHandlesOf(shape: Shape, body: Pose): SizeHandle[] {
  const own = poseOf(shape)
  const world = composePoses(body, own)
  const make = (local: Vec3, part: Omit<SizeHandle, 'point' | 'from' | 'direction'>): SizeHandle => {
    const direction = rotate(world.orientation, normalize(local))
    return { ...part, point: toOuter(world, local), from: world.position, direction }
  }
  /** The shape with its middle moved along a local direction, so that the other end stays. */
  const shifted = <S extends Shape>(of: S, local: Vec3, by: number): S => {
    const position = add(own.position, scale(rotate(own.orientation, normalize(local)), by))
    return { ...of, position: [tidy(position[0]), tidy(position[1]), tidy(position[2])] }
  }
  const radial = (radius: number, withRadius: (r: number) => Shape) =>
    make([radius, 0, 0], { axis: 0, label: 'radius', unit: 'm', value: radius, rate: 1, resized: withRadius })
  const ends = (half: number, height: number, withHeight: (h: number) => Shape) => [1, -1].map(sign => make([0, 0, sign * half], {
    axis: 2, label: 'height', unit: 'm', value: height, rate: 1, resized: h => shifted(withHeight(h), [0, 0, sign], (h - height) / 2),
  }))
  switch (shape.type) {
    case 'box': return ([0, 1, 2] as const).flatMap(k => [1, -1].map(sign => {
      const local: Vec3 = [k === 0 ? sign : 0, k === 1 ? sign : 0, k === 2 ? sign : 0]
      return make(scale(local, shape.size[k] / 2), {
        axis: k, label: `size ${'xyz'[k]}`, unit: 'm', value: shape.size[k], rate: 1,
        resized: value => shifted({ ...shape, size: replaced(shape.size, k, value) }, local, (value - shape.size[k]) / 2),
      })
    }))
    case 'sphere': return [radial(shape.radius, radius => ({ ...shape, radius }))]
    case 'ellipsoid':
    case 'superquadric': return ([0, 1, 2] as const).map(k => make(replaced([0, 0, 0], k, shape.radii[k]), {
      axis: k, label: `radius ${'xyz'[k]}`, unit: 'm', value: shape.radii[k], rate: 1, resized: value => ({ ...shape, radii: replaced(shape.radii, k, value) }),
    }))
    case 'cylinder': return [radial(shape.radius, radius => ({ ...shape, radius })), ...ends(shape.height / 2, shape.height, height => ({ ...shape, height }))]
    case 'capsule': return [
      radial(shape.radius, radius => ({ ...shape, radius })), ...ends(shape.height / 2 + shape.radius, shape.height, height => ({ ...shape, height })),
    ]
    case 'cone': return [
      radial(shape.radius, radius => ({ ...shape, radius })),
      make([0, 0, shape.height], { axis: 2, label: 'height', unit: 'm', value: shape.height, rate: 1, resized: height => ({ ...shape, height }) }),
    ]
    // Their sizes are in their formulas.
    case 'implicit':
    case 'parametric': return []
    case 'convexHull': return [scaling(shape.points, factor => ({ ...shape, points: scaled(shape.points, factor) }))]
    case 'polyhedron': return [scaling(shape.vertices, factor => ({ ...shape, vertices: scaled(shape.vertices, factor) }))]
    case 'mesh': {
      const size = shape.scale ?? 1
      const points = (shape.vertices ?? shape.pieces?.flatMap(piece => piece.points) ?? []).map(p => scale(p, shape.vertices ? size : 1))
      // The pieces are in metres: they follow the scale.
      return [scaling(points, factor => ({
        ...shape, scale: tidy(size * factor),
        ...(shape.pieces ? { pieces: shape.pieces.map(piece => ({ ...piece, points: scaled(piece.points, factor) })) } : {}),
      }))]
    }
    case 'halfSpace': {
      const l = length(shape.normal) || 1
      const foot = scale(shape.normal, shape.offset / (l * l))
      const handle = make(addScaled(foot, shape.normal, 1e-9 / l), {
        axis: 2, label: 'offset', unit: 'm', value: shape.offset / l, rate: 1, resized: value => ({ ...shape, offset: tidy(value * l) }),
      })
      return [{ ...handle, direction: rotate(world.orientation, normalize(shape.normal)) }]
    }
  }

  /** One handle at the outermost point that scales all points about the shape's origin. */
  function scaling(points: readonly Vec3[], withFactor: (factor: number) => Shape): SizeHandle {
    const far = points.reduce<Vec3>((best, p) => length(p) > length(best) ? p : best, [LEAST, 0, 0])
    return make(far, { axis: null, label: 'scale', unit: '×', value: 1, rate: 1 / length(far), resized: withFactor })
  }
}

function replaced(v: Vec3, k: Axis, value: number): Vec3 {
  return [k === 0 ? value : v[0], k === 1 ? value : v[1], k === 2 ? value : v[2]]
}

function scaled(points: readonly Vec3[], factor: number): Vec3[] {
  return points.map(([x, y, z]) => [tidy(x * factor), tidy(y * factor), tidy(z * factor)])
}
