import { createPinia, setActivePinia } from 'pinia'
import { beforeEach, describe, expect, it } from 'vitest'
import { bodyMasses } from '../../../../core/analysis/body-masses'
import { flatFacesOf, withRigidInstances } from '../../../../core/modelling'
import { relativePose, toInner, toOuter } from '../../../../core/math/pose'
import { dot, sub, type Vec3 } from '../../../../core/math/vector'
import { requireScene, resolveScene, type Scene } from '../../../../core/scene'
import { applyAssembly, assemblyAt } from '../../../../renderer/modelling/assembly-edit'
import { boxOfAll } from '../../../../renderer/modelling/extents'
import { carried, pieceOf, piecesOf } from '../../../../renderer/modelling/pieces'
import { useArrange } from '../../../../renderer/state/arrange'
import { useDocument } from '../../../../renderer/state/document'
import { contentsOf } from '../../../../renderer/state/groups'
import { libraryOf, useLibrary } from '../../../../renderer/state/instances'
import { layNearestFaces } from '../../../../renderer/state/lay-faces'
import { readScene } from '../../../../renderer/state/read-scene'
import { poseOf } from '../../../../renderer/state/scene-access'
import { useSelection } from '../../../../renderer/state/selection'

const wood = { id: 'wood', density: 500, friction: { static: 0.5, dynamic: 0.4 } }
const box = (id: string, position: number[], size = [1, 1, 1], more: object = {}) => ({ id, position, shapes: [{ type: 'box', size, material: 'wood' }], ...more })
/** Two boxes on a hinge; the second is rotated and has an override of its mass. */
const cart = JSON.stringify({
  format: 'cairn-scene', version: 1, materials: [wood],
  bodies: [box('base', [0.5, 0, 0], [2, 1, 0.5]), box('arm', [0, 0, 1], [0.2, 0.2, 1.5], { orientation: [0, 0.6, 0, 0.8], mass: { mass: 700 } })],
  joints: [{ id: 'pin', type: 'hinge', bodyA: 'arm', bodyB: 'base', anchor: [0, 0, 0.25], axis: [0, 1, 0] }],
})
const HALF = Math.SQRT1_2
const text = JSON.stringify({
  format: 'cairn-scene', version: 1, materials: [wood], prefabs: [{ id: 'cart', file: 'cart.json' }],
  groups: [{ id: 'pair' }], bodies: [box('post', [-2, 0, 0]), box('left', [10, 0, 0], [1, 1, 1], { group: 'pair' }), box('right', [12, 0, 1], [1, 1, 1], { group: 'pair' })],
  instances: [{ id: 'a', prefab: 'cart', position: [1, 2, 3], orientation: [0, 0, HALF, HALF] }, { id: 'b', prefab: 'cart', position: [0, 20, 5] }],
  joints: [{ id: 'tie', type: 'fixed', bodyA: 'left', bodyB: 'right', anchor: [11, 0, 0.5] }, { id: 'swing', type: 'ball', bodyA: 'a.arm', bodyB: 'post', anchor: [-1.5, 0, 0.5] }],
}, null, 2)

const refused: string[] = []
function opened(scene = text) {
  const document = useDocument()
  const library = libraryOf({ files: [{ file: 'cart.json', source: cart }], missing: [] })
  useLibrary(library, false)
  const read = readScene(scene, library)
  if (!read.scene) throw new Error(JSON.stringify(read))
  document.load({ scene: read.scene, text: scene, handle: 'h', name: 'scene', savable: true })
  document.onRefused(([problem]) => refused.push(problem!.message))
  return document
}
const middle = (scene: Scene, id: string, axis: number) => {
  const inside = new Set(contentsOf(scene, id))
  const { low, high } = boxOfAll(scene.bodies!.filter(body => inside.has(body.id)))!
  return (low[axis]! + high[axis]!) / 2
}

beforeEach(() => {
  setActivePinia(createPinia())
  refused.length = 0
})

describe('a selection that is placed as one piece', () => {
  it('is a body, a whole instance, or a group that is selected among others', () => {
    const { scene } = opened()
    const select = (...ids: string[]) => piecesOf(scene, ids.flatMap(id => scene.bodies!.some(body => body.id === id) ? [id] : contentsOf(scene, id))).map(({ id }) => id)
    expect(select('post', 'a', 'pair')).toEqual(['post', 'a', 'pair'])
    expect(select('a.arm', 'post', 'a.base')).toEqual(['post', 'a'])
    expect(select('pair')).toEqual(['left', 'right'])
    expect(piecesOf(scene, ['left', 'post']).map(({ id }) => id)).toEqual(['left', 'post'])
  })

  it('is aligned as a whole: its bodies keep their relative poses, and its joints move along', () => {
    const document = opened()
    const before = document.scene
    useSelection().select([...contentsOf(before, 'pair'), ...contentsOf(before, 'a'), 'post'])
    expect(useArrange().pieces.map(({ id }) => id)).toEqual(['pair', 'a', 'post'])
    useArrange().align(1, 'middle')
    expect(refused).toEqual([])
    for (const id of ['pair', 'a']) expect(middle(document.scene, id, 1)).toBeCloseTo(0, 12)
    const shift = document.scene.instances![0]!.position![1] - 2
    expect(Math.abs(shift)).toBeGreaterThan(1)
    for (const id of ['a.base', 'a.arm']) {
      const [from, to] = [before, document.scene].map(scene => scene.bodies!.find(body => body.id === id)!)
      expect(to!.position![1] - from!.position![1]).toBeCloseTo(shift, 12)
      expect(to!.orientation).toEqual(from!.orientation)
    }
    useArrange().align(2, 'low')
    const [left, right] = ['left', 'right'].map(id => document.scene.bodies!.find(body => body.id === id)!.position!)
    expect(right![2] - left![2]).toBe(1)
    expect((document.scene.joints!.find(({ id }) => id === 'tie') as unknown as { anchor: number[] }).anchor[2]).toBeCloseTo(left![2] + 0.5, 12)
  })

  it('moves the ends of rods with the parts that hold them', () => {
    const scene = JSON.parse(text) as { joints: object[] }
    scene.joints.push({ id: 'rod', type: 'distance', bodyA: 'a.base', bodyB: 'b.base', anchor: [1, 2, 3], anchorB: [0, 20, 5] })
    const document = opened(JSON.stringify(scene))
    useSelection().select([...contentsOf(document.scene, 'a'), ...contentsOf(document.scene, 'b'), 'post'])
    useArrange().align(1, 'middle')
    expect(refused).toEqual([])
    const rod = document.scene.joints!.find(({ id }) => id === 'rod') as unknown as { anchor: Vec3; anchorB: Vec3 }
    const [a, b] = document.scene.instances!
    expect([a!.position![1] - 2, b!.position![1] - 20].every(shift => Math.abs(shift) > 1)).toBe(true)
    rod.anchor.forEach((x, k) => expect(x).toBeCloseTo(a!.position![k]!, 9))
    rod.anchorB.forEach((x, k) => expect(x).toBeCloseTo(b!.position![k]!, 9))
  })

  it('is rotated as one: each body keeps its pose relative to the whole', () => {
    const { scene } = opened()
    const piece = pieceOf(scene, 'pair')
    const from = poseOf(scene.bodies!.find(({ id }) => id === 'left')!)
    const to = { position: [1, 2, 3] as const, orientation: [0.5, 0.5, -0.5, 0.5] as const }
    const poses = carried(piece, from, to)
    expect([...poses.keys()]).toEqual(['left', 'right'])
    for (const [id, pose] of poses) {
      const [was, is] = [relativePose(from, piece.moved.get(id)!), relativePose(to, pose)]
      is.position.forEach((x, k) => expect(x).toBeCloseTo(was.position[k]!, 12))
      is.orientation.forEach((x, k) => expect(x).toBeCloseTo(was.orientation[k]!, 12))
    }
  })

  it('is distributed by its bounding box', () => {
    const document = opened()
    useSelection().select([...contentsOf(document.scene, 'pair'), ...contentsOf(document.scene, 'b'), 'post'])
    useArrange().distribute(0)
    expect(refused).toEqual([])
    const [post, b, pair] = ['post', 'b', 'pair'].map(id => boxOfAll(document.scene.bodies!.filter(body => body.id === id || contentsOf(document.scene, id).includes(body.id)))!)
    expect(b!.low[0] - post!.high[0]).toBeCloseTo(pair!.low[0] - b!.high[0], 12)
  })

  it('is laid with the nearest of all its faces', () => {
    const document = opened()
    useSelection().select([...contentsOf(document.scene, 'b'), 'post'])
    layNearestFaces()
    expect(refused).toEqual([])
    expect(document.canUndo).toBe(true)
    const faces = (...ids: string[]) => document.scene.bodies!.filter(body => ids.includes(body.id)).flatMap(body => flatFacesOf(body))
    const meets = faces('b.base', 'b.arm').some(mine => faces('post').some(others =>
      dot(mine.normal, others.normal) < -1 + 1e-12 && Math.abs(dot(sub(mine.center, others.center), others.normal)) < 1e-12 && others.has(mine.center)))
    expect(meets).toBe(true)
    expect(document.scene.instances![0]).toEqual({ id: 'a', prefab: 'cart', position: [1, 2, 3], orientation: [0, 0, HALF, HALF] })
  })
})

describe('an instance as one rigid body', () => {
  it('has the mass, the centre and the inertia of its parts, and its joints to others', () => {
    const scene = opened().scene
    const rigid = withRigidInstances(scene)
    expect(rigid.bodies!.map(({ id }) => id)).toEqual(['post', 'left', 'right', 'a', 'b'])
    expect(rigid.joints!.map(joint => [joint.id, 'bodyA' in joint && joint.bodyA])).toEqual([['tie', 'left'], ['swing', 'a']])
    expect(() => requireScene(rigid)).not.toThrow()
    const [whole, parts] = [bodyMasses(resolveScene(rigid)), bodyMasses(resolveScene(scene))]
    const at = (of: Scene, id: string) => of.bodies!.findIndex(body => body.id === id)
    const [a, base, arm] = [at(rigid, 'a'), at(scene, 'a.base'), at(scene, 'a.arm')]
    const mass = (of: typeof whole, k: number) => 1 / of.inverseMass[k]!
    const center = (of: Scene, masses: typeof whole, k: number) => toOuter(poseOf(of.bodies![k]!), [...masses.centers.subarray(3 * k, 3 * k + 3)] as unknown as Vec3)
    expect(mass(whole, a)).toBeCloseTo(500 + 700, 9)
    const [cBase, cArm, c] = [center(scene, parts, base), center(scene, parts, arm), center(rigid, whole, a)]
    for (let k = 0; k < 3; k++) expect(c[k]).toBeCloseTo((500 * cBase[k]! + 700 * cArm[k]!) / 1200, 12)
    // About the joint's axis: box and rod by their formulas, with Steiner's terms.
    const inertia = rigid.bodies![a]!.mass!.inertia!
    const local = [cBase, cArm, c].map(p => toInner(poseOf(scene.instances![0]!), p))
    const [lBase, lArm, l] = local as [Vec3, Vec3, Vec3]
    const turned = (m: number, p: Vec3) => m * ((p[0] - l[0]) ** 2 + (p[2] - l[2]) ** 2)
    expect(inertia[1]).toBeCloseTo(500 / 12 * (2 ** 2 + 0.5 ** 2) + turned(500, lBase) + 700 / 12 * (0.2 ** 2 + 1.5 ** 2) + turned(700, lArm), 9)
  })

  it('is pulled by a joint as a whole, and stays on it', () => {
    const document = opened()
    const before = document.scene
    const pulled = assemblyAt(before, 'a.base')!
    const start = toOuter(pulled.assembly.now[pulled.body]!, [0.5, 0, 0])
    for (let k = 1; k <= 10; k++) pulled.assembly.pull(pulled.body, [0.5, 0, 0], [start[0] + 0.05 * k, start[1], start[2] - 0.1 * k], pulled.size)
    expect(document.edit('pull', draft => applyAssembly(draft, before, pulled))).toBe(true)
    expect(refused).toEqual([])
    const [from, to] = [before, document.scene].map(scene => poseOf(scene.instances![0]!))
    expect(to).not.toEqual(from)
    const anchor = (document.scene.joints!.find(({ id }) => id === 'swing') as unknown as { anchor: Vec3 }).anchor
    const inWhole = toInner(from!, [-1.5, 0, 0.5])
    toInner(to!, anchor).forEach((x, k) => expect(x).toBeCloseTo(inWhole[k]!, 9))
    // Its parts have the poses of the file.
    const arm = document.scene.bodies!.find(({ id }) => id === 'a.arm')!
    toInner(to!, arm.position!).forEach((x, k) => expect(x).toBeCloseTo([0, 0, 1][k]!, 12))
  })
})
