/** Icons of what a scene consists of, as strokes in a square of 16 units. */

import type { DeformableType, JointType, ShapeType } from '../../core/scene'

const SHAPES: Readonly<Record<ShapeType, string>> = {
  box: 'M8 1.5 14 4.7v6.6L8 14.5 2 11.3V4.7zM2 4.7l6 3.2 6-3.2M8 7.9v6.6',
  sphere: 'M14 8A6 6 0 1 1 2 8a6 6 0 0 1 12 0zM2 8c0 1.7 2.7 3 6 3s6-1.3 6-3',
  capsule: 'M4 5a4 3.5 0 0 1 8 0v6a4 3.5 0 0 1-8 0zM4 5c0 1.1 1.8 2 4 2s4-.9 4-2',
  cylinder: 'M3 4c0-1.1 2.2-2 5-2s5 .9 5 2-2.2 2-5 2-5-.9-5-2zM3 4v8c0 1.1 2.2 2 5 2s5-.9 5-2V4',
  cone: 'M8 1.5 3 12c0 1.1 2.2 2 5 2s5-.9 5-2zM3 12c0-1.1 2.2-2 5-2s5 .9 5 2',
  ellipsoid: 'M15 8c0 2.5-3.1 4.5-7 4.5S1 10.5 1 8s3.1-4.5 7-4.5 7 2 7 4.5zM1 8c0 1 3.1 1.8 7 1.8s7-.8 7-1.8',
  superquadric: 'M5.5 2h5C13 2 14 3 14 5.5v5c0 2.5-1 3.5-3.5 3.5h-5C3 14 2 13 2 10.5v-5C2 3 3 2 5.5 2zM2 8c0 .9 2.7 1.6 6 1.6s6-.7 6-1.6',
  convexHull: 'M8 1.5 13.5 5.5 12 12.5 5 14 2 7zM8 1.5 6.5 8 2 7M6.5 8l7-2.5M6.5 8 12 12.5M6.5 8 5 14',
  polyhedron: 'M8 1.5 14 12 6 14.5 2 10.5zM8 1.5 6 14.5',
  halfSpace: 'M1.5 6.5h13M4 6.5l-2.5 4M7.5 6.5 4 12M11 6.5 7.5 12M14.5 6.5 11 12',
  implicit: 'M9.5 2.6C7.5 2 7 3.3 7 5v6c0 2-.8 3-2.5 2.4M4.5 7h5M10.5 10l3.5 4M14 10l-3.5 4',
  parametric: 'M2 12c2-3 4-3 6-1s4 2 6-1M2 6c2-3 4-3 6-1s4 2 6-1M2 6v6M8 5v6M14 4v6',
  mesh: 'M8 1.5 14.5 13.5h-13zM4.8 7.5h6.4L8 13.5z',
}
const JOINTS: Readonly<Record<JointType, string>> = {
  hinge: 'M8 4.5a3.5 3.5 0 1 1 0 7 3.5 3.5 0 0 1 0-7zM1 8h3.5M11.5 8H15M8 7.5v1',
  slider: 'M1 8h3.5M11.5 8H15M4.5 5h7v6h-7zM13 6l2 2-2 2M3 6 1 8l2 2',
  ball: 'M8 5a3 3 0 1 1 0 6 3 3 0 0 1 0-6zM3.5 10.5a5.2 5.2 0 0 1 7-7M1 15l3-3',
  fixed: 'M1.5 4h5v8h-5zM9.5 4h5v8h-5zM5 8h6',
  universal: 'M8 1.5v13M1.5 8h13M5.5 3.5h5M5.5 12.5h5M3.5 5.5v5M12.5 5.5v5',
  cylindrical: 'M1 8h3M12 8h3M4 5.5h8v5H4zM5.5 3a3.6 3.6 0 0 1 5 0l-.2-1.5M10.5 3 9 3.2',
  planar: 'M4.5 4H15l-3.5 8H1zM6 8h4.5M8.8 6l-1.3 4',
  distance: 'M4 8a1.5 1.5 0 1 1-3 0 1.5 1.5 0 0 1 3 0zM15 8a1.5 1.5 0 1 1-3 0 1.5 1.5 0 0 1 3 0zM4 8h8',
  pointOnCurve: 'M1.5 13C3 3 6.5 2 8 6.5M8.5 9.4c1.5 3.4 4.5 2.6 6-5.4M8.2 6.5a1.5 1.5 0 1 1 0 3 1.5 1.5 0 0 1 0-3z',
  gear: 'M8 5a3 3 0 1 1 0 6 3 3 0 0 1 0-6zM8 1.5V3.5M8 12.5v2M1.5 8h2M12.5 8h2M3.4 3.4l1.4 1.4M11.2 11.2l1.4 1.4M12.6 3.4l-1.4 1.4M4.8 11.2l-1.4 1.4',
}
const DEFORMABLES: Readonly<Record<DeformableType, string>> = {
  cloth: 'M2 3h12v10H2zM6 3v10M10 3v10M2 6.3h12M2 9.7h12',
  rope: 'M1.5 3.5c4.5-1 2.5 4.5 6.5 4.5s2 5.5 6.5 4.5',
  hair: 'M1.5 14h13M4 14c0-5 1-8-1-12M8 14c0-5 1-8-1-12M12 14c0-5 1-8-1-12',
  particles: 'M4 3.5 8 9l5-4M8 9l-4.5 4M8 9l5 3.5M4 3.4v.2M13 4.9v.2M8 8.9v.2M3.5 12.9v.2M13 12.4v.2',
}
/** Elements that are not told apart by type. */
const OTHERS = {
  body: 'M2 6.5h7V13H2zM6 6.5V3h8v7H9',
  force: 'M1.5 8H13M9 4l4 4-4 4',
  sensor: 'M8 6a2 2 0 1 1 0 4 2 2 0 0 1 0-4zM3.7 3.7a6.1 6.1 0 0 0 0 8.6M12.3 3.7a6.1 6.1 0 0 1 0 8.6',
  parameter: 'M1.5 5h13M1.5 11h13M6 3v4M10.5 9v4',
  material: 'M8 2.5c2.5 3 4 4.7 4 6.8a4 4 0 0 1-8 0c0-2.1 1.5-3.8 4-6.8z',
  texture: 'M2 3h12v10H2zM2 11l3.5-4 3 3L11 7.5l3 3M5 5.2v.2',
  script: 'M5 4 1.5 8 5 12M11 4l3.5 4-3.5 4M9.5 3l-3 10',
  prefab: 'M2 5l6-3.5L14 5 8 8.5zM2 8l6 3.5L14 8M2 11l6 3.5L14 11',
} as const

export type Kind = ShapeType | JointType | DeformableType | keyof typeof OTHERS

const ICONS: Readonly<Record<Kind, string>> = { ...SHAPES, ...JOINTS, ...DEFORMABLES, ...OTHERS }
export const iconOf = (kind: Kind): string => ICONS[kind]
