#!/usr/bin/env node
/**
 * Writes THIRD-PARTY-NOTICES.md: every package that is shipped with Cairn, with its full licence. Shipped are the packages under "dependencies",
 * those that core, main and renderer import and the build bundles, and all their dependencies, according to the lock file.
 */
import { existsSync, readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const target = join(root, 'THIRD-PARTY-NOTICES.md')
const noticeName = /^(licen[cs]e|copying|copyright|notice|third-?party-?notice(s|text)?)/i
const notShipped = ['electron'] // its binary contains its own notices

/** @typedef {{ version: string, license?: string, dependencies?: Record<string, string>, optional?: boolean }} LockEntry */

/** The text that THIRD-PARTY-NOTICES.md has to have now. */
export function notices() {
  /** @type {Record<string, LockEntry>} */
  const lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')).packages
  const shipped = closure(lock, directPackages())
  const lines = [
    '# Third-party notices',
    '',
    'Cairn is shipped with the packages below, each under its own licence. (Electron and Chromium bring theirs beside their binaries.)',
    'Written by `npm run notices` from the lock file.',
    '',
    '| package | version | licence |',
    '|---|---|---|',
  ]
  /** @type {Map<string, string[]>} text of a licence → the packages under it */
  const texts = new Map()
  for (const path of shipped) {
    const name = nameOf(path)
    const entry = /** @type {LockEntry} */ (lock[path])
    lines.push(`| ${name} | ${entry.version} | ${licenceOf(path, entry)} |`)
    const text = licenceText(path)
    texts.set(text, [...(texts.get(text) ?? []), `${name} ${entry.version}`])
  }
  for (const [text, names] of texts) {
    lines.push('', `## ${names.join(', ')}`, '')
    lines.push(text === '' ? 'The package carries no licence text of its own; its licence is named in the table.' : `${fence(text)}\n${text}\n${fence(text)}`)
  }
  return `${lines.join('\n')}\n`
}

/** Names of the packages that the sources import and that package.json names. */
function directPackages() {
  const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  const imported = new Set(['core', 'main', 'renderer'].flatMap(folder => importsBelow(join(root, folder))))
  const bundled = Object.keys(manifest.devDependencies).filter(name => imported.has(name) && !notShipped.includes(name))
  return [...Object.keys(manifest.dependencies), ...bundled]
}

/** @returns {string[]} package names in the import statements of the sources below a folder */
function importsBelow(/** @type {string} */ folder) {
  if (!existsSync(folder)) return []
  return readdirSync(folder, { withFileTypes: true }).flatMap(entry => {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) return importsBelow(path)
    if (!/\.(ts|vue|css)$/.test(entry.name)) return []
    const specifiers = readFileSync(path, 'utf8').matchAll(/(?:from|import|import\(|url\()\s*['"]((?:@[\w.-]+\/)?[\w-][\w.-]*)/g)
    return [...specifiers].map(match => match[1] ?? '')
  })
}

/**
 * Paths in the lock file of these packages and all that they depend on, by Node's rule of the nearest node_modules.
 * @param {Record<string, LockEntry>} lock
 * @param {string[]} names
 */
function closure(lock, names) {
  const found = new Set()
  const visit = (/** @type {string} */ from, /** @type {string} */ name) => {
    for (let folder = from; ; folder = folder.slice(0, Math.max(0, folder.lastIndexOf('/node_modules/')))) {
      const path = folder === '' ? `node_modules/${name}` : `${folder}/node_modules/${name}`
      const entry = lock[path]
      if (entry !== undefined) {
        if (found.has(path)) return
        found.add(path)
        for (const dependency of Object.keys(entry.dependencies ?? {})) visit(path, dependency)
        return
      }
      if (folder === '') throw new Error(`The lock file has no ${name}, which ${from || 'package.json'} needs.`)
    }
  }
  for (const name of names) visit('', name)
  return [...found].sort((a, b) => (nameOf(a) < nameOf(b) ? -1 : nameOf(a) > nameOf(b) ? 1 : a < b ? -1 : 1))
}

function nameOf(/** @type {string} */ path) {
  return path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length)
}

function licenceOf(/** @type {string} */ path, /** @type {LockEntry} */ entry) {
  if (entry.license !== undefined) return entry.license
  const { license, licenses } = JSON.parse(readFileSync(join(root, path, 'package.json'), 'utf8'))
  const named = license?.type ?? license ?? licenses?.map((/** @type {{ type: string }} */ one) => one.type).join(' OR ')
  if (named === undefined) throw new Error(`${path} names no licence.`)
  return named
}

function licenceText(/** @type {string} */ path) {
  return readdirSync(join(root, path), { withFileTypes: true })
    .filter(entry => entry.isFile() && noticeName.test(entry.name))
    .map(entry => entry.name)
    .sort()
    .map(name => readFileSync(join(root, path, name), 'utf8').replace(/\r\n?/g, '\n').replace(/[ \t]+$/gm, '').trim())
    .join('\n\n')
}

/** A fence longer than any run of backticks inside. */
function fence(/** @type {string} */ text) {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(match => match[0].length))
  return '`'.repeat(longest + 1)
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  writeFileSync(target, notices())
  console.error('Wrote THIRD-PARTY-NOTICES.md.')
}
