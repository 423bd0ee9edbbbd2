/** The bodies of a model as a tree of links, with frames, replicas and attached models resolved and masses summed. */

import { IDENTITY_POSE, composePoses, toOuter, type Pose } from '../../../math/pose'
import { rotate } from '../../../math/quaternion'
import type { Vec3 } from '../../../math/vector'
import type { Shape } from '../../../scene'
import { FormatError } from '../../shared/error'
import type { SceneDraft } from '../../shared/draft'
import { attributeNumber, attributeNumbers, childrenOf, placeOfNode, type XmlNode } from '../../shared/read-xml'
import type { TreeJoint, TreeLink } from '../../shared/tree'
import { movedVisual } from '../../shared/visuals'
import { alignedFrame } from './align'
import { DISPLAY_ELEMENTS, reportUnknown } from './elements'
import { collidesAtAll, readGeom, type GeomAssets } from './geoms'
import { inertialOf } from './inertial'
import { readJoint } from './joints'
import { LinkLooks } from './link-looks'
import type { Textures } from './textures'
import { LinkMasses } from './link-masses'
import { orientationOf, poseBetween, poseOf } from './pose'
import type { Source } from './source'
import { colorOfGeom, isShown, type Surfaces } from './surfaces'

/** A model, possibly attached to another one with a name prefix. */
export interface Part extends GeomAssets {
  readonly source: Source
}

interface Context extends Part {
  readonly className: string
  readonly prefix: string
  readonly suffix: string
}

export interface Site extends Pose { readonly link: number }

const MAX_LINKS = 20_000
const MAX_DEPTH = 200

type OpenLink = { -readonly [K in keyof TreeLink]: TreeLink[K] } & { readonly joints: TreeJoint[]; readonly shapes: Shape[] }

export class Model {
  readonly links: OpenLink[] = []
  readonly sites = new Map<string, Site>()
  /** Suffixes that replicas append to the names of their sites, by the original name. */
  readonly replicas = new Map<string, string[]>()
  /** Link of each joint, and its index in the link. */
  readonly joints = new Map<string, { readonly link: number; readonly index: number }>()
  readonly bodies = new Map<string, number>()
  /** Link of each named collision geom, and its index among the link's shapes. */
  readonly shapes = new Map<string, { readonly link: number; readonly index: number }>()
  /** Coordinate of each joint in the reference configuration. */
  readonly references = new Map<TreeJoint, number>()
  /** Compensated share of a link's weight. */
  readonly gravityCompensation = new Map<number, number>()
  private readonly masses = new LinkMasses()
  private readonly shown: LinkLooks
  private readonly aligned = new Set<number>()
  private looks = 0
  /** The link of geoms in the world body; −1 if there are none. */
  worldLink = -1

  constructor(
    main: Part, private readonly attached: (file: string) => Part | null, private readonly draft: SceneDraft,
    private readonly surfaces: Surfaces, private readonly textures: Textures,
  ) {
    this.shown = new LinkLooks(draft)
    for (const world of childrenOf(main.source.root, 'worldbody')) {
      this.walk({ ...main, className: world.attributes.get('childclass') ?? 'main', prefix: '', suffix: '' }, world, -1, IDENTITY_POSE, 0)
    }
    this.shown.show(this.links)
    this.masses.weigh(this.links, main.source)
    for (const index of this.aligned) this.align(index)
    if (this.looks > 0) draft.losses.add('worldbody', `${this.looks} lights and cameras`, 'nothing: the editor has its own')
  }

  private walk(context: Context, node: XmlNode, link: number, frame: Pose, depth: number): void {
    if (depth > MAX_DEPTH) throw new FormatError('TooDeep', placeOfNode(node), 'Bodies and frames are nested too deeply.', { allowed: `at most ${MAX_DEPTH} levels` })
    for (const raw of node.children) this.child(context, raw, link, frame, depth)
  }

  private child(context: Context, raw: XmlNode, link: number, frame: Pose, depth: number): void {
    const { losses } = this.draft
    switch (raw.name) {
      case 'body':
        this.body(context, raw, link, frame, depth)
        return
      case 'frame': {
        reportUnknown(raw, losses)
        const className = raw.attributes.get('childclass') ?? context.className
        this.walk({ ...context, className }, raw, link, composePoses(frame, poseOf(context.source, raw)), depth + 1)
        return
      }
      case 'replicate':
        this.replicate(context, raw, link, frame, depth)
        return
      case 'attach':
        this.attach(context, raw, link, frame, depth)
        return
      case 'geom':
        this.geom(context, context.source.complete(raw, context.className), link, frame)
        return
      case 'joint':
      case 'freejoint':
        this.joint(context, context.source.complete(raw, context.className), link, frame)
        return
      case 'inertial':
        this.masses.state(link, inertialOf(context.source, raw, frame))
        return
      case 'site': {
        const site = context.source.complete(raw, context.className)
        const name = site.attributes.get('name')
        const ends = attributeNumbers(site, 'fromto', 6)
        if (name === undefined) return
        const pose = composePoses(frame, ends === null ? poseOf(context.source, site) : poseBetween(ends))
        // Name that the exporter gives a fixed joint, which has no element in MJCF.
        if (link >= 0 && name.endsWith(':weld')) this.links[link]!.weld = { name: named(context, name.slice(0, -':weld'.length)), anchor: pose.position }
        this.sites.set(named(context, name), { link, ...pose })
        if (context.suffix !== '') this.replicas.set(`${context.prefix}${name}`, [...this.replicas.get(`${context.prefix}${name}`) ?? [], context.suffix])
        return
      }
      default:
        if (DISPLAY_ELEMENTS.has(raw.name)) this.looks++
        else losses.add(placeOfNode(raw), `An element <${raw.name}>`, 'nothing')
    }
  }

  private body(context: Context, node: XmlNode, parent: number, frame: Pose, depth: number): void {
    const { losses } = this.draft
    reportUnknown(node, losses)
    if (this.links.length >= MAX_LINKS) throw new FormatError('TooMany', placeOfNode(node), 'There are too many bodies.', { allowed: `at most ${MAX_LINKS}` })
    const stated = node.attributes.get('name')
    const name = stated === undefined ? undefined : named(context, stated)
    const index = this.links.push({
      name, where: placeOfNode(node), parent, pose: composePoses(frame, poseOf(context.source, node)), joints: [], mass: null, shapes: [], visuals: null,
      kinematic: node.attributes.get('mocap') === 'true',
    }) - 1
    if (name !== undefined) this.bodies.set(name, index)
    const compensated = attributeNumber(node, 'gravcomp', 0)
    if (compensated !== 0) this.gravityCompensation.set(index, compensated)
    this.walk({ ...context, className: node.attributes.get('childclass') ?? context.className }, node, index, IDENTITY_POSE, depth + 1)
  }

  private geom(context: Context, node: XmlNode, link: number, frame: Pose): void {
    const { losses } = this.draft
    reportUnknown(node, losses)
    const { source } = context
    // Visual geoms have no material.
    const material = collidesAtAll(node) ? this.surfaces.of(source, node) : ''
    const { shape, mass, collides, surface } = readGeom(source, node, frame, context, material, losses)
    const at = link >= 0 ? link : this.world()
    const group = attributeNumber(node, 'group', 0)
    const [low, high] = (source.setting('inertiagrouprange', '0 5').split(/\s+/).map(Number)) as [number, number]
    if (link >= 0 && group >= low && group <= high) this.masses.addGeom(at, mass)
    if (shape !== null && collides) {
      const index = this.links[at]!.shapes.push(shape) - 1
      const name = node.attributes.get('name')
      if (name !== undefined) this.shapes.set(named(context, name), { link: at, index })
      this.surfaces.placed(node, shape, at, context.prefix, context.suffix)
    }
    if (shape === null) return
    if (isShown(source, node)) {
      const name = surface === null ? undefined : node.attributes.get('mesh')
      const pictured = this.textures.of(source, node, surface)
      const seen = { surface: pictured?.surface ?? surface, texture: pictured?.id ?? null }
      this.shown.add(at, { only: !collides, color: colorOfGeom(source, node), shape, ...seen, name })
    } else if (!collides) losses.add(placeOfNode(node), 'A geom without contacts that MuJoCo does not show', 'the body without it, but with its mass')
  }

  private world(): number {
    if (this.worldLink < 0) {
      this.worldLink = this.links.push({ name: 'world', where: 'worldbody', parent: -1, pose: IDENTITY_POSE, joints: [], mass: null, shapes: [], visuals: null, kinematic: false }) - 1
    }
    return this.worldLink
  }

  private joint(context: Context, node: XmlNode, link: number, frame: Pose): void {
    const { losses } = this.draft
    reportUnknown(node, losses)
    if (link < 0) throw new FormatError('InvalidValue', placeOfNode(node), 'The world has no joints.', { allowed: 'a joint inside a body' })
    const read = readJoint(context.source, node, losses)
    const stated = read.joint.name
    const joint: TreeJoint = {
      ...read.joint, name: stated === undefined ? undefined : named(context, stated),
      anchor: toOuter(frame, read.joint.anchor), axis: rotate(frame.orientation, read.joint.axis),
    }
    const owner = this.links[link]!
    if (joint.type === 'free' && owner.parent >= 0) throw new FormatError('InvalidValue', placeOfNode(node), 'A free joint inside another body.', { allowed: 'a body of the world' })
    const index = owner.joints.push(joint) - 1
    this.references.set(joint, read.reference)
    if (joint.name !== undefined) this.joints.set(joint.name, { link, index })
    const align = node.attributes.get('align') ?? 'auto'
    if (joint.type === 'free' && (align === 'true' || (align === 'auto' && node.name === 'freejoint' && context.source.flag('alignfree', false)))) this.aligned.add(link)
  }

  private replicate(context: Context, node: XmlNode, link: number, frame: Pose, depth: number): void {
    const count = attributeNumber(node, 'count', 0)
    if (!Number.isInteger(count) || count < 1 || count > MAX_LINKS) {
      throw new FormatError('InvalidValue', placeOfNode(node), `${count} replicas.`, { value: count, allowed: `1 to ${MAX_LINKS}` })
    }
    const step: Pose = { position: attributeNumbers(node, 'offset', 3) as unknown as Vec3 ?? [0, 0, 0], orientation: orientationOf(context.source, node) }
    const separator = node.attributes.get('sep') ?? ''
    const digits = String(count - 1).length
    let at = frame
    for (let k = 0; k < count; k++) {
      this.walk({ ...context, suffix: `${separator}${String(k).padStart(digits, '0')}${context.suffix}` }, node, link, at, depth + 1)
      at = composePoses(at, step)
    }
  }

  private attach(context: Context, node: XmlNode, link: number, frame: Pose, depth: number): void {
    const name = node.attributes.get('model') ?? ''
    const asset = context.source.asset('model', name)
    const part = asset === null ? null : this.attached(asset.attributes.get('file') ?? '')
    if (part === null) {
      this.draft.losses.add(placeOfNode(node), `The attached model "${name}" was not found`, 'nothing of it')
      return
    }
    const [kind, wanted] = node.attributes.has('frame') ? ['frame', node.attributes.get('frame')!] : ['body', node.attributes.get('body') ?? '']
    const found = wanted === '' ? null : findNamed(childrenOf(part.source.root, 'worldbody'), kind, wanted)
    if (found === null && wanted !== '') {
      throw new FormatError('UnknownReference', placeOfNode(node), `The model "${name}" has no ${kind} "${wanted}".`, { value: wanted })
    }
    const inner: Context = { ...part, className: 'main', prefix: `${context.prefix}${node.attributes.get('prefix') ?? ''}`, suffix: context.suffix }
    if (found !== null) this.child(inner, found, link, frame, depth + 1)
    else for (const world of childrenOf(part.source.root, 'worldbody')) this.walk(inner, world, link, frame, depth + 1)
    for (const section of ['equality', 'tendon', 'actuator', 'contact', 'keyframe']) {
      if (part.source.section(section).length > 0) this.draft.losses.add(placeOfNode(node), `The ${section} elements of the attached model`, 'nothing')
    }
  }

  /** Moves the frame of a free body without children to its centre of mass and principal axes, as `align` requires. */
  private align(index: number): void {
    const link = this.links[index]!
    if (link.mass === null || this.links.some(other => other.parent === index)) return
    const frame = alignedFrame(link.mass)
    const { shift, mass } = frame
    link.pose = composePoses(link.pose, shift)
    link.mass = mass
    for (const [k, shape] of link.shapes.entries()) {
      const at = composePoses(frame.inverse, { position: shape.position ?? [0, 0, 0], orientation: shape.orientation ?? [0, 0, 0, 1] })
      link.shapes[k] = { ...shape, position: at.position, orientation: at.orientation }
    }
    link.visuals = link.visuals?.map(visual => movedVisual(frame.inverse, visual)) ?? null
    for (const [name, site] of this.sites) if (site.link === index) this.sites.set(name, { link: index, ...composePoses(frame.inverse, site) })
    link.joints.splice(0, link.joints.length, ...link.joints.map(joint => {
      const moved = { ...joint, anchor: [0, 0, 0] as Vec3 }
      this.references.set(moved, this.references.get(joint) ?? 0)
      return moved
    }))
  }
}

const named = (context: Context, name: string): string => `${context.prefix}${name}${context.suffix}`

function findNamed(nodes: readonly XmlNode[], kind: string, name: string): XmlNode | null {
  for (const node of nodes) {
    if (node.name === kind && node.attributes.get('name') === name) return node
    const inside = findNamed(node.children, kind, name)
    if (inside !== null) return inside
  }
  return null
}
