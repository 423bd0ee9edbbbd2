/** Pictures for visual inspection, in both themes at all sizes, if `CAIRN_SHOTS` names a folder. */

import { join } from 'node:path'
import type { Editor } from './editor'

const SIZES = [[1440, 900], [1024, 700], [720, 450]] as const

/** @param show brings the subject to the front, after each change of size */
export async function shots({ page }: Editor, name: string, show: () => Promise<unknown> = () => Promise.resolve()): Promise<void> {
  const folder = process.env.CAIRN_SHOTS
  if (!folder) return
  for (const theme of ['dark', 'light'] as const) {
    // The editor follows the system's theme, also behind a dialog, which receives all keys.
    await page.emulateMedia({ colorScheme: theme })
    for (const [width, height] of SIZES) {
      await page.setViewportSize({ width, height })
      await page.waitForTimeout(700)
      await show()
      await page.waitForTimeout(300)
      await page.screenshot({ path: join(folder, `${name}-${theme}-${width}.png`) })
    }
  }
  await page.emulateMedia({ colorScheme: 'dark' })
  await page.setViewportSize({ width: SIZES[0][0], height: SIZES[0][1] })
  await page.waitForTimeout(500)
}
