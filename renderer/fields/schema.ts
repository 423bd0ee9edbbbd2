/** Access to the schema for the inspector; the facts come from `core/scene/fields`. */

import type * as z from 'zod'
import { unwrap } from '../../core/scene/fields'

export { describeField, shapeOf, variantsOf } from '../../core/scene/fields'

/** Schema of an array's elements; null for other schemas. */
export function elementSchemaOf(schema: z.core.$ZodType): z.core.$ZodType | null {
  const definition = unwrap(schema).schema._zod.def as z.core.$ZodTypeDef & { element?: z.core.$ZodType }
  return definition.element ?? null
}
