/** A channel in which marbles run: a floor between two walls, one body. */

import { block, entry, metres, refuse } from './entry'

export const channel = entry({
  id: 'channel', label: 'Channel', planar: false, help: 'A floor between two walls, open above and at both ends: a track for balls and carts.',
  fields: { length: metres('Length', 1), width: metres('Width inside', 0.1), height: metres('Height of the walls', 0.05), thickness: metres('Thickness', 0.01) },
  make: ({ length, width, height, thickness: t }, material) => {
    if (height <= t) refuse(`Height of the walls is ${height} m: allowed is more than the thickness, ${t} m`)
    return {
      bodies: [{
        id: 'channel', name: 'Channel', position: [0, 0, height / 2], shapes: [
          block([length, width, t], [0, 0, (t - height) / 2], material),
          ...[-1, 1].map(side => block([length, t, height], [0, side * (width + t) / 2, 0], material)),
        ],
      }],
    }
  },
})
