/** Requests of a page: mutated messages, and calls with random arguments, to a real engine. */
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createEngine, type LocalEngine } from '../../../main/engine'
import { decodeBinary, encodeBinary } from '../../../main/protocol/binary'
import { requests as schemas } from '../../../main/protocol/requests'
import { serveEngine } from '../../../main/protocol/wire'
import type { Transport } from '../../../main/protocol/transport'
import { mutatedBytes } from '../mutate'
import type { Kind, Outcome } from '../outcome'
import { Random } from '../random'
import { randomScene } from '../scene'

/** Not called: they start threads, which other kinds and tests cover. */
const LEFT_OUT: ReadonlySet<string> = new Set(['simulate', 'check', 'decompose'])
/** ms for an answer: none of these calls waits for anything. */
const PATIENCE = 5000

let engine: LocalEngine | null = null

export const requests: Kind = {
  async run(seed) {
    engine ??= createEngine({ home: mkdtempSync(join(tmpdir(), 'cairn-fuzz-home-')), trouble: () => undefined })
    const r = new Random(seed)
    const method = r.of([...schemas.keys()].filter(name => !LEFT_OUT.has(name)))
    const message = { t: 'q', i: 'id', m: r.chance(0.95) ? method : r.of(['toString', 'dispose', '__proto__', '']), a: Array.from({ length: r.index(4) }, () => argument(r)) }
    let bytes: Uint8Array = encodeBinary(message)
    if (r.chance(0.4)) bytes = mutatedBytes(r, bytes)
    return sent(bytes)
  },
}

function argument(r: Random): unknown {
  return r.of<() => unknown>([
    () => r.of(['h', 'run', '', '../../etc/passwd', 'frames', 'csv', 'mjcf', 'a.cairn.json']), () => r.of([0, -1, 1e9, 0.5, NaN, 2 ** 40]), () => JSON.stringify(randomScene(r)),
    () => null, () => true, () => new Uint8Array(r.index(40)), () => ({ overwrite: true }), () => [{ what: 'body', body: 'x', quantity: 'position', component: 'x' }], () => ({ reuse: true }),
  ])()
}

/** Sends one message to an engine and waits for its answer, or for the end of the connection. */
function sent(bytes: Uint8Array): Promise<Outcome> {
  let message: unknown
  try {
    message = decodeBinary(bytes)
  } catch (error) {
    const { name } = error as Error
    return Promise.resolve(name === 'WireFormatError' ? { outcome: 'refused', detail: name } : { outcome: 'failed', detail: String(error) })
  }
  return new Promise(done => {
    const limit = setTimeout(() => done({ outcome: 'silent', detail: JSON.stringify(message).slice(0, 200) }), PATIENCE)
    const finish = (outcome: Outcome) => {
      clearTimeout(limit)
      done(outcome)
    }
    let receive: (data: unknown) => void = () => undefined
    const transport: Transport = {
      post: answer => {
        encodeBinary(answer)
        const { e: error } = answer as { e?: { name: string } }
        finish(error === undefined ? { outcome: 'completed', detail: '' } : { outcome: 'refused', detail: error.name })
      },
      receive: listener => { receive = listener }, onClose: () => undefined, close: () => undefined,
    }
    serveEngine(engine!, transport, error => finish({ outcome: 'refused', detail: `cut off: ${error.name}` }))
    receive(message)
    // A call without an id gets no answer.
    if (typeof message === 'object' && message !== null && (message as { t?: unknown }).t === 's') finish({ outcome: 'completed', detail: 'an answer to nothing' })
    else if ((message as { i?: unknown } | null)?.i === undefined) setTimeout(() => finish({ outcome: 'completed', detail: 'no answer wanted' }), 50)
  })
}
