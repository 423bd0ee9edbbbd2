import { EMPTY_SCENE } from '../state/scene-access'
import type { Lesson } from './lesson'

export const firstRamp: Lesson = {
  id: 'first-ramp', title: 'The first ramp', about: 'Build a scene from nothing, run it, and read a contact. By keys alone, if you like.',
  scene: { ...EMPTY_SCENE, name: 'My first ramp' },
  steps: [
    { text: 'A scene begins empty. Add the ground: press Shift+A, type “ground” and press Enter.', workspace: 'compose', goal: { kind: 'bodies', count: 1, shape: 'halfSpace' } },
    { text: 'Insert a ramp: press Shift+T, then Enter on Ramp. It is a fixed body: nothing moves it.', goal: { kind: 'bodies', count: 1, shape: 'convexHull' } },
    { text: 'Add a box: Shift+A, “box”, Enter. It is placed at the middle of the view.', goal: { kind: 'bodies', count: 1, shape: 'box' } },
    { text: 'Lift it over the ramp: F6 goes to the inspector, and Position z takes numbers and sums, such as 1.2 or += 0.5. Enter applies them.', goal: { kind: 'change' } },
    { text: 'Press Ctrl+Enter. The run is computed to its end and played once; Space plays it again.', goal: { kind: 'run' } },
    { text: 'Now look why: Alt+2 shows the contacts of the present time. Press End to see where the box came to rest, and its contacts with what holds it.', goal: { kind: 'panel', panel: 'contacts' } },
    { text: 'That is the whole way: build, run, ask why. Every number of a contact has an explanation under the pointer.' },
  ],
}
