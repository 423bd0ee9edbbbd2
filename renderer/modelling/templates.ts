/** Templates: the predefined ones, and reading and writing their files. */

import type { Body, Material, Scene } from '../../core/scene'
import type { Vec3 } from '../../core/math/vector'
import { readScene } from '../state/read-scene'
import { EMPTY_SCENE } from '../state/scene-access'
import type { Clip } from '../state/editing'
import { boxOfAll } from './extents'

export interface Template {
  readonly name: string
  readonly clip: Clip
}

/** Material of a part inserted into a scene without materials. */
export const wood: Material = { id: 'wood', name: 'Wood', density: 700, friction: { static: 0.5, dynamic: 0.4 }, restitution: 0.3, color: '#c39a6b' }
const box = (id: string, size: Vec3, position: Vec3, more: Partial<Body> = {}): Body => ({ id, position, shapes: [{ type: 'box', size, material: 'wood' }], ...more })
const part = (name: string, clip: Partial<Clip>): Template => ({
  name, clip: { format: 'cairn-clip', materials: [wood], bodies: [], joints: [], forces: [], scripts: [], groups: [], ...clip },
})
const leg = (x: number, y: number) => ({ type: 'box', size: [0.08, 0.08, 0.7], position: [x, y, -0.375], material: 'wood' }) as const

export const BUILT_IN: readonly Template[] = [
  part('Ramp', { bodies: [{
    id: 'ramp', name: 'Ramp', type: 'fixed', position: [0, 0, 0],
    shapes: [{ type: 'convexHull', points: [[-1, -0.5, 0], [1, -0.5, 0], [-1, -0.5, 0.73], [-1, 0.5, 0], [1, 0.5, 0], [-1, 0.5, 0.73]], material: 'wood' }],
  }] }),
  part('Table', { bodies: [{
    id: 'table', name: 'Table', position: [0, 0, 0.725],
    shapes: [{ type: 'box', size: [1.2, 0.8, 0.05], material: 'wood' }, leg(-0.54, -0.34), leg(0.54, -0.34), leg(-0.54, 0.34), leg(0.54, 0.34)],
  }] }),
  part('Stairs', { bodies: [{
    id: 'stairs', name: 'Stairs', type: 'fixed', position: [0, 0, 0],
    shapes: [0, 1, 2, 3, 4].map(i => ({ type: 'box', size: [0.3, 1, 0.18 * (i + 1)], position: [0.3 * i, 0, 0.09 * (i + 1)], material: 'wood' }) as const),
  }] }),
  part('Pendulum', {
    groups: [{ id: 'pendulum', name: 'Pendulum' }],
    bodies: [box('pendulum-post', [0.1, 0.1, 1.2], [0, 0.12, 0.6], { name: 'Post', type: 'fixed', group: 'pendulum' }), box('pendulum-rod', [0.06, 0.06, 0.8], [0, 0, 0.8], { name: 'Rod', group: 'pendulum' })],
    joints: [{ id: 'pendulum-pivot', name: 'Pivot', type: 'hinge', bodyA: 'pendulum-rod', bodyB: 'pendulum-post', anchor: [0, 0.05, 1.15], axis: [0, 1, 0] }],
  }),
  part('Double pendulum with a motor', {
    groups: [{ id: 'double-pendulum', name: 'Double pendulum' }],
    bodies: [
      box('double-post', [0.1, 0.1, 1.6], [0, 0.12, 0.8], { name: 'Post', type: 'fixed', group: 'double-pendulum' }),
      box('double-upper', [0.06, 0.06, 0.6], [0, 0, 1.25], { name: 'Upper rod', group: 'double-pendulum' }),
      box('double-lower', [0.06, 0.06, 0.6], [0, -0.08, 0.7], { name: 'Lower rod', group: 'double-pendulum' }),
    ],
    joints: [
      {
        id: 'double-shoulder', name: 'Shoulder', type: 'hinge', bodyA: 'double-upper', bodyB: 'double-post', anchor: [0, 0.05, 1.52], axis: [0, 1, 0],
        motor: { targetVelocity: 3, maxForce: 20 },
      },
      { id: 'double-elbow', name: 'Elbow', type: 'hinge', bodyA: 'double-lower', bodyB: 'double-upper', anchor: [0, -0.04, 0.98], axis: [0, 1, 0] },
    ],
  }),
  part('Cart', {
    groups: [{ id: 'cart', name: 'Cart' }],
    bodies: [
      box('cart-body', [0.8, 0.4, 0.12], [0, 0, 0.22], { name: 'Deck', group: 'cart' }),
      ...([['front-left', 0.28, 0.26], ['front-right', 0.28, -0.26], ['rear-left', -0.28, 0.26], ['rear-right', -0.28, -0.26]] as const).map(([place, x, y]): Body => ({
        id: `wheel-${place}`, name: `Wheel ${place.replace('-', ' ')}`, group: 'cart', position: [x, y, 0.12], orientation: [Math.SQRT1_2, 0, 0, Math.SQRT1_2],
        shapes: [{ type: 'cylinder', radius: 0.12, height: 0.06, material: 'wood' }],
      })),
    ],
    joints: ([['front-left', 0.28, 0.26], ['front-right', 0.28, -0.26], ['rear-left', -0.28, 0.26], ['rear-right', -0.28, -0.26]] as const).map(([place, x, y]) => ({
      id: `axle-${place}`, name: `Axle ${place.replace('-', ' ')}`, type: 'hinge', bodyA: `wheel-${place}`, bodyB: 'cart-body', anchor: [x, y, 0.12], axis: [0, 1, 0],
    }) as const),
  }),
]

/** A scene with the clip only, for its check and its file. */
function sceneOf({ materials, bodies, deformables = [], joints, forces, scripts, groups }: Clip): Scene {
  return {
    ...EMPTY_SCENE, materials: [...materials], bodies: [...bodies], joints: [...joints], forces: [...forces], scripts: [...scripts], groups: [...groups],
    ...deformables.length > 0 ? { deformables: [...deformables] } : {},
  }
}

/** A template's file is a scene, so that all programs that read scenes can read it. */
export function fileOf({ name, clip }: Template): string {
  return JSON.stringify({ ...sceneOf(clip), name }, null, 2)
}

/** @throws Error if the text is not a scene, or an empty one */
export function templateOf(text: string, fileName: string): Template {
  const { scene, problems } = readScene(text)
  if (!scene) throw new Error(problems[0]?.message ?? 'This is not a scene')
  const { materials = [], bodies = [], deformables = [], joints = [], forces = [], scripts = [], groups = [] } = scene
  if (bodies.length === 0 && deformables.length === 0) throw new Error('The scene has no bodies to insert')
  return { name: scene.name ?? fileName.replace(/(\.cairn)?\.json$/, ''), clip: { format: 'cairn-clip', materials, bodies, deformables, joints, forces, scripts, groups } }
}

/** Displacement that moves the centre of the template's bottom to the point, m. */
export function shiftTo({ clip }: Template, point: Vec3): Vec3 {
  const box = boxOfAll(clip.bodies, clip.deformables)
  if (!box) return point
  return [point[0] - (box.low[0] + box.high[0]) / 2, point[1] - (box.low[1] + box.high[1]) / 2, point[2] - box.low[2]]
}
