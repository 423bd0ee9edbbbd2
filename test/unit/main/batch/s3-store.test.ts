import { createHash, createHmac } from 'node:crypto'
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { storeOf } from '../../../../main/batch/open-store'
import { scratch } from '../built'

/** A store with the used part of S3, which verifies every signature independently [AWS Signature Version 4]. */
const objects = new Map<string, Buffer>()
const uploads = new Map<string, Map<number, Buffer>>()
const requests: string[] = []
const [keyId, key] = ['AKIDEXAMPLE', 'secret/key+of=ours']
let server: Server
let home: string
const hash = (data: string | Buffer) => createHash('sha256').update(data).digest('hex')
const hmac = (secret: string | Buffer, data: string) => createHmac('sha256', secret).update(data).digest()

function isSigned(request: IncomingMessage, body: Buffer): boolean {
  const [, day, region, signed, signature] = /^AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE\/(\d+)\/([\w-]+)\/s3\/aws4_request, SignedHeaders=([\w;-]+), Signature=([0-9a-f]{64})$/.exec(request.headers.authorization ?? '') ?? []
  if (signature === undefined) return false
  const url = new URL(request.url!, 'http://x')
  const query = [...url.searchParams].map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`).sort().join('&')
  const payload = String(request.headers['x-amz-content-sha256'])
  if (payload !== 'UNSIGNED-PAYLOAD' && payload !== hash(body)) return false
  const headers = signed!.split(';').map(name => `${name}:${String(request.headers[name])}\n`).join('')
  const canonical = [request.method, url.pathname, query, headers, signed, payload].join('\n')
  const scope = `${day}/${region}/s3/aws4_request`
  const text = ['AWS4-HMAC-SHA256', request.headers['x-amz-date'], scope, hash(canonical)].join('\n')
  const signing = [region!, 's3', 'aws4_request'].reduce((secret, part) => hmac(secret, part), hmac(`AWS4${key}`, day!))
  return hmac(signing, text).toString('hex') === signature
}

beforeAll(async () => {
  home = scratch()
  server = createServer((request, response) => {
    const parts: Buffer[] = []
    request.on('data', (part: Buffer) => parts.push(part))
    request.on('end', () => {
      const body = Buffer.concat(parts)
      const url = new URL(request.url!, 'http://x')
      requests.push(`${request.method} ${url.pathname}`)
      const answer = (status: number, text = '', headers = {}) => response.writeHead(status, headers).end(text)
      if (!isSigned(request, body)) return answer(403, '<Error><Code>SignatureDoesNotMatch</Code></Error>')
      const upload = url.searchParams.get('uploadId')
      if (url.searchParams.has('uploads')) {
        uploads.set('up/1', new Map())
        return answer(200, '<R><UploadId>up/1</UploadId></R>')
      }
      if (upload === null) {
        objects.set(url.pathname, body)
        return answer(200)
      }
      if (request.method === 'DELETE') {
        uploads.delete(upload)
        return answer(204)
      }
      if (request.method === 'PUT') {
        const number = Number(url.searchParams.get('partNumber'))
        uploads.get(upload)!.set(number, body)
        return answer(200, '', { etag: `"${hash(body).slice(0, 8)}-${number}"` })
      }
      if (url.pathname.endsWith('broken.mcap')) return answer(200, '<Error><Code>InternalError</Code></Error>')
      const named = [...body.toString().matchAll(/<PartNumber>(\d+)<\/PartNumber>/g)].map(([, number]) => Number(number))
      objects.set(url.pathname, Buffer.concat(named.map(number => uploads.get(upload)!.get(number)!)))
      uploads.delete(upload)
      return answer(200, '<Done/>')
    })
  })
  await new Promise<void>(done => server.listen(0, '127.0.0.1', done))
})
afterAll(() => {
  server.close()
  rmSync(home, { recursive: true, force: true })
})

const environment = (change: NodeJS.ProcessEnv = {}): NodeJS.ProcessEnv => ({
  AWS_ACCESS_KEY_ID: keyId, AWS_SECRET_ACCESS_KEY: key, AWS_REGION: 'eu-central-1', AWS_ENDPOINT_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, ...change,
})

describe('an S3 store', () => {
  it('uploads files, large ones in parts, and deletes the local ones afterwards', async () => {
    const store = await storeOf('s3://bucket/deep/prefix', environment())
    await store.check()
    for (const [name, size] of [['small', 1000], ['large', 40 * 1024 * 1024 + 17]] as const) {
      const path = join(home, name)
      writeFileSync(path, Buffer.alloc(size, name))
      const bytes = readFileSync(path)
      await store.put(path, `sweep/${name}.mcap`)
      expect(hash(objects.get(`/bucket/deep/prefix/sweep/${name}.mcap`)!)).toBe(hash(bytes))
      expect(existsSync(path)).toBe(false)
    }
  })

  it('reports a denied upload, keeps the file, and removes the parts of an upload that could not be completed', async () => {
    const path = join(home, 'kept')
    writeFileSync(path, Buffer.alloc(20 * 1024 * 1024))
    const store = await storeOf('s3://bucket', environment())
    await expect(store.put(path, 'broken.mcap')).rejects.toMatchObject({ name: 'StoreRefused', message: expect.stringContaining('InternalError') as string })
    expect([existsSync(path), uploads.size, requests.at(-1)]).toEqual([true, 0, 'DELETE /bucket/broken.mcap'])
    const stranger = await storeOf('s3://bucket', environment({ AWS_SECRET_ACCESS_KEY: 'wrong' }))
    await expect(stranger.check()).rejects.toMatchObject({ name: 'StoreRefused', message: expect.stringContaining('403 SignatureDoesNotMatch') as string })
    await expect(storeOf('s3://bucket', {})).rejects.toThrow('AWS_ACCESS_KEY_ID')
    await expect(storeOf('s3://UPPER', environment())).rejects.toThrow('--store is')
  })

  it('reads secrets from files', async () => {
    const file = join(home, 'secret')
    writeFileSync(file, `${key}\n`)
    const fromFile = environment({ AWS_SECRET_ACCESS_KEY_FILE: file })
    delete fromFile.AWS_SECRET_ACCESS_KEY
    await (await storeOf('s3://bucket', fromFile)).check()
  })
})
