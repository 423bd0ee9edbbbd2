/**
 * Friction and restitution in MJCF. MuJoCo combines two geoms' friction by the larger, has one coefficient instead of two, and no restitution:
 * wherever that differs from what the scene says, the two geoms get an explicit `<pair>`.
 */

import { log } from '../../math/elementary'
import { combineMaterials, pairOf, type ContactMaterial, type ResolvedScene } from '../../scene'
import type { Loss } from '../format'
import { element, type XmlElement } from '../xml'

/** Geoms in the order of the document, with what decides about their contacts. */
export interface GeomEntry {
  readonly name: string
  readonly body: number
  readonly material: string
}

/** Beyond this many pairs the file would be of no use. */
const MAX_PAIRS = 20_000
/** rad/s: stiffness of a rebounding contact, √k; the rebound lasts about π/√k seconds. */
const REBOUND_RATE = 500

export interface ContactElements {
  readonly elements: readonly XmlElement[]
  readonly losses: readonly Loss[]
}

export function contactElements(scene: ResolvedScene, geoms: readonly GeomEntry[]): ContactElements {
  const losses: Loss[] = []
  const elements: XmlElement[] = []
  const joined = new Map<string, boolean>()
  for (const joint of scene.joints) {
    if (joint.type === 'gear' || joint.bodyA === null || joint.bodyB === null) continue
    const key = [joint.bodyA, joint.bodyB].sort().join('\n')
    joined.set(key, (joined.get(key) ?? false) || joint.collide)
  }
  for (const [key, collide] of joined) {
    const [body1, body2] = key.split('\n') as [string, string]
    if (!collide) elements.push(element('exclude', { body1, body2 }))
  }
  const laws = pairLaws(scene)
  let written = 0
  let rebounds = false
  let split = false
  for (let i = 0; i < geoms.length; i++) {
    for (let j = i + 1; j < geoms.length; j++) {
      const [a, b] = [geoms[i]!, geoms[j]!]
      const [bodyA, bodyB] = [scene.bodies[a.body]!, scene.bodies[b.body]!]
      if (a.body === b.body || (bodyA.type !== 'dynamic' && bodyB.type !== 'dynamic')) continue
      const together = joined.get([bodyA.id, bodyB.id].sort().join('\n'))
      if (together === false) continue
      const law = laws(a.material, b.material)
      split ||= law.static !== law.dynamic
      rebounds ||= law.restitution > 0
      const larger = Math.max(laws(a.material, a.material, true).static, laws(b.material, b.material, true).static)
      if (law.static === larger && law.restitution === 0 && together === undefined) continue
      if (++written > MAX_PAIRS) continue
      elements.push(element('pair', {
        geom1: a.name, geom2: b.name, condim: law.static === 0 ? 1 : law.rolling > 0 ? 6 : law.torsional > 0 ? 4 : 3,
        friction: [law.static, law.static, law.torsional, law.rolling, law.rolling],
        ...(law.restitution > 0 ? { solref: reboundLaw(law.restitution) } : {}),
      }))
    }
  }
  if (written > MAX_PAIRS) {
    losses.push({ path: 'materialPairs', message: `${written} pairs of geoms need coefficients of their own`, instead: `the first ${MAX_PAIRS} of them` })
  }
  if (split) losses.push({ path: 'materials', message: 'MuJoCo has one coefficient of friction', instead: 'the static coefficient' })
  if (rebounds) {
    losses.push({ path: 'materials', message: 'MuJoCo has no coefficient of restitution', instead: 'a damped spring (solref) that rebounds by about as much' })
  }
  return { elements, losses }
}

type Laws = (a: string, b: string, alone?: boolean) => ContactMaterial

function pairLaws(scene: ResolvedScene): Laws {
  const materials = new Map(scene.materials.map(material => [material.id, material]))
  const known = new Map<string, ContactMaterial>()
  return (a, b, alone = false) => {
    const key = `${a}\n${b}\n${alone}`
    let law = known.get(key)
    if (law === undefined) {
      law = combineMaterials(materials.get(a)!, materials.get(b)!, alone ? null : pairOf(scene.materialPairs, a, b))
      known.set(key, law)
    }
    return law
  }
}

/** solref "−k −b" of a spring and damper, per unit of effective mass, whose rebound speed is e times the approach speed. */
function reboundLaw(e: number): readonly number[] {
  const l = -log(Math.max(e, 1e-6))
  const ratio = l / Math.sqrt(Math.PI * Math.PI + l * l)
  return [-REBOUND_RATE * REBOUND_RATE, -2 * ratio * REBOUND_RATE]
}
