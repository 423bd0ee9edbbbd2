/**
 * A store that uses S3 [Amazon S3 API reference]: objects are uploaded whole, or in parts that the store joins at the end, so that partial objects
 * never exist. Signed by aws4fetch. Address and credentials come from the environment: AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY (or files named by
 * …_FILE), AWS_SESSION_TOKEN, AWS_REGION, and AWS_ENDPOINT_URL for stores that are not Amazon's.
 */
import { closeSync, openSync, readFileSync, readSync, rmSync, statSync } from 'node:fs'
import { AwsClient } from 'aws4fetch'
import { sweepFault } from './fault'
import { secret } from './secrets'
import type { Store } from './store'

/** Bytes per part: S3's minimum is 5 MiB, and one is in memory at a time. */
const partBytes = 16 * 1024 * 1024
const retries = 4

export class S3Store implements Store {
  private readonly client: AwsClient
  private readonly base: string

  /** @param address `s3://bucket/prefix` @throws HostError if secrets are missing */
  constructor(private readonly address: string, environment: NodeJS.ProcessEnv) {
    const [, bucket, prefix = ''] = /^s3:\/\/([a-z0-9][a-z0-9.-]*)(?:\/(.*))?$/.exec(address) ?? []
    if (bucket === undefined) throw sweepFault(`--store is "${address}".`, { value: address, allowed: 's3://bucket/prefix' })
    const accessKeyId = secret('AWS_ACCESS_KEY_ID', environment)
    const secretAccessKey = secret('AWS_SECRET_ACCESS_KEY', environment)
    if (accessKeyId === null || secretAccessKey === null) {
      throw sweepFault('The store needs AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY in the environment.', { allowed: 'these, or AWS_ACCESS_KEY_ID_FILE and AWS_SECRET_ACCESS_KEY_FILE' }, 'StoreRefused')
    }
    const region = environment.AWS_REGION ?? 'us-east-1'
    const sessionToken = secret('AWS_SESSION_TOKEN', environment)
    this.client = new AwsClient({ accessKeyId, secretAccessKey, ...(sessionToken === null ? {} : { sessionToken }), service: 's3', region, retries })
    const endpoint = environment.AWS_ENDPOINT_URL?.replace(/\/$/, '')
    const folder = prefix === '' || prefix.endsWith('/') ? prefix : `${prefix}/`
    this.base = `${endpoint === undefined ? `https://${bucket}.s3.${region}.amazonaws.com` : `${endpoint}/${bucket}`}/${folder}`
  }

  /** Tests access by writing a small object. */
  async check(): Promise<void> {
    await this.send('PUT', '.cairn-check', 'Cairn was here.\n')
  }

  async put(path: string, name: string): Promise<void> {
    if (statSync(path).size <= partBytes) await this.send('PUT', name, readFileSync(path))
    else await this.putInParts(path, name)
    rmSync(path)
  }

  private async putInParts(path: string, name: string): Promise<void> {
    const begun = await this.send('POST', `${name}?uploads=`)
    const upload = encodeURIComponent(textBetween(begun, 'UploadId'))
    const fd = openSync(path, 'r')
    try {
      const tags: string[] = []
      const bytes = new Uint8Array(partBytes)
      for (let read = readSync(fd, bytes); read > 0; read = readSync(fd, bytes)) {
        const { headers } = await this.request('PUT', `${name}?partNumber=${tags.length + 1}&uploadId=${upload}`, bytes.slice(0, read))
        tags.push(headers.get('etag') ?? '')
      }
      const parts = tags.map((tag, k) => `<Part><PartNumber>${k + 1}</PartNumber><ETag>${tag.replaceAll('&', '&amp;').replaceAll('<', '&lt;')}</ETag></Part>`).join('')
      const joined = await this.send('POST', `${name}?uploadId=${upload}`, `<CompleteMultipartUpload>${parts}</CompleteMultipartUpload>`)
      if (joined.includes('<Error>')) throw this.refused(name, textBetween(joined, 'Code')) // errors in joining come with status 200
    } catch (error) {
      await this.send('DELETE', `${name}?uploadId=${upload}`).catch(() => undefined) // leftover parts cost money, but the first error is the one to report
      throw error
    } finally {
      closeSync(fd)
    }
  }

  private async send(method: string, name: string, body?: string | Uint8Array): Promise<string> {
    return (await this.request(method, name, body)).text()
  }

  /** @throws HostError if the store cannot be reached or refuses */
  private async request(method: string, name: string, body?: string | Uint8Array): Promise<Response> {
    let response: Response
    try {
      response = await this.client.fetch(`${this.base}${name}`, { method, ...(body === undefined ? {} : { body: body as Uint8Array<ArrayBuffer> | string }) })
    } catch (error) {
      const { cause, message } = error as Error & { cause?: Error }
      throw this.refused(name, cause?.message || message)
    }
    if (response.ok) return response
    const text = await response.text()
    throw this.refused(name, `${response.status} ${textBetween(text, 'Code') || response.statusText}`)
  }

  private refused(name: string, why: string) {
    return sweepFault(`The store "${this.address}" did not take "${name.replace(/\?.*$/, '')}": ${why}.`, { value: this.address }, 'StoreRefused')
  }
}

/** Text of the first element of that name in a small response; empty if there is none. */
function textBetween(xml: string, element: string): string {
  return new RegExp(`<${element}>([^<]*)</${element}>`).exec(xml)?.[1] ?? ''
}
