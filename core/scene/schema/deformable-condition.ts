import * as z from 'zod'
import { bodyOrWorld, described, direction, integer, nonNegative, positive, reference, vector, within } from './field'
import { STIFFEST } from './deformable-limits'
import { curveSchema } from './joint'

const vertex = integer(0, 2147483647, { label: 'Vertex' })

/** A place of a condition that is not a vertex of the deformable that has the condition. */
const otherSchema = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('vertex'), deformable: reference('deformables', { label: 'Deformable' }), vertex })
    .meta({ title: 'Vertex', description: 'A vertex of a deformable, by its number there.' }),
  z.strictObject({
    type: z.literal('bodyPoint'), body: bodyOrWorld({ label: 'Body', help: 'Null for the world.' }),
    point: vector({ label: 'Point', unit: 'm', step: 0.01, help: 'In the body frame; in the world frame if the body is the world.' }),
  }).meta({ title: 'Point of a body', description: 'A point of a body or of the world, in constraints of the types distance, coincide, angle, area and volume without feedback.' }),
]).meta({ title: 'Other place' })
const others = described(z.array(otherSchema).max(10_000), {
  label: 'Others', help: 'Vertices of other deformables and points of bodies that take part, counted after the vertices.',
}).default([])

const some = (help: string, most = 10_000) => ({ vertices: described(z.array(vertex).min(1).max(most), { label: 'Vertices', help }), others })
const WORDS = { 2: 'Two', 3: 'Three', 4: 'Four' } as const
/** This many vertices, those of `others` included: rules check the sum. */
const exactly = (count: keyof typeof WORDS, help?: string) => ({
  vertices: described(z.array(vertex).min(1).max(count), {
    label: 'Vertices', usual: count, help: `${help === undefined ? '' : `${help} `}${WORDS[count]} with those of "others".`,
  }), others,
})
const point = (help: string) => vector({ label: 'Point', unit: 'm', step: 0.01, help })

/** Conditions on vertices of a deformable, and of others, all in the world frame [PBM01-C §6]. */
export const conditionSchema = z.discriminatedUnion('type', [
  z.strictObject({
    type: z.literal('distance'), ...exactly(2),
    distance: nonNegative({ label: 'Distance', unit: 'm', step: 0.01, help: 'Absent: that at the start.' }).optional(),
  }).meta({ title: 'Distance', description: 'Two vertices have this distance.' }),
  z.strictObject({ type: z.literal('coincide'), ...exactly(2) }).meta({ title: 'Coincide', description: 'Two vertices are in the same place.' }),
  z.strictObject({ type: z.literal('point'), vertex, point: point('Absent: the initial position.').optional() })
    .meta({ title: 'Point', description: 'A vertex is at a point of the world.' }),
  z.strictObject({
    type: z.literal('line'), ...some('All of them are on the line.'), point: point('Of the line.'), direction: direction({ label: 'Direction', help: 'Of the line.' }),
  }).meta({ title: 'Line', description: 'Vertices are on a straight line.' }),
  z.strictObject({
    type: z.literal('plane'), ...some('All of them are in the plane.'), point: point('Of the plane.'), normal: direction({ label: 'Normal', help: 'Of the plane.' }),
  }).meta({ title: 'Plane', description: 'Vertices are in a plane.' }),
  z.strictObject({
    type: z.literal('curve'), ...some('All of them are on the curve.'), curve: described(curveSchema, { label: 'Curve', help: 'At rest in the world frame.' }),
  }).meta({ title: 'Curve', description: 'Vertices are on a curve, as beads on a wire.' }),
  z.strictObject({
    type: z.literal('angle'), ...exactly(3, 'The second is the corner.'),
    angle: described(z.number().gt(0).lt(Math.PI), { label: 'Angle', unit: 'rad', step: 0.01, help: 'Absent: that at the start.' }).optional(),
  }).meta({ title: 'Angle', description: 'The sides from a corner to two vertices make this angle.' }),
  z.strictObject({
    type: z.literal('area'), ...exactly(3),
    area: positive({ label: 'Area', unit: 'm²', step: 0.01, help: 'Absent: that at the start.' }).optional(),
  }).meta({ title: 'Area', description: 'Three vertices span a triangle of this area.' }),
  z.strictObject({
    type: z.literal('volume'), ...exactly(4),
    volume: positive({ label: 'Volume', unit: 'm³', step: 0.001, help: 'Absent: that at the start.' }).optional(),
  }).meta({ title: 'Volume', description: 'Four vertices span a tetrahedron of this volume, on the side where it is at the start.' }),
  z.strictObject({
    type: z.literal('centre'), ...some('Their centre of mass is at the point.', 100), point: point('Absent: the centre of mass at the start.').optional(),
  }).meta({ title: 'Centre of mass', description: 'The centre of mass of vertices is at a point of the world.' }),
]).meta({ id: 'vertexCondition' })

const condition = described(conditionSchema, { label: 'Condition', help: 'C = 0: what the vertices shall satisfy.' })

export const behaviourSchema = z.strictObject({
  condition,
  stiffness: within(0, STIFFEST, { label: 'Stiffness', step: 1, help: 'k_s: the energy is k_s/2 C². N/m for lengths; N m, N/m³ and N/m⁵ for angles, areas and volumes.' }),
  damping: within(0, STIFFEST, { label: 'Damping', step: 0.1, help: 'k_d: damping by the rate of C, in the unit of the stiffness × s.' }).default(0),
}).meta({ title: 'Behaviour' })

export const constraintSchema = z.strictObject({
  condition,
  feedback: described(z.strictObject({
    stiffness: nonNegative({ label: 'Stiffness', unit: '1/s²', step: 1, help: 'k_s.' }),
    damping: nonNegative({ label: 'Damping', unit: '1/s', step: 1, help: 'k_d: 2 √k_s is critical damping.' }),
  }), {
    label: 'Feedback', help: 'C returns to 0 by C̈ + k_d Ċ + k_s C = 0, also from a start elsewhere. Absent: C = 0 at the end of every step.',
  }).optional(),
}).meta({ title: 'Constraint' })
