/** The tree of worlds and models of a file, with its includes resolved [SDFormat: include]. */

import type { FormatFile, Resolve } from '../format'
import type { SceneDraft } from '../shared/draft'
import { FormatError } from '../shared/error'
import { folderOf, isRemote, relativePath } from '../shared/paths'
import { childOf, childrenOf, placeOfNode, readXml, type XmlNode } from '../shared/read-xml'
import { Scope } from './frames'
import { at, booleanOf, textOf } from './values'

const MAX_DEPTH = 64
const MAX_INCLUDES = 10_000

/** The outermost scope: the first world, or an implicit world around the models of a file without one. */
export function readScopes(root: XmlNode, resolve: Resolve, draft: SceneDraft): Scope {
  return new ScopeReader(resolve, draft).top(root)
}

class ScopeReader {
  private includes = 0
  private readonly files = new Map<string, XmlNode | null>()

  constructor(private readonly resolve: Resolve, private readonly draft: SceneDraft) {}

  top(root: XmlNode): Scope {
    const worlds = childrenOf(root, 'world')
    for (const other of worlds.slice(1)) this.draft.losses.add(placeOfNode(other), 'a second world', 'the first one only')
    const world = worlds[0] ?? { ...root, name: 'world', attributes: new Map() }
    const scope = new Scope(world, '', null, false)
    this.fill(scope, world, [])
    if (childrenOf(world, 'actor').length > 0) this.draft.losses.add(placeOfNode(world), 'actors', 'nothing')
    return scope
  }

  private fill(scope: Scope, node: XmlNode, open: readonly string[]): void {
    if (open.length > MAX_DEPTH) throw new FormatError('TooDeep', placeOfNode(node), 'Included models are nested too deeply.', { allowed: `at most ${MAX_DEPTH} levels` })
    for (const child of node.children) {
      switch (child.name) {
        case 'link':
          scope.addLink(child)
          break
        case 'joint':
          scope.addJoint(child)
          break
        case 'frame':
          scope.addFrame(child)
          break
        case 'model':
          this.model(scope, child, at(child, 'pose'), child.attributes.get('name') ?? '', scope.isStatic || booleanOf(at(child, 'static'), false), open)
          break
        case 'include':
          this.include(scope, child, open)
      }
    }
  }

  private model(parent: Scope, node: XmlNode, pose: XmlNode | null, name: string, isStatic: boolean, open: readonly string[]): void {
    const scope = new Scope(node, name, parent, isStatic)
    parent.addModel(scope, pose)
    this.fill(scope, node, [...open, placeOfNode(node)])
  }

  private include(parent: Scope, include: XmlNode, open: readonly string[]): void {
    const uri = textOf(at(include, 'uri'), '')
    const lose = (message: string): void => this.draft.losses.add(placeOfNode(include), message, 'nothing')
    if (++this.includes > MAX_INCLUDES) throw new FormatError('TooMany', placeOfNode(include), 'The file includes too many models.', { allowed: `at most ${MAX_INCLUDES}` })
    if (isRemote(uri)) {
      lose(`"${uri}" is a network address; files are not downloaded`)
      return
    }
    const found = this.find(uri, include)
    if (found === null) {
      lose(`the model "${uri}" was not found`)
      return
    }
    if (open.includes(placeOfNode(found))) throw new FormatError('UnknownReference', placeOfNode(include), `"${uri}" includes itself.`, { value: uri })
    const model = childOf(found, 'model')
    if (model === null) {
      lose(`"${uri}" contains no model`)
      return
    }
    const name = textOf(at(include, 'name'), model.attributes.get('name') ?? '')
    const isStatic = parent.isStatic || booleanOf(at(include, 'static'), booleanOf(at(model, 'static'), false))
    const placement = textOf(at(include, 'placement_frame'), '')
    const placed = placement === '' ? model : { ...model, attributes: new Map([...model.attributes, ['placement_frame', placement]]) }
    if (include.attributes.get('merge') === 'true') this.draft.losses.add(placeOfNode(include), 'a model that is merged into another', 'a model within the other')
    this.model(parent, placed, at(include, 'pose') ?? at(model, 'pose'), name, isStatic, [...open, placeOfNode(found)])
  }

  /** The `sdf` element of a model's file: the given file, or model.sdf in the given folder. */
  private find(uri: string, include: XmlNode): XmlNode | null {
    const path = relativePath(uri, folderOf(include.file), placeOfNode(include))
    const known = this.files.get(path)
    if (known !== undefined) return known
    const names = /\.(sdf|world|xml)$/i.test(path) ? [path] : [`${path}/model.sdf`]
    let file: FormatFile | null = null
    for (const name of names) file ??= this.resolve(name)
    if (file === null) this.draft.missing(names[0]!)
    const root = file === null ? null : readXml(file).root
    this.files.set(path, root)
    return root
  }
}
