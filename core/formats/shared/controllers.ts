/** Which scripts are controllers, as far as their text says it: those that export `control`. */

import type { ResolvedScene } from '../../scene'

const CONTROL = /\bexport\s+(?:async\s+)?(?:function|const|let|var)\s+control\b|\bexport\s*\{[^}]*\bcontrol\b/

/** Whether a script in use sets joints from outside the dynamics, which other runtimes do through actuators. */
export function isControlled({ scripts, forces }: ResolvedScene): boolean {
  const used = new Set(forces.flatMap(force => force.type === 'script' ? [force.script] : []))
  return scripts.some(({ id, source }) => used.has(id) && CONTROL.test(source))
}
