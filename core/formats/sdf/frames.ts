/**
 * Frames of SDFormat [pose frame semantics]: every link, joint, frame and nested model has a name in its scope, a pose, and the name of the frame
 * that the pose is relative to. A scope is a world or a model; `a::b` is the frame b of the model a.
 */

import { composePoses, IDENTITY_POSE, relativePose, type Pose } from '../../math/pose'
import { FormatError } from '../shared/error'
import { placeOfNode, type XmlNode } from '../shared/read-xml'
import { at, poseValue, textOf } from './values'

interface Entry {
  readonly node: XmlNode
  readonly pose: Pose
  /** Empty for the scope's own frame. */
  readonly relativeTo: string
  /** For a frame: the element it is attached to. */
  readonly attachedTo: string
  readonly scope: Scope | null
}

export class Scope {
  private readonly entries = new Map<string, Entry>()
  readonly links: XmlNode[] = []
  readonly joints: XmlNode[] = []
  readonly models: Scope[] = []
  /** Pose in the parent's frame; the identity for a world. */
  private placed: Pose | null = null

  constructor(readonly node: XmlNode, readonly name: string, readonly parent: Scope | null, readonly isStatic: boolean) {}

  /** Names of the scopes from the outermost model to this one. */
  get path(): readonly string[] {
    return this.parent === null || this.node.name === 'world' ? this.node.name === 'world' ? [] : [this.name] : [...this.parent.path, this.name]
  }

  addLink(node: XmlNode): void {
    this.links.push(node)
    this.add(node, '', null)
  }

  addJoint(node: XmlNode): void {
    this.joints.push(node)
    this.add(node, textOf(at(node, 'child'), ''), null)
  }

  addFrame(node: XmlNode): void {
    this.add(node, node.attributes.get('attached_to') ?? '', null)
  }

  /** @param pose of the model; an include may override it */
  addModel(scope: Scope, pose: XmlNode | null): void {
    this.models.push(scope)
    this.entries.set(scope.name, { node: scope.node, pose: poseValue(pose), relativeTo: relativeTo(pose), attachedTo: '', scope })
  }

  private add(node: XmlNode, usually: string, scope: Scope | null): void {
    const name = node.attributes.get('name') ?? ''
    const pose = at(node, 'pose')
    const stated = relativeTo(pose)
    this.entries.set(name, { node, pose: poseValue(pose), relativeTo: stated === '' ? usually : stated, attachedTo: node.attributes.get('attached_to') ?? '', scope })
  }

  /** Pose of a frame of this scope in the scope's own frame. @throws FormatError for unknown names and cycles */
  poseOf(name: string, asked: readonly string[] = []): Pose {
    if (name === '' || name === '__model__' || (name === '__root__' && this.parent === null)) return IDENTITY_POSE
    if (name === 'world' || name === '__root__') return relativePose(this.inWorld(), IDENTITY_POSE)
    if (asked.includes(name)) throw new FormatError('UnknownReference', placeOfNode(this.node), `The pose of "${name}" is relative to itself, through ${asked.join(', ')}.`, { value: name })
    const [head, rest] = split(name)
    const entry = this.entries.get(head)
    if (entry === undefined) {
      if (this.parent?.entries.has(head) === true) return relativePose(this.inParent(), this.parent.poseOf(name))
      throw new FormatError('UnknownReference', placeOfNode(this.node), `There is no frame "${name}".`, { value: name, allowed: [...this.entries.keys()].slice(0, 20).join(', ') })
    }
    const own = entry.scope === null ? composePoses(this.poseOf(entry.relativeTo, [...asked, name]), entry.pose) : entry.scope.inParent([...asked, name])
    return rest === '' ? own : composePoses(own, entry.scope?.poseOf(rest) ?? IDENTITY_POSE)
  }

  /** This scope's frame in its parent's. */
  inParent(asked: readonly string[] = []): Pose {
    if (this.parent === null) return IDENTITY_POSE
    if (this.placed !== null) return this.placed
    const entry = this.parent.entries.get(this.name)!
    const given = composePoses(this.parent.poseOf(entry.relativeTo, asked), entry.pose)
    const placement = this.node.attributes.get('placement_frame') ?? ''
    // The pose is that of the placement frame.
    this.placed = placement === '' ? given : composePoses(given, relativePose(this.poseOf(placement), IDENTITY_POSE))
    return this.placed
  }

  inWorld(): Pose {
    return this.parent === null ? IDENTITY_POSE : composePoses(this.parent.inWorld(), this.inParent())
  }

  /** Resolves a pose element inside an element of this scope. @param usually default frame that it is relative to */
  resolve(pose: XmlNode | null, usually: string): Pose {
    const stated = relativeTo(pose)
    return composePoses(this.poseOf(stated === '' ? usually : stated), poseValue(pose))
  }

  /** The link to which a name is attached, as its scope and element; null for the world. @throws FormatError */
  linkOf(name: string, asked: readonly string[] = []): { readonly scope: Scope; readonly link: XmlNode } | null {
    if (name === 'world') return null
    if (asked.includes(name)) throw new FormatError('UnknownReference', placeOfNode(this.node), `"${name}" is attached to itself.`, { value: name })
    const [head, rest] = split(name)
    const entry = this.entries.get(head)
    if (entry === undefined) {
      if (head === '__model__') return this.canonical()
      if (this.parent?.entries.has(head) === true) return this.parent.linkOf(name)
      throw new FormatError('UnknownReference', placeOfNode(this.node), `There is no link "${name}".`, { value: name, allowed: [...this.entries.keys()].slice(0, 20).join(', ') })
    }
    if (entry.scope !== null) return rest === '' ? entry.scope.canonical() : entry.scope.linkOf(rest)
    switch (entry.node.name) {
      case 'link':
        return { scope: this, link: entry.node }
      case 'joint':
        return this.linkOf(textOf(at(entry.node, 'child'), ''), [...asked, name])
      default:
        return entry.attachedTo === '' ? this.node.name === 'world' ? null : this.canonical() : this.linkOf(entry.attachedTo, [...asked, name])
    }
  }

  private canonical(): { readonly scope: Scope; readonly link: XmlNode } | null {
    const named = this.node.attributes.get('canonical_link')
    if (named !== undefined && named !== '') return this.linkOf(named)
    const link = this.links[0]
    if (link !== undefined) return { scope: this, link }
    for (const model of this.models) {
      const found = model.canonical()
      if (found !== null) return found
    }
    return null
  }
}

/** Older versions call the attribute `frame`. */
function relativeTo(pose: XmlNode | null): string {
  return pose?.attributes.get('relative_to') ?? pose?.attributes.get('frame') ?? ''
}

function split(name: string): readonly [string, string] {
  const at = name.indexOf('::')
  return at < 0 ? [name, ''] : [name.slice(0, at), name.slice(at + 2)]
}

