/** Steps that rise along x. */

import { block, count, entry, metres } from './entry'

export const stairs = entry({
  id: 'stairs', label: 'Stairs', planar: true, help: 'Fixed: steps that rise along x.',
  fields: { steps: count('Steps', 6, 1, 100), going: metres('Going', 0.28, 'Depth of a step.'), rise: metres('Rise', 0.17), width: metres('Width', 1) },
  make: ({ steps, going, rise, width }, material) => ({
    bodies: [{
      id: 'stairs', name: 'Stairs', type: 'fixed', position: [0, 0, 0],
      shapes: Array.from({ length: steps }, (_, k) => block([going, width, rise * (k + 1)], [going * (k + 0.5 - steps / 2), 0, rise * (k + 1) / 2], material)),
    }],
  }),
})
