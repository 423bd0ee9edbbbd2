/**
 * The engine over a transport: calls in one direction, `EngineListener` notifications in the other. Errors keep their name and problems. The schema of
 * every message from a page is checked first [requests.ts].
 */
import { createBirpc } from 'birpc'
import * as z from 'zod'
import type { Draft } from './documents'
import { HostError, type Engine, type EngineListener, type WebHost } from './host'
import type { Problem } from './problem'
import { requests } from './requests'
import type { Transport } from './transport'
import { systemReason, withoutFile } from './problem-file'

export { markTransferable, maxMessageBytes, portTransport, socketTransport, type Transport } from './transport'

/** An engine, with the web host's calls for pages without native dialogs. */
export type Served = Engine & Partial<WebHost> & {
  /** Receives the drafts of a page that disconnects. */
  leaveDrafts(drafts: Iterable<Draft>): void
}

export interface Serving {
  /** Sends notifications to the page. */
  readonly listener: EngineListener
  close(): void
}

export interface Connection {
  readonly engine: Engine
  /** Answered by the web host only. */
  readonly web: WebHost
  close(): void
}

const faultSchema = z.object({ name: z.string(), message: z.string(), problems: z.array(z.custom<Problem>(isProblem)) })
const messageSchema = z.union([
  z.object({ t: z.literal('q'), i: z.string().max(64).optional(), m: z.string().max(64), a: z.array(z.unknown()).max(8), o: z.boolean().optional() }),
  z.object({ t: z.literal('s'), i: z.string().max(64), r: z.unknown().optional(), e: faultSchema.optional() }),
])

function isProblem(value: unknown): boolean {
  return typeof value === 'object' && value !== null && 'message' in value && typeof value.message === 'string'
}

/** Answers a page's calls. Malformed messages are reported to `fault`, which should close the connection, since no page of Cairn sends them. */
export function serveEngine(served: Served, transport: Transport, fault: (error: Error) => void): Serving {
  const drafts = new Set<Draft>()
  const page: Served = {
    ...served,
    autosave: (draft, name, text) => {
      drafts.add(draft)
      return served.autosave(draft, name, text)
    },
  }
  const rpc = createBirpc<EngineListener, Record<string, never>>({}, {
    ...channel(transport, fault),
    eventNames: ['runChanged', 'liveFrame', 'sweepChanged', 'decomposing', 'documentChanged', 'prefabsChanged', 'recordingAhead'],
    resolver: name => handlerOf(page, name),
  })
  transport.onClose(() => {
    served.leaveDrafts(drafts)
    rpc.$close()
  })
  const send = (sending: Promise<unknown>) => void sending.catch((error: unknown) => fault(error as Error))
  return {
    listener: {
      runChanged: run => {
        if (!rpc.$closed) send(rpc.runChanged.asEvent(run))
      },
      liveFrame: frame => {
        if (!rpc.$closed) send(rpc.liveFrame.asEvent(frame))
      },
      sweepChanged: sweep => {
        if (!rpc.$closed) send(rpc.sweepChanged.asEvent(sweep))
      },
      decomposing: (ticket, stage) => {
        if (!rpc.$closed) send(rpc.decomposing.asEvent(ticket, stage))
      },
      documentChanged: (handle, revision) => {
        if (!rpc.$closed) send(rpc.documentChanged.asEvent(handle, revision))
      },
      recordingAhead: status => {
        if (!rpc.$closed) send(rpc.recordingAhead.asEvent(status))
      },
      prefabsChanged: handle => {
        if (!rpc.$closed) send(rpc.prefabsChanged.asEvent(handle))
      },
    },
    close: () => {
      rpc.$close()
      transport.close()
    },
  }
}

function handlerOf(served: Served, name: string): ((...args: unknown[]) => Promise<unknown>) | undefined {
  const schema = requests.get(name)
  const method = served[name as keyof Served] as ((...args: unknown[]) => Promise<unknown>) | undefined
  if (!schema || typeof method !== 'function') return undefined
  return async (...args) => {
    const checked = schema.safeParse(withoutTrailingUndefined(args))
    if (!checked.success) throw new HostError('BadRequest', `${name}: ${z.prettifyError(checked.error)}`)
    return method.apply(served, checked.data)
  }
}

/** Optional arguments left out by the caller may arrive as `undefined`. */
function withoutTrailingUndefined(args: readonly unknown[]): unknown[] {
  const given = args.findLastIndex(argument => argument !== undefined)
  return args.slice(0, given + 1)
}

/** Calls an engine on the other side of `transport`. */
export function connectEngine(transport: Transport, listener: EngineListener, fault: (error: Error) => void): Connection {
  const notices: EngineListener = {
    runChanged: run => listener.runChanged(run),
    liveFrame: frame => listener.liveFrame(frame),
    sweepChanged: sweep => listener.sweepChanged(sweep),
    decomposing: (ticket, stage) => listener.decomposing(ticket, stage),
    documentChanged: (handle, revision) => listener.documentChanged(handle, revision),
    recordingAhead: status => listener.recordingAhead(status),
    prefabsChanged: handle => listener.prefabsChanged(handle),
  }
  const rpc = createBirpc<Engine & WebHost, EngineListener>(notices, {
    ...channel(transport, fault),
    resolver: name => (Object.hasOwn(notices, name) ? notices[name as keyof EngineListener] as (...args: unknown[]) => unknown : undefined),
  })
  const lost = () => rpc.$close(new HostError('ConnectionLost', 'The connection to the engine was lost.'))
  transport.onClose(lost)
  return {
    engine: rpc,
    web: rpc,
    close: () => {
      lost()
      transport.close()
    },
  }
}

/** Common part of both ends: no time limit for calls (a closed transport ends every call), and errors as data. */
function channel(transport: Transport, fault: (error: Error) => void) {
  return {
    timeout: -1,
    post: (message: unknown) => transport.post(message),
    on: (listener: (message: unknown) => void) => transport.receive(data => {
      const message = messageSchema.safeParse(data)
      if (message.success) listener(message.data)
      else fault(new HostError('BadMessage', z.prettifyError(message.error)))
    }, fault),
    serialize: (message: { e?: unknown }) => (message.e === undefined ? message : { ...message, e: faultOf(message.e) }),
    deserialize: (message: z.infer<typeof messageSchema>) =>
      (message.t === 's' && message.e ? { ...message, e: new HostError(message.e.name, message.e.message, message.e.problems) } : message),
    /** An answer that cannot be sent is replaced by its error; a failed call rejects for its caller. */
    onGeneralError: (_error: Error, answering?: string) => answering !== undefined,
  }
}

function faultOf(error: unknown) {
  if (error instanceof HostError) return { name: error.name, message: error.message, problems: error.problems.map(withoutFile) }
  // Node's messages contain paths.
  if (error instanceof Error) return { name: error.name, message: 'code' in error ? systemReason(error) : error.message, problems: [] }
  return { name: 'Error', message: String(error), problems: [] }
}
