import type { TestProject } from 'vitest/node'
import { build } from '../../bin/build.js'
import { findChromium } from '../../bin/chromium.js'

declare module 'vitest' {
  interface ProvidedContext {
    /** Path of a browser of the Chromium family, or null where there is none. */
    chromium: string | null
  }
}

/** Builds what the end-to-end tests drive, if a source is newer, and finds the browser that they use. */
export default async function setup(project: TestProject): Promise<void> {
  build()
  const chromium = await findChromium()
  if (chromium === undefined) console.warn('No Chromium: the end-to-end tests that need one are skipped.')
  project.provide('chromium', chromium ?? null)
}
