/** URDF, the robot description of ROS: XML, z up, roll-pitch-yaw, full sizes, radians; a tree of links. */

import type { Format } from '../format'
import { importOptions, importUrdf, recognises } from './read'
import { exportUrdf } from './write'
import { exportOptions } from './write-geometry'

export const urdf: Format = {
  id: 'urdf', label: 'URDF (ROS)',
  exporter: { extension: '.urdf', options: exportOptions, run: exportUrdf },
  importer: { extensions: ['.urdf', '.xml'], recognises, options: importOptions, run: importUrdf },
  motion: null,
}

export { exportUrdf, importUrdf }
