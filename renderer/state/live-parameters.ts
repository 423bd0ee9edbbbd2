/** Parameters of a session's scene as sliders: scripts see at once what they are set to. */

import type { Scene } from '../../core/scene'
import { hasFormula, sliderOf } from './parameters'

export interface ParameterSlider {
  readonly id: string
  readonly label: string
  readonly unit: string
  readonly value: number
  readonly min: number
  readonly max: number
}

/**
 * Those that a script may read, but none that follows a formula or is led by keys of the scene already: fields have taken their numbers before the session.
 * @param said what the person has set so far, by id
 */
export function parameterSliders(scene: Scene, said: ReadonlyMap<string, number>): ParameterSlider[] {
  const used = new Set((scene.forces ?? []).flatMap(force => force.type === 'script' ? force.script : []))
  const sources = (scene.scripts ?? []).filter(({ id }) => used.has(id)).map(({ source }) => source)
  return (scene.parameters ?? []).flatMap((parameter): ParameterSlider[] => {
    const { id, name, unit = '', value = 0, keys = [] } = parameter
    const isRead = sources.some(source => source.includes('parameters') && source.includes(id))
    if (!isRead || hasFormula(parameter) || (keys.length > 0 && !said.has(id))) return []
    const { min, max } = sliderOf(parameter)
    return [{ id, label: name ?? id, unit, value: said.get(id) ?? value, min, max }]
  })
}
