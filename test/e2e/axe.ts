/** axe-core in the page: all rules of WCAG 2 A and AA, including contrast. */

import { createRequire } from 'node:module'
import { readFileSync } from 'node:fs'
import type { AxeResults } from 'axe-core'
import type { Page } from 'playwright-core'

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
/** Rules that depend on the theme; all others only read the document. */
const BY_COLOUR = ['color-contrast', 'link-in-text-block']

export async function loadAxe(page: Page): Promise<void> {
  await page.evaluate(axe)
}

/**
 * Needs `loadAxe`.
 * @param part selector of what to check; the whole page if absent
 * @param byColour whether to check only rules that depend on the theme
 */
export function axeFaults(page: Page, part: string | undefined, byColour: boolean): Promise<string[]> {
  return page.evaluate(async ([within, rules]) => {
    const { axe: run } = window as unknown as { axe: { run: (node: unknown, options: unknown) => Promise<AxeResults> } }
    const exclude = ['.monaco-editor', '.dv-tabs-and-actions-container']
    const { violations } = await run.run(within ? { include: [within], exclude } : { exclude }, {
      runOnly: rules ?? ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa'],
      resultTypes: ['violations'],
      // Experimental in axe-core: it takes the whole contents of a tree item or cell for its name.
      rules: { 'label-content-name-mismatch': { enabled: false } },
    })
    return violations.flatMap(({ id, nodes }) => nodes.map(({ target, failureSummary }) => `${id}: ${target.join(' ')} ${(failureSummary ?? '').split('\n')[1] ?? ''}`))
  }, [part, byColour ? BY_COLOUR : undefined] as const)
}
