import * as z from 'zod'
import { id, name, reference } from './field'

/** The group to which a body or a group belongs. */
export const memberOf = () => reference('groups', { label: 'Group', help: 'Parent group. The editor selects and moves members together.' }).optional()

/** Groups organise the scene; they do not affect the motion. */
export const groupSchema = z.strictObject({ id: id(), name: name().optional(), group: memberOf() })
