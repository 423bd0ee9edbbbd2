import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  addElements, collections, dependentsOf, editScene, elementById, freshId, insertElements, moveElement,
  parseScene, placeOf, removeElements, renameId, replaceElement, setValue, valueAt, writeScene,
  type EditResult, type Path, type Scene,
} from '../../../../core/scene'
import { everything, scenes, small } from './arbitrary'

/** The scene after an edit; checks that the whole scene is valid. */
function done(before: Scene, result: EditResult): Scene {
  if (!result.ok) throw new Error(JSON.stringify(result.problems))
  if (JSON.stringify(result.scene) === JSON.stringify(before)) expect(result.scene).toBe(before)
  expect(parseScene(result.scene)).toMatchObject({ ok: true })
  return result.scene
}

function refusal(result: EditResult) {
  if (result.ok) throw new Error('The edit went through')
  return result.problems
}

const ball = (id: string) => ({ id, shapes: [{ type: 'sphere' as const, radius: 1, material: 'steel' }] })

describe('an edit', () => {
  it('shares everything that it does not change, and leaves the original scene unchanged', () => {
    const before = everything()
    const copy = everything()
    const after = done(before, setValue(before, ['bodies', 1, 'position'], [1, 2, 3]))
    expect(before).toEqual(copy)
    expect(after.bodies![1]!.position).toEqual([1, 2, 3])
    expect(after.bodies![0]).toBe(before.bodies![0])
    expect(after.bodies![1]!.shapes).toBe(before.bodies![1]!.shapes)
    expect(after.joints).toBe(before.joints)
  })
  it('that changes nothing gives the same scene', () => {
    const before = everything()
    expect(done(before, editScene(before, () => {}))).toBe(before)
  })
  it('creates missing objects along the path, and removes keys', () => {
    const before = small()
    const set = done(before, setValue(before, ['simulation', 'timeStepping', 'step'], 0.01))
    expect(set.simulation).toEqual({ timeStepping: { step: 0.01 } })
    const unset = done(set, setValue(set, ['simulation', 'timeStepping', 'step'], undefined))
    expect(unset.simulation).toEqual({ timeStepping: {} })
    expect(refusal(setValue(before, ['bodies', 7, 'position'], [0, 0, 0]))).toMatchObject([{ name: 'MissingKey', path: 'bodies[7]' }])
  })
  it.each([
    [['bodies', 1, 'shapes', 0, 'size'], [1, 1, 0], 'OutOfRange', 'bodies[1].shapes[0].size[2]'],
    [['bodies', 1, 'colour'], 'red', 'UnknownKey', 'bodies[1].colour'],
    [['bodies', 1, 'mass', 'inertia'], [1, 1, 3, 0, 0, 0], 'InvalidInertia', 'bodies[1].mass.inertia'],
    [['bodies', 1, 'shapes', 0, 'material'], 'wood', 'UnknownReference', 'bodies[1].shapes[0].material'],
    [['bodies', 0, 'type'], 'dynamic', 'HalfSpaceNotFixed', 'bodies[0].shapes[0]'],
    [['bodies', 1, 'id'], 'door', 'DuplicateId', 'bodies[2].id'],
    [['bodies', 1, 'id'], 'new', 'UnknownReference', 'joints[1].bodyA'],
    [['bodies', 1, 'name'], Object.create({ class: 1 }), 'WrongType', 'bodies[1].name'],
    [['gravity'], [0, 0], 'OutOfRange', 'gravity'],
    [['simulation', 'outputRate'], 0, 'OutOfRange', 'simulation.outputRate'],
    [['gravty'], [0, 0, 0], 'UnknownKey', 'gravty'],
    [['materialPairs', 1], { materials: ['ice', 'steel'] }, 'DuplicatePair', 'materialPairs[1].materials'],
    [['joints', 0], { id: 'hinge', type: 'fixed', bodyA: 'door', bodyB: null, anchor: [0, 0, 0] }, 'InvalidJoint', 'joints[9].jointA'],
    [['forces'], [{ id: 'air', type: 'uniform', force: [0, 0, '1'] }], 'WrongType', 'forces[0].force[2]'],
    [['scripts'], [], 'UnknownReference', 'forces[8].script'],
  ] as [Path, unknown, string, string][])('that sets %j to %j is refused', (path, value, name, where) => {
    const before = everything()
    expect(refusal(setValue(before, path, value))[0]).toMatchObject({ name, path: where })
    expect(before).toEqual(everything())
  })
  it('of a material is checked against the pairs that take missing values from it', () => {
    const before: Scene = {
      ...small(), materials: [{ id: 'steel', friction: { static: 0.5, dynamic: 0.5 } }, { id: 'ice', friction: { static: 0.5, dynamic: 0.5 } }],
      materialPairs: [{ materials: ['ice', 'steel'], friction: { dynamic: 0.4 } }],
    }
    const result = setValue(before, ['materials', 0, 'friction'], { static: 0.1, dynamic: 0.1 })
    expect(result).toMatchObject({ ok: true, warnings: [{ name: 'InvalidFriction', path: 'materialPairs[0].friction.dynamic' }] })
  })
})

describe('any value anywhere', () => {
  const anything = fc.oneof(fc.double(), fc.string(), fc.constant(null), fc.constant(undefined), fc.boolean(),
    fc.constant([]), fc.constant({}), fc.constant([1, 2, 3]), fc.constantFrom('block', 'steel', 'door', 'fixed', 'kinematic'))
  const paths: Path[] = []
  const collect = (value: unknown, path: Path) => {
    if (path.length > 0) paths.push(path)
    if (Array.isArray(value)) value.forEach((item, i) => collect(item, [...path, i]))
    else if (typeof value === 'object' && value !== null) Object.entries(value).forEach(([key, item]) => collect(item, [...path, key]))
  }
  collect(everything(), [])

  it('is either refused or leaves a scene that is valid as a whole', { tags: 'long' }, () => {
    fc.assert(fc.property(fc.constantFrom(...paths), anything, (path, value) => {
      const before = everything()
      const result = setValue(before, path, value)
      if (result.ok) {
        expect(parseScene(result.scene), `${path.join('.')} = ${String(value)}`).toMatchObject({ ok: true })
        expect(before).toEqual(everything())
      } else {
        expect(result.problems.some(found => found.severity === 'error')).toBe(true)
        const spoilt = everything()
        const target = valueAt(spoilt, path.slice(0, -1)) as Record<string | number, unknown>
        if (value === undefined && Array.isArray(target)) target.splice(path.at(-1) as number, 1)
        else if (value === undefined) delete target[path.at(-1)!]
        else target[path.at(-1)!] = value
        expect(parseScene(spoilt).ok, `${path.join('.')} = ${String(value)} was refused for ${result.problems[0]!.message}`).toBe(false)
      }
    }), { numRuns: 2000 })
  })
})

describe('adding', () => {
  it('puts elements at the end or at an index', () => {
    const before = everything()
    expect(done(before, addElements(before, 'bodies', [ball('x'), ball('y')])).bodies!.map(body => body.id)).toEqual(['ground', 'block', 'door', 'belt', 'x', 'y'])
    expect(done(before, addElements(before, 'bodies', [ball('x'), ball('y')], 1)).bodies!.map(body => body.id)).toEqual(['ground', 'x', 'y', 'block', 'door', 'belt'])
  })
  it('creates a collection that was absent, and undo makes it absent again', () => {
    const before = small()
    const after = done(before, addElements(before, 'scripts', [{ id: 'a.ts', source: '' }]))
    expect(after.scripts).toHaveLength(1)
  })
  it('refuses an id that is in use, or occurs twice among the added elements', () => {
    expect(refusal(addElements(everything(), 'bodies', [ball('hinge')]))).toMatchObject([{ name: 'DuplicateId' }])
    expect(refusal(addElements(everything(), 'bodies', [ball('x'), ball('x')]))).toMatchObject([{ name: 'DuplicateId' }])
  })
  it('adds bodies and their joint at once, as for pasting', () => {
    const before = small()
    const joint = { id: 'j', type: 'ball' as const, bodyA: 'x', bodyB: 'ball', anchor: [0, 0, 0] as const }
    done(before, insertElements(before, [{ collection: 'bodies', index: 2, element: ball('x') }, { collection: 'joints', index: 0, element: joint }]))
    expect(refusal(addElements(before, 'joints', [joint]))).toMatchObject([{ name: 'UnknownReference', path: 'joints[0].bodyA' }])
  })
})

describe('removing', () => {
  it('a body removes its joints, gears and forces too, and shortens lists', () => {
    const before = everything()
    expect([...dependentsOf(before, ['door']).elements.keys()]).toEqual(['hinge', 'ball', 'weld', 'cardan', 'tube', 'rod', 'gears', 'tap', 'hand', 'strain', 'eye', 'place'])
    const after = done(before, removeElements(before, ['door']))
    expect(after.joints!.map(joint => joint.id)).toEqual(['slide', 'table', 'bead'])
    expect(after.forces!.map(force => force.id)).toEqual(['push', 'pull', 'twist', 'air', 'coil', 'sun', 'storm', 'magic', 'glue', 'gas'])
    expect(elementById(after, 'forces', 'storm')).toMatchObject({ bodies: ['block'] })
  })
  it('a script removes its force, a joint its gear', () => {
    const before = everything()
    expect(placeOf(done(before, removeElements(before, ['magic.ts'])), 'magic')).toBeNull()
    expect(placeOf(done(before, removeElements(before, ['slide'])), 'gears')).toBeNull()
  })
  it('a material in use is refused, unless another one replaces it', () => {
    const before = everything()
    expect(refusal(removeElements(before, ['ice']))).toMatchObject([{ name: 'InUse', ids: ['block'] }])
    const after = done(before, removeElements(before, ['ice'], 'steel'))
    expect(after.materialPairs).toEqual([])
    expect(new Set(after.bodies![1]!.shapes!.map(shape => shape.material))).toEqual(new Set(['steel']))
  })
  it('everything at once leaves an empty scene', () => {
    const before = everything()
    const ids = collections.flatMap(collection => (before[collection] ?? []).map(element => element.id))
    const after = done(before, removeElements(before, ids))
    expect(after).toMatchObject({ materials: [], materialPairs: [], bodies: [], deformables: [], joints: [], forces: [], scripts: [] })
  })
  it('does not change the remaining elements', () => {
    const before = { ...small(), bodies: Array.from({ length: 1000 }, (_, i) => ball(`b${i}`)) }
    const after = done(before, removeElements(before, ['b3', 'b500']))
    expect(after.bodies!.every(body => body === before.bodies[Number(body.id.slice(1))])).toBe(true)
    expect(after.bodies!.map(({ id }) => id)).toEqual(before.bodies.map(({ id }) => id).filter(id => id !== 'b3' && id !== 'b500'))
  })
  it('any of any scene', () => {
    fc.assert(fc.property(scenes, fc.infiniteStream(fc.boolean()), (scene, choices) => {
      const ids = [...scene.bodies!, ...(scene.joints ?? []), ...(scene.forces ?? []), ...(scene.scripts ?? [])].map(element => element.id)
        .filter(() => choices.next().value)
      const after = done(scene, removeElements(scene, ids))
      for (const id of ids) expect(placeOf(after, id)).toBeNull()
    }))
  })
})

describe('renaming', () => {
  it.each(['steel', 'block', 'door', 'slide', 'magic.ts', 'push'])('%s is applied wherever the id is used', id => {
    const before = everything()
    const after = done(before, renameId(before, id, 'brand-new'))
    expect(JSON.stringify(after)).not.toContain(`"${id}"`)
    const names = JSON.stringify(before).split(`"${id}"`).length
    expect(JSON.stringify(after).split('"brand-new"').length).toBe(names)
    expect(placeOf(after, 'brand-new')).toEqual(placeOf(before, id))
  })
  it('to a taken or impossible id is refused', () => {
    const lesson: Scene = { ...small(), lesson: [{ text: 'Look', select: ['ground'] }] }
    expect(done(lesson, renameId(lesson, 'ground', 'earth')).lesson).toEqual([{ text: 'Look', select: ['earth'] }])
    expect(refusal(renameId(everything(), 'block', 'steel'))).toMatchObject([{ name: 'DuplicateId' }])
    expect(refusal(renameId(everything(), 'air', 'the air'))).toMatchObject([{ name: 'InvalidFormat' }])
    expect(refusal(renameId(everything(), 'nobody', 'x'))).toMatchObject([{ name: 'UnknownReference' }])
  })
})

describe('other commands', () => {
  it('replace an element and move it in the order', () => {
    const before = everything()
    expect(done(before, replaceElement(before, 'bodies', 'belt', ball('belt'))).bodies![3]).toEqual(ball('belt'))
    expect(done(before, moveElement(before, 'bodies', 'belt', 0)).bodies!.map(body => body.id)).toEqual(['belt', 'ground', 'block', 'door'])
    expect(done(before, moveElement(before, 'bodies', 'ground', 99)).bodies!.map(body => body.id)).toEqual(['block', 'door', 'belt', 'ground'])
  })
  it('find a fresh id', () => {
    expect(freshId(everything(), 'crate')).toBe('crate')
    expect(freshId(everything(), 'block')).toBe('block-2')
    expect(freshId({ ...small(), materials: [{ id: 'ball-2' }] }, 'ball-2')).toBe('ball-3')
    expect(freshId(small(), 'My box!')).toBe('My-box-')
  })
  it('leave every earlier scene unchanged, to the byte, so that undo returns to it', () => {
    fc.assert(fc.property(scenes, fc.array(fc.tuple(fc.nat(3), fc.nat()), { maxLength: 8 }), (scene, steps) => {
      const text = JSON.stringify(scene, null, 2)
      const original = JSON.parse(text) as Scene
      let current = original
      const former: { readonly scene: Scene; readonly text: string }[] = []
      for (const [kind, n] of steps) {
        const bodies = current.bodies ?? []
        const body = bodies[n % Math.max(1, bodies.length)]
        const result = kind === 0 || !body ? addElements(current, 'bodies', [{ ...ball(freshId(current, 'new')), shapes: [{ type: 'sphere', radius: 1, material: 'm0' }] }], n % 5)
          : kind === 1 ? removeElements(current, [body.id])
            : kind === 2 ? renameId(current, body.id, freshId(current, body.id))
              : setValue(current, ['bodies', bodies.indexOf(body), 'position'], [n, 0, 0])
        if (!result.ok) throw new Error(JSON.stringify(result.problems))
        former.push({ scene: current, text: JSON.stringify(current) })
        current = result.scene
      }
      expect(parseScene(writeScene(current, { text, scene: original }))).toMatchObject({ ok: true })
      for (const { scene: before, text: then } of former) expect(JSON.stringify(before)).toBe(then)
      expect(writeScene(original, { text, scene: original })).toBe(text)
    }))
  })
})
