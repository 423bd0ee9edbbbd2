/** Detects scripts that are controllers by their text: those that export `control`. */

import type { ResolvedScene } from '../../scene'

const CONTROL = /\bexport\s+(?:async\s+)?(?:function|const|let|var)\s+control\b|\bexport\s*\{[^}]*\bcontrol\b/

/** Whether a script controls joints; other runtimes use actuators for this. */
export function isControlled({ scripts, forces }: ResolvedScene): boolean {
  const used = new Set(forces.flatMap(force => force.type === 'script' ? [force.script] : []))
  return scripts.some(({ id, source }) => used.has(id) && CONTROL.test(source))
}
