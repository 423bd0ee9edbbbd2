/**
 * From a tree of links to bodies and joints of the scene: fixed links are kept or merged, and several joints of one link become one joint or a chain.
 */

import { composePoses, IDENTITY_POSE, relativePose, toOuter, type Pose } from '../../math/pose'
import { add, cross, length, sub, ZERO, type Vec3 } from '../../math/vector'
import type { Body, Shape, Visual } from '../../scene'
import type { FormatOption } from '../format'
import type { SceneDraft } from './draft'
import { addMasses, componentsOf, moveMass, validMass, type BodyMass } from './inertia'
import { joinChain, type JointDraft } from './tree-joints'
import { movedVisual, visualsOfShapes } from './visuals'
import { placeLinks, type PlacedLink, type TreeLink, type TreeState } from './tree'

export const fixedLinksOption: FormatOption = {
  id: 'fixedLinks', label: 'Links fixed to others', kind: 'choice', default: 'fuse',
  choices: [{ id: 'fuse', label: 'Become part of the body that carries them' }, { id: 'keep', label: 'Stay bodies of their own, with fixed joints' }],
  help: 'Fused bodies are fewer and stiffer; their names are lost. Links without mass are always fused.',
}

export interface TreeBodies {
  /** By link: its body, or the body it was merged into; null for the world. */
  readonly bodyOf: readonly (string | null)[]
  /** By link: index of the link whose body it belongs to. */
  readonly ownerOf: readonly number[]
  /** Pose and velocity of each link. */
  readonly placed: readonly PlacedLink[]
  /** By link: ids of the scene's joints, one per joint of the link; null if it has no separate one. */
  readonly jointIds: readonly (readonly (string | null)[])[]
}

export interface TreeSettings {
  readonly fixedLinks: 'fuse' | 'keep'
  /** Whether two joined bodies touch, by link indices; −1 for the world. */
  readonly collide: (parent: number, child: number) => boolean
}

/** Adds the tree's bodies and joints to the draft. */
export function addTree(draft: SceneDraft, links: readonly TreeLink[], state: TreeState, { fixedLinks, collide }: TreeSettings): TreeBodies {
  const placed = placeLinks(links, state)
  const isStatic = staticLinks(links, fixedLinks)
  const carrier = carriers(draft, links, isStatic, fixedLinks)
  const parts = partsOf(links, placed, carrier)
  const visuals = visualsOf(draft, links, placed, carrier)
  const bodyOf: (string | null)[] = []
  const jointIds: (string | null)[][] = []
  links.forEach((link, i) => {
    const own = carrier[i]!
    if (own !== i) {
      bodyOf.push(own < 0 ? null : bodyOf[own]!)
      jointIds.push(link.joints.map(() => null))
      return
    }
    const at = placed[i]!
    const moving = !isStatic[i] && !link.kinematic
    const mass = parts.masses[i]!
    const body = draft.body(link.name, {
      ...(moving ? {} : { type: link.kinematic ? 'kinematic' as const : 'fixed' as const }),
      position: at.pose.position, orientation: at.pose.orientation,
      ...(moving ? motionOf(at, mass) : {}),
      shapes: onlyAllowed(draft, link, parts.shapes[i]!, isStatic[i]!),
      ...(visuals[i]!.length === 0 ? {} : { visuals: visuals[i]! }),
      ...(mass === null ? {} : { mass: massOf(draft, link, mass, moving) }),
      ...(moving && mass === null ? { mass: massOf(draft, link, { mass: 0, centerOfMass: [0, 0, 0], inertia: [0, 0, 0, 0, 0, 0, 0, 0, 0] }, true) } : {}),
    })
    bodyOf.push(body)
    const parent = link.parent < 0 ? null : bodyOf[link.parent]!
    if (!moving || link.joints.some(joint => joint.type === 'free')) {
      jointIds.push(link.joints.map(() => null))
      return
    }
    const joined: JointDraft = { draft, link, placed: at, body, parent, mass, collide: collide(link.parent, i) }
    if (link.joints.length === 0) {
      const { name, anchor } = link.weld ?? { name: `${link.name ?? body}.fixed`, anchor: ZERO }
      draft.joint(name, { type: 'fixed', bodyA: body, bodyB: parent, anchor: toOuter(at.pose, anchor), ...(joined.collide ? { collide: true } : {}) })
      jointIds.push([])
    } else {
      jointIds.push(joinChain(joined))
    }
  })
  return { bodyOf, ownerOf: carrier, placed, jointIds }
}

/** Links that never move: without a joint, on the world or on another static link. Excluded are kept links with a named fixed joint. */
function staticLinks(links: readonly TreeLink[], fixedLinks: 'fuse' | 'keep'): boolean[] {
  const found: boolean[] = []
  links.forEach(link => {
    const kept = fixedLinks === 'keep' && link.weld !== undefined && link.mass !== null && link.mass.mass > 0
    found.push(link.joints.length === 0 && !link.kinematic && !kept && (link.parent < 0 || found[link.parent]!))
  })
  return found
}

/** Index of the link whose body each link belongs to. */
function carriers(draft: SceneDraft, links: readonly TreeLink[], isStatic: readonly boolean[], fixedLinks: 'fuse' | 'keep'): number[] {
  const carrier: number[] = []
  links.forEach((link, i) => {
    const fixed = link.joints.length === 0 && !link.kinematic
    const massless = link.mass === null || link.mass.mass === 0
    if (!fixed || link.parent < 0 || isStatic[i] || (fixedLinks === 'keep' && !massless)) {
      carrier.push(i)
      return
    }
    const own = carrier[link.parent]!
    carrier.push(own)
    if (fixedLinks === 'keep') {
      draft.losses.add(link.where, 'A link without mass cannot be a body', `part of "${links[own]!.name ?? 'its parent'}"`)
    } else {
      draft.losses.add(link.where, 'It is fixed to its parent; its name is not kept', `part of "${links[own]!.name ?? 'its parent'}"`)
    }
  })
  return carrier
}

/** Parts of each carrying link, in its own frame. */
function partsOf(links: readonly TreeLink[], placed: readonly PlacedLink[], carrier: readonly number[]): { masses: (BodyMass | null)[]; shapes: Shape[][] } {
  const masses: BodyMass[][] = links.map(() => [])
  const shapes: Shape[][] = links.map(() => [])
  links.forEach((link, i) => {
    const own = carrier[i]!
    const pose: Pose = own === i ? IDENTITY_POSE : relativePose(placed[own]!.pose, placed[i]!.pose)
    if (link.mass !== null) masses[own]!.push(own === i ? link.mass : moveMass(pose, link.mass))
    for (const shape of link.shapes) {
      if (own === i) {
        shapes[own]!.push(shape)
        continue
      }
      const at = composePoses(pose, { position: shape.position ?? [0, 0, 0], orientation: shape.orientation ?? [0, 0, 0, 1] })
      shapes[own]!.push({ ...shape, position: at.position, orientation: at.orientation })
    }
  })
  return { masses: masses.map(list => list.length === 0 ? null : list.length === 1 ? list[0]! : addMasses(list)), shapes }
}

/** Visuals of each carrying link, in its own frame; empty if it shows its shapes. */
function visualsOf(draft: SceneDraft, links: readonly TreeLink[], placed: readonly PlacedLink[], carrier: readonly number[]): Visual[][] {
  const apart = new Set(links.flatMap(({ visuals }, i) => visuals === null || visuals.length === 0 ? [] : [carrier[i]!]))
  const found: Visual[][] = links.map(() => [])
  links.forEach((link, i) => {
    const own = carrier[i]!
    if (!apart.has(own)) return
    const seen = link.visuals ?? visualsOfShapes(link.shapes, draft)
    const pose = relativePose(placed[own]!.pose, placed[i]!.pose)
    found[own]!.push(...own === i ? seen : seen.map(visual => movedVisual(pose, visual)))
  })
  return found
}

function massOf(draft: SceneDraft, link: TreeLink, given: BodyMass, moving: boolean): Body['mass'] {
  const { mass, changes } = validMass(given)
  if (moving) for (const change of changes) draft.losses.add(link.where, 'This mass and inertia are not physically possible for a moving body', change)
  return { mass: mass.mass, centerOfMass: mass.centerOfMass, inertia: componentsOf(mass.inertia) }
}

function motionOf({ pose, velocity, angularVelocity }: PlacedLink, mass: BodyMass | null): { linearVelocity?: Vec3; angularVelocity?: Vec3 } {
  const center = toOuter(pose, mass?.centerOfMass ?? [0, 0, 0])
  const linear = add(velocity, cross(angularVelocity, sub(center, pose.position)))
  return {
    ...(length(linear) === 0 ? {} : { linearVelocity: linear }),
    ...(length(angularVelocity) === 0 ? {} : { angularVelocity }),
  }
}

/** Planes are allowed on static bodies only. */
function onlyAllowed(draft: SceneDraft, link: TreeLink, shapes: readonly Shape[], isStatic: boolean): Shape[] {
  if (isStatic) return [...shapes]
  return shapes.filter(shape => {
    if (shape.type !== 'halfSpace') return true
    draft.losses.add(link.where, 'A plane on a body that moves', 'the body without it')
    return false
  })
}
