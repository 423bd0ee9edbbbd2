import { useDocument } from '../state/document'
import { useSelection } from '../state/selection'
import { useVertices } from '../state/vertices'
import type { Command } from './registry'

export function vertexCommands(): Command[] {
  const document = useDocument()
  const selection = useSelection()
  const vertices = useVertices()
  const wanted = () => selection.active !== null && document.element('deformables', selection.active) ? selection.active : null
  const common = { menu: 'Edit', group: 'vertices', submenu: 'Vertices' } as const
  const some = () => vertices.chosen.size > 0
  return [
    {
      ...common, id: 'edit.vertices', label: 'Edit vertices', keys: ['V'], help: 'Of the selected cloth, rope, hair or particles: click, drag a box or paint over them.',
      checked: () => vertices.isActive, enabled: () => vertices.isActive || wanted() !== null,
      run: () => vertices.isActive ? vertices.stop() : vertices.start(wanted()!),
    },
    { ...common, id: 'vertices.pin', label: 'Pin', help: 'Fixes the chosen vertices to the world at their positions.', enabled: some, run: () => vertices.pin() },
    { ...common, id: 'vertices.attach', label: 'Attach to a body…', help: 'Fixes the chosen vertices to the body that is clicked.', enabled: some, run: () => vertices.attach() },
    { ...common, id: 'vertices.control', label: 'Move on a path', help: 'Moves the chosen vertices on a path, which the inspector changes: keys, an ellipse or a loop.', enabled: some, run: () => vertices.control() },
    { ...common, id: 'vertices.behave', label: 'Draw to a condition', help: 'An energy that draws the chosen vertices to their place, distance, angle, volume or centre of mass; the inspector changes it.', enabled: some, run: () => vertices.condition(false) },
    { ...common, id: 'vertices.constrain', label: 'Constrain exactly', help: 'Keeps place, distance, angle, volume or centre of mass of the chosen vertices exactly; the inspector changes it.', enabled: some, run: () => vertices.condition(true) },
    {
      ...common, id: 'vertices.join', label: 'Join to another…', help: 'Keeps the distance, angle or volume of the chosen vertices and of a vertex of another deformable, or a point of a body, which is clicked.',
      enabled: () => some() && vertices.hasOthers, run: () => vertices.join(),
    },
    { ...common, id: 'vertices.release', label: 'Release', help: 'Removes pins, attachments and paths of the chosen vertices.', enabled: some, run: () => vertices.release() },
    {
      ...common, id: 'vertices.sew', label: 'Sew', help: 'Joins chosen vertices of a cloth that lie at the same position.',
      enabled: () => some() && vertices.deformable?.type === 'cloth', run: () => vertices.sewTogether(),
    },
    { ...common, id: 'vertices.unpick', label: 'Unpick', help: 'Removes the seams of the chosen vertices.', enabled: () => [...vertices.chosen].some(vertex => vertices.sewn.has(vertex)), run: () => vertices.takeSeamsOut() },
  ]
}
