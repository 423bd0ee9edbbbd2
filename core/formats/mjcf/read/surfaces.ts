/** Materials of geoms: friction by MuJoCo's rule of the larger coefficient, restitution from the contact spring, and colours. */

import { exp } from '../../../math/elementary'
import type { Shape } from '../../../scene'
import { hexOfSrgb } from '../../shared/colors'
import type { SceneDraft } from '../../shared/draft'
import { attributeNumber, attributeNumbers, placeOfNode, type XmlNode } from '../../shared/read-xml'
import type { Source } from './source'

interface Surface {
  /** Sliding, torsional and rolling coefficients, as stated. */
  readonly friction: readonly [number, number, number]
  readonly condim: number
  readonly restitution: number
  readonly name: string
}

/** With more materials of different friction, pairs are not written. */
const MAX_MATERIALS = 100

export class Surfaces {
  private readonly byId = new Map<string, Surface>()
  /** Material of each named geom. */
  private readonly geoms = new Map<string, string>()
  /** contype and conaffinity of the geoms of each link, as `type affinity`. */
  readonly masks = new Map<number, Set<string>>()

  constructor(private readonly draft: SceneDraft) {}

  /** Id of the material of a geom with its defaults filled in. */
  of(source: Source, node: XmlNode): string {
    const stated = attributeNumbers(node, 'friction') ?? []
    const friction = [stated[0] ?? 1, stated[1] ?? 0.005, stated[2] ?? 0.0001] as const
    const condim = attributeNumber(node, 'condim', 3)
    const restitution = reboundOf(attributeNumbers(node, 'solref') ?? [])
    const asset = node.attributes.get('material')
    const color = colorOfGeom(source, node)
    const surface: Surface = { friction, condim, restitution, name: asset ?? '' }
    const own = lawOf(surface, surface)
    const id = this.draft.material({
      ...(asset === undefined ? {} : { name: asset }), friction: own, restitution, ...(color === null ? {} : { color }), apart: [friction, condim].join(' '),
    })
    this.byId.set(id, surface)
    return id
  }

  /** Registers a shape for pairs and masks. */
  placed(node: XmlNode, shape: Shape, link: number, prefix: string, suffix: string): void {
    const name = node.attributes.get('name')
    if (name !== undefined) this.geoms.set(`${prefix}${name}${suffix}`, shape.material)
    const [type, affinity] = [attributeNumber(node, 'contype', 1), attributeNumber(node, 'conaffinity', 1)]
    const masks = this.masks.get(link) ?? new Set<string>()
    this.masks.set(link, masks.add(`${type} ${affinity}`))
    if (attributeNumber(node, 'margin', 0) > 0) this.draft.losses.add(placeOfNode(node), 'Its margin, at which contacts begin to push', 'contacts push where the surfaces touch')
  }

  /** Adds the material pairs that differ from the scene's rule. @param stated the `<pair>` elements */
  finish(stated: readonly XmlNode[]): void {
    const ids = [...this.byId.keys()]
    const pairs = new Map<string, { materials: [string, string]; friction: ReturnType<typeof lawOf>; restitution?: number }>()
    const key = (a: string, b: string) => a < b ? `${a}\n${b}` : `${b}\n${a}`
    if (ids.length <= MAX_MATERIALS) {
      for (const [i, a] of ids.entries()) {
        for (const b of ids.slice(i + 1)) {
          const friction = lawOf(this.byId.get(a)!, this.byId.get(b)!)
          const [s, t] = [lawOf(this.byId.get(a)!, this.byId.get(a)!), lawOf(this.byId.get(b)!, this.byId.get(b)!)]
          const same = s.static === t.static && s.static === friction.static && s.torsional === t.torsional && s.rolling === t.rolling
          if (!same) pairs.set(key(a, b), { materials: [a, b], friction })
        }
      }
    } else {
      this.draft.losses.add('geom', `${ids.length} materials, of which MuJoCo takes the larger friction`, 'the geometric mean of the two')
    }
    for (const node of stated) {
      const [a, b] = ['geom1', 'geom2'].map(end => this.geoms.get(node.attributes.get(end) ?? '')) as [string | undefined, string | undefined]
      if (a === undefined || b === undefined) continue
      const values = attributeNumbers(node, 'friction') ?? []
      const condim = attributeNumber(node, 'condim', 3)
      const friction = lawOf({ friction: [values[0] ?? 1, values[2] ?? 0.005, values[3] ?? 0.0001], condim, restitution: 0, name: '' })
      const law = { materials: [a, b] as [string, string], friction, restitution: reboundOf(attributeNumbers(node, 'solref') ?? []) }
      const known = pairs.get(key(a, b))
      if (known?.restitution !== undefined && JSON.stringify(known.friction) !== JSON.stringify(friction)) {
        this.draft.losses.add(placeOfNode(node), 'Pairs of geoms of the same materials have different friction', 'the first of them')
        continue
      }
      pairs.set(key(a, b), law)
    }
    for (const law of pairs.values()) this.draft.materialPairs.push(law)
  }
}

/** MuJoCo's rule: the larger dimension, and the larger of each coefficient. */
function lawOf(a: Surface, b: Surface = a): { static: number; dynamic: number; torsional?: number; rolling?: number } {
  const condim = Math.max(a.condim, b.condim)
  const [slide, spin, roll] = [0, 1, 2].map(k => Math.max(a.friction[k]!, b.friction[k]!)) as [number, number, number]
  const sliding = condim >= 3 ? slide : 0
  return {
    static: sliding, dynamic: sliding, ...(condim >= 4 && spin > 0 ? { torsional: spin } : {}), ...(condim >= 6 && roll > 0 ? { rolling: roll } : {}),
  }
}

/** Restitution of a spring and damper contact with damping ratio ζ: e = exp(−πζ/√(1 − ζ²)). */
function reboundOf(solref: readonly number[]): number {
  const [first, second] = solref
  if (first === undefined || second === undefined) return 0
  const ratio = first <= 0 && second <= 0 ? first === 0 ? 1 : -second / (2 * Math.sqrt(-first)) : second
  if (!(ratio < 1) || !(ratio >= 0)) return 0
  const e = exp(-Math.PI * ratio / Math.sqrt(1 - ratio * ratio))
  // Values below a hundredth are rounding errors of critically damped contacts.
  return e < 0.01 ? 0 : Math.round(e * 1e12) / 1e12
}

function rgbaOf(source: Source, node: XmlNode): readonly number[] | null {
  const asset = node.attributes.get('material')
  const colored = node.attributes.get('rgba') === undefined && asset !== undefined ? source.asset('material', asset) : node
  return colored === null ? null : attributeNumbers(colored, 'rgba', 4)
}

/** #rrggbb of a geom with its defaults filled in; null if not specified. */
export function colorOfGeom(source: Source, node: XmlNode): string | null {
  const rgba = rgbaOf(source, node)
  return rgba === null ? null : hexOfSrgb(rgba)
}

/** MuJoCo shows the first groups by default. */
const SHOWN_GROUPS = 3

/** Whether MuJoCo shows a geom by default. */
export function isShown(source: Source, node: XmlNode): boolean {
  return attributeNumber(node, 'group', 0) < SHOWN_GROUPS && rgbaOf(source, node)?.[3] !== 0
}
