/** Transports of messages: a MessagePort (of a page, of Node or of Electron's main process) or a WebSocket. */
import { decodeBinary, encodeBinary } from './binary'

/** Maximum size of a WebSocket message in either direction: an `.mcap` file may be dropped on the page. */
export const maxMessageBytes = 256 * 1024 * 1024

export interface Transport {
  post(message: unknown): void
  /** Calls `fault` for messages that cannot be decoded; they are dropped. */
  receive(listener: (message: unknown) => void, fault: (error: Error) => void): void
  onClose(listener: () => void): void
  close(): void
}

const transferable = new WeakSet<ArrayBufferLike>()

/** Marks an array as transferable: a port moves its buffer instead of copying it, and the sender must not read it again. */
export function markTransferable<T extends ArrayBufferView>(array: T): T {
  transferable.add(array.buffer)
  return array
}

function collectTransferable(value: unknown, found: Set<ArrayBufferLike>): Set<ArrayBufferLike> {
  if (ArrayBuffer.isView(value)) {
    if (transferable.has(value.buffer)) found.add(value.buffer)
  } else if (Array.isArray(value)) {
    for (const element of value) collectTransferable(element, found)
  } else if (value !== null && typeof value === 'object') {
    for (const element of Object.values(value)) collectTransferable(element, found)
  }
  return found
}

/** A port of a page or of Node. */
export interface EventPort {
  postMessage(message: unknown, transfer: ArrayBuffer[]): void
  addEventListener(type: 'message', listener: (event: { data: unknown }) => void): void
  addEventListener(type: 'close', listener: () => void): void
  start(): void
  close(): void
}

/** A port of Electron's main process, which can transfer ports only. */
export interface MainPort {
  postMessage(message: unknown): void
  on(type: 'message', listener: (event: { data: unknown }) => void): unknown
  on(type: 'close', listener: () => void): unknown
  start(): void
  close(): void
}

export function portTransport(port: EventPort | MainPort): Transport {
  if (!('addEventListener' in port)) {
    return {
      post: message => port.postMessage(message),
      receive: listener => {
        port.on('message', event => listener(event.data))
        port.start()
      },
      onClose: listener => void port.on('close', listener),
      close: () => port.close(),
    }
  }
  return {
    post: message => port.postMessage(message, [...collectTransferable(message, new Set())] as ArrayBuffer[]),
    receive: listener => {
      port.addEventListener('message', event => listener(event.data))
      port.start()
    },
    onClose: listener => port.addEventListener('close', listener),
    close: () => port.close(),
  }
}

/** The common part of a browser's WebSocket and that of `ws`. Set `binaryType = 'arraybuffer'` before. */
export interface BinarySocket {
  readonly readyState: number
  send(data: Uint8Array<ArrayBuffer>): void
  addEventListener(type: 'message', listener: (event: { data: unknown }) => void): void
  addEventListener(type: 'close', listener: () => void): void
  close(code?: number, reason?: string): void
}

const socketOpen = 1

/** For an open, authenticated socket. */
export function socketTransport(socket: BinarySocket): Transport {
  return {
    post: message => {
      if (socket.readyState !== socketOpen) throw new Error('The connection is closed.')
      socket.send(encodeBinary(message))
    },
    receive: (listener, fault) => socket.addEventListener('message', event => {
      let message: unknown
      try {
        if (!(event.data instanceof ArrayBuffer)) throw new Error('The message is not binary.')
        if (event.data.byteLength > maxMessageBytes) throw new Error(`The message exceeds ${maxMessageBytes} bytes.`)
        message = decodeBinary(new Uint8Array(event.data))
      } catch (error) {
        return fault(error as Error)
      }
      listener(message)
    }),
    onClose: listener => socket.addEventListener('close', listener),
    close: () => socket.close(),
  }
}
