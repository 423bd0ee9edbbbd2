/** MJCF to a scene, as defined by MuJoCo's XML reference. The table of supported elements is in elements.ts. */

import { attributeNumbers, childrenOf } from '../../shared/read-xml'
import type { Vec3 } from '../../../math/vector'
import type { FormatFile, FormatOption, ImportResult, OptionValues, Resolve } from '../../format'
import { exceptPair, setCollision } from '../../shared/collision-classes'
import { SceneDraft } from '../../shared/draft'
import { MeshFiles } from '../../shared/meshes'
import { relativePath } from '../../shared/paths'
import { placeLinks, referenceState } from '../../shared/tree'
import { addTree, fixedLinksOption } from '../../shared/tree-scene'
import { textOf } from '../../shared/utf8'
import { readActuators } from './actuators'
import { Constraints } from './constraints'
import { meshFolder, readMeshes } from './geoms'
import { readHeightFields } from './height-fields'
import { joinHalves } from './halves'
import { findKey, stateOf } from './keyframes'
import { Model, type Part } from './model'
import { SensorReader } from './sensors'
import { readSource, type Source } from './source'
import { Surfaces } from './surfaces'
import { Textures } from './textures'

export const importOptions: readonly FormatOption[] = [
  fixedLinksOption,
  { id: 'keyframe', label: 'Start from keyframe', kind: 'text', default: 'initial', help: 'Name or number of a keyframe. Without a match the scene starts from the model\'s reference pose.' },
  { id: 'actuators', label: 'Servos and motors of actuators', kind: 'flag', default: true },
]

const MAX_MODELS = 64

export function recognises(file: FormatFile): boolean {
  return /\.(xml|mjcf)$/i.test(file.name) && /<mujoco[\s>]/.test(textOf(file.content).slice(0, 20_000))
}

export async function importMjcf(main: FormatFile, resolve: Resolve, options: OptionValues): Promise<ImportResult> {
  const draft = new SceneDraft()
  const missing = (name: string) => draft.missing(name)
  const files = new MeshFiles(resolve)
  const textures = new Textures(draft, files)
  const load = async (file: FormatFile): Promise<Part> => {
    const source = readSource(file, resolve, draft.losses, missing)
    const fields = readHeightFields(source, meshFolder(source), resolve, draft.losses, missing)
    return { source, meshes: await readMeshes(source, files, draft.losses, missing), fields }
  }
  const part = await load(main)
  const attached = await attachedModels(part.source, load, resolve, missing)
  const surfaces = new Surfaces(draft)
  const model = new Model(part, file => attached.get(file) ?? null, draft, surfaces, textures)
  const { source } = part
  const gravity = optionsOf(source, draft)
  const keys = source.section('keyframe')
  const wanted = String(options.keyframe)
  const key = findKey(keys, wanted)
  draft.note('Start', key === null ? 'the model\'s reference pose, at rest' : `keyframe "${wanted}"`)
  if (keys.length > (key === null ? 0 : 1)) draft.losses.add('keyframe', `${keys.length - (key === null ? 0 : 1)} other keyframes`, 'nothing')
  const state = stateOf(key, model.links, model.references)
  readActuators(source, model, draft, (key && attributeNumbers(key, 'ctrl')) ?? [], options.actuators === true)
  const excluded = exclusions(source, model)
  const isStatic = (index: number): boolean => {
    const link = model.links[index]
    return link === undefined || (link.joints.length === 0 && !link.kinematic && isStatic(link.parent))
  }
  const collides = (a: number, b: number): boolean => a >= 0 && b >= 0 && !excluded.has(pairKey(a, b))
  const paired = pairedBodies(source, model)
  const bodies = addTree(draft, model.links, state, {
    fixedLinks: options.fixedLinks === 'keep' ? 'keep' : 'fuse',
    // In MuJoCo a body passes through its parent, unless the parent is static.
    collide: (parent, child) => paired(parent, child) || (parent >= 0 && isStatic(parent) && collides(parent, child)),
  })
  const treeJoints = [...draft.joints]
  const constraints = new Constraints(source, model, draft, bodies, placeLinks(model.links, referenceState(model.links)), collides)
  constraints.read()
  setMasks(surfaces, bodies.bodyOf, draft)
  for (const halves of constraints.halves) joinHalves(draft, halves)
  setExclusions(excluded, bodies.bodyOf, draft)
  addCompensation(model, bodies.bodyOf, gravity, draft)
  surfaces.finish(childrenOf(source.root, 'contact').flatMap(node => childrenOf(node, 'pair')).map(node => source.complete(node, 'main')))
  new SensorReader(source, model, draft, bodies, treeJoints).read()
  textures.tellRest(source)
  tellSections(source, draft)
  draft.note('Units', 'metres, kilograms, seconds; z up')
  return draft.finish(source.root.attributes.get('model'), gravity)
}

async function attachedModels(
  source: Source, load: (file: FormatFile) => Promise<Part>, resolve: Resolve, missing: (name: string) => void,
): Promise<Map<string, Part>> {
  const found = new Map<string, Part>()
  const add = async (one: Source): Promise<void> => {
    for (const [key, node] of one.assets) {
      const file = node.attributes.get('file')
      if (!key.startsWith('model\n') || file === undefined || found.has(file) || found.size >= MAX_MODELS) continue
      const path = relativePath(file)
      const content = resolve(path)
      if (content === null) {
        missing(path)
        continue
      }
      const part = await load(content)
      found.set(file, part)
      await add(part.source)
    }
  }
  await add(source)
  return found
}

/** Reads gravity; reports a fluid medium, which the scene does not have. */
function optionsOf(source: Source, draft: SceneDraft): Vec3 {
  let gravity: Vec3 = [0, 0, -9.81]
  for (const node of childrenOf(source.root, 'option')) {
    gravity = (attributeNumbers(node, 'gravity', 3) as unknown as Vec3 | null) ?? gravity
    for (const name of ['density', 'viscosity', 'wind', 'magnetic']) {
      const values = attributeNumbers(node, name)
      if (name !== 'magnetic' && values?.some(value => value !== 0) === true) draft.losses.add(`option ${name}`, `A medium: ${name} ${values.join(' ')}`, 'a vacuum')
    }
    for (const flag of childrenOf(node, 'flag')) {
      if (flag.attributes.get('gravity') === 'disable') gravity = [0, 0, 0]
      for (const name of ['contact', 'constraint', 'equality', 'limit', 'frictionloss', 'passive', 'spring', 'damper', 'actuation']) {
        if (flag.attributes.get(name) === 'disable') draft.losses.add(`option flag ${name}`, `The model switches off "${name}"`, 'the feature is on')
      }
    }
  }
  return gravity
}

/** Two geoms touch if the contype of one matches the conaffinity of the other. */
function setMasks({ masks }: Surfaces, bodyOf: readonly (string | null)[], draft: SceneDraft): void {
  const kinds = new Map<string, Set<string>>()
  for (const [link, own] of masks) {
    const body = bodyOf[link]
    if (body === null || body === undefined) continue
    const known = kinds.get(body) ?? new Set<string>()
    for (const mask of own) known.add(mask)
    kinds.set(body, known)
  }
  const bits = (kind: string): [number, number] => kind.split(' ').map(Number) as [number, number]
  setCollision(draft, kinds, (a, b) => {
    const [[s, t], [u, v]] = [bits(a), bits(b)]
    return ((s & v) | (u & t)) !== 0
  })
}

const pairKey = (a: number, b: number): string => a < b ? `${a} ${b}` : `${b} ${a}`

function exclusions(source: Source, model: Model): ReadonlySet<string> {
  return new Set(source.section('contact').filter(node => node.name === 'exclude').map(node => {
    const [a, b] = ['body1', 'body2'].map(end => model.bodies.get(node.attributes.get(end) ?? '') ?? model.worldLink) as [number, number]
    return pairKey(a, b)
  }))
}

/** Excluded bodies pass through each other, whether or not they are joined. */
function setExclusions(excluded: ReadonlySet<string>, bodyOf: readonly (string | null)[], draft: SceneDraft): void {
  const apart = new Set(draft.joints.flatMap(joint => joint.type === 'gear' || joint.collide === true ? [] : [`${joint.bodyA} ${joint.bodyB}`, `${joint.bodyB} ${joint.bodyA}`]))
  for (const key of excluded) {
    const [a, b] = key.split(' ').map(link => bodyOf[Number(link)] ?? null) as [string | null, string | null]
    if (a === null || b === null || a === b || apart.has(`${a} ${b}`)) continue
    exceptPair(draft, a, b)
  }
}

/** Whether a pair of geoms of two links is requested by name; the exporter writes `body:shape`. */
function pairedBodies(source: Source, model: Model): (parent: number, child: number) => boolean {
  const pairs = new Set<string>()
  for (const node of source.section('contact')) {
    if (node.name !== 'pair') continue
    const [a, b] = ['geom1', 'geom2'].map(end => model.bodies.get((node.attributes.get(end) ?? '').replace(/:.*$/, ''))) as [number | undefined, number | undefined]
    if (a !== undefined && b !== undefined) pairs.add(pairKey(a, b))
  }
  return (parent, child) => pairs.has(pairKey(parent, child))
}

/** gravcomp compensates a share of a body's weight. */
function addCompensation(model: Model, bodyOf: readonly (string | null)[], gravity: Vec3, draft: SceneDraft): void {
  for (const [link, share] of model.gravityCompensation) {
    const body = bodyOf[link]
    const mass = model.links[link]!.mass?.mass ?? 0
    if (body === null || body === undefined || mass === 0 || gravity.every(value => value === 0)) continue
    draft.force(`${body}.gravcomp`, { type: 'uniform', bodies: [body], force: [-share * mass * gravity[0], -share * mass * gravity[1], -share * mass * gravity[2]] })
  }
}

function tellSections(source: Source, draft: SceneDraft): void {
  for (const section of ['deformable', 'extension']) if (source.section(section).length > 0) draft.losses.add(section, `The elements of <${section}>`, 'nothing')
}
