/** Opens every panel and dialog, at every size and in both themes. */

import { join } from 'node:path'
import { expect } from 'vitest'
import type { Page } from 'playwright-core'
import type { Editor } from './editor'

export const SIZES = [[1440, 900], [1024, 700], [720, 450]] as const
/** By menu entry; each closes with Esc. */
export const DIALOGS: readonly (readonly [string, string])[] = [
  ['Help', 'Lessons…'], ['Help', 'Glossary…'], ['Help', 'Shortcuts…'], ['Help', 'About Cairn…'], ['Help', 'All commands…'], ['File', 'Examples…'], ['File', 'Export scene…'], ['File', 'Export tables…'], ['File', 'Film or picture of the run…'],
  ['File', 'Free-body diagram…'], ['Add', 'Shape library…'], ['Add', 'Insert template…'], ['Simulate', 'Sweep…'],
]

export type Theme = 'dark' | 'light'

/**
 * Calls `check` in the present theme and then in the other, in which the next place is opened, so that each place takes one change. Takes a picture of each where `CAIRN_SHOTS` names a folder.
 * @param name of the place, for the pictures
 */
export async function inBothThemes(editor: Editor, name: string, check: (theme: Theme, isSecond: boolean) => Promise<unknown>): Promise<void> {
  const { page } = editor
  await settled(page)
  const before = await page.locator('html').getAttribute('data-theme') as Theme
  const after = before === 'dark' ? 'light' : 'dark'
  await check(before, false)
  await shot(page, name, before)
  // The editor follows the system's theme, also behind a dialog.
  await page.emulateMedia({ colorScheme: after })
  await expect.poll(() => page.locator('html').getAttribute('data-theme')).toBe(after)
  await settled(page)
  await check(after, true)
  await shot(page, name, after)
}

export async function leaveDialogs({ page }: Editor): Promise<void> {
  // A list that is open inside takes the first Esc.
  await expect.poll(async () => {
    await page.keyboard.press('Escape')
    return page.getByRole('dialog').count()
  }).toBe(0)
}

async function shot(page: Page, name: string, theme: Theme): Promise<void> {
  const folder = process.env.CAIRN_SHOTS
  if (folder) await page.screenshot({ path: join(folder, `${page.viewportSize()!.width}-${theme}-${name.replace(/\W+/g, '-')}.png`) })
}

/** Waits until nothing has been added, removed or renamed for a tenth of a second and no transition runs, at most two seconds: some panels load their contents. */
async function settled(page: Page): Promise<void> {
  await page.evaluate(() => new Promise<void>(done => {
    const end = performance.now() + 2000
    let last = performance.now()
    const observer = new MutationObserver(() => { last = performance.now() })
    observer.observe(document.body, { subtree: true, childList: true, characterData: true })
    const isMoving = () => document.getAnimations().some(animation => animation.playState === 'running' && animation.effect?.getComputedTiming().endTime !== Infinity)
    const look = () => {
      const now = performance.now()
      if (now < end && (now - last < 100 || isMoving())) setTimeout(look, 20)
      else {
        observer.disconnect()
        done()
      }
    }
    look()
  }))
}
