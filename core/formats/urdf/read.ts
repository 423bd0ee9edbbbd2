/** URDF to a scene: one tree of links, metres, radians, z up. The format does not define how the root is held; this is an option, and noted. */

import { composePoses, type Pose } from '../../math/pose'
import type { FormatFile, FormatOption, ImportResult, OptionValues, Resolve } from '../format'
import { SceneDraft } from '../shared/draft'
import { FormatError } from '../shared/error'
import { MeshFiles } from '../shared/meshes'
import { attributeNumber, childOf, childrenOf, placeOfNode, readXml, type XmlNode } from '../shared/read-xml'
import { FREE, referenceState, type TreeJoint, type TreeLink, type TreeState } from '../shared/tree'
import { addTree, fixedLinksOption } from '../shared/tree-scene'
import { textOf } from '../shared/utf8'
import { jointsOf } from './joints'
import { colorOf, massOfLink, originOf, shapesOfLink, visualsOfLink, type LinkReading } from './links'

export const importOptions: readonly FormatOption[] = [
  {
    id: 'root', label: 'Root link', kind: 'choice', default: 'auto',
    choices: [{ id: 'auto', label: 'Fixed if it has no mass or is called world, otherwise free' }, { id: 'free', label: 'Free' }, { id: 'fixed', label: 'Fixed to the world' }],
    help: 'URDF has no pose of the robot in the world.',
  },
  fixedLinksOption,
  { id: 'height', label: 'Height of the root', kind: 'number', default: 0, unit: 'm', help: 'Height of the root link\'s frame above z = 0.' },
  { id: 'ground', label: 'Ground at z = 0', kind: 'flag', default: false },
  { id: 'hold', label: 'Drives hold their joints still', kind: 'flag', default: false, help: 'The largest force or torque is the effort in the file.' },
  { id: 'friction', label: 'Friction', kind: 'number', default: 0.5, least: 0, most: 10, help: 'For links without friction in the file.' },
]

export function recognises(file: FormatFile): boolean {
  const text = textOf(file.content).slice(0, 20_000)
  return /\.(urdf|xml)$/i.test(file.name) && /<robot[\s>]/.test(text)
}

interface Hung { readonly node: XmlNode; readonly parent: string; readonly child: string }

const isJoint = (node: XmlNode): boolean => node.name === 'joint' || node.name === 'drake:joint'
const nameOf = (node: XmlNode): string => node.attributes.get('name') ?? ''

export async function importUrdf(main: FormatFile, resolve: Resolve, options: OptionValues): Promise<ImportResult> {
  return importWithState(main, resolve, options, referenceState)
}

/** @param start initial state; the format itself has none */
export async function importWithState(
  main: FormatFile, resolve: Resolve, options: OptionValues, start: (links: readonly TreeLink[]) => TreeState,
): Promise<ImportResult> {
  const draft = new SceneDraft()
  const { root: robot, faults } = readXml(main)
  for (const { line, message } of faults) draft.losses.add(`${main.name}:${line}`, `This is not XML: ${message}`, 'read all the same')
  if (robot.name !== 'robot') throw new FormatError('MalformedFile', placeOfNode(robot), `The root element is <${robot.name}>.`, { allowed: '<robot>' })
  if (robot.children.some(node => node.name.startsWith('xacro:'))) {
    throw new FormatError('Unsupported', main.name, 'The file is written in xacro, from which URDF is generated.', { allowed: 'the URDF generated from it by xacro' })
  }
  const { order, hung } = treeOrder(robot)
  const reading = readingOf(robot, draft, new MeshFiles(resolve, path => draft.missing(path)), Number(options.friction))
  const links: TreeLink[] = []
  const root: Pose = { position: [0, 0, Number(options.height)], orientation: [0, 0, 0, 1] }
  const indices = new Map<string, number>()
  for (const link of order) {
    const name = nameOf(link)
    const by = hung.get(name)
    if (by === undefined && isWorld(link)) {
      indices.set(name, -1)
      continue
    }
    const held = by === undefined ? rootJoints(link, String(options.root), draft) : jointsOf(by.node, draft.losses, options.hold === true)
    const origin = by === undefined ? root : (indices.get(by.parent) ?? -1) < 0 ? composePoses(root, originOf(by.node)) : originOf(by.node)
    indices.set(name, links.push({
      name, where: placeOfNode(link), parent: by === undefined ? -1 : indices.get(by.parent) ?? -1, pose: origin, joints: held,
      mass: massOfLink(link), shapes: await shapesOfLink(link, reading), visuals: await visualsOfLink(link, reading), kinematic: false,
      ...(by === undefined || held.length > 0 ? {} : { weld: { name: nameOf(by.node), anchor: [0, 0, 0] } }),
    }) - 1)
  }
  tellRest(robot, draft)
  const bodies = addTree(draft, links, start(links), { fixedLinks: options.fixedLinks === 'keep' ? 'keep' : 'fuse', collide: () => false })
  addMimics(order, hung, indices, bodies.jointIds, draft)
  if (options.ground === true) addGround(draft, Number(options.friction))
  draft.note('Units', 'metres, kilograms, radians; z up')
  draft.note('Gravity', '9.81 m/s² downwards: the format has no gravity')
  draft.note('Friction', `${String(options.friction)} for links without friction in the file`)
  return draft.finish(robot.attributes.get('name'), [0, 0, -9.81])
}

/** An empty link named "world" is the world, whatever the option for the root. */
function isWorld(link: XmlNode): boolean {
  return /^world_*$/.test(nameOf(link)) && massOfLink(link) === null && childrenOf(link, 'collision').length === 0
}

/** Links, parents first and in file order; an undeclared parent "world" is the world. @throws FormatError */
function treeOrder(robot: XmlNode): { readonly order: readonly XmlNode[]; readonly hung: ReadonlyMap<string, Hung> } {
  const links = new Map<string, XmlNode>()
  for (const link of childrenOf(robot, 'link')) {
    const name = nameOf(link)
    if (name === '') throw new FormatError('MissingValue', placeOfNode(link), 'A link has no name.')
    if (links.has(name)) throw new FormatError('DuplicateName', placeOfNode(link), `There are two links "${name}".`, { ids: [name] })
    links.set(name, link)
  }
  if (links.size === 0) throw new FormatError('MissingValue', placeOfNode(robot), 'The robot has no links.')
  const hung = new Map<string, Hung>()
  const children = new Map<string, string[]>()
  for (const node of robot.children.filter(isJoint)) {
    const [parent, child] = ['parent', 'child'].map(end => childOf(node, end)?.attributes.get('link') ?? '') as [string, string]
    for (const name of [parent, child]) {
      if (links.has(name) || (name === 'world' && name === parent)) continue
      throw new FormatError('UnknownReference', placeOfNode(node), `There is no link "${name}".`, { value: name })
    }
    if (hung.has(child)) throw new FormatError('DuplicateName', placeOfNode(node), `The link "${child}" is the child of two joints; URDF is a tree.`, { ids: [child] })
    hung.set(child, { node, parent, child })
    children.set(parent, [...children.get(parent) ?? [], child])
  }
  const order: XmlNode[] = []
  const pending = [...links.keys()].filter(name => !hung.has(name) || (hung.get(name)!.parent === 'world' && !links.has('world'))).reverse()
  while (pending.length > 0) {
    const name = pending.pop()!
    order.push(links.get(name)!)
    pending.push(...(children.get(name) ?? []).reverse())
  }
  if (order.length < links.size) {
    const rest = [...links.keys()].filter(name => !order.includes(links.get(name)!)).slice(0, 10)
    throw new FormatError('InvalidValue', placeOfNode(robot), `The joints connect links in a circle: ${rest.join(', ')}.`, { ids: rest })
  }
  return { order, hung }
}

function rootJoints(link: XmlNode, wanted: string, draft: SceneDraft): TreeJoint[] {
  const fixed = wanted === 'fixed' || (wanted === 'auto' && (nameOf(link) === 'world' || massOfLink(link) === null))
  draft.note('Root link', `"${nameOf(link)}" ${fixed ? 'is fixed to the world' : 'moves freely'}`)
  return fixed ? [] : [{ name: undefined, where: placeOfNode(link), type: 'free', anchor: [0, 0, 0], axis: [0, 0, 1], freedom: FREE }]
}

function readingOf(robot: XmlNode, draft: SceneDraft, files: MeshFiles, friction: number): LinkReading {
  const colors = new Map<string, string>()
  const textures = new Map<string, string>()
  const inside = childrenOf(robot, 'link').flatMap(link => childrenOf(link, 'visual')).flatMap(visual => childrenOf(visual, 'material'))
  for (const material of [...childrenOf(robot, 'material'), ...inside]) {
    const color = colorOf(material)
    if (color !== null) colors.set(nameOf(material), color)
    const texture = childOf(material, 'texture')
    if (texture !== null) textures.set(nameOf(material), texture.attributes.get('filename') ?? '')
  }
  const frictionOf = new Map<string, number>()
  for (const node of childrenOf(robot, 'gazebo')) {
    const mu = childOf(node, 'mu1')
    const value = mu === null ? NaN : Number(mu.text !== '' ? mu.text : mu.attributes.get('value') ?? NaN)
    if (Number.isFinite(value) && value >= 0) frictionOf.set(node.attributes.get('reference') ?? '', value)
  }
  return { draft, files, colors, textures, friction, frictionOf }
}

/** Mimic joints, position = multiplier × the other's + offset: gears relative to the initial positions. */
function addMimics(
  order: readonly XmlNode[], hung: ReadonlyMap<string, Hung>, indices: ReadonlyMap<string, number>,
  jointIds: readonly (readonly (string | null)[])[], draft: SceneDraft,
): void {
  const idOf = new Map<string, string | null>()
  for (const { node, child } of hung.values()) idOf.set(nameOf(node), jointIds[indices.get(child)!]![0] ?? null)
  for (const link of order) {
    const by = hung.get(nameOf(link))
    const mimic = by === undefined ? null : childOf(by.node, 'mimic')
    if (by === undefined || mimic === null) continue
    const where = placeOfNode(by.node)
    const [jointA, jointB] = [idOf.get(nameOf(by.node)) ?? null, idOf.get(mimic.attributes.get('joint') ?? '') ?? null]
    const ratio = attributeNumber(mimic, 'multiplier', 1)
    const offset = attributeNumber(mimic, 'offset', 0)
    if (jointA === null || jointB === null || ratio === 0 || jointA === jointB) {
      draft.losses.add(where, `It mimics "${mimic.attributes.get('joint') ?? ''}", which a gear cannot represent`, 'a joint that moves freely')
      continue
    }
    if (offset !== 0) draft.losses.add(where, `Its mimic offset ${offset}`, 'a gear from the initial positions of the joints')
    draft.joint(`${nameOf(by.node)}.mimic`, { type: 'gear', jointA, jointB, ratio })
  }
}

function addGround(draft: SceneDraft, friction: number): void {
  const material = draft.material({ name: 'ground', friction: { static: friction, dynamic: friction } })
  draft.body('ground', { type: 'fixed', shapes: [{ type: 'halfSpace', normal: [0, 0, 1], offset: 0, material }] })
  draft.note('Ground', 'added at z = 0')
}

/** Reports elements other than links and joints, by kind. */
function tellRest(robot: XmlNode, draft: SceneDraft): void {
  const counts = new Map<string, number>()
  for (const node of robot.children) {
    if (['link', 'joint', 'drake:joint', 'material'].includes(node.name)) continue
    const onlyFriction = node.name === 'gazebo' && node.children.length > 0 && node.children.every(child => child.name === 'mu1')
    if (!onlyFriction) counts.set(node.name, (counts.get(node.name) ?? 0) + 1)
  }
  for (const [name, count] of counts) draft.losses.add(name, `${count} ${count === 1 ? 'element' : 'elements'} <${name}>`, name === 'gazebo' ? 'only their friction mu1' : 'nothing')
}

