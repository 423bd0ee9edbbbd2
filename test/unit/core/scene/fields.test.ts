import { describe, expect, it } from 'vitest'
import { fromJSONSchema, type core } from 'zod'
import { allowedText, fieldsOf, sceneJsonSchema, sceneSchema, schemaAt, variantsOf, type Field, type Path } from '../../../../core/scene'
import { everything } from './arbitrary'
import { anchor, formatReference } from './format-reference'

const at = (path: Path) => schemaAt(sceneSchema, path, everything())!
const field = (path: Path, key: string): Field => fieldsOf(at(path)).find(found => found.key === key)!

describe('the fields of the inspector', () => {
  it('have label, unit, range and step from the schema', () => {
    expect(field(['bodies', 1, 'shapes', 1], 'radius')).toMatchObject({
      kind: 'number', label: 'Radius', unit: 'm', min: 0, minInclusive: false, max: null, step: 0.01, optional: false, default: undefined,
    })
    expect(field(['materials', 0], 'restitution')).toMatchObject({ min: 0, max: 1, minInclusive: true, maxInclusive: true, default: 0, optional: true })
    expect(field(['simulation'], 'seed')).toMatchObject({ kind: 'integer', min: 0, max: 4294967295, default: 1 })
    expect(field(['simulation'], 'method')).toMatchObject({ kind: 'choice', options: ['auto', 'event-driven', 'time-stepping', 'penalty'] })
    expect(field(['bodies', 1], 'orientation')).toMatchObject({ kind: 'quaternion', length: 4, default: [0, 0, 0, 1] })
    expect(field(['bodies', 1, 'shapes', 0], 'size')).toMatchObject({ kind: 'vector', length: 3, min: 0, minInclusive: false })
    expect(field(['bodies', 1, 'shapes', 0], 'material')).toMatchObject({ kind: 'string', reference: 'materials' })
    expect(field(['joints', 0], 'bodyB')).toMatchObject({ nullable: true, reference: 'bodies' })
    expect(field(['bodies', 1], 'shapes')).toMatchObject({ kind: 'list' })
    expect(field(['materials', 0], 'color')).toMatchObject({ control: 'color' })
  })
  it('of a union are those of the type in the document', () => {
    expect(fieldsOf(at(['joints', 0])).map(found => found.key)).toContain('axis')
    expect(fieldsOf(at(['joints', 2])).map(found => found.key)).not.toContain('axis')
    expect([...variantsOf(sceneSchema.shape.forces.unwrap().element)!.keys()]).toEqual(
      ['uniform', 'point', 'torque', 'drag', 'spring', 'attractor', 'wind', 'pair', 'lennard-jones', 'keyframed', 'guide', 'script'])
  })
  it('exist for every value of a scene with one of everything, each with a label of its own', () => {
    const visit = (schema: core.$ZodType, value: unknown, path: Path) => {
      for (const found of fieldsOf(schema)) {
        const here = [...path, found.key]
        expect(found.label, here.join('.')).toMatch(/^[A-Z]|^type$/)
        const inner = schemaAt(sceneSchema, here, everything())
        if (inner && found.kind === 'object') visit(inner, undefined, here)
      }
      if (Array.isArray(value)) value.forEach((item, i) => visit(schemaAt(sceneSchema, [...path, i], everything())!, item, [...path, i]))
      else if (typeof value === 'object' && value !== null) {
        for (const [key, item] of Object.entries(value)) {
          const inner = schemaAt(sceneSchema, [...path, key], everything())
          expect(inner, [...path, key].join('.')).not.toBeNull()
          if (inner && typeof item === 'object' && !['points', 'vertices', 'faces', 'triangles'].includes(key)) visit(inner, item, [...path, key])
        }
      }
    }
    visit(sceneSchema, everything(), [])
  })
  it('are null for paths that the format does not have', () => {
    expect(schemaAt(sceneSchema, ['bodies', 0, 'radius'], everything())).toBeNull()
    expect(schemaAt(sceneSchema, ['toString'], everything())).toBeNull()
    expect(schemaAt(sceneSchema, ['gravity', 3], everything())).toBeNull()
  })
})

describe('what is allowed, in words', () => {
  it.each([
    [['bodies', 1, 'mass', 'mass'], 'a finite number > 0 (kg)'],
    [['bodies', 1, 'spawnTime'], 'a finite number ≥ 0 (s)'],
    [['materials', 0, 'restitution'], 'a finite number from 0 to 1'],
    [['simulation', 'timeStepping', 'frictionDirections'], 'an even integer from 4 to 64'],
    [['simulation', 'method'], 'one of auto, event-driven, time-stepping, penalty'],
    [['bodies', 1, 'shapes', 0, 'size'], 'an array of 3, each a finite number > 0 (m)'],
    [['bodies', 1, 'shapes', 7, 'points'], 'an array of at least 4 points [x, y, z]'],
    [['joints', 0, 'bodyB'], 'the id of one of the bodies, or null'],
    [['joints', 0, 'collide'], 'true or false'],
    [['materials', 0, 'color'], '#rgb or #rrggbb'],
    [['bodies', 1, 'id'], '1 to 128 of the characters A-Z a-z 0-9 _ . -'],
    [['bodies', 1, 'mass'], 'an object with mass, centerOfMass, inertia'],
  ] as [Path, string][])('%j: %s', (path, text) => {
    expect(allowedText(at(path))).toBe(text)
  })
})

describe('the reference of the format', () => {
  it('is the one in docs (run this test with -u after a change of the schema)', async () => {
    await expect(formatReference()).toMatchFileSnapshot('../../../../docs/scene-format.md')
  })
})

describe('the links of the reference', () => {
  it('lead to headings, none of which is deeper than Markdown has', () => {
    const text = formatReference()
    const headings = [...text.matchAll(/^(#+) (.*)$/gm)]
    expect(Math.max(...headings.map(([, marks]) => marks!.length))).toBeLessThanOrEqual(6)
    const anchors = new Set(headings.map(([, , title]) => anchor(title!)))
    expect([...text.matchAll(/\]\(#([^)]*)\)/g)].map(([, link]) => link!).filter(link => !anchors.has(link))).toEqual([])
  })
})

describe('the published JSON Schema', () => {
  it('is the one in docs (run this test with -u after a change of the schema)', async () => {
    await expect(JSON.stringify(sceneJsonSchema(), null, 1) + '\n').toMatchFileSnapshot('../../../../docs/scene.schema.json')
  })
  it('accepts a scene with one of everything, and refuses values of the wrong form', () => {
    const schema = fromJSONSchema(sceneJsonSchema())
    expect(schema.safeParse(everything()).error?.issues).toBeUndefined()
    for (const spoil of [
      { gravity: [0, 0] }, { simulation: { method: 'best' } }, { bodeis: [] }, { version: 2 }, { bodies: [{ id: 'a b' }] },
      { bodies: [{ id: 'a', shapes: [{ type: 'sphere', radius: 0, material: 'steel' }] }] },
    ]) expect(schema.safeParse({ ...everything(), ...spoil }).success, JSON.stringify(spoil)).toBe(false)
  })
  it('describes every field with units and defaults', () => {
    const schema = sceneJsonSchema() as { properties: Record<string, { items: { properties: Record<string, object> } }> }
    expect(schema.properties.bodies!.items.properties.spawnTime).toMatchObject({ unit: 's', minimum: 0, default: 0, title: 'Spawn time' })
    expect(schema).toMatchObject({ additionalProperties: false, required: ['format', 'version'] })
  })
})
