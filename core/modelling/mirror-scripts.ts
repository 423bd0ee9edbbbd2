/**
 * Mirrors scripts of forces on mirrored bodies: the original reads a mirrored state, so that it computes the same numbers, and its forces are mirrored back.
 * The text of the original is unchanged, with the code of the image around it; mirroring again removes that code.
 */

import type { Scene, Script } from '../scene'
import { ModellingError } from './fault'
import { AXES, type MirrorImage } from './mirror-image'

const OPENING = '// Below stands the original; the code at the end mirrors what it sees and does.'
const TITLE = /^\/\/ Mirrored in the plane [xyz] = /

/**
 * @param mirrored ids of mirrored bodies and deformables
 * @param at position of the mirror along the axis, m
 * @throws ModellingError for a script that has no mirror image
 */
export function mirroredScripts(scene: Scene, mirrored: ReadonlySet<string>, { axis }: MirrorImage, at: number): Map<string, Script> {
  const changed = new Map<string, Script>()
  for (const force of scene.forces ?? []) {
    if (force.type !== 'script' || changed.has(force.script)) continue
    const script = scene.scripts?.find(({ id }) => id === force.script)
    if (!script || ![...mirrored].some(id => speaksOf(script.source, id))) continue
    checkScript(script, mirrored)
    const plane = `${AXES[axis]} = ${at}`
    changed.set(script.id, { ...script, source: withoutImage(script.source, plane) ?? withImage(script, AXES[axis], plane, at) })
  }
  return changed
}

const speaksOf = (source: string, id: string): boolean => ['\'', '"', '`'].some(quote => source.includes(quote + id + quote))

function checkScript({ id, source }: Script, mirrored: ReadonlySet<string>): void {
  const refused = (why: string) => new ModellingError('invalid', null, `Script "${id}" ${why}`)
  if (/export\s+(async\s+)?function\s+control\b|export\s+(const|let)\s+period\b/.test(source)) {
    throw refused('is a controller, which has no mirror image: forces by scripts and all other forces have one')
  }
  const own = source.split(MARK)[0]!
  const asked = [...own.matchAll(/\bbody\(\s*(?:(['"`])([A-Za-z0-9_.-]+)\1)?/g)]
  if (asked.some(([, , body]) => body === undefined)) throw refused('computes the ids of bodies: it can be mirrored with ids as literals, as in body(\'box\')')
  const other = asked.map(([, , body]) => body!).find(body => !mirrored.has(body))
  if (other !== undefined) throw refused(`refers to "${other}" as well, which is not mirrored: select it too`)
}

/** First line of the code around an original. */
const MARK = '\n// Mirror image: '

/** The original of a script that is its image in the same plane; null if the script is not such an image. */
function withoutImage(source: string, plane: string): string | null {
  const at = source.lastIndexOf(MARK)
  if (at < 0 || !source.startsWith(`// Mirrored in the plane ${plane}.`)) return null
  const original = source.slice(source.indexOf('\n', source.indexOf(OPENING)) + 1, at)
  return original.replace(new RegExp(`const original${depthOf(source) - 1 || ''} = `), 'export default ')
}

/** Number of images around an original. */
const depthOf = (source: string): number => source.split('\n').filter(line => TITLE.test(line)).length

function withImage({ id, source }: Script, axis: string, plane: string, at: number): string {
  const depth = depthOf(source)
  const n = depth === 0 ? '' : String(depth)
  const exported = /^export\s+default\s+/m
  if (!exported.test(source)) throw new ModellingError('invalid', null, `Script "${id}" has no "export default" at the start of a line, which its mirror image needs`)
  const [polar, axial, point] = (['polar', 'axial', 'point'] as const).map(kind => AXES.map(name => {
    if (kind === 'point' && name === axis) return `${2 * at} - ${name}`
    return (name === axis) === (kind === 'axial') ? name : `-${name}`
  }).join(', '))
  return `// Mirrored in the plane ${plane}.
${OPENING}
${source.replace(exported, `const original${n} = `)}${MARK}${plane}
export default function (ctx: ForceContext): void {
  original${n}({
    time: ctx.time, parameters: ctx.parameters, random: (key, every) => ctx.random(key, every), plot: (name, value) => ctx.plot(name, value), log: text => ctx.log(text),
    body: id => imageOfBody${n}(ctx.body(id)),
  })
}
function imageOfBody${n}(body: ForceBody): ForceBody {
  const polar = ([x, y, z]: ForceVector): ForceVector => [${polar}]
  const axial = ([x, y, z]: ForceVector): ForceVector => [${axial}]
  const point = ([x, y, z]: ForceVector): ForceVector => [${point}]
  const [x, y, z, w] = body.orientation
  return {
    id: body.id, exists: body.exists, mass: body.mass, position: point(body.position), centerOfMass: point(body.centerOfMass),
    orientation: [...axial([x, y, z]), w] as [number, number, number, number], linearVelocity: polar(body.linearVelocity), angularVelocity: axial(body.angularVelocity),
    velocityAt: p => polar(body.velocityAt(point(p))), applyForce: (force, p) => body.applyForce(polar(force), p && point(p)), applyTorque: torque => body.applyTorque(axial(torque)),
  }
}
`
}
