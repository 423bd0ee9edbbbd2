/** OpenUSD with the UsdPhysics schemas: writes usda; reads usda, usdc and usdz. */

import type { Format } from '../format'
import { filmUsd } from './film'
import { isUsd } from './open'
import { importOptions, importUsd } from './read'
import { exportUsd } from './write'

export const usd: Format = {
  id: 'usda', label: 'OpenUSD (UsdPhysics)',
  exporter: { extension: '.usda', options: [], run: exportUsd },
  importer: { extensions: ['.usda', '.usdc', '.usd', '.usdz'], recognises: isUsd, options: importOptions, run: importUsd },
  motion: { extension: '.usda', options: [], run: filmUsd },
}
