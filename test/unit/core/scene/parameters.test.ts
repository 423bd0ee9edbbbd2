import { describe, expect, it } from 'vitest'
import { editScene, parseScene, renameId, sceneHash, type Parameter, type ParseResult, type Scene } from '../../../../core/scene'

const text = (parameters: readonly object[], body: object = {}, rest: object = {}): object => ({
  format: 'cairn-scene', version: 1, parameters, materials: [{ id: 'm' }],
  bodies: [{ id: 'box', shapes: [{ type: 'box', size: [1, 1, 1], material: 'm' }], ...body }], ...rest,
})
function read(document: object): Extract<ParseResult, { ok: true }> {
  const parsed = parseScene(document)
  if (!parsed.ok) throw new Error(parsed.problems.map(({ path, message }) => `${path}: ${message}`).join('\n'))
  return parsed
}
const faults = (document: object) => {
  const parsed = parseScene(document)
  return parsed.ok ? [] : parsed.problems.map(({ name, path, message }) => [name, path, message])
}
const height: Parameter = { id: 'height', value: 0.5, unit: 'm', min: 0.1, max: 2 }
const done = (result: ReturnType<typeof editScene>): Scene => {
  if (!result.ok) throw new Error(result.problems[0]!.message)
  return result.scene
}

describe('formulas in fields', () => {
  it('give numbers in any field, and are kept beside them', () => {
    const { scene, resolved } = read(text([height, { id: 'wide', expressions: [{ field: 'value', formula: '2 * height' }] }],
      { position: [0, '=wide', '=height / 2'], shapes: [{ type: 'box', size: ['= wide', 1, '=height'], material: 'm' }] },
      { gravity: [0, 0, '=-9.81 * cos(pi * height)'], simulation: { duration: '=4*height' } }))
    expect(resolved.bodies[0]!.position).toEqual([0, 1, 0.25])
    expect(resolved.bodies[0]!.shapes[0]).toMatchObject({ size: [1, 1, 0.5] })
    expect(resolved.parameters[1]!.value).toBe(1)
    expect(resolved.gravity[2]).toBeCloseTo(0, 14)
    expect(resolved.simulation.duration).toBe(2)
    expect(scene.bodies![0]!.expressions).toContainEqual({ field: 'position[1]', formula: 'wide' })
    // Written values are read back unchanged.
    expect(read(JSON.parse(JSON.stringify(scene)) as object).resolved).toEqual(resolved)
  })

  it('are in degrees for angles that fields show in degrees, and for the angles of orientations', () => {
    const tilt: Parameter = { id: 'tilt', value: 30 }
    const of = (expressions: object[], joints: object[] = []) => read(text([tilt], { expressions }, { joints }))
    const joint = { id: 'pin', type: 'hinge', bodyA: 'box', bodyB: null, anchor: [0, 0, 0], axis: [0, 1, 0], limits: { lower: -1, upper: 1 }, expressions: [{ field: 'limits.upper', formula: '2 * tilt', unit: 'deg' }] }
    expect((of([], [joint]).resolved.joints[0] as { limits: { upper: number } }).limits.upper).toBeCloseTo(Math.PI / 3, 15)
    const angles = (x: string, y: string, z: string) => ['x', 'y', 'z'].map((axis, k) => ({ field: `orientation.${axis}`, formula: [x, y, z][k], unit: 'deg' }))
    const { resolved, scene } = of(angles('0', '3 * tilt + 10', '-tilt'))
    // About x, then about y, then about z: 100 degrees are no 80.
    const [y, z] = [100 * Math.PI / 360, -30 * Math.PI / 360]
    resolved.bodies[0]!.orientation.forEach((q, k) => expect(q).toBeCloseTo([-Math.sin(z) * Math.sin(y), Math.cos(z) * Math.sin(y), Math.sin(z) * Math.cos(y), Math.cos(z) * Math.cos(y)][k]!, 14))
    // The formula survives reading, other edits and the slider; rotating by hand removes it.
    expect(read(JSON.parse(JSON.stringify(scene)) as object).resolved).toEqual(resolved)
    const moved = done(editScene(scene, draft => { draft.bodies![0]!.position = [1, 0, 0] }))
    expect(moved.bodies![0]!.orientation).toBe(scene.bodies![0]!.orientation)
    const slid = done(editScene(scene, draft => { draft.parameters![0]!.value = 0 }))
    expect(slid.bodies![0]!.orientation![1]).toBeCloseTo(Math.sin(5 * Math.PI / 180), 14)
    const turned = done(editScene(slid, draft => { draft.bodies![0]!.orientation = [0, 0, 0, 1] }))
    expect(turned.bodies![0]!.expressions).toBeUndefined()
    expect(faults(text([tilt], { expressions: angles('0', 'tild', '0') }))[0]![2]).toContain('There is no parameter "tild"')
  })

  it('of numbers alone need no parameter', () => {
    const { scene } = read(text([], { position: [0, 0, 1] }))
    const { bodies } = done(editScene(scene, draft => { draft.bodies![0]!.expressions = [{ field: 'position[2]', formula: '2 * 3' }] }))
    expect(bodies![0]!.position).toEqual([0, 0, 6])
  })

  it('change the hash of a scene only by their numbers', () => {
    const hash = (document: object) => sceneHash(read(document).resolved)
    const plain = text([], { position: [0, 0, 0.25] })
    expect(hash(text([height], { position: [0, 0, '=height / 2'] }))).toBe(hash(plain))
    expect(hash(text([{ ...height, value: 1 }], { position: [0, 0, '=height / 2'] }))).not.toBe(hash(plain))
  })

  it('may set an optional key', () => {
    expect(read(text([height], { spawnTime: '=height' })).resolved.bodies[0]!.spawnTime).toBe(0.5)
  })

  it.each([
    ['a name that is none', [height], '=hight', 'InvalidExpression', 'bodies[0].expressions[0].formula', 'There is no parameter "hight"'],
    ['what cannot be read', [height], '=2 *', 'InvalidExpression', 'bodies[0].expressions[0].formula', 'character 4'],
    ['a division by zero', [height], '=1 / (height - height)', 'InvalidExpression', 'bodies[0].expressions[0].formula', 'Infinity'],
  ])('%s is refused, with its path', (_, parameters, formula, name, path, message) => {
    const [first] = faults(text(parameters, { spawnTime: formula }))
    expect(first!.slice(0, 2)).toEqual([name, path])
    expect(first![2]).toContain(message)
  })

  it('a field that does not exist, and a value out of its range, are refused', () => {
    expect(faults(text([height], { expressions: [{ field: 'position[3]', formula: 'height' }] }))).toEqual([['InvalidExpression', 'bodies[0].expressions[0].field', 'There is nothing at "position[3]"']])
    expect(faults(text([{ ...height, value: 3 }])).map(([name, path]) => [name, path])).toEqual([['OutOfRange', 'parameters[0].value']])
    expect(faults(text([{ ...height, id: 'leg-length' }])).map(([name]) => name)).toEqual(['InvalidFormat'])
  })

  it('a circular reference is refused once, with its members', () => {
    const of = (id: string, formula: string): object => ({ id, expressions: [{ field: 'value', formula }] })
    expect(faults(text([of('a', 'b + 1'), of('b', 'c'), of('c', '2 * a'), of('d', 'a')], { spawnTime: '=d' }))).toEqual([
      ['CircularParameters', 'parameters[0].expressions[0].formula', 'The parameters depend on each other in a circle: a → b → c → a'],
    ])
    expect(faults(text([of('a', 'a')]))[0]).toContain('The parameters depend on each other in a circle: a → a')
  })
})

describe('edits', () => {
  const scene = read(text([height, { id: 'wide', expressions: [{ field: 'value', formula: '2 * height' }] }], { position: [0, '=wide', '=height / 2'] })).scene

  it('of a parameter change everything that depends on it', () => {
    const after = done(editScene(scene, draft => { draft.parameters![0]!.value = 1 }))
    expect(after.bodies![0]!.position).toEqual([0, 2, 0.5])
    expect(after.parameters![1]!.value).toBe(2)
  })

  it('of a field by hand remove its formula, and no other', () => {
    const after = done(editScene(scene, draft => { draft.bodies![0]!.position![2] = 7 }))
    expect(after.bodies![0]).toMatchObject({ position: [0, 1, 7], expressions: [{ field: 'position[1]', formula: 'wide' }] })
  })

  it('that give a field a formula are applied or refused', () => {
    const after = done(editScene(scene, draft => { draft.bodies![0]!.expressions!.push({ field: 'spawnTime', formula: 'height' }) }))
    expect(after.bodies![0]!.spawnTime).toBe(0.5)
    expect(editScene(scene, draft => { draft.bodies![0]!.expressions!.push({ field: 'spawnTime', formula: 'depth' }) })).toMatchObject({ ok: false, problems: [{ name: 'InvalidExpression' }] })
  })

  it('of a parameter\'s name change the formulas that use it', () => {
    const after = done(renameId(scene, 'height', 'h'))
    expect(after.bodies![0]!.expressions!.map(({ formula }) => formula)).toEqual(['wide', 'h / 2'])
    expect(after.parameters![1]!.expressions).toEqual([{ field: 'value', formula: '2 * h' }])
  })

  it('that remove a parameter still used by formulas are refused', () => {
    expect(editScene(scene, draft => { draft.parameters!.shift() })).toMatchObject({ ok: false, problems: [{ name: 'InvalidExpression' }, { name: 'InvalidExpression' }] })
  })
})
