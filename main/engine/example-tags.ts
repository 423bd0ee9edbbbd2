/** Tags of an example, derived from the contents of its scene. */

interface Contents {
  readonly bodies?: readonly { readonly type?: string; readonly shapes?: readonly { readonly type: string }[] }[]
  readonly joints?: readonly Readonly<Record<string, unknown>>[]
  readonly deformables?: readonly { readonly type: string }[]
  readonly forces?: readonly { readonly type: string }[]
  readonly scripts?: readonly { readonly source: string }[]
  readonly sensors?: readonly unknown[]
  readonly parameters?: readonly unknown[]
  readonly materials?: readonly { readonly restitution?: number }[]
  readonly materialPairs?: readonly { readonly restitution?: number }[]
  readonly simulation?: { readonly dimensions?: number; readonly method?: string }
}

const CURVED: ReadonlySet<string> = new Set(['sphere', 'capsule', 'cylinder', 'cone', 'ellipsoid', 'superquadric', 'implicit', 'parametric'])
const DRIVES = ['motor', 'servo', 'drive']
/** Restitution from which a rebound is visible. */
const REBOUND = 0.3

const TAGS: readonly (readonly [string, (scene: Contents) => boolean])[] = [
  ['cloth and ropes', ({ deformables = [] }) => deformables.length > 0],
  ['joints', ({ joints = [] }) => joints.length > 0],
  ['motors', ({ joints = [] }) => joints.some(joint => [joint, joint.rotation, joint.translation, joint.rotationA, joint.rotationB]
    .some(part => typeof part === 'object' && part !== null && DRIVES.some(key => key in part)))],
  ['curved shapes', ({ bodies = [] }) => bodies.some(({ shapes = [] }) => shapes.some(({ type }) => CURVED.has(type)))],
  ['meshes', ({ bodies = [] }) => bodies.some(({ shapes = [] }) => shapes.some(({ type }) => type === 'mesh'))],
  ['impacts', ({ materials = [], materialPairs = [] }) => [...materials, ...materialPairs].some(({ restitution = 0 }) => restitution >= REBOUND)],
  ['controllers', ({ scripts = [] }) => scripts.some(({ source }) => /export\s+(const|let)\s+period\b/.test(source))],
  ['scripts', ({ scripts = [] }) => scripts.some(({ source }) => /export\s+default\b/.test(source))],
  ['sensors', ({ sensors = [] }) => sensors.length > 0],
  ['parameters', ({ parameters = [] }) => parameters.length > 0],
  ['two dimensions', ({ simulation }) => simulation?.dimensions === 2],
  ['many bodies', ({ bodies = [] }) => bodies.filter(({ type = 'dynamic' }) => type === 'dynamic').length > 15],
]

/** @param scene the parsed text of its file */
export function tagsOf(scene: unknown): string[] {
  return TAGS.filter(([, shows]) => shows(scene as Contents)).map(([tag]) => tag)
}
