/** The engine's process (Electron's utilityProcess) with documents and runs. If it crashes, windows and shell are not affected. */
import { createEngine, type LocalEngine } from '../engine'
import { aheadLimits } from '../engine/ahead'
import { HostError } from '../protocol/host'
import type { EngineRefusal } from './engine-calls'
import { serveShell } from './engine-service'

/** ms for the shell to receive the reason before the process ends. */
const lastWords = 500

const engine = start()
if (engine !== null) {
  /** The application quits: runs finish their files. */
  const stop = () => {
    engine.dispose().then(() => process.exit(0), error => {
      console.error(error)
      process.exit(1)
    })
  }
  serveShell(process.parentPort, engine, stop)
  process.once('SIGTERM', stop)
}

/** Null if the engine's folder cannot be written; the shell is notified. */
function start(): LocalEngine | null {
  try {
    return createEngine({ ahead: aheadLimits() })
  } catch (error) {
    if (!(error instanceof HostError)) throw error
    const allowed = error.problems[0]?.allowed
    process.parentPort.postMessage({ kind: 'refusal', message: allowed === undefined ? error.message : `${error.message} (${allowed})` } satisfies EngineRefusal)
    setTimeout(() => process.exit(1), lastWords)
    return null
  }
}
