/** A cart as a prefab, scenes that place it, and reading them. */
import { parseDocument, parseScene, prefabLibrary, PrefabReadError, type ParseResult, type Scene } from '../../../../core/scene'

export const material = { id: 'wood', density: 700, friction: { static: 0.5, dynamic: 0.4 }, restitution: 0.2 }
export const header = { format: 'cairn-scene', version: 1 } as const

/** A cart of two bodies with an axle, a force on both and a script. */
export const cart = (): Scene => ({
  ...header, gravity: [0, 0, -1], materials: [material],
  bodies: [
    { id: 'frame', group: 'whole', shapes: [{ type: 'box', size: [1, 0.5, 0.2], material: 'wood' }], linearVelocity: [1, 0, 0] },
    { id: 'wheel', position: [0.5, 0, -0.3], shapes: [{ type: 'sphere', radius: 0.2, material: 'wood' }], collision: { except: ['frame'] } },
  ],
  groups: [{ id: 'whole', name: 'Whole' }],
  joints: [{ id: 'axle', type: 'hinge', bodyA: 'wheel', bodyB: 'frame', anchor: [0.5, 0, -0.3], axis: [0, 1, 0] }],
  forces: [{ id: 'push', type: 'uniform', force: [1, 0, 0] }, { id: 'brain', type: 'script', script: 'brain.ts' }],
  scripts: [{ id: 'brain.ts', source: 'export default function (ctx) { ctx.body(\'wheel\').applyTorque([0, 1, 0]); ctx.log("wheel") }' }],
  sensors: [{ id: 'feel', type: 'joint', joint: 'axle' }],
})
export const scene = (more: Partial<Scene> = {}): Scene => ({
  ...header, materials: [material],
  bodies: [{ id: 'ground', type: 'fixed', shapes: [{ type: 'halfSpace', normal: [0, 0, 1], offset: -2, material: 'wood' }] }],
  prefabs: [{ id: 'cart', file: 'parts/cart.cairn.json' }],
  instances: [{ id: 'one', prefab: 'cart' }, { id: 'two', name: 'Second', prefab: 'cart', position: [0, 3, 0], orientation: [0, 0, 1, 0] }],
  ...more,
})

export const reading = (files: Readonly<Record<string, object | string>>) => (file: string): string => {
  const content = files[file]
  if (content === undefined) throw new PrefabReadError(`There is no file "${file}"`)
  return typeof content === 'string' ? content : JSON.stringify(content)
}
export const read = (of: object, files: Readonly<Record<string, object | string>> = { 'parts/cart.cairn.json': cart() }) => parseScene(of, reading(files))
export const document = (of: object, files: Readonly<Record<string, object | string>> = { 'parts/cart.cairn.json': cart() }) => {
  const library = prefabLibrary(reading(files))
  return { library, parsed: good(parseDocument(of, library)) }
}
export function good(result: ParseResult) {
  if (!result.ok) throw new Error(result.problems.map(({ path, message }) => `${path}: ${message}`).join('\n'))
  return result
}
export const faults = (result: ParseResult) => result.ok ? [] : result.problems.map(({ name, path, message }) => ({ name, path, message }))
