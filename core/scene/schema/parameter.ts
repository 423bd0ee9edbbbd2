import * as z from 'zod'
import { described, id, name, nonNegative, real } from './field'

/** Formulas of an element's numbers. */
export const expressions = () => described(z.array(z.strictObject({
  field: described(z.string().min(1).max(200), { label: 'Field', control: 'text', help: 'Path of the number in this element, such as position[2] or simulation.duration. For an orientation the angle about an axis, such as orientation.z.' }),
  formula: described(z.string().min(1).max(1000), { label: 'Formula', control: 'text', help: 'Formula of parameters and numbers in SI units, such as 2 * height + 0.1.' }),
  unit: described(z.literal('deg'), { label: 'Unit', help: 'The formula gives degrees; the field keeps radians. Angles of orientations are always in degrees.' }).optional(),
})), { label: 'Expressions', help: 'Fields computed from parameters.' }).optional()

export const parameterSchema = z.strictObject({
  id: id(), name: name().optional(),
  value: real({ label: 'Value', step: 0.1, help: 'In SI units, regardless of the units of fields that use it.' }).default(0),
  unit: described(z.string().max(40), { label: 'Unit', control: 'text', help: 'Shown behind the value.' }).optional(),
  min: real({ label: 'Least', step: 0.1, help: 'Smallest value, and start of the slider.' }).optional(),
  max: real({ label: 'Greatest', step: 0.1, help: 'Largest value, and end of the slider.' }).optional(),
  keys: described(z.array(z.strictObject({
    time: nonNegative({ label: 'Time', unit: 's', step: 0.1 }), value: real({ label: 'Value', step: 0.1 }),
  })), { label: 'Keys', help: 'Values at times, each until the next. Scripts read them as ctx.parameters; formulas of fields use the initial value.' }).optional(),
  expressions: expressions(),
})
