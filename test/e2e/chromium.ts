import { inject } from 'vitest'
import { chromium as family, type Browser, type BrowserContextOptions, type Page } from 'playwright-core'

/** The browser that setup found, or null: `describe.skipIf(!chromium)`. */
export const chromium = inject('chromium')

/** Features that Playwright disables; `--disable-features` given here replaces its list. */
const offByPlaywright = [
  'AvoidUnnecessaryBeforeUnloadCheckSync', 'DestroyProfileOnBrowserClose', 'HttpsUpgrades', 'HttpsFirstBalancedModeAutoEnable', 'LensOverlay', 'MediaRouter', 'PaintHolding',
  'ThirdPartyStoragePartitioning', 'AvoidCorsURLLoaderRestartOnRedirect', 'OptimizationHints', 'NetworkTimeServiceQuerying', 'AimEnabled', 'PreconnectToSearch',
]
/** Internal pages that each new window loads for its address bar, which take longer than the editor. */
const addressBar = ['WebUIOmniboxPopup', 'WebUIOmniboxAimPopup', 'WebUIOmniboxFullPopup', 'PreloadTopChromeWebUI']

let running: Promise<Browser> | undefined

/** The browser of this worker, without a window, its own network or a graphics card. All test files share it, since starting one takes as long as loading the editor. */
export function sharedBrowser(): Promise<Browser> {
  if (chromium === null) throw new Error('No Chromium is installed.')
  running ??= family.launch({
    executablePath: chromium,
    args: [
      '--no-sandbox', '--disable-dev-shm-usage', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking',
      '--disable-component-update', '--disable-sync', '--enable-unsafe-swiftshader', `--disable-features=${[...offByPlaywright, ...addressBar].join()}`,
    ],
  })
  return running
}

/** A page with its own cookies and storage. */
export async function newPage(options?: BrowserContextOptions): Promise<Page> {
  return (await sharedBrowser()).newPage(options)
}

/** Closes the pages that a test file has left open. */
export async function closePages(): Promise<void> {
  for (const context of (await running)?.contexts() ?? []) await context.close()
}
