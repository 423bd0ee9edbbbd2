/** Measures of a sweep: built from lists, and checked while typing. */

import { MeasureError, Measures, MEASURE_QUANTITIES, parseMeasures, type MeasureQuantity, type MeasureSource } from '../../core/analysis/measure'
import { formatPath, parsePath, type Scene } from '../../core/scene'
import { bodiesOf, jointsOf } from '../state/scene-access'

export const SOURCES: Readonly<Record<MeasureSource, string>> = {
  bodies: 'Body', contacts: 'Contacts', joints: 'Joint', energy: 'Energy', certificate: 'Accuracy', events: 'Events',
}

/** Reductions of a time series to a number. */
export const TAKEN = {
  end: 'at the end', start: 'at the start', time: 'at the time', max: 'largest', min: 'smallest', mean: 'mean', integral: 'integral', first: 'first time that it is',
} as const
export type Taken = keyof typeof TAKEN

export const COMPARISONS = ['<', '<=', '>', '>='] as const

export interface MeasureChoice {
  readonly source: MeasureSource
  /** Body or joint, or the body whose contacts are measured; empty: all. */
  readonly id: string
  /** The other body of the contacts; empty: any. */
  readonly other: string
  readonly quantity: string
  /** Null: the magnitude of the vector. */
  readonly component: number | null
  readonly taken: Taken
  /** s, for `time`. */
  readonly time: number
  /** For `first`. */
  readonly comparison: (typeof COMPARISONS)[number]
  readonly bound: number
}

export const quantityOf = (source: MeasureSource, name: string): MeasureQuantity | undefined => MEASURE_QUANTITIES[source].find(one => one.name === name)

/** The measure as text: `max(contacts.box.normalForce)`. */
export function expressionOf(choice: MeasureChoice): string {
  const { source, quantity, taken, component } = choice
  const ids = source === 'bodies' || source === 'joints' ? [choice.id] : source === 'contacts' ? [choice.id, choice.other].filter(id => id !== '') : []
  const components = quantityOf(source, quantity)?.components ?? 0
  const channel = formatPath([source, ...ids, ...quantity.split('.'), ...(components > 0 && component !== null ? [component] : [])])
  switch (taken) {
    case 'end':
    case 'start': return `${channel}@${taken}`
    case 'time': return `${channel}@${choice.time}`
    case 'first': return `first(${channel} ${choice.comparison} ${choice.bound})`
    default: return `${taken}(${channel})`
  }
}

export interface MeasuresCheck {
  /** Names of the columns. */
  readonly names: readonly string[]
  readonly problem: { readonly message: string; readonly at: number; readonly text: string; readonly allowed: string } | null
}

/** Checks the text against a scene. */
export function checkMeasures(text: string, scene: Scene): MeasuresCheck {
  if (text.trim() === '') return { names: [], problem: null }
  try {
    const parsed = parseMeasures(text)
    void new Measures(parsed, { bodyIds: bodiesOf(scene).map(({ id }) => id), jointIds: jointsOf(scene).map(({ id }) => id) })
    return { names: parsed.map(({ name }) => name), problem: null }
  } catch (error) {
    if (!(error instanceof MeasureError)) throw error
    const { message, at, text: where, allowed } = error
    return { names: [], problem: { message, at, text: where, allowed: allowed ?? '' } }
  }
}

const COMPONENTS = ['x', 'y', 'z', 'w']

export interface MeasureWords {
  readonly title: string
  /** SI; empty for pure numbers. */
  readonly unit: string
}

/**
 * A measure as made from the lists, in their words: `Box · position x at the end` for `bodies.box.position[0]@end`. Null for other expressions.
 * @param nameOf an element of the scene
 */
export function measureInWords(expression: string, nameOf: (id: string) => string): MeasureWords | null {
  const [, at, taken] = /^([^()]+)@(\S+)$/.exec(expression) ?? []
  const [, reduction, over] = /^(max|min|mean|integral)\(([^()]+)\)$/.exec(expression) ?? []
  const [, before, comparison, bound] = /^first\(([^()]+) ([<>]=?) ([^\s()]+)\)$/.exec(expression) ?? []
  const channel = channelInWords(at ?? over ?? before ?? '', nameOf)
  if (channel === null) return null
  const { owner, what, unit } = channel
  if (taken !== undefined) return { title: `${owner} · ${what} ${taken === 'end' || taken === 'start' ? TAKEN[taken] : `at ${taken} s`}`, unit }
  if (reduction === undefined) return { title: `${owner} · first time of ${what} ${comparison} ${bound}${unit && ` ${unit}`}`, unit: 's' }
  return { title: `${owner} · ${TAKEN[reduction as 'max']}${reduction === 'integral' ? ' of' : ''} ${what}`, unit: reduction === 'integral' ? `${unit} s`.trim() : unit }
}

function channelInWords(text: string, nameOf: (id: string) => string): { readonly owner: string; readonly what: string; readonly unit: string } | null {
  const [source, ...rest] = parsePath(text) ?? []
  if (typeof source !== 'string' || !Object.hasOwn(SOURCES, source)) return null
  const component = typeof rest.at(-1) === 'number' ? rest.pop() as number : null
  const ofIds = source === 'bodies' || source === 'joints' ? 1 : source === 'contacts' ? rest.length - 1 : 0
  const quantity = quantityOf(source as MeasureSource, rest.slice(ofIds).join('.'))
  if (!quantity) return null
  const names = rest.slice(0, ofIds).map(id => nameOf(String(id)))
  const what = `${inWords(quantity.name).replace('.', ', ')}${component === null ? '' : ` ${COMPONENTS[component]}`}`
  const owner = source === 'bodies' || source === 'joints' ? names[0]! : SOURCES[source as MeasureSource]
  return { owner: names.length > 0 && source === 'contacts' ? `${owner} of ${names.join(' and ')}` : owner, what, unit: quantity.unit }
}

/** `linear velocity` for `linearVelocity`, as the inspector calls it. */
export const inWords = (quantity: string): string => quantity.replace(/[A-Z]/g, letter => ` ${letter.toLowerCase()}`)
