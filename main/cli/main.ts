/** The command line: one engine without a window, for batch runs, servers and scripts. */
import { ENGINE_VERSION } from '../../core/simulation'
import { decomposeScene } from './decompose'
import { exportScene } from './export'
import { importMesh } from './import'
import { inspect } from './inspect'
import { open } from './open'
import { exitCodes, print, report, say, usage } from './output'
import { simulate } from './simulate'
import { table } from './table'
import { validate } from './validate'

const commands: ReadonlyMap<string, (args: readonly string[]) => Promise<number>> = new Map([
  ['open', open], ['validate', validate], ['simulate', simulate], ['inspect', inspect], ['table', table], ['export', exportScene],
  ['import', importMesh], ['decompose', decomposeScene],
])

const help = `Usage: cairn <command> …

  open [scene] [--web] [--port n] [--no-browser] [--root folder]
      the editor
  validate <scene> [--json]
      checks a scene and prints its problems
  simulate <scene> [-o run.mcap] [--duration s] [--rate hz] [--method m] [--step h] [--contact-model standard|peg]
           [--solver name] [--set json.path=value]… [--json]
      runs a scene
  inspect <run.mcap> [--time t] [--contacts] [--joints] [--forces] [--rows] [--events] [--certificate] [--intervals] [--json]
      what happened, from the file alone
  table <run.mcap> --what bodies|contacts|joints|events|certificate --to csv [-o file]
      for notebooks
  export <scene> --to mjcf [-o file] [--at t --from run.mcap] [--json]
      other runtimes, with a loss report
  import <mesh.obj|stl|ply|gltf|glb> [-o scene] [--scale s] [--density d] [--reference]
         [--method auto|exact|approximate] [--max-pieces n] [--resolution n] [--concavity c] [--json]
      a scene with the mesh, cut into convex pieces
  decompose <scene> [-o scene] [--all] [--method auto|exact|approximate] [--max-pieces n] [--resolution n] [--concavity c] [--json]
      finds the convex pieces of a scene's meshes

Exit codes: 0 done, 1 the run stopped, 2 refused before it began, 130 cancelled.`

async function main(args: readonly string[]): Promise<number> {
  const [name, ...rest] = args
  if (name === '--help' || name === '-h' || name === 'help' || rest.includes('--help')) {
    print(help)
    return exitCodes.done
  }
  if (name === '--version') {
    print(ENGINE_VERSION)
    return exitCodes.done
  }
  const command = commands.get(name ?? '')
  try {
    if (!command) throw usage(name === undefined ? 'A command is missing.' : `There is no command "${name}".`, [...commands.keys()].join(', '))
    return await command(rest)
  } catch (error) {
    return report(error, args.includes('--json'))
  }
}

// A reader of our output that stops reading, like `head`, is no fault.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  process.exit(error.code === 'EPIPE' ? exitCodes.done : exitCodes.stopped)
})

main(process.argv.slice(2)).then(code => {
  process.exitCode = code
}, (error: unknown) => {
  say(`Cairn failed: ${error instanceof Error ? error.stack ?? error.message : String(error)}`)
  process.exitCode = exitCodes.stopped
})
