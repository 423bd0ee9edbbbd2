/** Tools with a bar below the picture: one at a time, since their bars take the same place and they all take clicks. */

import { computed, watch, type ComputedRef } from 'vue'
import { useCut } from '../state/cut'
import { useMeasurements } from '../state/measurements'
import { useSketch } from '../state/sketch'
import { useVertices } from '../state/vertices'
import { useWind } from '../state/wind'

/** A tool that begins ends the others. @returns whether one is in use */
export function useOneTool(): ComputedRef<boolean> {
  const [cut, measurements, sketch, vertices, wind] = [useCut(), useMeasurements(), useSketch(), useVertices(), useWind()]
  const tools = [
    ...[cut, measurements, wind].map(tool => ({ isUsed: () => tool.active, stop: () => tool.stop() })),
    { isUsed: () => sketch.tool !== null, stop: () => sketch.stop() },
    { isUsed: () => vertices.isActive, stop: () => vertices.stop() },
  ]
  for (const tool of tools) {
    watch(tool.isUsed, used => {
      if (used) for (const other of tools) if (other !== tool && other.isUsed()) other.stop()
    }, { flush: 'sync' })
  }
  return computed(() => tools.some(({ isUsed }) => isUsed()))
}
