/** The cube in the corner that shows the camera's orientation: its visible parts as polygons, and the view that a click on each part selects. */

import { dot, type Vec3 } from '../../core/math/vector'
import type { StandardView } from '../state/viewport-api'
import type { CameraAxes } from './camera/camera-state'

export interface CubeFace {
  readonly view: StandardView
  readonly label: string
  /** Corners in units of half an edge, y down. */
  readonly corners: readonly (readonly [number, number])[]
  /** Matrix of the face's text: its x and y directions and its centre. */
  readonly transform: string
  /** 0 seen edge-on … 1 seen face-on. */
  readonly facing: number
}

/** An axis along an edge of the cube, from the cube's lowest corner to a little beyond the edge's end. */
export interface CubeAxis {
  readonly label: 'x' | 'y' | 'z'
  readonly from: readonly [number, number]
  readonly to: readonly [number, number]
  readonly text: readonly [number, number]
  /** Whether the edge is behind the cube. */
  readonly hidden: boolean
}

/** Outward normal of each face, and the right and up directions of the text on it. */
const faces: readonly (readonly [StandardView, string, Vec3, Vec3, Vec3])[] = [
  ['front', 'Front', [0, -1, 0], [1, 0, 0], [0, 0, 1]],
  ['back', 'Back', [0, 1, 0], [-1, 0, 0], [0, 0, 1]],
  ['right', 'Right', [1, 0, 0], [0, 1, 0], [0, 0, 1]],
  ['left', 'Left', [-1, 0, 0], [0, -1, 0], [0, 0, 1]],
  ['top', 'Top', [0, 0, 1], [1, 0, 0], [0, 1, 0]],
  ['bottom', 'Bottom', [0, 0, -1], [1, 0, 0], [0, -1, 0]],
]

export function cubeFaces(axes: CameraAxes): CubeFace[] {
  const flatten = (v: Vec3): [number, number] => [dot(v, axes.right), -dot(v, axes.up)]
  const seen: CubeFace[] = []
  for (const [view, label, normal, right, up] of faces) {
    const facing = -dot(normal, axes.forward)
    if (facing < 0.02) continue
    const [nx, ny] = flatten(normal)
    const [rx, ry] = flatten(right)
    const [ux, uy] = flatten(up)
    const corners = ([[-1, -1], [1, -1], [1, 1], [-1, 1]] as const).map(([i, j]): [number, number] => [nx + i * rx + j * ux, ny + i * ry + j * uy])
    seen.push({ view, label, corners, facing, transform: `matrix(${[rx, ry, -ux, -uy, nx, ny].map(n => n.toFixed(4)).join(' ')})` })
  }
  return seen
}

export function cubeAxes(axes: CameraAxes): CubeAxis[] {
  const directions: readonly (readonly ['x' | 'y' | 'z', Vec3])[] = [['x', [1, 0, 0]], ['y', [0, 1, 0]], ['z', [0, 0, 1]]]
  const flatten = (v: Vec3): [number, number] => [dot(v, axes.right), -dot(v, axes.up)]
  const along = ([, v]: readonly [string, Vec3], s: number) => flatten([v[0] * s - 1 + v[0], v[1] * s - 1 + v[1], v[2] * s - 1 + v[2]])
  return directions.map((direction, k) => {
    // The edge belongs to the two faces whose normals are the other axes, reversed.
    const others = directions.filter((_, i) => i !== k)
    return {
      label: direction[0], from: flatten([-1, -1, -1]), to: along(direction, 1.9), text: along(direction, 2.35),
      hidden: others.every(([, v]) => dot(v, axes.forward) <= 0),
    }
  })
}
