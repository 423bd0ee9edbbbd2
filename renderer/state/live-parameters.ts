/** Sliders for the scene's parameters in a live session: scripts read the new values at once. */

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
 * Parameters that scripts can read, except those that follow a formula or that the scene already controls by keys. Fields that depend on
 * parameters keep their values from the start of the session.
 * @param said values set by the user so far, by id
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
