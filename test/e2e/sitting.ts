/** Host, browser and page for the tests of one `describe`, started before and closed after them. */

import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect } from 'vitest'
import { Editor, WebHostProcess } from './editor'

interface Sitting {
  /** File below the host's folder that is opened; the first example if left out. */
  readonly scene?: string
  /** Scenes written there before, by their file names. */
  readonly files?: Readonly<Record<string, object>>
  /** Takes the editor, once its page is there. */
  readonly ready: (editor: Editor) => Promise<void>
}

/** Starts them before the tests; after them nothing may have gone wrong in the page. */
export function sitting({ scene, files = {}, ready }: Sitting): WebHostProcess {
  const host = new WebHostProcess()
  let editor: Editor | undefined
  beforeAll(async () => {
    for (const [name, content] of Object.entries(files)) writeFileSync(join(host.root, name), JSON.stringify(content))
    await host.start({ scene })
    editor = await Editor.open(host.url)
    await ready(editor)
  })
  afterAll(async () => {
    const faults = editor?.faults
    await editor?.close()
    await host.stop()
    host.dispose()
    expect(faults).toEqual([])
  })
  return host
}
