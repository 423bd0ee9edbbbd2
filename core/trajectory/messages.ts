import { INDEX_SETS, WRENCH_SOURCES } from './frame'
import { CONSTRAINT_KINDS, CONTACT_MODES, EVENT_KINDS, FEATURE_KINDS } from '../vocabulary'
import type { Enumeration, FieldSpec, MessageSpec } from './wire-format'

// Field numbers are permanent: numbers of removed fields are not reused, and a new field takes the next number.

type Simple = 'uint32' | 'sint32' | 'double' | 'string' | 'doubles' | 'sints' | 'strings'

const field = (number: number, name: string, kind: Simple): FieldSpec => ({ number, name, kind })

const contactMode: Enumeration = { name: 'ContactMode', values: CONTACT_MODES }
const eventKind: Enumeration = { name: 'EventKind', values: EVENT_KINDS }
const featureKind: Enumeration = { name: 'FeatureKind', values: FEATURE_KINDS }
const indexSet: Enumeration = { name: 'IndexSet', values: INDEX_SETS }
const constraintKind: Enumeration = { name: 'ConstraintKind', values: CONSTRAINT_KINDS }
const wrenchSource: Enumeration = { name: 'WrenchSource', values: WRENCH_SOURCES }
const runStatus: Enumeration = { name: 'RunStatus', values: ['completed', 'cancelled', 'stopped'] }

const enumColumn = (number: number, name: string, enumeration: Enumeration): FieldSpec => ({ number, name, kind: 'enums', enumeration })

export const headerMessage: MessageSpec = {
  name: 'Header',
  fields: [
    field(1, 'engine', 'string'), field(2, 'sceneHash', 'string'), field(3, 'sceneName', 'string'), field(4, 'bodyIds', 'strings'),
    field(5, 'jointIds', 'strings'), field(6, 'duration', 'double'), field(7, 'outputRate', 'double'), field(8, 'method', 'string'),
    field(9, 'solver', 'string'), field(10, 'jointBodyA', 'sints'), field(11, 'jointBodyB', 'sints'), field(12, 'forceIds', 'strings'),
    field(13, 'weights', 'doubles'), field(14, 'staticFriction', 'string'), field(15, 'deformableIds', 'strings'), field(16, 'deformableParticles', 'sints'),
    field(17, 'deformableElements', 'sints'), field(18, 'deformableHeld', 'sints'),
    field(19, 'sensorIds', 'strings'), field(20, 'sensorTypes', 'strings'),
  ],
}

export const frameMessage: MessageSpec = {
  name: 'Frame',
  fields: [field(1, 'index', 'uint32'), field(2, 'time', 'double'), field(3, 'bodies', 'doubles'), field(4, 'hash', 'string')],
}

export const contactsMessage: MessageSpec = {
  name: 'Contacts',
  fields: [
    field(1, 'index', 'uint32'), field(2, 'time', 'double'), field(3, 'count', 'uint32'),
    field(4, 'bodyA', 'sints'), field(5, 'bodyB', 'sints'), field(6, 'shapeA', 'sints'), field(7, 'shapeB', 'sints'),
    enumColumn(8, 'featureKindA', featureKind), field(9, 'featureA', 'sints'),
    enumColumn(10, 'featureKindB', featureKind), field(11, 'featureB', 'sints'),
    field(12, 'point', 'doubles'), field(13, 'normal', 'doubles'), field(14, 'gap', 'doubles'), field(15, 'normalForce', 'doubles'),
    field(16, 'frictionForce', 'doubles'), field(17, 'frictionTorque', 'doubles'),
    field(18, 'staticFriction', 'doubles'), field(19, 'dynamicFriction', 'doubles'), field(20, 'coneUsage', 'doubles'),
    enumColumn(21, 'mode', contactMode), field(22, 'relativeVelocity', 'doubles'), field(23, 'interval', 'doubles'),
    enumColumn(24, 'indexSet', indexSet), field(25, 'island', 'sints'), field(26, 'normalAcceleration', 'doubles'),
    field(27, 'torsionalFriction', 'doubles'), field(28, 'rollingFriction', 'doubles'), field(29, 'tangentialAcceleration', 'doubles'),
    enumColumn(30, 'constraint', constraintKind),
  ],
}

/** Elements per contact of each column of `Contacts`. */
export const contactColumns: Readonly<Record<string, number>> = {
  bodyA: 1, bodyB: 1, shapeA: 1, shapeB: 1, featureKindA: 1, featureA: 1, featureKindB: 1, featureB: 1, point: 3, normal: 3, gap: 1,
  normalForce: 1, frictionForce: 3, frictionTorque: 3, staticFriction: 1, dynamicFriction: 1, coneUsage: 1, mode: 1, relativeVelocity: 3,
  interval: 2, indexSet: 1, island: 1, normalAcceleration: 1, torsionalFriction: 1, rollingFriction: 1, tangentialAcceleration: 3, constraint: 1,
}

/** Elements per solved island of the columns of `Certificate`. */
export const solvedColumns: Readonly<Record<string, number>> = { solvedIsland: 1, solvedSweeps: 1, solvedResidual: 1 }

export const jointsMessage: MessageSpec = {
  name: 'Joints',
  fields: [
    field(1, 'index', 'uint32'), field(2, 'time', 'double'), field(3, 'force', 'doubles'), field(4, 'torque', 'doubles'),
    field(5, 'error', 'doubles'), field(6, 'position', 'doubles'), field(7, 'velocity', 'doubles'), field(8, 'motorForce', 'doubles'),
    field(9, 'limitForce', 'doubles'), field(10, 'anchor', 'doubles'), field(11, 'secondPosition', 'doubles'), field(12, 'secondVelocity', 'doubles'), field(13, 'broken', 'sints'),
  ],
}

/** Elements per joint of each column of `Joints`. */
export const jointColumns: Readonly<Record<string, number>> = {
  force: 3, torque: 3, error: 1, position: 1, velocity: 1, motorForce: 1, limitForce: 1, anchor: 3, secondPosition: 1, secondVelocity: 1,
}

export const forcesMessage: MessageSpec = {
  name: 'Forces',
  fields: [
    field(1, 'index', 'uint32'), field(2, 'time', 'double'), field(3, 'body', 'sints'), field(4, 'rate', 'doubles'),
    enumColumn(5, 'sourceKind', wrenchSource), field(6, 'source', 'sints'), field(7, 'sourceBody', 'sints'), field(8, 'wrench', 'doubles'),
  ],
}

/** Elements per body, and per source and body, of the columns of `Forces`. */
export const bodyRateColumns: Readonly<Record<string, number>> = { body: 1, rate: 6 }
export const wrenchColumns: Readonly<Record<string, number>> = { sourceKind: 1, source: 1, sourceBody: 1, wrench: 6 }

export const deformablesMessage: MessageSpec = {
  name: 'Deformables',
  fields: [
    field(1, 'index', 'uint32'), field(2, 'time', 'double'), field(3, 'position', 'doubles'), field(4, 'velocity', 'doubles'), field(5, 'strain', 'doubles'),
    field(6, 'tension', 'doubles'), field(7, 'reaction', 'doubles'), field(8, 'energy', 'doubles'), field(9, 'steps', 'uint32'),
    field(10, 'iterations', 'uint32'), field(11, 'linearIterations', 'uint32'), field(12, 'residual', 'double'),
  ],
}

export const energyMessage: MessageSpec = {
  name: 'EnergyAudit',
  fields: [
    field(1, 'kinetic', 'double'), field(2, 'potential', 'double'), field(3, 'initial', 'double'), field(4, 'friction', 'double'),
    field(5, 'impacts', 'double'), field(6, 'drag', 'double'), field(7, 'scripts', 'double'), field(8, 'joints', 'double'),
    field(9, 'kinematic', 'double'), field(10, 'spawned', 'double'), field(11, 'residual', 'double'),
    field(12, 'elastic', 'double'), field(13, 'damping', 'double'), field(14, 'numerical', 'double'),
  ],
}

export const certificateMessage: MessageSpec = {
  name: 'Certificate',
  fields: [
    field(1, 'index', 'uint32'), field(2, 'time', 'double'), field(3, 'maxPenetration', 'double'), field(4, 'maxComplementarity', 'double'),
    field(5, 'maxJointError', 'double'), field(6, 'maxConeViolation', 'double'),
    { number: 7, name: 'energy', kind: 'message', message: energyMessage },
    field(8, 'steps', 'uint32'), field(9, 'solverCalls', 'uint32'), field(10, 'basisHits', 'uint32'), field(11, 'pivots', 'uint32'),
    field(12, 'contacts', 'uint32'), field(13, 'degraded', 'uint32'),
    field(14, 'solvedIsland', 'sints'), field(15, 'solvedSweeps', 'sints'), field(16, 'solvedResidual', 'doubles'), field(17, 'residualHistory', 'doubles'),
    field(18, 'asleep', 'sints'), field(19, 'residualTime', 'double'),
  ],
}

export const eventMessage: MessageSpec = {
  name: 'Event',
  fields: [
    field(1, 'index', 'uint32'), { number: 2, name: 'kind', kind: 'enum', enumeration: eventKind }, field(3, 'time', 'double'),
    field(4, 'bodyA', 'sint32'), field(5, 'bodyB', 'sint32'), field(6, 'shapeA', 'sint32'), field(7, 'shapeB', 'sint32'),
    field(8, 'featureKindA', 'sint32'), field(9, 'featureA', 'sint32'), field(10, 'featureKindB', 'sint32'), field(11, 'featureB', 'sint32'),
    field(12, 'joint', 'sint32'), field(13, 'point', 'doubles'), field(14, 'normal', 'doubles'), field(15, 'impulse', 'doubles'),
    field(16, 'approachSpeed', 'double'), field(17, 'reboundSpeed', 'double'), field(18, 'before', 'doubles'), field(19, 'after', 'doubles'),
    field(20, 'energyLoss', 'double'), field(21, 'message', 'string'), field(22, 'restTime', 'double'),
    { number: 23, name: 'solutions', kind: 'messages', message: contactsMessage }, field(24, 'solution', 'sint32'),
  ],
}

export const checkpointMessage: MessageSpec = {
  name: 'Checkpoint',
  fields: [field(1, 'index', 'uint32'), field(2, 'time', 'double'), field(3, 'state', 'string')],
}

export const sensorsMessage: MessageSpec = {
  name: 'Sensors',
  fields: [field(1, 'index', 'uint32'), field(2, 'time', 'double'), field(3, 'values', 'doubles')],
}

export const controlMessage: MessageSpec = {
  name: 'ControlState',
  fields: [field(1, 'index', 'uint32'), field(2, 'time', 'double'), field(3, 'held', 'string')],
}

export const scriptMessage: MessageSpec = {
  name: 'Script',
  fields: [
    field(1, 'index', 'uint32'), field(2, 'time', 'double'), field(3, 'names', 'strings'), field(4, 'values', 'doubles'),
    field(5, 'logs', 'strings'),
  ],
}

export const solverMessage: MessageSpec = {
  name: 'SolverTotals',
  fields: [
    field(1, 'name', 'string'), field(2, 'calls', 'uint32'), field(3, 'basisHits', 'uint32'), field(4, 'pivots', 'uint32'),
    field(5, 'maxContacts', 'uint32'),
  ],
}

export const fallbacksMessage: MessageSpec = { name: 'Fallbacks', fields: [field(1, 'count', 'uint32'), field(2, 'time', 'double')] }

export const endMessage: MessageSpec = {
  name: 'End',
  fields: [
    { number: 1, name: 'status', kind: 'enum', enumeration: runStatus }, field(2, 'reason', 'string'), field(3, 'message', 'string'),
    field(4, 'ids', 'strings'), field(5, 'simulatedTime', 'double'), field(6, 'wallTime', 'double'), field(7, 'frames', 'uint32'),
    field(8, 'steps', 'uint32'), field(9, 'finalHash', 'string'), { number: 10, name: 'solver', kind: 'message', message: solverMessage },
    field(11, 'warnings', 'strings'), { number: 12, name: 'fallbacks', kind: 'message', message: fallbacksMessage },
  ],
}
