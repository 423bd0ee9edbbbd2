import { useMeasurements } from '../state/measurements'
import type { Command } from './registry'

export function measureCommands(): Command[] {
  const measurements = useMeasurements()
  const common = { menu: 'View', group: 'measure', submenu: 'Measure' } as const
  return [
    { ...common, id: 'measure.points', label: 'Distance of two points…', keys: ['M'], help: 'Corners and edges attract; the points go along with their bodies.', run: () => measurements.points('points') },
    { ...common, id: 'measure.angle', label: 'Angle of three points…', keys: ['Shift+M'], run: () => measurements.points('angle') },
    { ...common, id: 'measure.bodies', label: 'Distance of two bodies…', keys: ['Alt+M'], help: 'The true distance, with the nearest points: of the two selected bodies, or of two that you click.', run: () => measurements.bodies() },
    { ...common, id: 'measure.clear', label: 'Clear measurements', enabled: () => measurements.list.length > 0, run: () => measurements.clear() },
  ]
}
