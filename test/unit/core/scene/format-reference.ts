import type { core } from 'zod'
import { allowedText, fieldsOf, limits, sceneSchema, sceneVersion, schemaAt, variantsOf, type Field } from '../../../../core/scene'
import { definition, shapeOf, unwrap } from '../../../../core/scene/fields'

type Schema = core.$ZodType

const element = (schema: Schema) => (unwrap(schema).schema as unknown as { _zod: { def: { element: Schema } } })._zod.def.element

const code = (value: unknown) => `\`${JSON.stringify(value)}\``

function absent(field: Field): string {
  if (!field.optional) return '**required**'
  if (field.default === undefined) return '–'
  return typeof field.default === 'object' && !Array.isArray(field.default) ? 'its defaults' : code(field.default)
}

const cell = (text: string) => text.replaceAll('|', '\\|').replaceAll('\n', ' ')

function table(schema: Schema): string {
  const shape = shapeOf(schema)!
  const rows = fieldsOf(schema).map(field => {
    const values = field.meanings.map((text, i) => `\`${field.options[i]!}\`: ${text}`).join(' ')
    const meaning = [field.label, field.help, values].filter(text => text !== '' && text !== field.key).join('. ').replaceAll('..', '.')
    return `| \`${field.key}\` | ${cell(allowedText(shape[field.key]!))} | ${cell(absent(field))} | ${cell(meaning)} |`
  })
  return ['| key | allowed | absent means | meaning |', '|---|---|---|---|', ...rows].join('\n')
}

interface Inner {
  readonly key: string
  /** Whether the key has a list of them. */
  readonly each: boolean
  readonly schema: Schema
}

/** The objects inside a schema that have keys of their own. */
function innerOf(schema: Schema): Inner[] {
  return Object.entries(shapeOf(schema)!).flatMap(([key, value]): Inner[] => {
    const kind = unwrap(value).schema
    if (shapeOf(kind) || variantsOf(kind)) return [{ key, each: false, schema: kind }]
    const isList = (definition(kind) as { type: string }).type === 'array'
    return isList && (shapeOf(element(kind)) || variantsOf(element(kind))) ? [{ key, each: true, schema: element(kind) }] : []
  })
}

const textOf = (schema: Schema, key: string): string | undefined => {
  const text = unwrap(schema).meta[key]
  return typeof text === 'string' ? text : undefined
}

const named = (key: string): string => key[0]!.toUpperCase() + key.slice(1).replaceAll(/[A-Z]/g, letter => ` ${letter.toLowerCase()}`)

interface Part {
  count: number
  readonly schema: Schema
  /** Of its first place. */
  readonly key: string
  readonly parent: string
}

/** Parts that read the same in several objects have one section; links in their places lead to it. */
class SharedParts {
  private readonly texts = new Map<object, string>()
  private readonly parts = new Map<string, Part>()
  /** Titles by text: of parts in several places, and of the page's sections. */
  private readonly titles = new Map<string, string>()
  private readonly roots = new Map<string, string>()

  /** @param sections those of the page, with their titles */
  constructor(sections: readonly (readonly [title: string, Schema])[]) {
    for (const [, root] of sections) this.visit(root, '')
    const shared = [...this.parts].filter(([, { count }]) => count > 1)
    const titleOf = ({ schema, key }: Part): string => textOf(schema, 'title') ?? named(key)
    for (const [text, part] of shared) {
      const title = titleOf(part)
      this.titles.set(text, shared.filter(([, other]) => titleOf(other) === title).length > 1 ? `${title} (${part.parent})` : title)
    }
    for (const [title, root] of sections) {
      this.titles.delete(this.textOf(root))
      this.roots.set(this.textOf(root), title)
    }
  }

  private visit(schema: Schema, parent: string): void {
    for (const [type, branch] of variantsOf(schema) ?? [[parent, schema] as const]) {
      for (const { key, schema: part } of innerOf(branch)) {
        const text = this.textOf(part)
        const known = this.parts.get(text)
        if (known === undefined) {
          this.parts.set(text, { count: 1, schema: part, key, parent: type })
          this.visit(part, key)
        } else {
          known.count++
        }
      }
    }
  }

  /** Everything that its section says. */
  private textOf(schema: Schema): string {
    const known = this.texts.get(definition(schema))
    if (known !== undefined) return known
    const variants = variantsOf(schema)
    const text = variants ? [...variants].map(([type, branch]) => `${type}\n${this.textOf(branch)}`).join('\n')
      : `${table(schema)}\n${innerOf(schema).map(({ key, each, schema: part }) => `${key} ${each}\n${this.textOf(part)}`).join('\n')}`
    this.texts.set(definition(schema), text)
    return text
  }

  private titleOf(schema: Schema): string | undefined {
    const text = this.textOf(schema)
    return this.titles.get(text) ?? this.roots.get(text)
  }

  get sections(): string[] {
    return [...this.titles].sort(([, a], [, b]) => a.localeCompare(b)).map(([text, title]) => this.section(title, this.parts.get(text)!.schema, 3))
  }

  /** Tables of a schema and of the objects inside it. */
  section(title: string, schema: Schema, level = 2): string {
    const heading = `${'#'.repeat(level)} ${title}`
    const description = level > 2 ? textOf(schema, 'description') : undefined
    const variants = variantsOf(schema)
    const parts = variants ? [...variants].map(([type, branch]) => this.section(`\`"type": "${type}"\``, branch, level + 1)) : [table(schema), ...this.inside(schema, level)]
    return [heading, ...description === undefined ? [] : [description], ...parts].join('\n\n')
  }

  private inside(schema: Schema, level: number): string[] {
    const inner = innerOf(schema)
    const links = inner.flatMap(({ key, each, schema: part }) => {
      const title = this.titleOf(part)
      return title === undefined ? [] : [`${each ? 'each of ' : ''}\`${key}\`: [${title}](#${anchor(title)})`]
    })
    const own = inner.filter(part => this.titleOf(part.schema) === undefined)
    return [
      ...links.length === 0 ? [] : [`Described in their own sections: ${links.join(', ')}.`],
      ...own.map(({ key, each, schema: part }) => this.section(`${each ? 'each of ' : ''}\`${key}\``, part, level + 1)),
    ]
  }
}

/** Of a heading, as repository sites and editors derive it. */
export const anchor = (title: string): string => title.toLowerCase().replaceAll(/[^a-z0-9 -]/g, '').replaceAll(' ', '-')

const of = (key: string) => element(schemaAt(sceneSchema, [key], {})!)

/** The reference of the scene format, from the schema itself. */
export function formatReference(): string {
  const sections: readonly (readonly [title: string, Schema])[] = [
    ...['materials', 'materialPairs', 'bodies'].map(key => [`Each of \`${key}\``, of(key)] as const),
    ...['shapes', 'visuals'].map(key => [`Each of a body's \`${key}\``, element(schemaAt(sceneSchema, ['bodies', 0, key], {})!)] as const),
    ...['meshes', 'textures', 'deformables', 'joints', 'forces', 'parameters', 'sensors', 'scripts', 'groups'].map(key => [`Each of \`${key}\``, of(key)] as const),
    ['`simulation`', schemaAt(sceneSchema, ['simulation'], {})!],
  ]
  const parts = new SharedParts(sections)
  const top = fieldsOf(sceneSchema).map(field => `| \`${field.key}\` | ${cell(absent(field))} | ${cell(field.help || field.label)} |`)
  return [
    '# Scene format',
    `A scene is one strict-JSON document, \`*.cairn.json\`, version ${sceneVersion}. SI units, z up, right-handed; quaternions are unit `
      + '`[x, y, z, w]`, angles are in radians. Unknown keys are errors. Ids are unique across the whole document; names are free text. '
      + 'This page is written from the schema; `scene.schema.json` beside it is the same for programs.',
    `Limits: ${limits.fileBytes / 1048576} MiB, ${limits.bodies} bodies, ${limits.vertices} vertices in all, ${limits.particles} vertices of deformables, ${limits.depth} levels of nesting, `
      + `${limits.scriptBytes / 1024} KiB a script; numbers are finite.`,
    'Checked beyond the tables: ids that are referred to exist; dynamic friction above static friction is reported, for pairs with the combination '
      + 'that fills their gaps; inertia is positive definite and its principal moments satisfy A + B ≥ C; directions are not zero; half-spaces '
      + 'belong to fixed bodies; a dynamic body has shapes, or mass and inertia; joints join two different bodies, or a body and the world; '
      + 'limits contain the initial position, 0; vertices that deformables name exist, each is held once, triangles have an area, and an edge belongs to two triangles at most; key times do not decrease; mesh files and prefabs lie below the scene\'s folder; a texture is on a mesh with `uv`, '
      + 'lists of a mesh have as many entries as vertices, and pictures have at most 8192 pixels along a side, and 67,108,864 in all.',
    'Friction of a contact is the pair\'s, key by key, else the geometric mean of the two materials\'; restitution is the pair\'s, else the larger.',
    '## The document',
    ['| key | absent means | meaning |', '|---|---|---|', ...top].join('\n'),
    ...sections.map(([title, schema]) => parts.section(title, schema)),
    '## Parts of several objects',
    ...parts.sections,
  ].join('\n\n') + '\n'
}

