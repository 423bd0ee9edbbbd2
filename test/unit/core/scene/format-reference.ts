import type { core } from 'zod'
import { allowedText, fieldsOf, limits, sceneSchema, sceneVersion, schemaAt, variantsOf, type Field } from '../../../../core/scene'
import { shapeOf, unwrap } from '../../../../core/scene/fields'

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

/** Tables of the objects inside a schema that have keys of their own. */
function section(title: string, schema: Schema, level = 2): string {
  const heading = `${'#'.repeat(level)} ${title}`
  const variants = variantsOf(schema)
  if (variants) return [heading, ...[...variants].map(([type, branch]) => section(`\`"type": "${type}"\``, branch, level + 1))].join('\n\n')
  const inner = Object.entries(shapeOf(schema)!).flatMap(([key, value]) => {
    const kind = unwrap(value).schema
    if (shapeOf(kind)) return [section(`\`${key}\``, kind, level + 1)]
    if (variantsOf(kind)) return [section(`\`${key}\``, kind, level + 1)]
    const def = (kind as unknown as { _zod: { def: { type: string } } })._zod.def
    return def.type === 'array' && shapeOf(element(kind)) ? [section(`each of \`${key}\``, element(kind), level + 1)] : []
  })
  const { description } = unwrap(schema).meta
  return [heading, ...(typeof description === 'string' && level > 2 ? [description] : []), table(schema), ...inner].join('\n\n')
}

const of = (key: string) => element(schemaAt(sceneSchema, [key], {})!)

/** The reference of the scene format, from the schema itself. */
export function formatReference(): string {
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
    section('Each of `materials`', of('materials')),
    section('Each of `materialPairs`', of('materialPairs')),
    section('Each of `bodies`', of('bodies')),
    section('Each of a body\'s `shapes`', element(schemaAt(sceneSchema, ['bodies', 0, 'shapes'], {})!)),
    section('Each of a body\'s `visuals`', element(schemaAt(sceneSchema, ['bodies', 0, 'visuals'], {})!)),
    section('Each of `meshes`', of('meshes')),
    section('Each of `textures`', of('textures')),
    section('Each of `deformables`', of('deformables')),
    section('Each of `joints`', of('joints')),
    section('Each of `forces`', of('forces')),
    section('Each of `parameters`', of('parameters')),
    section('Each of `sensors`', of('sensors')),
    section('Each of `scripts`', of('scripts')),
    section('Each of `groups`', of('groups')),
    section('`simulation`', schemaAt(sceneSchema, ['simulation'], {})!),
  ].join('\n\n') + '\n'
}

