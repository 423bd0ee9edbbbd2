import { INDEX_SETS, type ContactFrame } from '../../../core/trajectory/frame'
import { CONSTRAINT_KINDS, CONTACT_MODES, FEATURE_KINDS } from '../../../core/vocabulary'
import { featureName } from '../inspect'
import { integer, real, runTable, text, vector } from './definition'

interface Row {
  readonly number: number
  readonly ids: readonly string[]
  readonly contacts: ContactFrame
}

type Numbers = { [K in keyof ContactFrame]: ContactFrame[K] extends Float64Array ? K : never }[keyof ContactFrame]
type Indices = { [K in keyof ContactFrame]: ContactFrame[K] extends Int32Array ? K : never }[keyof ContactFrame]

const one = (name: Numbers, unit: string, optional = false) => real<Row>(name, unit, ({ contacts }, k) => contacts[name][k]!, optional)
const three = (name: Numbers, unit: string, optional = false) => vector<Row>(name, unit, ({ contacts }) => contacts[name], { optional })
const body = (name: 'bodyA' | 'bodyB') => text<Row>(name, ({ contacts, ids }, k) => ids[contacts[name][k]!] ?? '')
const whole = (name: Indices) => integer<Row>(name, ({ contacts }, k) => contacts[name][k]!)
const named = (name: Indices, names: readonly string[]) => text<Row>(name, ({ contacts }, k) => names[contacts[name][k]!] ?? '')
const end = (name: string, n: number) => real<Row>(name, 'N', ({ contacts }, k) => contacts.interval[2 * k + n]!, true)

/** Cached, since there are few names and every row needs them. */
const featureNames = FEATURE_KINDS.map(() => new Map<number, string>())
function feature(kind: number, index: number): string {
  const known = featureNames[kind]
  let name = known?.get(index)
  if (name === undefined) {
    name = featureName(kind, index)
    if (known !== undefined && known.size < 65_536) known.set(index, name)
  }
  return name
}

/** One row per contact and frame; the force acts on A, its opposite on B. */
export const contacts = runTable<Row>({
  columns: [
    integer('frame', ({ number }) => number), real('time', 's', ({ contacts: { time } }) => time), body('bodyA'), body('bodyB'), whole('shapeA'), whole('shapeB'),
    text('featureA', ({ contacts: c }, k) => feature(c.featureKindA[k]!, c.featureA[k]!)), text('featureB', ({ contacts: c }, k) => feature(c.featureKindB[k]!, c.featureB[k]!)),
    ...three('point', 'm'), ...three('normal', ''), one('gap', 'm'), one('normalForce', 'N'), ...three('frictionForce', 'N'), ...three('frictionTorque', 'N m'),
    one('coneUsage', ''), named('mode', CONTACT_MODES), ...three('relativeVelocity', 'm/s'), end('intervalLower', 0), end('intervalUpper', 1), whole('island'),
    one('torsionalFriction', 'm'), one('rollingFriction', 'm'), ...three('tangentialAcceleration', 'm/s²', true),
    one('staticFriction', ''), one('dynamicFriction', ''), one('normalAcceleration', 'm/s²'), named('indexSet', INDEX_SETS), named('constraint', CONSTRAINT_KINDS),
  ],
  *items(reader) {
    const ids = [...reader.header.bodyIds, ...reader.header.deformableIds]
    for (let number = 0; number < reader.frames; number++) yield { number, ids, contacts: reader.contacts(number) }
  },
  rows: ({ contacts: { count } }) => count,
})
