/**
 * Parameters and the fields that depend on them. A document contains both the formula (`expressions` of an element) and its value, so that readers of
 * a field find a number. In a text a formula may be written in the field itself, as `"=2 * height"`; the reader moves it to `expressions`.
 */

import { expressionOf, MeasureError, namesIn } from '../expression'
import { PI } from '../math/elementary'
import { collections } from './ids'
import { orientationOf, turnField } from './orientation-angles'
import { formatPath, parsePath, valueAt, type Path } from './path'
import { problem, type Problem } from './problem'

type Bag = Record<string | number, unknown>

interface Formula {
  readonly field: string
  readonly formula: string
  /** The formula gives degrees, and the field has radians. */
  readonly unit?: 'deg'
}

const DEGREE = PI / 180

/** Texts that may begin with = without being formulas. */
const TEXTS: ReadonlySet<string | number> = new Set(['id', 'name', 'description', 'source', 'color', 'unit', 'expressions', 'field', 'formula'])

const isBag = (value: unknown): value is Bag => typeof value === 'object' && value !== null

/** Whether a document has parameters, or an element with formulas of numbers alone: most have neither. */
export function usesParameters(document: object): boolean {
  const { parameters } = document as Bag
  return (Array.isArray(parameters) && parameters.length > 0) || elementsIn(document).some(({ bag }) => bag.expressions !== undefined)
}

/** Moves formulas from fields to `expressions`. @param document changed in place */
export function takeFormulas(document: object): void {
  for (const { bag } of elementsIn(document)) {
    const found: Formula[] = []
    collect(bag, [], found, bag === document)
    if (found.length === 0) continue
    const known = Array.isArray(bag.expressions) ? bag.expressions as unknown[] : []
    bag.expressions = [...known.filter(one => !isBag(one) || !found.some(({ field }) => field === one.field)), ...found]
  }
}

/**
 * Sets every field with a formula to its value.
 *
 * @param document changed in place; parts that violate the schema are left to the schema check
 * @returns problems: formulas that cannot be parsed, unknown names, missing fields, cycles
 */
export function applyFormulas(document: object): Problem[] {
  const problems: Problem[] = []
  const values = parameterValues(document as Bag, problems)
  const names = [...values.keys()]
  const numbers = [...values.values()]
  for (const { bag, path } of elementsIn(document)) {
    if (path[0] === 'parameters') continue
    const turns = new Map<string, (number | null)[]>()
    formulasOf(bag).forEach(({ field, formula, unit }, k) => {
      const at = [...path, 'expressions', k]
      const value = valueOf(formula, names, numbers, at, problems)
      const turn = turnField(field)
      if (turn !== null && holdsOrientation(bag, turn.orientation)) {
        const angles = turns.get(turn.orientation) ?? [0, 0, 0]
        turns.set(turn.orientation, angles.map((angle, axis) => axis === turn.axis ? value : angle))
        return
      }
      if (value === null || setField(bag, field, unit === 'deg' ? value * DEGREE : value)) return
      problems.push(problem('InvalidExpression', [...at, 'field'], `There is nothing at "${field}"`, { value: field, allowed: 'the path of a number in this element, as position[2]' }))
    })
    for (const [field, angles] of turns) {
      if (angles.every(angle => angle !== null)) setOrientation(bag, field, orientationOf(angles.map(angle => angle * DEGREE)))
    }
  }
  return problems
}

/** Values of all parameters by id, including those by formulas; NaN for invalid ones. */
function parameterValues(document: Bag, problems: Problem[]): ReadonlyMap<string, number> {
  const list = Array.isArray(document.parameters) ? document.parameters as unknown[] : []
  const parameters = new Map(list.flatMap((one, index) => isBag(one) && typeof one.id === 'string' ? [[one.id, { bag: one, index }] as const] : []))
  const values = new Map<string, number>()
  const open: string[] = []
  const visit = (id: string): number => {
    const known = values.get(id)
    if (known !== undefined) return known
    const { bag, index } = parameters.get(id)!
    const own = formulasOf(bag).findIndex(({ field }) => field === 'value')
    if (own < 0) return set(id, typeof bag.value === 'number' ? bag.value : 0)
    const at = ['parameters', index, 'expressions', own]
    if (open.includes(id)) {
      const circle = [...open.slice(open.indexOf(id)), id].join(' → ')
      problems.push(problem('CircularParameters', [...at, 'formula'], `The parameters depend on each other in a circle: ${circle}`, { value: circle, allowed: 'formulas of other parameters', ids: [id] }))
      return set(id, NaN)
    }
    open.push(id)
    const { formula } = formulasOf(bag)[own]!
    const needed = usedBy(formula).filter(name => parameters.has(name))
    needed.forEach(visit)
    open.pop()
    const circular = values.get(id)
    if (circular !== undefined) return circular
    const value = valueOf(formula, [...parameters.keys()], [...parameters.keys()].map(name => values.get(name) ?? NaN), at, problems)
    // The schema reports values that are not numbers.
    if (value !== null && bag.value !== value && (bag.value === undefined || typeof bag.value === 'number')) bag.value = value
    return set(id, value ?? NaN)
  }
  const set = (id: string, value: number): number => {
    values.set(id, value)
    return value
  }
  for (const id of parameters.keys()) visit(id)
  return values
}

function usedBy(formula: string): string[] {
  try {
    return [...namesIn(formula)]
  } catch (error) {
    if (error instanceof MeasureError) return []
    throw error
  }
}

/** Null if invalid and reported; consequences of a reported error are not reported again. */
function valueOf(formula: string, names: readonly string[], values: readonly number[], at: Path, problems: Problem[]): number | null {
  try {
    const value = expressionOf(formula, names)(values)
    if (Number.isFinite(value)) return value
    if (usedBy(formula).every(name => !Number.isNaN(values[names.indexOf(name)]))) {
      problems.push(problem('InvalidExpression', [...at, 'formula'], `"${formula}" gives ${value}`, { value: formula, allowed: 'a finite number' }))
    }
  } catch (error) {
    if (!(error instanceof MeasureError)) throw error
    problems.push(problem('InvalidExpression', [...at, 'formula'], `${error.message} At character ${error.at + 1} of "${formula}".`,
      { value: formula, ...(error.allowed === undefined ? {} : { allowed: error.allowed }) }))
  }
  return null
}

function formulasOf(bag: Bag): Formula[] {
  const list = bag.expressions
  if (!Array.isArray(list)) return []
  return (list as unknown[]).filter((one): one is Bag & Formula => isBag(one) && typeof one.field === 'string' && typeof one.formula === 'string')
}

/** The document itself, and every element of its collections. */
function elementsIn(document: object): { readonly bag: Bag; readonly path: Path }[] {
  const found: { bag: Bag; path: Path }[] = [{ bag: document as Bag, path: [] }]
  for (const collection of collections) {
    const list = (document as Bag)[collection]
    if (!Array.isArray(list)) continue
    const elements = list as unknown[]
    for (let index = 0; index < elements.length; index++) {
      const bag = elements[index]
      if (isBag(bag) && !Array.isArray(bag)) found.push({ bag, path: [collection, index] })
    }
  }
  return found
}

/** @param top the document itself, whose collections have separate formulas */
function collect(value: unknown, path: Path, found: Formula[], top: boolean): void {
  if (!isBag(value)) return
  if (Array.isArray(value) && typeof value[0] === 'number' && !value.some(one => typeof one === 'string')) return
  for (const [key, element] of Array.isArray(value) ? (value as unknown[]).entries() : Object.entries(value)) {
    if (TEXTS.has(key) || (top && path.length === 0 && (collections as readonly (string | number)[]).includes(key))) continue
    if (typeof element === 'string' && element.startsWith('=')) {
      found.push({ field: formatPath([...path, key]), formula: element.slice(1).trim() })
      value[key] = 0
    } else collect(element, [...path, key], found, top)
  }
}

/** Whether there is a quaternion at a path, or may be one. */
function holdsOrientation(bag: Bag, field: string): boolean {
  const there = valueAt(bag, parsePath(field) ?? [])
  return there === undefined ? valueAt(bag, (parsePath(field) ?? []).slice(0, -1)) !== undefined : Array.isArray(there) && there.length === 4
}

function setOrientation(bag: Bag, field: string, orientation: readonly number[]): void {
  const path = parsePath(field)!
  const holder = valueAt(bag, path.slice(0, -1)) as Bag
  const there = holder[path.at(-1)!] as readonly number[] | undefined
  // Equal numbers keep the same array, so that an edit changes only what differs.
  if (there === undefined || orientation.some((x, k) => x !== there[k])) holder[path.at(-1)!] = [...orientation]
}

/** Sets a number that is there, or a key that an object may have. @returns whether there was a place for it */
function setField(bag: Bag, field: string, value: number): boolean {
  const path = parsePath(field)
  if (path === null || path.length === 0 || path.includes('expressions')) return false
  let holder: unknown = bag
  for (const part of path.slice(0, -1)) holder = isBag(holder) && Object.hasOwn(holder, part) ? holder[part] : undefined
  const last = path.at(-1)!
  if (!isBag(holder)) return false
  if (Array.isArray(holder) ? !(typeof last === 'number' && last < holder.length) : typeof last !== 'string') return false
  if (Object.hasOwn(holder, last) && typeof holder[last] !== 'number') return false
  if (holder[last] !== value) holder[last] = value
  return true
}

/**
 * After an edit: a number that was changed by hand has no formula any more, and all others follow their formulas.
 *
 * @param draft changed in place
 * @returns as `applyFormulas`
 */
export function followFormulas(before: object, draft: object): Problem[] {
  takeFormulas(draft)
  const then = new Map(elementsIn(before).map(({ bag, path }) => [`${path[0] ?? ''}/${String(bag.id ?? '')}`, bag]))
  for (const { bag, path } of elementsIn(draft)) {
    const formulas = formulasOf(bag)
    const old = formulas.length === 0 ? undefined : then.get(`${path[0] ?? ''}/${String(bag.id ?? '')}`)
    if (old === undefined) continue
    const kept = formulas.filter(({ field, formula, unit }) => {
      const wasSo = formulasOf(old).some(one => one.field === field && one.formula === formula && one.unit === unit)
      const turn = turnField(field)
      const place = parsePath(turn?.orientation ?? field) ?? []
      const [then_, now] = [valueAt(old, place), valueAt(bag, place)]
      if (!wasSo) return true
      return turn !== null && Array.isArray(then_) && Array.isArray(now) ? then_.every((x, k) => x === (now as unknown[])[k]) : then_ === now
    })
    if (kept.length === formulas.length) continue
    if (kept.length > 0) bag.expressions = kept.map(({ field, formula, unit }) => unit === undefined ? { field, formula } : { field, formula, unit })
    else delete bag.expressions
  }
  return applyFormulas(draft)
}

/** Follows in every formula. @param draft changed in place */
export function renameParameter(draft: object, from: string, to: string): void {
  for (const { bag } of elementsIn(draft)) {
    for (const one of formulasOf(bag) as { formula: string }[]) one.formula = one.formula.replace(/[A-Za-z_][\w.-]*/g, name => name === from ? to : name)
  }
}
