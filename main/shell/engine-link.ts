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

  /** `exited` hears that the process ended, and whether the next one has been started. */
  constructor(private readonly exited: (restarted: boolean) => void) {
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
    this.#starts = this.#starts.filter(time => Date.now() - time < restartWindow)
    console.error(`The engine's process ended with exit code ${code}.`)
    const again = this.#starts.length <= restartLimit
    if (again) {
      const started = this.#start()
      this.#process = started.child
      this.#calls = started.calls
    }
    this.exited(again)
  }
}
