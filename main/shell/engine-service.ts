import { createBirpc } from 'birpc'
import type { LocalEngine } from '../engine'
import { writeWhole } from '../engine/files'
import { portTransport, serveEngine } from '../protocol/wire'
import type { MainPort } from '../protocol/transport'
import type { EngineCalls, ToEngine } from './engine-calls'

/** The engine's connection to the shell: Electron's `process.parentPort`. */
export interface ShellLine {
  postMessage(message: unknown): void
  on(type: 'message', listener: (event: { data: unknown; ports: MainPort[] }) => void): unknown
}

/**
 * Serves the shell over `line`, and each window over the port that the shell passes on.
 *
 * @param stop called on `stop`: runs finish their files, and the process ends
 */
export function serveShell(line: ShellLine, engine: LocalEngine, stop: () => void): void {
  const calls: EngineCalls = {
    handleFor: async path => engine.handleFor(path),
    write: async (path, data) => writeWhole(path, data),
  }
  let receive = (_call: unknown): void => {}
  createBirpc<object, EngineCalls>(calls, {
    post: answer => line.postMessage(answer),
    on: listener => {
      receive = listener
    },
    timeout: -1,
  })
  line.on('message', ({ data, ports: [port] }) => {
    const message = data as ToEngine
    if (message.kind === 'call') receive(message.call)
    else if (message.kind === 'stop') stop()
    else if (port) serveWindow(port, engine)
  })
}

/** A page with malformed messages is disconnected. */
function serveWindow(port: MainPort, engine: LocalEngine): void {
  const transport = portTransport(port)
  const serving = serveEngine(engine, transport, error => {
    console.error(error)
    serving.close()
  })
  const stop = engine.listen(serving.listener)
  transport.onClose(stop)
}
