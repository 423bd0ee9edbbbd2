import { utilityProcess, type MessagePortMain, type UtilityProcess } from 'electron'
import { createBirpc, type BirpcReturn } from 'birpc'
import { join } from 'node:path'
import { isRefusal, type EngineCalls, type ToEngine } from './engine-calls'

const restartLimit = 3
const restartWindow = 60_000 // ms
/** ms for runs to finish their files when the application quits; a cancelled run takes two seconds at most. */
const stopLimit = 8000

/** The engine's process, shared by all windows: started with the application, and restarted when it dies, at most a few times a minute. */
export class EngineLink {
  #process: UtilityProcess
  #calls: BirpcReturn<EngineCalls, object>
  #starts: number[] = []
  #stopping = false

  /**
   * @param exited called when the process ended, with whether another one was started
   * @param refused called with the reason why the engine cannot run on this machine
   */
  constructor(private readonly exited: (restarted: boolean) => void, private readonly refused: (reason: string) => void) {
    const started = this.#start()
    this.#process = started.child
    this.#calls = started.calls
  }

  get calls(): EngineCalls {
    return this.#calls
  }

  /** Passes one end of a window's channel to the engine. */
  addWindow(port: MessagePortMain): void {
    this.#process.postMessage({ kind: 'window' } satisfies ToEngine, [port])
  }

  /** Lets runs finish their files and ends the process; terminates it if that takes too long. */
  stop(): Promise<void> {
    this.#stopping = true
    const child = this.#process
    if (child.pid === undefined) return Promise.resolve() // already ended
    return new Promise(done => {
      const force = setTimeout(() => child.kill(), stopLimit)
      child.once('exit', () => {
        clearTimeout(force)
        done()
      })
      child.postMessage({ kind: 'stop' } satisfies ToEngine)
    })
  }

  #start() {
    this.#starts.push(Date.now())
    const child = utilityProcess.fork(join(import.meta.dirname, 'engine-process.js'), [], { serviceName: 'Cairn engine', stdio: 'inherit' })
    const calls = createBirpc<EngineCalls, object>({}, {
      post: call => child.postMessage({ kind: 'call', call } satisfies ToEngine),
      on: listener => child.on('message', message => {
        if (!isRefusal(message)) return listener(message)
        this.#stopping = true // a restart would fail in the same way
        this.refused(message.message)
      }),
    })
    // A fatal V8 error: the process ends by itself, followed by `exit`.
    child.on('error', (type, location) => console.error(`The engine's process failed: ${type} at ${location}.`))
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
