import * as z from 'zod'
import { described, id, name, nonNegative, positive, reference, within } from './field'
import { expressions } from './parameter'

const staticMeta = {
  label: 'Static friction', step: 0.01, useful: [0, 1.5] as const,
  help: 'Coulomb coefficient μs: a contact sticks while its friction is at most μs times the normal force.',
}
const dynamicMeta = {
  label: 'Dynamic friction', step: 0.01, useful: [0, 1.5] as const,
  help: 'Coulomb coefficient μd of a sliding contact, usually at most the static one. A greater value applies at rest too.',
}
const torsionalMeta = {
  label: 'Torsional friction', unit: 'm', step: 0.001,
  help: 'Resistance to spinning about the contact normal: the largest moment divided by the normal force.',
}
const rollingMeta = {
  label: 'Rolling friction', unit: 'm', step: 0.001,
  help: 'Resistance to rolling: the largest moment in the tangent plane divided by the normal force.',
}

/** Friction coefficients of one material. */
export const frictionSchema = z.strictObject({
  static: nonNegative(staticMeta),
  dynamic: nonNegative(dynamicMeta),
  torsional: nonNegative(torsionalMeta).default(0),
  rolling: nonNegative(rollingMeta).default(0),
})

export const colorField = () => described(z.string().regex(/^#(?:[0-9A-Fa-f]{3}|[0-9A-Fa-f]{6})$/), { label: 'Colour', control: 'color', help: '#rgb or #rrggbb.' })
  .default('#8899aa')

export const materialSchema = z.strictObject({
  id: id(),
  name: name().optional(),
  expressions: expressions(),
  density: positive({ label: 'Density', unit: 'kg/m³', step: 10, useful: [1, 20000] }).default(1000),
  friction: described(frictionSchema, { label: 'Friction', help: 'Absent: frictionless.' }).prefault({ static: 0, dynamic: 0 }),
  restitution: within(0, 1, {
    label: 'Restitution', step: 0.01,
    help: 'Rebound speed over approach speed. The larger of two materials in contact applies, unless the pair has its own.',
  }).default(0),
  color: colorField(),
})

/** Properties of a pair of materials that differ from the combination of the two; an absent key keeps the combination. */
export const materialPairSchema = z.strictObject({
  materials: described(
    z.tuple([reference('materials', { label: 'First material' }), reference('materials', { label: 'Second material' })]),
    { label: 'Materials', reference: 'materials', help: 'The two materials, in either order; the same one twice for contact with itself.' }),
  friction: described(z.strictObject({
    static: nonNegative(staticMeta).optional(),
    dynamic: nonNegative(dynamicMeta).optional(),
    torsional: nonNegative(torsionalMeta).optional(),
    rolling: nonNegative(rollingMeta).optional(),
  }), { label: 'Friction', help: 'An absent coefficient is the geometric mean of the two materials\'.' }).optional(),
  restitution: within(0, 1, { label: 'Restitution', step: 0.01, help: 'Absent: the larger of the two materials\'.' }).optional(),
})
