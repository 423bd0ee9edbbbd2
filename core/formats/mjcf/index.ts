/** MJCF, MuJoCo's scene format: XML, z up, wxyz quaternions, half sizes, degrees by default. */

import type { Format } from '../format'
import { importMjcf, importOptions, recognises } from './read'
import { exportMjcf } from './write'

export const mjcf: Format = {
  id: 'mjcf', label: 'MuJoCo (MJCF)',
  exporter: { extension: '.xml', options: [], run: exportMjcf },
  importer: { extensions: ['.xml', '.mjcf'], recognises, options: importOptions, run: importMjcf },
  motion: null,
}

export { exportMjcf, importMjcf }
