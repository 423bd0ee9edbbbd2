/** Quantities of a live session that sliders change at once: joint drives, parameters that scripts read, and gravity. */

import { computed, shallowRef } from 'vue'
import { length } from '../../core/math/vector'
import type { Scene } from '../../core/scene'
import type { LiveInput } from '../../main/protocol/live'
import { driveSliders, type DriveSlider } from './live-drives'
import { parameterSliders, type ParameterSlider } from './live-parameters'
import { fieldOf, gravityOf, gravityParts as partsOf, type Field, type GravityPart } from './live-gravity'

const gravityAtStart = ({ gravity = [0, 0, -9.81], simulation }: Scene) => ({ gravity, planar: simulation?.dimensions === 2 })

/**
 * @param scene of the session; null without a session
 * @param send sends an input to the engine; false if no session receives it
 */
export function makeSliders(scene: () => Scene | null, send: (input: LiveInput) => boolean) {
  /** Drive values set by the user, by the slider's key. */
  const said = shallowRef<ReadonlyMap<string, number>>(new Map())
  /** Parameter values set by the user, by id. */
  const values = shallowRef<ReadonlyMap<string, number>>(new Map())
  /** Gravity set by the user; null: as in the scene. */
  const field = shallowRef<Field | null>(null)

  const sliders = computed<readonly DriveSlider[]>(() => {
    const of = scene()
    return of ? driveSliders(of, said.value) : []
  })
  /** Empty if the scene controls gravity by keys. */
  const gravityParts = computed<readonly GravityPart[]>(() => {
    const of = scene()
    if (!of || (field.value === null && (of.gravityKeys?.length ?? 0) > 0)) return []
    const { gravity, planar } = gravityAtStart(of)
    return partsOf(field.value ?? fieldOf(gravity, planar), length(gravity), planar)
  })

  const valueSliders = computed<readonly ParameterSlider[]>(() => {
    const of = scene()
    return of ? parameterSliders(of, values.value) : []
  })

  function setParameter({ id }: ParameterSlider, value: number) {
    if (send({ kind: 'parameter', parameter: id, value })) values.value = new Map(values.value).set(id, value)
  }
  function drive({ key, joint, coordinate, driven }: DriveSlider, value: number) {
    if (send({ kind: 'drive', joint, coordinate, driven, value })) said.value = new Map(said.value).set(key, value)
  }
  function setGravity(key: GravityPart['key'], value: number) {
    const of = scene()
    if (!of) return
    const { gravity, planar } = gravityAtStart(of)
    const next = { ...field.value ?? fieldOf(gravity, planar), [key]: value }
    if (send({ kind: 'gravity', gravity: gravityOf(next) })) field.value = next
  }
  /** Resets all sliders to the scene's values. */
  function resetSliders() {
    said.value = new Map()
    values.value = new Map()
    field.value = null
  }

  return { sliders, gravityParts, valueSliders, drive, setGravity, setParameter, resetSliders }
}
