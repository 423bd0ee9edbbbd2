/**
 * WebAssembly kernels and their TypeScript twins, bundled as in the application: unbundled, every constant would be looked up in a module.
 *
 *   npm run bench -- kernels
 */

import { execFileSync } from 'node:child_process'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { bundle } from './support/bundle'

export default async function (): Promise<void> {
  const folder = join('node_modules/.cache', `cairn-kernels-bench-${process.pid}`)
  try {
    execFileSync(process.execPath, [await bundle('test/bench/support/kernel-times.ts', folder)], { stdio: 'inherit' })
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
