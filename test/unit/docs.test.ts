/** Everything that the documentation names exists: linked files, files named by their paths, and names of functions, types, settings and options. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, extname, join, resolve } from 'node:path'
import { expect, it } from 'vitest'
import { COMMANDS, helpText } from '../../main/cli/help'

const root = resolve(import.meta.dirname, '../..')
const pages = ['README.md', ...['docs', 'docs/how-to'].flatMap(folder => readdirSync(join(root, folder)).filter(name => name.endsWith('.md')).map(name => `${folder}/${name}`))]
const folders = readdirSync(root, { withFileTypes: true }).filter(entry => entry.isDirectory() && entry.name !== 'out').map(entry => entry.name)

/** Paths in backticks that begin with a folder of the repository; patterns and names to be filled in are none. */
function namedIn(text: string): string[] {
  return [...text.matchAll(/`([\w.-]+\/[\w./-]+)`/g)].map(match => match[1]!).filter(path => folders.includes(path.split('/')[0]!))
}

function linkedFrom(text: string): string[] {
  return [...text.matchAll(/\]\(([^)#\s]+)(?:#[^)]*)?\)/g)].map(match => match[1]!).filter(target => !/^[a-z]+:/.test(target))
}

/** Names in backticks, as `simulate` or `timeStepping.step`, by their words. */
function symbolsIn(text: string): string[] {
  return [...text.matchAll(/`([A-Za-z_$][\w$]*(?:\.[A-Za-z_$][\w$]*)*)(?:\(\))?`/g)].flatMap(match => match[1]!.split('.'))
}

/** Every word of the sources, the settings of tools and the scenes included. */
function wordsOfSources(): ReadonlySet<string> {
  const sources = ['core', 'main', 'renderer', 'bin', 'test', 'scenes'].flatMap(folder => readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map(name => join(folder, name)))
  const texts = [...sources, ...readdirSync(root), 'docs/scene.schema.json'].filter(name => ['.ts', '.vue', '.js', '.cjs', '.json', '.yml'].includes(extname(name)))
  return new Set(texts.flatMap(name => readFileSync(join(root, name), 'utf8').match(/[A-Za-z_$][\w$]*/g) ?? []))
}

const words = wordsOfSources()

it.each(pages)('%s names only identifiers of the sources', page => {
  const text = readFileSync(join(root, page), 'utf8').replace(/```[\s\S]*?```/g, '')
  expect(symbolsIn(text).filter(symbol => !words.has(symbol))).toStrictEqual([])
})

it.each(pages)('%s names and links only existing files', page => {
  const text = readFileSync(join(root, page), 'utf8').replace(/```[\s\S]*?```/g, '')
  const isThere = (path: string) => ['', '.ts', '.vue', '.js'].some(ending => existsSync(path + ending))
  const missing = [
    ...linkedFrom(text).filter(target => !isThere(join(root, dirname(page), target))),
    ...namedIn(text).filter(path => !isThere(join(root, path)) && !path.startsWith('node_modules/')),
  ]
  expect(missing).toStrictEqual([])
})

/** Commands `cairn <command> …` in backticks and in code blocks, with continued lines joined. */
function commandsIn(text: string): string[] {
  const blocks = [...text.matchAll(/```[a-z]*\n([\s\S]*?)```/g)].flatMap(match => match[1]!.replace(/\\\n/g, ' ').split('\n').map(line => line.replace(/(^|\s)#.*/, '')))
  const inline = [...text.replace(/```[\s\S]*?```/g, '').matchAll(/`([^`\n]+)`/g)].map(match => match[1]!)
  return [...blocks, ...inline].flatMap(line => [...line.matchAll(/\bcairn(?:\.js)? ([a-z]+(?: .*)?)$/g)].map(match => match[1]!))
}

it.each(pages)('%s uses existing commands with existing options', async page => {
  const unknown = (await Promise.all(commandsIn(readFileSync(join(root, page), 'utf8')).map(async line => {
    const name = line.split(' ')[0]!
    if (!Object.hasOwn(COMMANDS, name)) return [name]
    const options = [...line.matchAll(/(?<=[\s[])--([a-z][a-z-]*)/g)].map(match => `--${match[1]!}`)
    const text = await helpText(name)
    return options.filter(option => !text.includes(option) && option !== '--help').map(option => `${name} ${option}`)
  }))).flat()
  expect(unknown).toStrictEqual([])
})

it('README.md has a row for every command', () => {
  const typed = new Set(commandsIn(readFileSync(join(root, 'README.md'), 'utf8')).map(line => line.split(' ')[0]))
  expect(Object.keys(COMMANDS).filter(name => !typed.has(name))).toStrictEqual([])
})
