/** Schema of a sweep's plan from outside: from a page, a folder, or a queue. */
import * as z from 'zod'

const valuesSchema = z.union([
  z.object({ kind: z.literal('range'), from: z.number(), to: z.number(), count: z.int().nullable(), scale: z.enum(['linear', 'log']) }),
  z.object({ kind: z.literal('list'), values: z.array(z.unknown()).max(10_000_000) }),
])

export const sweepPlanSchema = z.object({
  scenes: z.array(z.object({ name: z.string(), text: z.string() })),
  parameters: z.array(z.object({ name: z.string(), paths: z.array(z.string()), values: valuesSchema })),
  lets: z.array(z.object({ path: z.string(), expression: z.string() })),
  design: z.union([
    z.object({ kind: z.enum(['grid', 'list']) }), z.object({ kind: z.enum(['latin', 'sobol']), count: z.int(), seed: z.int() }),
  ]),
  measures: z.string(),
  keep: z.union([z.object({ kind: z.enum(['all', 'failed', 'none']) }), z.object({ kind: z.literal('where'), expression: z.string() })]),
  timeLimit: z.number().nullable(), memoryLimit: z.number().nullable(),
})
