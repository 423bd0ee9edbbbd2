/** Records of the editor's sweeps beside their results: one folder each, as `cairn sweep` writes it, with a record in it. */
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import * as z from 'zod'
import { SweepFolder } from '../batch/folder'
import { writeWhole } from './files'
import { folderIn } from './home'

const recordSchema = z.object({ name: z.string(), createdAt: z.number(), contentHash: z.string().nullable() })

export type SweepRecord = z.infer<typeof recordSchema>

const recordFile = 'editor.json'
const idForm = /^[a-z0-9]{1,64}$/

export class SweepRecords {
  private readonly folder: string

  constructor(home: string) {
    this.folder = folderIn(home, 'sweeps')
  }

  folderOf(id: string): SweepFolder {
    return new SweepFolder(join(this.folder, id))
  }

  /** Ids and records, in any order. Folders without a complete record are being created or deleted, and are skipped. */
  list(): { readonly id: string; readonly record: SweepRecord }[] {
    return readdirSync(this.folder).filter(id => idForm.test(id)).flatMap(id => {
      const record = this.read(id)
      return record === null ? [] : [{ id, record }]
    })
  }

  /** @throws HostError if it cannot be written */
  save(id: string, record: SweepRecord): void {
    writeWhole(join(this.folder, id, recordFile), JSON.stringify(record))
  }

  /** The record is deleted first, so that a partly deleted folder is not a sweep. */
  delete(id: string): void {
    rmSync(join(this.folder, id, recordFile), { force: true })
    rmSync(join(this.folder, id), { recursive: true, force: true })
  }

  private read(id: string): SweepRecord | null {
    const path = join(this.folder, id, recordFile)
    if (!existsSync(path)) return null
    try {
      return recordSchema.parse(JSON.parse(readFileSync(path, 'utf8')))
    } catch {
      return null
    }
  }
}
