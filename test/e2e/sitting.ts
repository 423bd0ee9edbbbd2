/** Host, browser and page for the tests of one `describe`, started before and closed after them. */

import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect } from 'vitest'
import { Editor, WebHostProcess } from './editor'

interface Sitting {
  /** File in the host's folder to open; the first example if absent. */
  readonly scene?: string
  /** Scenes written there before the start, by file name. */
  readonly files?: Readonly<Record<string, object>>
  /** Whether new runs are played and the camera glides, as for users who do not ask for less motion. */
  readonly motion?: 'full'
  /** Receives the editor when its page is loaded. */
  readonly ready: (editor: Editor) => Promise<void>
}

/** Starts them before the tests. Afterwards the page must not have reported a fault. */
export function sitting({ scene, files = {}, motion, ready }: Sitting): WebHostProcess {
  const host = new WebHostProcess()
  let editor: Editor | undefined
  beforeAll(async () => {
    for (const [name, content] of Object.entries(files)) writeFileSync(join(host.root, name), JSON.stringify(content))
    await host.start({ scene })
    editor = await Editor.open(host.url, { motion })
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
