/** Completions of the script editor in addition to TypeScript's: ids of this scene, and snippets. */

import type { Scene } from '../../core/scene'
import { bodiesOf, titleOf, typeOf } from '../state/scene-access'

export interface Completion {
  readonly label: string
  readonly insertText: string
  readonly detail: string
  readonly kind: number
  readonly snippet: boolean
}

interface Kinds { readonly Value: number; readonly Snippet: number }

const SNIPPETS: readonly { readonly label: string; readonly detail: string; readonly text: (body: string) => string }[] = [
  { label: 'push', detail: 'A force between two times', text: body => `const body = ctx.body('\${1:${body}}')\nif (ctx.time >= \${2:0} && ctx.time < \${3:1}) body.applyForce([\${4:1}, 0, 0])\n` },
  { label: 'spring to point', detail: 'A damped spring to a point of the world', text: body => `const body = ctx.body('\${1:${body}}')\nconst anchor = [\${2:0}, \${3:0}, \${4:2}]\nconst k = \${5:50}\nconst d = \${6:1}\nbody.applyForce([0, 1, 2].map(i => k * (anchor[i]! - body.centerOfMass[i]!) - d * body.linearVelocity[i]!) as unknown as ForceVector)\n` },
  { label: 'oscillating force', detail: 'A sine in time', text: body => `ctx.body('\${1:${body}}').applyForce([\${2:1} * Math.sin(2 * Math.PI * \${3:1} * ctx.time), 0, 0])\n` },
  { label: 'plot speed', detail: 'Shows the speed of a body', text: body => `ctx.plot('speed', Math.hypot(...ctx.body('\${1:${body}}').linearVelocity))\n` },
]

/** @param before the line up to the cursor */
export function scriptCompletions(before: string, scene: Scene, kinds: Kinds): readonly Completion[] {
  const bodies = bodiesOf(scene)
  if (/\.body\(\s*['"`][\w.-]*$/.test(before)) {
    return bodies.map(body => ({ label: body.id, insertText: body.id, detail: `${titleOf(body)}, ${typeOf(body)} body`, kind: kinds.Value, snippet: false }))
  }
  if (/\.joint\(\s*['"`][\w.-]*$/.test(before)) {
    return (scene.joints ?? []).map(joint => ({ label: joint.id, insertText: joint.id, detail: `${titleOf(joint)}, ${joint.type}`, kind: kinds.Value, snippet: false }))
  }
  if (/\.sensor\(\s*['"`][\w.-]*$/.test(before)) {
    return (scene.sensors ?? []).map(sensor => ({ label: sensor.id, insertText: sensor.id, detail: `${titleOf(sensor)}, ${sensor.type}`, kind: kinds.Value, snippet: false }))
  }
  if (!/^\s*\w*$/.test(before)) return []
  const first = bodies.find(body => typeOf(body) === 'dynamic')?.id ?? 'body'
  return SNIPPETS.map(one => ({ label: one.label, insertText: one.text(first), detail: one.detail, kind: kinds.Snippet, snippet: true }))
}
