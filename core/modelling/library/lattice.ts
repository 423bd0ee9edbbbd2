/** A grating of bars, standing in the plane y = 0. */

import { block, count, entry, metres } from './entry'

export const lattice = entry({
  id: 'lattice', label: 'Lattice', planar: true, help: 'A grating of square bars that stands upright.',
  fields: {
    columns: count('Openings across', 4, 1, 40), rows: count('Openings up', 3, 1, 40),
    opening: metres('Opening', 0.2, 'Clear, from bar to bar.'), bar: metres('Bar', 0.04, 'Thickness of the bars.'),
  },
  make: ({ columns, rows, opening, bar }, material) => {
    const pitch = opening + bar
    const [width, height] = [columns * pitch + bar, rows * pitch + bar]
    const rails = Array.from({ length: rows + 1 }, (_, r) => block([width, bar, bar], [0, 0, (bar - height) / 2 + r * pitch], material))
    const posts = Array.from({ length: rows * (columns + 1) }, (_, k) => {
      const [row, column] = [Math.floor(k / (columns + 1)), k % (columns + 1)]
      return block([bar, bar, opening], [(bar - width) / 2 + column * pitch, 0, bar + opening / 2 - height / 2 + row * pitch], material)
    })
    return { bodies: [{ id: 'lattice', name: 'Lattice', position: [0, 0, height / 2], shapes: [...rails, ...posts] }] }
  },
})
