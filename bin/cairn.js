#!/usr/bin/env node
/** Launches the built command line; `open` starts Electron if it can run, otherwise the web host. */
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const commandLine = new URL('../out/main/cli.js', import.meta.url)

if (!existsSync(fileURLToPath(commandLine))) {
  console.error('Cairn is not built: run npm start or npm run build first.')
  process.exit(2)
}

const args = process.argv.slice(2)
const host = args[0] === 'open' && !args.includes('--help') && !args.includes('-h') ? await (await import('./host.js')).chooseHost(args.slice(1)) : undefined
if (host?.electron) process.exitCode = await (await import('./host.js')).runElectron(host.electron, args.slice(1))
else {
  if (host?.why) console.error(host.why)
  await import(commandLine.href)
}
