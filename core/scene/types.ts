import type * as z from 'zod'
import type { bodySchema, massSchema } from './schema/body'
import type { attachmentSchema, deformableSchema } from './schema/deformable'
import type { conditionSchema } from './schema/deformable-condition'
import type { forceSchema, scriptSchema } from './schema/force'
import type { groupSchema } from './schema/group'
import type { curveSchema, jointSchema } from './schema/joint'
import type { frictionSchema, materialPairSchema, materialSchema } from './schema/material'
import type { lessonStepSchema } from './schema/lesson'
import type { parameterSchema } from './schema/parameter'
import type { particleMotionSchema } from './schema/particle-motion'
import type { instanceSchema, overrideSchema, prefabSchema } from './schema/prefab'
import type { sensorSchema } from './schema/sensor'
import type { sceneSchema } from './schema/scene'
import type { pieceSchema, shapeSchema } from './schema/shape'
import type { meshAssetSchema, textureSchema, visualSchema } from './schema/visual'
import type { eventDrivenSchema, penaltySchema, simulationSchema, timeSteppingSchema } from './schema/simulation'

// The document as written: optional keys may be absent, and are kept absent. This is what is edited and saved.
export type Scene = z.input<typeof sceneSchema>
export type Material = z.input<typeof materialSchema>
export type Friction = z.input<typeof frictionSchema>
export type MaterialPair = z.input<typeof materialPairSchema>
export type Body = z.input<typeof bodySchema>
export type MassOverride = z.input<typeof massSchema>
export type Shape = z.input<typeof shapeSchema>
export type ShapeType = Shape['type']
export type ShapeOf<T extends ShapeType> = Extract<Shape, { type: T }>
export type ConvexPiece = z.input<typeof pieceSchema>
export type Deformable = z.input<typeof deformableSchema>
export type DeformableType = Deformable['type']
export type DeformableOf<T extends DeformableType> = Extract<Deformable, { type: T }>
export type Attachment = z.input<typeof attachmentSchema>
export type VertexCondition = z.input<typeof conditionSchema>
/** A place of a condition that is not a vertex of the deformable that has it. */
export type OtherPlace = NonNullable<Exclude<VertexCondition, { type: 'point' }>['others']>[number]
export type ResolvedVertexCondition = z.output<typeof conditionSchema>
export type ParticleMotion = z.input<typeof particleMotionSchema>
export type Joint = z.input<typeof jointSchema>
export type JointType = Joint['type']
export type JointOf<T extends JointType> = Extract<Joint, { type: T }>
export type Curve = z.input<typeof curveSchema>
export type Force = z.input<typeof forceSchema>
export type ForceType = Force['type']
export type ForceOf<T extends ForceType> = Extract<Force, { type: T }>
export type Sensor = z.input<typeof sensorSchema>
export type SensorType = Sensor['type']
export type Parameter = z.input<typeof parameterSchema>
export type LessonStep = z.input<typeof lessonStepSchema>
export type Script = z.input<typeof scriptSchema>
export type Group = z.input<typeof groupSchema>
export type Prefab = z.input<typeof prefabSchema>
export type Instance = z.input<typeof instanceSchema>
export type Override = z.input<typeof overrideSchema>
/** A surface for display only. */
export type MeshAsset = z.input<typeof meshAssetSchema>
/** A picture for the surfaces of visuals. */
export type Texture = z.input<typeof textureSchema>
export type Visual = z.input<typeof visualSchema>
export type Simulation = z.input<typeof simulationSchema>

// The resolved document: every default filled in, quaternions and directions of unit length. This is what is compiled and drawn.
export type ResolvedMaterial = z.output<typeof materialSchema>
export type ResolvedFriction = z.output<typeof frictionSchema>
export type ResolvedBody = z.output<typeof bodySchema>
export type ResolvedShape = z.output<typeof shapeSchema>
export type ResolvedShapeOf<T extends ShapeType> = Extract<ResolvedShape, { type: T }>
export type ResolvedVisual = z.output<typeof visualSchema>
export type ResolvedDeformable = z.output<typeof deformableSchema>
export type ResolvedDeformableOf<T extends DeformableType> = Extract<ResolvedDeformable, { type: T }>
export type ResolvedSensor = z.output<typeof sensorSchema>
export type ResolvedCurve = z.output<typeof curveSchema>
export type ResolvedSimulation = z.output<typeof simulationSchema>
export type ResolvedEventDriven = z.output<typeof eventDrivenSchema>
export type ResolvedTimeStepping = z.output<typeof timeSteppingSchema>
export type ResolvedPenalty = z.output<typeof penaltySchema>

/** Makes the keys that depend on the rest of the document present. */
type Filled<T, K extends string> = T extends unknown ? Omit<T, K> & { [P in K & keyof T]-?: NonNullable<T[P]> } : never

/** A joint with every key; an absent length is the distance of the anchors. */
export type ResolvedJoint = Filled<z.output<typeof jointSchema>, 'length'>
export type ResolvedJointOf<T extends JointType> = Extract<ResolvedJoint, { type: T }>
/**
 * A force with every key. Absent bodies become all dynamic bodies; if bodies are absent, absent deformables become all deformables. An absent rest length
 * becomes the distance of the points.
 */
export type ResolvedForce = Filled<z.output<typeof forceSchema>, 'bodies' | 'deformables' | 'restLength'>
export type ResolvedForceOf<T extends ForceType> = Extract<ResolvedForce, { type: T }>

export interface ResolvedScene extends Omit<z.output<typeof sceneSchema>, 'joints' | 'forces'> {
  joints: ResolvedJoint[]
  forces: ResolvedForce[]
}
