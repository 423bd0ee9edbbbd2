import { describe, expect, it } from 'vitest'
import { mirrorBodies } from '../../../../core/modelling'
import { editScene, parseScene, type Scene } from '../../../../core/scene'

const body = (id: string) => ({ id, position: [1, 2, 3], shapes: [{ type: 'box', size: [1, 1, 1], material: 'wood' }] })
const scene = (more: object): Scene => {
  const parsed = parseScene({ format: 'cairn-scene', version: 1, materials: [{ id: 'wood' }], bodies: [body('a'), body('b')], ...more })
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.problems))
  return parsed.scene
}
const script = (source: string) => scene({ forces: [{ id: 'push', type: 'script', script: 'push.ts' }], scripts: [{ id: 'push.ts', source }] })
const mirrored = (before: Scene, ids = ['a'], axis: 0 | 1 | 2 = 0, at = 0.5): Scene => {
  const change = mirrorBodies(before, ids, axis, at)
  const result = editScene(before, draft => { change(draft as Scene) })
  if (!result.ok) throw new Error(JSON.stringify(result.problems))
  return result.scene
}

describe('the mirror image of a script', () => {
  const source = 'const G = 2\nexport default function (ctx: ForceContext): void {\n  ctx.body(\'a\').applyForce([G, 1, 0])\n}\n'

  it('contains the original; mirrored again it is the original, and mirrored in another plane it is an image of the image', () => {
    const before = script(source)
    const image = mirrored(before)
    expect(image.scripts![0]!.source).toContain('const G = 2\nconst original = function (ctx: ForceContext)')
    expect(mirrored(image).scripts).toEqual(before.scripts)
    const twice = mirrored(image, ['a'], 1, 2)
    expect(twice.scripts![0]!.source).toMatch(/^\/\/ Mirrored in the plane y = 2\.\n/)
    expect(mirrored(twice, ['a'], 1, 2).scripts).toEqual(image.scripts)
  })

  it('is not made if the script uses only bodies that are not mirrored', () => {
    expect(mirrored(script(source), ['b']).scripts![0]!.source).toBe(source)
  })

  it('of a script that does not exist is refused, with its name', () => {
    expect(() => mirrored(script('export default ctx => { ctx.body(\'a\').applyForce(ctx.body(\'b\').position) }'))).toThrow('Script "push.ts" refers to "b" as well')
    expect(() => mirrored(script('export default ctx => { for (const id of [\'a\']) ctx.body(id).applyForce([1, 0, 0]) }'))).toThrow('computes the ids of bodies')
    expect(() => mirrored(script('export const period = 0.1\nexport function control(ctx) { ctx.body(\'a\').applyForce([1, 0, 0]) }'))).toThrow('is a controller')
  })
})

describe('formulas of forces and sensors', () => {
  const parameters = [{ id: 'p', value: 2 }]

  it('change sign where the numbers do', () => {
    const image = mirrored(scene({
      parameters, forces: [
        { id: 'pull', type: 'spring', bodyA: 'a', pointA: ['=p', 0, 0], bodyB: null, pointB: ['=p', '=p', 0], stiffness: '=10 * p' },
        { id: 'twist', type: 'torque', body: 'a', torque: ['=p', '=p', 0] },
        { id: 'breeze', type: 'wind', bodies: ['a'], velocity: ['=p', 0, 1] },
      ],
      sensors: [{ id: 'eye', type: 'range', body: 'a', position: ['=p', 0, 0], direction: ['=p', 1, 0] }],
    }))
    const formulas = (element: { expressions?: readonly { field: string; formula: string }[] }) => Object.fromEntries(element.expressions!.map(({ field, formula }) => [field, formula]))
    expect(image.forces!.map(formulas)).toEqual([
      { 'pointA[0]': '-(p)', 'pointB[0]': '1 - (p)', 'pointB[1]': 'p', 'stiffness': '10 * p' }, { 'torque[0]': 'p', 'torque[1]': '-(p)' }, { 'velocity[0]': '-(p)' },
    ])
    expect(formulas(image.sensors![0]!)).toEqual({ 'position[0]': '-(p)', 'direction[0]': '-(p)' })
    expect(image.forces![0]).toMatchObject({ pointA: [-2, 0, 0], pointB: [-1, 2, 0], stiffness: 20 })
  })

  it('without a mirror image are refused, with the field', () => {
    const box = (formula: string) => scene({ parameters, forces: [{ id: 'breeze', type: 'wind', bodies: ['a'], velocity: [1, 0, 0], box: { min: [0, 0, 0], max: [formula, 1, 1] } }] })
    expect(() => mirrored(box('=p'))).toThrow('Force "breeze" follows a formula in box.max[0], which has no mirror image')
    expect(mirrored(box('=p'), ['a'], 1).forces![0]).toMatchObject({ box: { max: [2, 1, 1] } })
    const both = scene({ parameters, forces: [{ id: 'push', type: 'uniform', bodies: ['a', 'b'], force: ['=p - 2', 0, 1] }] })
    expect(() => mirrored(both)).toThrow('also acts on "b"')
  })
})
