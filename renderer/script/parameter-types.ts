/** TypeScript declarations of the scene's parameters: `ctx.parameters` has one property for each. */

import type { Parameter } from '../../core/scene'

export function parameterTypes(parameters: readonly Parameter[]): string {
  return `interface SceneParameters {\n${parameters.map(one => `  /** ${explained(one)} */\n  readonly ${JSON.stringify(one.id)}: number\n`).join('')}}\n`
}

function explained({ id, name, unit, value = 0, min, max, keys = [] }: Parameter): string {
  const range = min === undefined && max === undefined ? [] : [`from ${min ?? '−∞'} to ${max ?? '∞'}`]
  const text = [`${name ?? id} = ${value}${unit ? ` ${unit}` : ''}`, ...range, ...keys.length === 0 ? [] : ['changes at its keys']].join(', ')
  // A name may contain the end of a comment.
  return text.replaceAll('*/', '* /')
}
