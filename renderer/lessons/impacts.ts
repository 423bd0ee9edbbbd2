import type { Lesson } from './lesson'

export const impacts: Lesson = {
  id: 'impacts', title: 'Impacts and events', about: 'Exact instants: who hits whom, and how hard.', example: 'Newton’s cradle',
  steps: [
    { text: 'Five balls hang in a row. Run them: Ctrl+Enter.', goal: { kind: 'run' }, workspace: 'inspect' },
    { text: 'Events lists every impact with its exact time and impulse. The key ] goes to the next one.', panel: 'events', goal: { kind: 'panel', panel: 'events' } },
    { text: 'At an impact velocities jump; positions do not. Step by frames with , and . around one of them.' },
    { text: 'Which law holds when several balls touch is a choice: in Compose, with nothing selected, Simulation → Event-driven → Impacts has three. Choose another one.', workspace: 'compose', panel: 'inspector', goal: { kind: 'change' } },
    { text: 'Run it again, and compare the two in Runs.', goal: { kind: 'run' } },
    { text: 'Pair after pair gives the cradle of the textbooks; all at once is what stiff, touching bodies do.' },
  ],
}
