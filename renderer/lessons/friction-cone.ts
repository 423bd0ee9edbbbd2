import type { Lesson } from './lesson'

export const frictionCone: Lesson = {
  id: 'friction-cone', title: 'Friction and its cone', about: 'Why a block stays on a slope, and what makes it slide.', example: 'Block on an incline',
  steps: [
    { text: 'A block lies on a slope. Run it: Ctrl+Enter.', goal: { kind: 'run' }, workspace: 'inspect' },
    { text: 'Contacts lists where the two touch. Select one of them, in the table or by a click on its point.', panel: 'contacts', goal: { kind: 'contact' } },
    { text: 'Friction used is the used share of the limit μ N. Below 100 % the contact sticks. View → Show → Friction cones draws the limit: the force has to stay inside.', panel: 'contact' },
    { text: 'Make it slide: in Compose, Materials, lower the static friction below the tangent of the slope’s angle.', workspace: 'compose', panel: 'materials', goal: { kind: 'change' } },
    { text: 'Run it again, and look at the contact: it slides, and the force lies on the cone itself.', goal: { kind: 'run' } },
    { text: 'A block stays exactly as long as tan θ ≤ μ. It does not depend on its mass: try that too.' },
  ],
}
