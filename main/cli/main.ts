/** The command line: one engine without a window, for batch runs, servers and scripts. */
import { ENGINE_VERSION } from '../../core/simulation/version'
import { exitCodes, print, report, log, usage } from './output'

type Command = (args: readonly string[]) => Promise<number>

/** Each command is loaded when it is called: loading all takes longer than most commands take. */
const commands: ReadonlyMap<string, () => Promise<Command>> = new Map([
  ['open', async () => (await import('./open')).open],
  ['validate', async () => (await import('./validate')).validate],
  ['simulate', async () => (await import('./simulate')).simulate],
  ['inspect', async () => (await import('./inspect')).inspect],
  ['table', async () => (await import('./table')).table],
  ['render', async () => (await import('./render')).render],
  ['figure', async () => (await import('./figure')).figure],
  ['compare', async () => (await import('./compare')).compare],
  ['check', async () => (await import('./check')).check],
  ['export', async () => (await import('./export')).exportScene],
  ['import', async () => (await import('./import')).importFile],
  ['decompose', async () => (await import('./decompose')).decomposeScene],
  ['sweep', async () => (await import('./sweep')).sweep],
  ['worker', async () => (await import('./worker')).worker],
])

async function main(args: readonly string[]): Promise<number> {
  const [name, ...rest] = args
  const helpRequested = name === '--help' || name === '-h' || name === 'help'
  if (helpRequested || (commands.has(name ?? '') && rest.some(arg => arg === '--help' || arg === '-h'))) {
    const { helpText } = await import('./help')
    print(await helpText(helpRequested ? rest[0] : name))
    return exitCodes.done
  }
  if (name === '--version') {
    print(ENGINE_VERSION)
    return exitCodes.done
  }
  const command = commands.get(name ?? '')
  try {
    if (!command) throw usage(name === undefined ? 'A command is missing.' : `There is no command "${name}".`, [...commands.keys()].join(', '))
    return await (await command())(rest)
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
  log(`Cairn failed: ${error instanceof Error ? error.stack ?? error.message : String(error)}`)
  process.exitCode = exitCodes.stopped
})
