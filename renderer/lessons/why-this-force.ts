import type { Lesson } from './lesson'

export const whyThisForce: Lesson = {
  id: 'why-this-force', title: 'Why this force', about: 'All forces on one body, and how they sum to mass times acceleration.', example: 'Stack of ten',
  steps: [
    { text: 'Ten boxes stand on each other. Run them: Ctrl+Enter.', goal: { kind: 'run' }, workspace: 'inspect' },
    { text: 'Each contact carries the boxes above it. Contacts, sorted by force: the lowest carries ten weights, the highest one.', panel: 'contacts', goal: { kind: 'contact' } },
    { text: 'Select a body in the Outliner. The Inspector shows its force balance: gravity, every contact, and the closing polygon.', panel: 'inspector' },
    { text: 'The polygon closes where the body rests: the sum of all forces is m a, and a is zero. Nothing here is computed for display: these are the forces that were solved.' },
    { text: 'Accuracy tells how exact they are: penetration, complementarity and energy, for the frame that is shown.', panel: 'accuracy' },
  ],
}
