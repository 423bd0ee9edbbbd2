import { inject } from 'vitest'
import { chromium as family, type Browser } from 'playwright-core'

/** The browser that setup found, or null: `describe.skipIf(!chromium)`. */
export const chromium = inject('chromium')

/** Starts a quiet headless browser (software drawing, no network of its own). */
export function launchChromium(): Promise<Browser> {
  if (chromium === null) throw new Error('No Chromium is installed.')
  return family.launch({
    executablePath: chromium,
    args: [
      '--no-sandbox', '--disable-dev-shm-usage', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking',
      '--disable-component-update', '--disable-sync', '--enable-unsafe-swiftshader',
    ],
  })
}
