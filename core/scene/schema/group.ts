import * as z from 'zod'
import { id, name, reference } from './field'

/** The group that a body or a group belongs to. */
export const memberOf = () => reference('groups', { label: 'Group', help: 'Parent group. The editor selects and moves members together.' }).optional()

/** Changes nothing of how bodies move: groups are for people. */
export const groupSchema = z.strictObject({ id: id(), name: name().optional(), group: memberOf() })
