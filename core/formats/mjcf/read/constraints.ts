/** Equalities and tendons: loops become joints, couplings become gears, two-point tendons become springs and rods. */

import { relativePose, toInner, toOuter, type Pose } from '../../../math/pose'
import { conjugate, multiplyQuaternions } from '../../../math/quaternion'
import { distance, length, scale, sub, type Vec3 } from '../../../math/vector'
import { FormatError } from '../../shared/error'
import type { SceneDraft } from '../../shared/draft'
import { attributeNumbers, placeOfNode, type XmlNode } from '../../shared/read-xml'
import { unit } from '../../shared/rotations'
import type { PlacedLink } from '../../shared/tree'
import type { TreeBodies } from '../../shared/tree-scene'
import { reportUnknown } from './elements'
import type { Model } from './model'
import type { Source } from './source'
import { HALVES } from '../write/cut-loops'
import type { Halves } from './halves'

/** m and rad: tolerance for equal poses. */
const SAME = 1e-6

interface End { readonly link: number; readonly point: Vec3 }

export class Constraints {
  /** Bodies that the exporter cut in two to close a loop. */
  readonly halves: Halves[] = []

  constructor(
    private readonly source: Source, private readonly model: Model, private readonly draft: SceneDraft, private readonly bodies: TreeBodies,
    private readonly reference: readonly PlacedLink[], private readonly collides: (a: number, b: number) => boolean,
  ) {}

  read(): void {
    const connects = new Map<string, XmlNode[]>()
    const rods = new Map<string, XmlNode>()
    for (const raw of this.source.section('equality')) {
      const node = this.source.complete(raw, 'main')
      reportUnknown(node, this.draft.losses)
      if (node.attributes.get('active') === 'false') {
        this.draft.losses.add(placeOfNode(node), 'An inactive constraint', 'nothing')
        continue
      }
      if (node.name === 'connect') {
        const [a, b] = this.ends(node)
        const key = `${a.link} ${b.link} ${(node.attributes.get('name') ?? '').replace(/:[12]$/, '')}`
        connects.set(key, [...connects.get(key) ?? [], node])
      } else if (node.name === 'weld') {
        this.weld(node)
      } else if (node.name === 'joint') {
        this.gear(node)
      } else if (node.name === 'tendon' && !node.attributes.has('tendon2')) {
        rods.set(node.attributes.get('tendon1') ?? '', node)
      } else {
        this.draft.losses.add(placeOfNode(node), `An equality of kind ${node.name}`, 'nothing: its bodies or joints are not coupled')
      }
    }
    for (const nodes of connects.values()) this.connect(nodes)
    for (const raw of this.source.section('tendon')) for (const node of this.replicated(this.source.complete(raw, 'main'))) this.tendon(node, rods)
  }

  /** Tendons of replicated sites are replicated too. */
  private replicated(node: XmlNode): XmlNode[] {
    const name = node.children.map(child => child.attributes.get('site') ?? '').find(site => this.model.replicas.has(site) && !this.model.sites.has(site))
    if (name === undefined) return [node]
    const renamed = (one: XmlNode, attribute: string, suffix: string): XmlNode => {
      const value = one.attributes.get(attribute)
      const named = value === undefined || (attribute === 'site' && this.model.sites.has(value)) ? value : `${value}${suffix}`
      return named === undefined ? one : { ...one, attributes: new Map([...one.attributes, [attribute, named]]) }
    }
    return this.model.replicas.get(name)!.map(suffix => ({
      ...renamed(node, 'name', suffix), children: node.children.map(child => renamed(child, 'site', suffix)),
    }))
  }

  private link(name: string | undefined, node: XmlNode): number {
    if (name === undefined || name === 'world') return -1
    const index = this.model.bodies.get(name)
    if (index === undefined) throw new FormatError('UnknownReference', placeOfNode(node), `There is no body "${name}".`, { value: name })
    return index
  }

  private site(name: string | undefined, node: XmlNode): End {
    const site = this.model.sites.get(name ?? '')
    if (site === undefined) throw new FormatError('UnknownReference', placeOfNode(node), `There is no site "${name ?? ''}".`, { value: name })
    return { link: site.link, point: site.position }
  }

  private poseOf(link: number): Pose {
    return link < 0 ? { position: [0, 0, 0], orientation: [0, 0, 0, 1] } : this.bodies.placed[link]!.pose
  }

  /** Ends at two sites, or at an anchor in the first body and the coincident point of the second in the reference state. */
  private ends(node: XmlNode): [End, End] {
    if (node.attributes.has('site1')) return [this.site(node.attributes.get('site1'), node), this.site(node.attributes.get('site2'), node)]
    const [a, b] = [this.link(node.attributes.get('body1'), node), this.link(node.attributes.get('body2'), node)]
    const point = attributeNumbers(node, 'anchor', 3) as unknown as Vec3 | null ?? [0, 0, 0]
    const at = (link: number): Pose => link < 0 ? { position: [0, 0, 0], orientation: [0, 0, 0, 1] } : this.reference[link]!.pose
    return [{ link: a, point }, { link: b, point: toInner(at(b), toOuter(at(a), point)) }]
  }

  /** The scene's bodies of two links; null if they are one body, or both the world. */
  private joined(a: number, b: number, node: XmlNode): { bodyA: string | null; bodyB: string | null; collide?: true } | null {
    const [bodyA, bodyB] = [a, b].map(link => link < 0 ? null : this.bodies.bodyOf[link]!) as [string | null, string | null]
    if (bodyA === bodyB) {
      this.draft.losses.add(placeOfNode(node), 'It ties a body to itself', 'nothing')
      return null
    }
    return { bodyA, bodyB, ...(this.collides(a, b) ? { collide: true } : {}) }
  }

  private soft(node: XmlNode): void {
    if (node.attributes.has('solref') || node.attributes.has('solimp')) {
      this.draft.losses.add(placeOfNode(node), 'Its softness (solref, solimp)', 'a rigid constraint')
    }
  }

  /** Points with one common name, or without a name: one is a ball joint, two are a hinge, three a fixed joint. */
  private connect(nodes: readonly XmlNode[]): void {
    const node = nodes[0]!
    const points = nodes.map(one => {
      this.soft(one)
      const [a, b] = this.ends(one)
      const [p, q] = [toOuter(this.poseOf(a.link), a.point), toOuter(this.poseOf(b.link), b.point)]
      if (distance(p, q) > SAME) this.draft.losses.add(placeOfNode(one), `Its two points are ${distance(p, q)} m apart at the start, and would be pulled together`, 'a joint of the bodies at their initial poses')
      return p
    })
    const [a, b] = this.ends(node)
    const joined = this.joined(a.link, b.link, node)
    if (joined === null) return
    const name = node.attributes.get('name')
    const along = points.length > 1 ? sub(points[1]!, points[0]!) : [0, 0, 0] as Vec3
    if (points.length === 1 || length(along) < SAME) {
      this.draft.joint(name ?? 'connect', { type: 'ball', ...joined, anchor: points[0]! })
    } else if (points.length === 2) {
      this.draft.joint(name?.replace(/:1$/, '') ?? 'connect', { type: 'hinge', ...joined, anchor: points[0]!, axis: scale(along, 1 / length(along)) })
    } else {
      this.draft.joint(name ?? 'connect', { type: 'fixed', ...joined, anchor: points[0]! })
    }
  }

  private weld(node: XmlNode): void {
    this.soft(node)
    const bySite = node.attributes.has('site1')
    const [a, b] = bySite ? [this.site(node.attributes.get('site1'), node).link, this.site(node.attributes.get('site2'), node).link]
      : [this.link(node.attributes.get('body1'), node), this.link(node.attributes.get('body2'), node)]
    const relpose = attributeNumbers(node, 'relpose', 7)
    const now = relativePose(this.poseOf(a), this.poseOf(b))
    const turn = relpose === null ? null : unit([relpose[4]!, relpose[5]!, relpose[6]!, relpose[3]!])
    const start = turn === null ? relativePose(this.at(a), this.at(b)) : { position: relpose!.slice(0, 3) as unknown as Vec3, orientation: turn }
    const off = multiplyQuaternions(conjugate(start.orientation), now.orientation)
    if (!bySite && (distance(start.position, now.position) > SAME || length([off[0], off[1], off[2]]) > SAME)) {
      this.draft.losses.add(placeOfNode(node), 'Its relative pose differs from the initial one, so it would pull the bodies there', 'a fixed joint of the bodies at their initial poses')
    }
    const name = node.attributes.get('name')
    if (name !== undefined && name === `${node.attributes.get('body2')}${HALVES}` && a >= 0 && b >= 0) {
      const { parent } = this.model.links[b]!
      this.halves.push({ whole: this.bodies.bodyOf[a]!, half: this.bodies.bodyOf[b]!, touch: parent >= 0 && this.collides(parent, a) })
      return
    }
    const joined = this.joined(a, b, node)
    const point = attributeNumbers(node, 'anchor', 3) as unknown as Vec3 | null
    // The anchor is given in the second body.
    const anchor = bySite || point === null ? this.poseOf(b < 0 ? a : b).position : toOuter(this.poseOf(b), point)
    if (joined !== null) this.draft.joint(name ?? 'weld', { type: 'fixed', ...joined, anchor })
  }

  private at(link: number): Pose {
    return link < 0 ? { position: [0, 0, 0], orientation: [0, 0, 0, 1] } : this.reference[link]!.pose
  }

  private gear(node: XmlNode): void {
    this.soft(node)
    const where = placeOfNode(node)
    const id = (attribute: string): string | null => {
      const name = node.attributes.get(attribute)
      const place = name === undefined ? undefined : this.model.joints.get(name)
      return place === undefined ? null : this.bodies.jointIds[place.link]![place.index] ?? null
    }
    const [constant = 0, ratio = 1, ...higher] = attributeNumbers(node, 'polycoef') ?? [0, 1]
    const [jointA, jointB] = [id('joint1'), id('joint2')]
    if (jointA === null || (jointB === null && node.attributes.has('joint2')) || (jointB !== null && ratio === 0) || jointB === null) {
      this.draft.losses.add(where, 'A coupling of joints that a gear cannot represent', 'nothing: the joints are not coupled')
      return
    }
    if (constant !== 0) this.draft.losses.add(where, `Its offset ${constant}, to which the joints would be pulled`, 'a gear that keeps the initial positions of the joints')
    if (higher.some(value => value !== 0)) this.draft.losses.add(where, 'The terms of higher order of its polynomial', `a gear of ratio ${ratio}`)
    this.draft.joint(node.attributes.get('name') ?? 'gear', { type: 'gear', jointA, jointB, ratio })
  }

  private tendon(node: XmlNode, rods: ReadonlyMap<string, XmlNode>): void {
    const { losses } = this.draft
    const where = placeOfNode(node)
    const name = node.attributes.get('name')
    const number = (attribute: string) => attributeNumbers(node, attribute)?.[0] ?? 0
    const rod = name === undefined ? undefined : rods.get(name)
    if (node.name !== 'spatial' || node.children.length !== 2 || node.children.some(child => child.name !== 'site')) {
      losses.add(where, node.name === 'spatial' ? 'A tendon that wraps around a geom, or passes more than two sites' : 'A tendon of joints', 'nothing')
      return
    }
    const [a, b] = node.children.map(child => this.site(child.attributes.get('site'), child)) as [End, End]
    const world = [a, b].map(end => toOuter(this.poseOf(end.link), end.point)) as [Vec3, Vec3]
    if (rod !== undefined) {
      const joined = this.joined(a.link, b.link, node)
      if (joined !== null) this.draft.joint(rod.attributes.get('name') ?? name, { type: 'distance', ...joined, anchor: world[0], anchorB: world[1] })
      return
    }
    if (attributeNumbers(node, 'range', 2) !== null && node.attributes.get('limited') !== 'false') losses.add(where, 'The length limits of a tendon', 'no limit on the distance of its ends')
    if (number('frictionloss') > 0) losses.add(where, 'Friction of a tendon', 'none')
    const [stiffness, damping] = [number('stiffness'), number('damping')]
    if (stiffness === 0 && damping === 0) return
    const lengths = attributeNumbers(node, 'springlength') ?? [-1]
    const at = [a, b].map(end => toOuter(this.at(end.link), end.point)) as [Vec3, Vec3]
    const restLength = lengths[lengths.length - 1]! < 0 ? distance(at[0], at[1]) : lengths[lengths.length - 1]!
    if (lengths.length > 1 && lengths[0] !== lengths[1]) losses.add(where, `Its spring exerts no force between ${lengths[0]} m and ${lengths[1]} m`, `a spring of ${restLength} m that also pushes`)
    const [from, to] = [a, b].map((end, i) => this.pointOf(end.link, world[i]!)) as [{ id: string | null; point: Vec3 }, { id: string | null; point: Vec3 }]
    if (from.id === to.id) return
    this.draft.force(name ?? 'tendon', {
      type: 'spring', bodyA: from.id, pointA: from.point, bodyB: to.id, pointB: to.point, stiffness, ...(damping > 0 ? { damping } : {}), restLength,
    })
  }

  private pointOf(link: number, world: Vec3): { id: string | null; point: Vec3 } {
    const id = link < 0 ? null : this.bodies.bodyOf[link]!
    return id === null ? { id, point: world } : { id, point: toInner(this.poseOf(this.bodies.ownerOf[link]!), world) }
  }
}
