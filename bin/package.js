#!/usr/bin/env node
/**
 * `npm run package [-- options of electron-builder]`: builds, and packages for this operating system. A Debian package requires the address of the
 * project's page, which CAIRN_HOMEPAGE gives.
 */
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from './build.js'

const root = fileURLToPath(new URL('..', import.meta.url))
const options = process.argv.slice(2)
const homepage = process.env.CAIRN_HOMEPAGE ?? ''
const words = options.map(option => option.toLowerCase())
const named = ['appimage', 'dir', 'zip', 'tar.gz', 'dmg', 'nsis', 'rpm'].some(target => words.includes(target))
const forLinux = process.platform === 'linux' || words.some(word => word === '--linux' || word === '-l')

if (words.includes('deb') || (forLinux && !named)) {
  if (!URL.canParse(homepage) || !/^https?:$/.test(new URL(homepage).protocol)) {
    console.error(`A Debian package names the project's page${homepage === '' ? '' : `, and "${homepage}" is not an address`}. Set CAIRN_HOMEPAGE to it, or name another target: npm run package -- --linux AppImage`)
    process.exit(2)
  }
}
build({ force: true })
const builder = [join(root, 'node_modules/electron-builder/cli.js'), ...options, ...homepage === '' ? [] : [`-c.extraMetadata.homepage=${homepage}`]]
process.exitCode = spawnSync(process.execPath, builder, { cwd: root, stdio: 'inherit' }).status ?? 1
