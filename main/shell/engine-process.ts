/** The engine's own process (Electron's utilityProcess): documents and runs live and, if need be, die here, apart from windows and shell. */
import { createEngine } from '../engine'
import { serveShell } from './engine-service'

const engine = createEngine()
serveShell(process.parentPort, engine)

// The application quits: runs finish their files.
process.once('SIGTERM', () => {
  engine.dispose().then(() => process.exit(0), error => {
    console.error(error)
    process.exit(1)
  })
})
