/** The command line: one engine without a window, for batch runs, servers and scripts. */
import { ENGINE_VERSION } from '../../core/simulation'
import { check } from './check'
import { compare } from './compare'
import { decomposeScene } from './decompose'
import { exportScene } from './export'
import { figure } from './figure'
import { helpText } from './help'
import { importFile } from './import'
import { inspect } from './inspect'
import { open } from './open'
import { exitCodes, print, report, say, usage } from './output'
import { render } from './render'
import { simulate } from './simulate'
import { sweep } from './sweep'
import { table } from './table'
import { validate } from './validate'
import { worker } from './worker'

const commands: ReadonlyMap<string, (args: readonly string[]) => Promise<number>> = new Map([
  ['open', open], ['validate', validate], ['simulate', simulate], ['inspect', inspect], ['table', table], ['render', render], ['figure', figure], ['compare', compare],
  ['check', check], ['export', exportScene], ['import', importFile], ['decompose', decomposeScene], ['sweep', sweep], ['worker', worker],
])

async function main(args: readonly string[]): Promise<number> {
  const [name, ...rest] = args
  const helpRequested = name === '--help' || name === '-h' || name === 'help'
  if (helpRequested || (commands.has(name ?? '') && rest.some(arg => arg === '--help' || arg === '-h'))) {
    print(helpText(helpRequested ? rest[0] : name))
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

// A reader that stops reading our output, like `head`, is not an error.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  process.exit(error.code === 'EPIPE' ? exitCodes.done : exitCodes.stopped)
})

main(process.argv.slice(2)).then(code => {
  process.exitCode = code
}, (error: unknown) => {
  say(`Cairn failed: ${error instanceof Error ? error.stack ?? error.message : String(error)}`)
  process.exitCode = exitCodes.stopped
})
