/** Titles of the elements of a list: what one element is called, its number, and what distinguishes it, such as its time or body. */

import type * as z from 'zod'
import type { Scene } from '../../core/scene'
import { titleOf } from '../state/scene-access'
import { formatNumber } from './format'
import { describeField, shapeOf } from './schema'

/** What an element of a list is called: `Attachment`; the list's label if the schema has no word for it. */
export const wordForItem = (element: z.core.$ZodType, list: string): string => describeField(list, element).label

/** `Attachment 2 · vertex 4 · Drum`: with the element's first number, and the first element of the scene that it refers to. */
export function titleOfItem(element: z.core.$ZodType, list: string, item: unknown, index: number, scene: Scene): string {
  const values = (item ?? {}) as Record<string, unknown>
  const fields = Object.entries(shapeOf(element) ?? {}).map(([key, schema]) => ({ ...describeField(key, schema), value: values[key] }))
  const number = fields.find(({ kind, value }) => (kind === 'number' || kind === 'integer') && typeof value === 'number')
  const reference = fields.find(({ reference, nullable, value }) => reference !== null && (typeof value === 'string' || (nullable && value === null)))
  const named = reference && (scene[reference.reference!] as readonly { id: string; name?: string }[] | undefined)?.find(({ id }) => id === reference.value)
  return [
    `${wordForItem(element, list)} ${index + 1}`,
    number && `${number.label.toLowerCase()} ${formatNumber(number.value as number, 4)}${number.unit ? ` ${number.unit}` : ''}`,
    reference && (reference.value === null ? 'World' : named ? titleOf(named) : String(reference.value)),
  ].filter(Boolean).join(' · ')
}
