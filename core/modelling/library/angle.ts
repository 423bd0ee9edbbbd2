/** An L of two legs. */

import { block, entry, metres, refuse } from './entry'

export const angle = entry({
  id: 'angle', label: 'L', planar: true, help: 'Two legs at a right angle.',
  fields: { foot: metres('Foot', 0.5), height: metres('Height', 0.5), thickness: metres('Thickness', 0.1), width: metres('Width', 0.2) },
  make: ({ foot, height, thickness, width }, material) => {
    if (thickness >= Math.min(foot, height)) refuse(`Thickness is ${thickness} m: allowed is less than both legs, ${Math.min(foot, height)} m`)
    return {
      bodies: [{
        id: 'angle', name: 'L', position: [0, 0, height / 2], shapes: [
          block([foot, width, thickness], [0, 0, (thickness - height) / 2], material),
          block([thickness, width, height - thickness], [(thickness - foot) / 2, 0, thickness / 2], material),
        ],
      }],
    }
  },
})
