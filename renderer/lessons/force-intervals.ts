import type { Body, Scene } from '../../core/scene'
import type { Lesson } from './lesson'

const post = (id: string, x: number): Body =>
  ({ id, type: 'fixed', position: [x, 0, 0.25], shapes: [{ type: 'box', size: [0.1, 0.3, 0.5], material: 'oak' }] })

/** A beam on three supports: the distribution of its weight is indeterminate. */
const scene: Scene = {
  format: 'cairn-scene', version: 1, name: 'Beam on three posts', materials: [{ id: 'oak', name: 'Oak', density: 700, friction: { static: 0.5, dynamic: 0.4 }, color: '#c39a6b' }],
  bodies: [post('left', -0.9), post('middle', 0), post('right', 0.9), { id: 'beam', name: 'Beam', position: [0, 0, 0.55], shapes: [{ type: 'box', size: [2, 0.2, 0.1], material: 'oak' }] }],
  simulation: { duration: 0.5, method: 'event-driven' },
}

export const forceIntervals: Lesson = {
  id: 'force-intervals', title: 'Force intervals', about: 'Forces that rigid-body mechanics does not determine, and their bounds.', scene,
  steps: [
    { text: 'A beam lies on three posts. Two would do. Run it: Ctrl+Enter.', goal: { kind: 'run' }, workspace: 'inspect' },
    { text: 'Select a contact of the middle post, in the table or in the view.', panel: 'contacts', goal: { kind: 'contact' } },
    { text: 'Its force interval runs from zero to a share of the weight: any of these forces gives the same motion, and a rigid beam does not determine which.', panel: 'contact' },
    { text: 'The sum is certain: the Inspector’s force balance of the beam closes for any shares.', panel: 'inspector', select: ['beam'] },
    { text: 'Delete the middle post in Compose, and run again.', workspace: 'compose', goal: { kind: 'bodies', count: 3 } },
    { text: 'Run it: with two posts the total at each of them is certain.', goal: { kind: 'run' } },
    { text: 'Where forces are not unique, Cairn shows this and gives their bounds; other simulators show one of them without a note.' },
  ],
}
