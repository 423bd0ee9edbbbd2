/** Store of kept trajectories: a shared folder, or an S3 store. */
import { copyFileSync, mkdirSync, renameSync, rmSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { systemReason } from '../protocol/problem-file'
import { sweepFault } from './fault'

export interface Store {
  /** Moves a file to the store under a name, atomically; an existing one is replaced. @throws HostError */
  put(path: string, name: string): Promise<void>
  /** Checks that it is writable, before a sweep begins. @throws HostError */
  check(): Promise<void>
}

/** A folder, possibly shared by many machines. */
export class FolderStore implements Store {
  constructor(private readonly folder: string) {}

  async check(): Promise<void> {
    this.attempt(() => {
      mkdirSync(this.folder, { recursive: true })
      if (!statSync(this.folder).isDirectory()) throw Object.assign(new Error('no folder'), { code: 'ENOTDIR' })
    })
  }

  async put(path: string, name: string): Promise<void> {
    const target = join(this.folder, name)
    const aside = `${target}.${process.pid}.part`
    this.attempt(() => {
      mkdirSync(dirname(target), { recursive: true })
      copyFileSync(path, aside) // the store may be another file system
      renameSync(aside, target)
      rmSync(path)
    })
  }

  private attempt(action: () => void): void {
    try {
      action()
    } catch (error) {
      const full = (error as NodeJS.ErrnoException).code === 'ENOSPC'
      throw sweepFault(`The store "${this.folder}" cannot be written: ${systemReason(error)}.`, { value: this.folder }, full ? 'DiskFull' : 'StoreRefused')
    }
  }
}
