/** Unsaved work: one file per draft, kept until it is saved or discarded. */
import { readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import * as z from 'zod'
import type { Draft } from '../protocol/documents'
import { isAlive } from '../run/alive'
import { hashOf, writeWhole } from './files'

const draftSchema = z.object({ draft: z.string(), name: z.string(), text: z.string(), savedAt: z.number(), pid: z.number().int() })

export function readDraft(path: string): z.infer<typeof draftSchema> {
  return draftSchema.parse(JSON.parse(readFileSync(path, 'utf8')))
}

export class Drafts {
  /** Drafts of windows that are connected to this engine. */
  private readonly open = new Set<Draft>()

  constructor(private readonly folder: string) {}

  put(draft: Draft, name: string, text: string): void {
    this.open.add(draft)
    writeWhole(this.pathOf(draft), JSON.stringify({ draft, name, text, savedAt: Date.now(), pid: process.pid }))
  }

  discard(draft: Draft): void {
    this.open.delete(draft)
    rmSync(this.pathOf(draft), { force: true })
  }

  /** Their window has disconnected; it may reconnect and continue with them. */
  leave(drafts: Iterable<Draft>): void {
    for (const draft of drafts) this.open.delete(draft)
  }

  /** Drafts of closed windows and hosts, newest first, without those of another running host. */
  left(): { path: string; draft: Draft; name: string; savedAt: number }[] {
    return readdirSync(this.folder).filter(file => file.endsWith('.json')).flatMap(file => {
      try {
        const path = join(this.folder, file)
        const { draft, name, savedAt, pid } = readDraft(path)
        return isAlive(pid, savedAt) || this.open.has(draft) ? [] : [{ path, draft, name, savedAt }]
      } catch {
        return [] // incomplete file of a crash: nothing to recover
      }
    }).sort((a, b) => b.savedAt - a.savedAt)
  }

  private pathOf(draft: Draft): string {
    return join(this.folder, `${hashOf(draft).slice(0, 32)}.json`)
  }
}
