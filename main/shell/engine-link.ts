import { utilityProcess, type MessagePortMain, type UtilityProcess } from 'electron'
import { createBirpc, type BirpcReturn } from 'birpc'
import { join } from 'node:path'
import type { EngineCalls, ToEngine } from './engine-calls'

const restartLimit = 3
const restartWindow = 60_000 // ms

/** The engine's process, shared by all windows: started with the application and, a few times a minute at most, again when it dies. */
export class EngineLink {
  #process: UtilityProcess
  #calls: BirpcReturn<EngineCalls, object>
  #starts: number[] = []
  #stopping = false

  /** `exited` hears why the process ended, in words for people, after the next one has been started. */
  constructor(private readonly exited: (reason: string) => void) {
    const started = this.#start()
    this.#process = started.child
    this.#calls = started.calls
  }

  get calls(): EngineCalls {
    return this.#calls
  }

  /** Gives the engine one end of a window's channel. */
  addWindow(port: MessagePortMain): void {
    this.#process.postMessage({ kind: 'window' } satisfies ToEngine, [port])
  }

  stop(): void {
    this.#stopping = true
    this.#process.kill()
  }

  #start() {
    this.#starts.push(Date.now())
    const child = utilityProcess.fork(join(import.meta.dirname, 'engine-process.js'), [], { serviceName: 'Cairn engine', stdio: 'inherit' })
    const calls = createBirpc<EngineCalls, object>({}, {
      post: call => child.postMessage({ kind: 'call', call } satisfies ToEngine),
      on: listener => child.on('message', listener),
    })
    child.once('exit', code => this.#ended(code))
    return { child, calls }
  }

  #ended(code: number): void {
    if (this.#stopping) return
    this.#calls.$close()
    const recent = this.#starts.filter(time => Date.now() - time < restartWindow)
    if (recent.length > restartLimit) {
      this.exited(`The engine ended ${recent.length} times within a minute (exit code ${code}); save your work and start Cairn again.`)
      return
    }
    this.#starts = recent
    const started = this.#start()
    this.#process = started.child
    this.#calls = started.calls
    this.exited(`The engine ended unexpectedly (exit code ${code}) and was started again.`)
  }
}
