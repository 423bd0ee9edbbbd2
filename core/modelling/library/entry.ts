/** A part of the shape library: its parameters, and its shape. */

import type { Point2 } from '../../geometry/outline'
import type { Vec3 } from '../../math/vector'
import type { Body, Group, Joint, Shape, ShapeOf } from '../../scene'
import { ModellingError } from '../fault'

/** A number parameter. */
export interface LibraryField {
  readonly label: string
  readonly unit: '' | 'm' | 'rad' | 'rad/s'
  readonly default: number
  readonly least: number
  readonly most: number
  readonly integer?: true
  readonly help?: string
  /** The allowed values with their labels. */
  readonly choices?: readonly { readonly value: number; readonly label: string }[]
}

/** With new ids, on the ground z = 0. */
export interface LibraryPart {
  readonly bodies: readonly Body[]
  readonly joints?: readonly Joint[]
  readonly groups?: readonly Group[]
}

export interface LibraryEntry {
  readonly id: string
  readonly label: string
  readonly help: string
  /** Whether it consists of prisms perpendicular to the plane y = 0, which two-dimensional scenes accept. */
  readonly planar: boolean
  readonly fields: Readonly<Record<string, LibraryField>>
  /**
   * @param values by field; absent ones are the defaults
   * @throws ModellingError with the field, its value and the allowed values
   */
  make(values: Readonly<Record<string, number>>, material: string): LibraryPart
}

/** An entry whose `make` function receives all of its fields, within their bounds. */
export function entry<const F extends Readonly<Record<string, LibraryField>>>(
  description: Omit<LibraryEntry, 'fields' | 'make'> & { readonly fields: F; make(values: Readonly<Record<keyof F, number>>, material: string): LibraryPart },
): LibraryEntry {
  return {
    ...description,
    make: (values, material) => {
      const all: Record<string, number> = {}
      for (const [id, field] of Object.entries<LibraryField>(description.fields)) all[id] = requireAllowed(field, values[id] ?? field.default)
      return description.make(all as Readonly<Record<keyof F, number>>, material)
    },
  }
}

function requireAllowed(field: LibraryField, value: number): number {
  const { label, unit, least, most, integer, choices } = field
  if (choices && !choices.some(choice => choice.value === value)) refuse(`${label} is ${value}: allowed is one of ${choices.map(choice => choice.value).join(', ')}`)
  if (!(value >= least && value <= most) || (integer && !Number.isInteger(value))) {
    refuse(`${label} is ${value}: allowed is ${integer ? 'a whole number' : 'a number'} from ${least} to ${most}${unit === '' ? '' : ` ${unit}`}`)
  }
  return value
}

/** @throws ModellingError */
export function refuse(message: string): never {
  throw new ModellingError('invalid', null, message)
}

/** Lengths from a tenth of a millimetre to a kilometre. */
export const metres = (label: string, value: number, help?: string): LibraryField => ({ label, unit: 'm', default: value, least: 1e-4, most: 1e3, ...help === undefined ? {} : { help } })

export const count = (label: string, value: number, least: number, most: number, help?: string): LibraryField =>
  ({ label, unit: '', default: value, least, most, integer: true, ...help === undefined ? {} : { help } })

/** A prism perpendicular to the plane y = 0 with a convex polygon as its section. */
export const across = (outline: readonly Point2[], depth: number, material: string): ShapeOf<'convexHull'> => ({
  type: 'convexHull', material, points: [-depth / 2, depth / 2].flatMap(y => outline.map(([x, z]): Vec3 => [x, y, z])),
})

export const block = (size: Vec3, position: Vec3, material: string): Shape => ({ type: 'box', size, position, material })
