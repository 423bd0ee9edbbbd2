/** Random cylinders and cones, and solids at given poses, for the tests of round solids. */
import fc from 'fast-check'
import { Cone } from '../../../../core/geometry/cone'
import { Cylinder } from '../../../../core/geometry/cylinder'
import type { Primitive } from '../../../../core/geometry/shape'
import { IDENTITY_POSE, type Pose } from '../../../../core/math/pose'
import { between, type Random } from './random'

export const seeds = fc.integer({ min: 0, max: 0x7fffffff })
export const placed = (primitive: Primitive) => ({ primitive, pose: IDENTITY_POSE })
export const round = (r: Random): Cylinder | Cone =>
  r() < 0.5 ? new Cylinder(between(r, 0.2, 1), between(r, 0.2, 2)) : new Cone(between(r, 0.2, 1), between(r, 0.2, 2))
export const turnedBy = (angle: number): Pose['orientation'] => [0, Math.sin(angle / 2), 0, Math.cos(angle / 2)]
