import { useMeasurements } from '../state/measurements'
import type { Command } from './registry'

export function measureCommands(): Command[] {
  const measurements = useMeasurements()
  const common = { menu: 'View', group: 'measure', submenu: 'Measure' } as const
  return [
    {
      ...common, id: 'measure.start', label: 'Distance, angle, length, area…', keys: ['M'], checked: () => measurements.active && measurements.mode === 'features',
      help: 'Click two vertices, edges, faces, circles, axes or bodies: shortest distance and angle. One by itself: length, area or radius.',
      run: () => measurements.active && measurements.mode === 'features' ? measurements.stop() : measurements.start(),
    },
    {
      ...common, id: 'measure.angle', label: 'Angle of three points…', keys: ['Shift+M'], checked: () => measurements.active && measurements.mode === 'angle',
      help: 'Click a point on one side, the corner, and a point on the other side: vertices, points of surfaces, centres, contacts, anchors, vertices of deformables.',
      run: () => measurements.active && measurements.mode === 'angle' ? measurements.stop() : measurements.start('point', 'angle'),
    },
    { ...common, id: 'measure.bodies', label: 'Distance of two bodies…', keys: ['Alt+M'], help: 'The true distance, with the nearest points: of the two selected bodies, or of two that you click.', run: () => measurements.bodies() },
    { ...common, id: 'measure.clear', label: 'Clear measurements', enabled: () => measurements.list.length > 0, run: () => measurements.clear() },
  ]
}
