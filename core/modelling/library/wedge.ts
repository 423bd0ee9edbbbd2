/** A ramp: half of a box, cut along a diagonal. */

import { across, entry, metres } from './entry'

export const wedge = entry({
  id: 'wedge', label: 'Wedge', planar: true, help: 'Half of a box: it rises along x.',
  fields: { length: metres('Length', 1), width: metres('Width', 0.5), height: metres('Height', 0.4) },
  make: ({ length, width, height }, material) => {
    const [x, z] = [length / 2, height / 2]
    return { bodies: [{ id: 'wedge', name: 'Wedge', position: [0, 0, z], shapes: [across([[-x, -z], [x, -z], [x, z]], width, material)] }] }
  },
})
