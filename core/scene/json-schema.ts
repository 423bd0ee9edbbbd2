import * as z from 'zod'
import { sceneSchema } from './schema/scene'

/**
 * The published JSON Schema (draft 2020-12) of the document as written. Rules beyond it, such as references and inertia, are checked by the reader.
 * Besides the standard keywords, fields have `unit`, `step`, `useful`, `reference` and `control`.
 */
export function sceneJsonSchema(): Record<string, unknown> {
  const { $schema, ...rest } = z.toJSONSchema(sceneSchema, { io: 'input', unrepresentable: 'any' })
  return { $schema, $id: 'urn:cairn:scene:1', ...rest } as Record<string, unknown>
}
