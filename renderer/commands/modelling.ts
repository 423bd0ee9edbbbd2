import { isPlanar } from '../modelling/plane'
import { useCut } from '../state/cut'
import { useDocument } from '../state/document'
import { mirrorSelection } from '../state/mirror'
import { useSelection } from '../state/selection'
import { useShell } from '../state/shell'
import type { Command } from './registry'

/** Commands that make new bodies from the selected ones. */
export function modellingCommands(): Command[] {
  const cut = useCut()
  const document = useDocument()
  const selection = useSelection()
  const shell = useShell()
  const common = { menu: 'Edit', group: 'model', submenu: 'Model' } as const
  return [
    {
      ...common, id: 'model.cut', label: 'Cut by a plane…', keys: ['K'], help: 'Cuts each selected body in two. Joints, springs and sensors go to the half with their point.',
      checked: () => cut.active, enabled: () => cut.active || selection.bodies.length > 0, run: () => cut.active ? cut.stop() : cut.start(),
    },
    {
      ...common, id: 'model.hull', label: 'Hull of the selection…', help: 'The convex hull of the selected bodies, in their place or beside them.',
      enabled: () => selection.bodies.length > 0, run: () => { shell.dialog = 'hull' },
    },
    ...([0, 1, 2] as const).map((axis): Command => ({
      ...common, id: `model.mirror.${'xyz'[axis]}`, label: `Mirror along ${'xyz'[axis]}`, help: 'Mirrors the selected bodies in a plane through their common centre, with their joints, forces, sensors and deformables.',
      enabled: () => selection.bodies.length > 0 && !(axis === 1 && isPlanar(document.scene)), run: () => mirrorSelection(axis),
    })),
  ]
}
