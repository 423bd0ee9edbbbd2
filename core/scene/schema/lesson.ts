import * as z from 'zod'
import { described, flag, nonNegative, positive, real, vector } from './field'

/** Where the viewer stands: an orbit camera about a target, z up. */
export const cameraSchema = z.strictObject({
  target: vector({ label: 'Target', unit: 'm', step: 0.1, help: 'Point in the middle of the picture.' }),
  azimuth: real({ label: 'Azimuth', unit: 'rad', step: 0.1, help: 'Of the viewer, from +x towards +y.' }),
  elevation: real({ label: 'Elevation', unit: 'rad', step: 0.1, help: 'Of the viewer above the horizontal.' }),
  distance: positive({ label: 'Distance', unit: 'm', step: 0.1, help: 'From the target.' }),
  orthographic: flag({ label: 'Orthographic', help: 'Without perspective.' }).default(false),
})

/** A step of the scene's explanation. It does not affect the motion. */
export const lessonStepSchema = z.strictObject({
  text: described(z.string().max(10_000), { label: 'Text', control: 'text', help: 'Plain text of the step.' }),
  time: nonNegative({ label: 'Time', unit: 's', step: 0.1, help: 'Time of the run to which the step goes. Absent: it stays.' }).optional(),
  select: described(z.array(z.string().max(128)), { label: 'Selected', help: 'Ids of what the step selects. Ids without an element are ignored.' }).optional(),
  camera: described(cameraSchema, { label: 'Camera', help: 'From where the step shows the scene. Absent: it stays.' }).optional(),
})
