/** Tables of a whole run for spreadsheets and notebooks: one row a body, contact, joint or event and time. */
import { BODY_STRIDE, CONTACT_MODES } from '../../core/trajectory/frame'
import { featureName } from './inspect'
import type { TrajectoryReader } from './reader'

export const tables = ['bodies', 'contacts', 'joints', 'events', 'certificate'] as const
export type TableName = (typeof tables)[number]

type Cell = string | number

const xyz = (name: string) => [`${name}_x`, `${name}_y`, `${name}_z`]

interface Table {
  readonly columns: readonly string[]
  rows(reader: TrajectoryReader): Iterable<readonly Cell[]>
}

const bodies: Table = {
  columns: ['frame', 'time', 'body', ...xyz('position'), 'orientation_x', 'orientation_y', 'orientation_z', 'orientation_w', ...xyz('linearVelocity'), ...xyz('angularVelocity')],
  *rows(reader) {
    for (let number = 0; number < reader.frames; number++) {
      const { time, bodies: states } = reader.frame(number)
      for (const [index, id] of reader.header.bodyIds.entries()) {
        const state = states.subarray(index * BODY_STRIDE, (index + 1) * BODY_STRIDE)
        if (!Number.isNaN(state[0]!)) yield [number, time, id, ...state]
      }
    }
  },
}

const contacts: Table = {
  columns: [
    'frame', 'time', 'bodyA', 'bodyB', 'shapeA', 'shapeB', 'featureA', 'featureB', ...xyz('point'), ...xyz('normal'), 'gap', 'normalForce',
    ...xyz('frictionForce'), ...xyz('frictionTorque'), 'coneUsage', 'mode', ...xyz('relativeVelocity'), 'intervalLower', 'intervalUpper', 'island',
    'torsionalFriction', 'rollingFriction', ...xyz('tangentialAcceleration'),
  ],
  *rows(reader) {
    const { bodyIds } = reader.header
    for (let number = 0; number < reader.frames; number++) {
      const c = reader.contacts(number)
      const three = (values: Float64Array, k: number) => values.subarray(3 * k, 3 * k + 3)
      for (let k = 0; k < c.count; k++) {
        yield [
          number, c.time, bodyIds[c.bodyA[k]!] ?? '', bodyIds[c.bodyB[k]!] ?? '', c.shapeA[k]!, c.shapeB[k]!,
          featureName(c.featureKindA[k]!, c.featureA[k]!), featureName(c.featureKindB[k]!, c.featureB[k]!), ...three(c.point, k),
          ...three(c.normal, k), c.gap[k]!, c.normalForce[k]!, ...three(c.frictionForce, k), ...three(c.frictionTorque, k), c.coneUsage[k]!,
          CONTACT_MODES[c.mode[k]!] ?? '', ...three(c.relativeVelocity, k), c.interval[2 * k]!, c.interval[2 * k + 1]!, c.island[k]!,
          c.torsionalFriction[k]!, c.rollingFriction[k]!, ...three(c.tangentialAcceleration, k),
        ]
      }
    }
  },
}

const joints: Table = {
  columns: ['frame', 'time', 'joint', ...xyz('force'), ...xyz('torque'), 'error', 'position', 'velocity', 'motorForce', 'limitForce'],
  *rows(reader) {
    for (let number = 0; number < reader.frames; number++) {
      const j = reader.joints(number)
      for (const [k, id] of reader.header.jointIds.entries()) {
        yield [
          number, j.time, id, ...j.force.subarray(3 * k, 3 * k + 3), ...j.torque.subarray(3 * k, 3 * k + 3), j.error[k]!, j.position[k]!,
          j.velocity[k]!, j.motorForce[k]!, j.limitForce[k]!,
        ]
      }
    }
  },
}

const events: Table = {
  columns: [
    'event', 'time', 'kind', 'bodyA', 'bodyB', 'shapeA', 'shapeB', 'featureA', 'featureB', 'joint', ...xyz('point'), ...xyz('normal'),
    ...xyz('impulse'), 'approachSpeed', 'reboundSpeed', 'energyLoss', 'restTime', 'message',
  ],
  *rows(reader) {
    const { bodyIds, jointIds } = reader.header
    const three = (values: Float64Array): readonly Cell[] => (values.length === 3 ? [...values] : ['', '', ''])
    for (let number = 0; number < reader.count('events'); number++) {
      const e = reader.event(number)
      yield [
        e.index, e.time, e.kind, bodyIds[e.bodyA] ?? '', bodyIds[e.bodyB] ?? '', e.shapeA, e.shapeB,
        e.featureKindA < 0 ? '' : featureName(e.featureKindA, e.featureA), e.featureKindB < 0 ? '' : featureName(e.featureKindB, e.featureB),
        jointIds[e.joint] ?? '', ...three(e.point), ...three(e.normal), ...three(e.impulse), e.approachSpeed, e.reboundSpeed, e.energyLoss,
        e.restTime, e.message,
      ]
    }
  },
}

const certificate: Table = {
  columns: [
    'frame', 'time', 'maxPenetration', 'maxComplementarity', 'maxJointError', 'maxConeViolation', 'kinetic', 'potential', 'friction', 'impacts',
    'drag', 'scripts', 'joints', 'kinematic', 'spawned', 'residual', 'steps', 'solverCalls', 'basisHits', 'pivots', 'contacts', 'degraded',
  ],
  *rows(reader) {
    for (let number = 0; number < reader.frames; number++) {
      const c = reader.certificate(number)
      const e = c.energy
      yield [
        number, c.time, c.maxPenetration, c.maxComplementarity, c.maxJointError, c.maxConeViolation, e.kinetic, e.potential, e.friction,
        e.impacts, e.drag, e.scripts, e.joints, e.kinematic, e.spawned, e.residual, c.steps, c.solverCalls, c.basisHits, c.pivots, c.contacts,
        c.degraded,
      ]
    }
  },
}

const all: Readonly<Record<TableName, Table>> = { bodies, contacts, joints, events, certificate }

/** Lines of CSV [RFC 4180, with line feeds]: every digit of a number, nothing for what is not there. */
export function* csvLines(reader: TrajectoryReader, what: TableName): Iterable<string> {
  const table = all[what]
  yield `${table.columns.join(',')}\n`
  for (const row of table.rows(reader)) yield `${row.map(cell).join(',')}\n`
}

function cell(value: Cell): string {
  if (typeof value === 'number') return Number.isNaN(value) ? '' : value === Infinity ? 'inf' : value === -Infinity ? '-inf' : String(value)
  return /[",\r\n]/.test(value) ? `"${value.replaceAll('"', '""')}"` : value
}
