/** The store of an address. S3 code is loaded on demand. */
import { sweepFault } from './fault'
import { FolderStore, type Store } from './store'

/** `s3://bucket/prefix`, or a folder. @throws HostError */
export async function storeOf(address: string, environment: NodeJS.ProcessEnv = process.env): Promise<Store> {
  if (address.startsWith('s3://')) return new (await import('./s3-store')).S3Store(address, environment)
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(address)) throw sweepFault(`--store is "${address}".`, { value: address, allowed: 'a folder, or s3://bucket/prefix' })
  return new FolderStore(address)
}
