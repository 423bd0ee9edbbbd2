import { expect, it } from 'vitest'
import { degenerateContact } from '../../../../core/collision/degenerate-contact'
import { relativePose } from '../../../../core/collision/relative'
import { box } from '../../../../core/geometry/box'
import { IDENTITY_POSE, type Pose } from '../../../../core/math/pose'
import type { Vec3 } from '../../../../core/math/vector'

const cube = box([1, 1, 1])
/** The edge of the cube along an axis through a point. */
const edge = (axis: number, through: Vec3): number => cube.edges.findIndex(({ from, direction }) =>
  Math.abs(direction[axis]!) === 1 && cube.vertices[from]!.every((x, k) => k === axis || x === through[k]))
/** m: how far beyond an end. */
const beyond = 1e-6

it.each<[string, Vec3]>([
  ['the end of A\'s edge', [beyond, 0.5, -1]], ['the beginning of A\'s edge', [-1 - beyond, 0.5, -1]],
  ['the beginning of B\'s edge', [-0.5, 1 + beyond, -1]], ['the end of B\'s edge', [-0.5, -beyond, -1]],
])('a contact of two edges that cross beyond %s is valid where it was found', (_, position) => {
  const b: Pose = { position, orientation: [0, 0, 0, 1] }
  const plane = {
    kind: 'edges' as const, indexA: edge(0, [0, 0.5, -0.5]), indexB: edge(1, [0.5, 0, 0.5]), separation: 0, normal: [0, 0, 1] as Vec3, supportA: 0, supportB: 0,
    distance: Infinity,
  }
  const contact = degenerateContact(cube, cube, relativePose(IDENTITY_POSE, b), plane, 1e-9)
  expect(contact.margin(IDENTITY_POSE, b)).toBeGreaterThan(0)
})
