/**
 * Friction and restitution in MJCF. MuJoCo uses the larger friction of two geoms, has one coefficient instead of two, and no restitution. A geom gets
 * the law of contacts within its own material; pairs of materials that differ from MuJoCo's rule get explicit `<pair>`s.
 */

import { log } from '../../../math/elementary'
import { combineMaterials, pairOf, type ContactMaterial, type ResolvedJoint, type ResolvedScene } from '../../../scene'
import type { Loss } from '../../format'
import { exceptedPairs, type CollisionClasses } from '../../shared/collision-classes'
import { element, type XmlElement } from '../../shared/write-xml'

/** Geoms in document order, with the data that determines their contacts. */
export interface GeomEntry {
  readonly name: string
  readonly body: number
  readonly material: string
}

/** With more pairs the file would be unusable. */
const MAX_PAIRS = 20_000
/** rad/s: natural frequency √k of a rebounding contact; the rebound lasts about π/√k seconds. */
const REBOUND_RATE = 500

export interface ContactElements {
  readonly elements: readonly XmlElement[]
  readonly losses: readonly Loss[]
}

/** The contact law of a material with itself, which its geoms get. */
export function geomLaw(scene: ResolvedScene): (material: string) => XmlElement['attributes'] {
  const laws = pairLaws(scene)
  return material => attributesOf(laws(material, material), 'geom')
}

function attributesOf(law: ContactMaterial, of: 'geom' | 'pair'): XmlElement['attributes'] {
  return {
    condim: law.rolling > 0 ? 6 : law.torsional > 0 ? 4 : law.static > 0 ? 3 : 1,
    friction: of === 'geom' ? [law.static, law.torsional, law.rolling] : [law.static, law.static, law.torsional, law.rolling, law.rolling],
    ...(law.restitution > 0 ? { solref: reboundLaw(law.restitution) } : {}),
  }
}

/**
 * @param joints that decide which bodies may touch
 * @param moving indices of the bodies that MuJoCo can move: it rejects pairs of two static bodies
 * @param classes collision classes: an explicit pair of geoms would override them
 */
export function contactElements(
  scene: ResolvedScene, geoms: readonly GeomEntry[], joints: readonly ResolvedJoint[], moving: ReadonlySet<number>,
  classes: CollisionClasses | null,
): ContactElements {
  const losses: Loss[] = []
  const elements: XmlElement[] = []
  const joined = joinedBodies(joints)
  for (const [key, collide] of joined) {
    const [body1, body2] = key.split('\n') as [string, string]
    if (!collide) elements.push(element('exclude', { body1, body2 }))
  }
  for (const [body1, body2] of exceptedPairs(scene.bodies)) {
    if (joined.get([body1, body2].sort().join('\n')) !== false) elements.push(element('exclude', { body1, body2 }))
    joined.set([body1, body2].sort().join('\n'), false)
  }
  const laws = pairLaws(scene)
  const byMaterial = new Map<string, number[]>()
  const byBody = new Map<string, number[]>()
  geoms.forEach((geom, i) => {
    append(byMaterial, geom.material, i)
    append(byBody, scene.bodies[geom.body]!.id, i)
  })
  const moves = (i: number): boolean => moving.has(geoms[i]!.body)
  let left = MAX_PAIRS
  let cut = false
  const done = new Set<string>()
  const pair = (i: number, j: number): void => {
    const [a, b] = i < j ? [geoms[i]!, geoms[j]!] : [geoms[j]!, geoms[i]!]
    const key = `${a.name}\n${b.name}`
    if (a.body === b.body || (!moves(i) && !moves(j)) || done.has(key) || classes?.touch[classes.of[a.body]!]![classes.of[b.body]!] === false) return
    if (left-- <= 0) {
      cut = true
      return
    }
    done.add(key)
    elements.push(element('pair', { geom1: a.name, geom2: b.name, ...attributesOf(laws(a.material, b.material), 'pair') }))
  }
  // In MuJoCo joined bodies pass through each other, unless their geoms are paired.
  for (const [key, collide] of joined) {
    const [first, second] = key.split('\n') as [string, string]
    if (collide) for (const i of byBody.get(first) ?? []) for (const j of byBody.get(second) ?? []) pair(i, j)
  }
  losses.push(...unpairedLosses(scene, joints, moving))
  const used = [...byMaterial.keys()]
  const kinds = kindsOf(scene)
  const kindsUsed = new Map(used.map(id => [kinds.get(id)!, id]))
  const departsFromRule = (m: string, n: string): boolean => !followsRule(laws(m, n), laws(m, m), laws(n, n))
  /** By kind: the kinds whose mutual contacts differ from MuJoCo's rule. */
  const departing = new Map([...kindsUsed].map(([kind, m]) => [kind, new Set([...kindsUsed].filter(([, n]) => departsFromRule(m, n)).map(([other]) => other))]))
  const pairMaterials = (m: string, n: string): void => {
    for (const i of byMaterial.get(m)!) {
      for (const j of byMaterial.get(n)!) {
        if (cut) return
        const together = joined.get([scene.bodies[geoms[i]!.body]!.id, scene.bodies[geoms[j]!.body]!.id].sort().join('\n'))
        if (together !== false) pair(i, j)
      }
    }
  }
  for (const [p, m] of used.entries()) {
    const others = departing.get(kinds.get(m)!)!
    if (others.size === 0) continue
    for (let q = p + 1; q < used.length && !cut; q++) if (others.has(kinds.get(used[q]!)!)) pairMaterials(m, used[q]!)
  }
  if (cut) losses.push({ path: 'materialPairs', message: `More than ${MAX_PAIRS} pairs of geoms need coefficients of their own`, instead: `the first ${MAX_PAIRS} of them` })
  losses.push(...materialLosses(scene))
  if (used.length > 0) losses.push({ path: 'simulation', message: 'Resting bodies penetrate slightly in MuJoCo: its contacts are springs', instead: 'its default contact springs' })
  return { elements, losses }
}

/** Reports contact properties that MuJoCo lacks, by material and pair of materials. */
function materialLosses({ materials, materialPairs }: ResolvedScene): Loss[] {
  const of = (path: string, friction: { readonly static?: number; readonly dynamic?: number } | undefined, restitution = 0): Loss[] => [
    ...(friction?.static === friction?.dynamic ? []
      : [{ path: `${path}.friction.dynamic`, message: 'MuJoCo has one coefficient of friction', instead: 'the static coefficient' }]),
    ...(restitution === 0 ? [] : [{
      path: `${path}.restitution`, message: 'MuJoCo has no coefficient of restitution', instead: 'a damped spring (solref) with about the same rebound',
    }]),
  ]
  return [
    ...materials.flatMap((material, i) => of(`materials[${i}]`, material.friction, material.restitution)),
    ...materialPairs.flatMap((pair, i) => of(`materialPairs[${i}]`, pair.friction, pair.restitution)),
  ]
}

function append(lists: Map<string, number[]>, key: string, value: number): void {
  const list = lists.get(key)
  if (list === undefined) lists.set(key, [value])
  else list.push(value)
}

/** Whether MuJoCo's rule gives this law for the two materials: the larger friction, and equal springs. */
function followsRule(law: ContactMaterial, m: ContactMaterial, n: ContactMaterial): boolean {
  return law.static === Math.max(m.static, n.static) && law.torsional === Math.max(m.torsional, n.torsional) && law.rolling === Math.max(m.rolling, n.rolling)
    && m.restitution === n.restitution && law.restitution === m.restitution
}

/** Reports joints with collisions between two bodies that MuJoCo never moves: it rejects a pair of these. */
function unpairedLosses(scene: ResolvedScene, joints: readonly ResolvedJoint[], moving: ReadonlySet<number>): Loss[] {
  const places = new Map(scene.bodies.map(({ id }, i) => [id, i]))
  const still = (id: string | null): boolean => id !== null && !moving.has(places.get(id)!)
  return joints.flatMap(joint => {
    if (joint.type === 'gear' || !joint.collide || !still(joint.bodyA) || !still(joint.bodyB)) return []
    const index = scene.joints.findIndex(({ id }) => id === joint.id)
    return [{ path: `joints[${index}].collide`, message: 'MuJoCo has no contacts between two bodies that are fixed or kinematic', instead: 'they pass through each other' }]
  })
}

/** Pairs of joined bodies, and whether they may touch: only if all their joints allow it. */
function joinedBodies(joints: readonly ResolvedJoint[]): Map<string, boolean> {
  const joined = new Map<string, boolean>()
  for (const joint of joints) {
    if (joint.type === 'gear' || joint.bodyA === null || joint.bodyB === null) continue
    const key = [joint.bodyA, joint.bodyB].sort().join('\n')
    joined.set(key, (joined.get(key) ?? true) && joint.collide)
  }
  return joined
}

/** Groups materials with identical laws, so that ten thousand materials of equal friction are one kind. */
function kindsOf(scene: ResolvedScene): ReadonlyMap<string, string> {
  const apart = new Set(scene.materialPairs.flatMap(({ materials }) => materials))
  return new Map(scene.materials.map(({ id, friction: { static: s, dynamic, torsional, rolling }, restitution }) =>
    [id, JSON.stringify([s, dynamic, torsional, rolling, restitution, ...(apart.has(id) ? [id] : [])])]))
}

type Laws = (a: string, b: string) => ContactMaterial

function pairLaws(scene: ResolvedScene): Laws {
  const materials = new Map(scene.materials.map(material => [material.id, material]))
  const known = new Map<string, ContactMaterial>()
  return (a, b) => {
    const key = `${a}\n${b}`
    let law = known.get(key)
    if (law === undefined) {
      law = combineMaterials(materials.get(a)!, materials.get(b)!, pairOf(scene.materialPairs, a, b))
      known.set(key, law)
    }
    return law
  }
}

/** solref "−k −b" of a spring and damper per unit of effective mass that gives a restitution of e. */
function reboundLaw(e: number): readonly number[] {
  const l = -log(Math.max(e, 1e-6))
  const ratio = l / Math.sqrt(Math.PI * Math.PI + l * l)
  return [-REBOUND_RATE * REBOUND_RATE, -2 * ratio * REBOUND_RATE]
}
