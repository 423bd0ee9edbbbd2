import * as z from 'zod'
import { described, id, name, nonNegative, real } from './field'

/** Of an element: what its numbers come from. */
export const expressions = () => described(z.array(z.strictObject({
  field: described(z.string().min(1).max(200), { label: 'Field', control: 'text', help: 'Path of the number in this element, as position[2] or simulation.duration. Of an orientation the angle about an axis, as orientation.z.' }),
  formula: described(z.string().min(1).max(1000), { label: 'Formula', control: 'text', help: 'Of parameters and numbers in SI units, as 2 * height + 0.1.' }),
  unit: described(z.literal('deg'), { label: 'Unit', help: 'The formula gives degrees; the field keeps radians. Angles of orientations are in degrees in any case.' }).optional(),
})), { label: 'Expressions', help: 'Fields whose numbers come from parameters.' }).optional()

export const parameterSchema = z.strictObject({
  id: id(), name: name().optional(),
  value: real({ label: 'Value', step: 0.1, help: 'In SI units, whatever the fields that it is used in have.' }).default(0),
  unit: described(z.string().max(40), { label: 'Unit', control: 'text', help: 'Shown behind the value.' }).optional(),
  min: real({ label: 'Least', step: 0.1, help: 'Where its slider begins; no value is below.' }).optional(),
  max: real({ label: 'Greatest', step: 0.1, help: 'Where its slider ends; no value is above.' }).optional(),
  keys: described(z.array(z.strictObject({
    time: nonNegative({ label: 'Time', unit: 's', step: 0.1 }), value: real({ label: 'Value', step: 0.1 }),
  })), { label: 'Keys', help: 'Values at times: from each on, until the next. Scripts see them as ctx.parameters; formulas of fields take the value at the start.' }).optional(),
  expressions: expressions(),
})
