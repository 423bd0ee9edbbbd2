/**
 * The element table: attributes of each element that are read, and those that do not affect the motion. Everything else in a file is reported as a
 * loss.
 */

import type { Losses } from '../../shared/losses'
import { placeOfNode, type XmlNode } from '../../shared/read-xml'

const words = (text: string): ReadonlySet<string> => new Set(text.split(' '))

const POSE = 'name class childclass pos quat axisangle xyaxes zaxis euler user group'

/** Attributes that are read, or that only affect the appearance or MuJoCo's numerical methods. */
const KNOWN: Readonly<Record<string, ReadonlySet<string>>> = {
  body: words(`${POSE} mocap gravcomp sleep`),
  frame: words(POSE),
  geom: words(`${POSE} type size fromto mesh mass density friction condim contype conaffinity solref solimp solmix material rgba shellinertia margin gap hfield`),
  joint: words(`${POSE} type axis ref range limited springref stiffness damping frictionloss armature solreflimit solimplimit solreffriction solimpfriction margin actuatorfrclimited`),
  freejoint: words('name class user group align'),
  inertial: words(`${POSE} mass diaginertia fullinertia`),
  site: words(`${POSE} type size fromto material rgba`),
  connect: words('name class body1 body2 anchor site1 site2 active solref solimp'),
  weld: words('name class body1 body2 anchor relpose site1 site2 active solref solimp torquescale'),
}

export function reportUnknown(node: XmlNode, losses: Losses): void {
  const known = KNOWN[node.name]
  if (known === undefined) return
  for (const [name, value] of node.attributes) {
    if (!known.has(name)) losses.add(placeOfNode(node), `Its ${name}="${value.slice(0, 60)}"`, 'nothing')
  }
}

/** Elements of a body that do not affect its mechanics. */
export const DISPLAY_ELEMENTS = words('light camera')
