/**
 * Everything that the documentation names exists: files and headings that it links, files that it names, functions, types, settings with their values,
 * options, scripts; and every work that is cited is listed.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { basename, dirname, extname, join, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { COMMANDS, helpText } from '../../main/cli/help'

const root = resolve(import.meta.dirname, '../..')
const readText = (path: string): string => readFileSync(join(root, path), 'utf8')
const pages = ['README.md', ...['docs', 'docs/how-to'].flatMap(folder => readdirSync(join(root, folder)).filter(name => name.endsWith('.md')).map(name => `${folder}/${name}`))]
const folders = readdirSync(root, { withFileTypes: true }).filter(entry => entry.isDirectory() && entry.name !== 'out').map(entry => entry.name)
const CODE = ['.ts', '.vue', '.js', '.cjs', '.json', '.yml']
const sources = ['core', 'main', 'renderer', 'bin', 'test', 'scenes', 'kernels'].flatMap(folder => readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
  .map(name => join(folder, name).replaceAll('\\', '/')))
const files = [...sources, ...readdirSync(root), ...readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' }).map(name => `docs/${name}`)]
const withoutBlocks = (page: string): string => readText(page).replace(/```[\s\S]*?```/g, '')
const quotedIn = (text: string): string[] => [...text.matchAll(/`([^`\n]+)`/g)].map(match => match[1]!)

/** Names of files, with or without folders; patterns and names to be filled in are none. */
const FILE_NAME = /^(?:[\w.-]+\/)*[\w-][\w.-]*\.(?:ts|vue|js|cjs|md|yml)$/

/** Paths in backticks that begin with a folder of the repository. */
function namedIn(text: string): string[] {
  return quotedIn(text).filter(path => /^[\w.-]+\/[\w./-]+$/.test(path) && folders.includes(path.split('/')[0]!) && !path.startsWith('node_modules/'))
}

/** Whether there is such a file, perhaps in a folder that the text does not name. */
function isFile(name: string): boolean {
  return files.some(file => file === name || file.endsWith(`/${name}`))
}

const linkedFrom = (text: string): string[] => [...text.matchAll(/\]\(([^)\s]+)\)/g)].map(match => match[1]!).filter(target => !/^[a-z]+:/.test(target))

/** Addresses of the headings of a page, as browsers of repositories make them. */
function headingsOf(page: string): string[] {
  return [...withoutBlocks(page).matchAll(/^#+ (.*)$/gm)].map(match => match[1]!.toLowerCase().replace(/[^\p{L}\p{N}\s_-]/gu, '').trim().replaceAll(' ', '-'))
}

function missingLink(page: string, target: string): boolean {
  const [path = '', heading] = target.split('#')
  const file = path === '' ? page : join(dirname(page), path)
  return !existsSync(join(root, file)) || (heading !== undefined && extname(file) === '.md' && !headingsOf(file).includes(heading))
}

/** Names in backticks, as `simulate` or `timeStepping.step`, by their words. */
function symbolsIn(text: string): string[] {
  return quotedIn(text).filter(name => /^[A-Za-z_$][\w$]*(?:\.[A-Za-z_$][\w$]*)*(?:\(\))?$/.test(name) && !FILE_NAME.test(name)).flatMap(name => name.replace('()', '').split('.'))
}

const comments = /\/\*[\s\S]*?\*\/|(?<=^|\s)\/\/ .*$|<!--[\s\S]*?-->/gm
const titles = /(?<=\b(?:it|describe|sampled)(?:\.\w+)?\()'(?:[^'\\\n]|\\.)*'/g

/** Every word of the sources outside of comments and titles of tests, the settings of tools and the scenes included, also those with hyphens. */
function wordsOfSources(): ReadonlySet<string> {
  const texts = [...sources, ...readdirSync(root), 'docs/scene.schema.json'].filter(name => CODE.includes(extname(name)))
  const found = new Set(sources.map(name => basename(name).replace(/\..*/, '')))
  for (const name of texts) {
    const text = readText(name)
    const code = extname(name) === '.json' ? text : text.replace(comments, '').replace(titles, '')
    for (const [word] of code.matchAll(/[A-Za-z_$][\w$]*(?:-[a-z]+)*/g)) {
      found.add(word)
      for (const part of word.split('-')) found.add(part)
    }
  }
  return found
}

const words = wordsOfSources()
/** Packages in other languages that the documentation recommends, and documents of others. */
const FOREIGN = new Set(['mcap-protobuf-support', 'lz4_Block_format.md'])

interface JsonSchema {
  readonly $ref?: string
  readonly $defs?: Readonly<Record<string, JsonSchema>>
  readonly properties?: Readonly<Record<string, JsonSchema>>
  readonly items?: JsonSchema
  readonly anyOf?: readonly JsonSchema[]
  readonly oneOf?: readonly JsonSchema[]
  readonly enum?: readonly unknown[]
  readonly const?: unknown
}

const sceneSchema = JSON.parse(readText('docs/scene.schema.json')) as JsonSchema

/** The forms that a field may have: elements of lists, alternatives and shared parts count as the field itself. */
function formsOf(schema: JsonSchema): JsonSchema[] {
  const shared = schema.$ref === undefined ? undefined : sceneSchema.$defs![schema.$ref.replace('#/$defs/', '')]!
  return [schema, ...[shared, schema.items, ...schema.anyOf ?? [], ...schema.oneOf ?? []].flatMap(inner => inner === undefined ? [] : formsOf(inner))]
}

/** By name: the forms of all fields of this name anywhere in a scene. */
const fields = new Map<string, JsonSchema[]>()
const collect = (schema: JsonSchema): void => {
  for (const form of formsOf(schema)) for (const [name, field] of Object.entries(form.properties ?? {})) {
    fields.set(name, [...fields.get(name) ?? [], ...formsOf(field)])
    collect(field)
  }
}
collect(sceneSchema)

/** Of settings as `simulation.method: "penalty"` or `"type": "box"` those that no scene can have, and settings of `simulation` that do not exist. */
function unknownSettings(text: string): string[] {
  const simulation = fields.get('simulation')!.flatMap(form => Object.keys(form.properties ?? {}))
  return quotedIn(text).filter(quoted => {
    const [, path, value] = /^"?([A-Za-z]+(?:\.[A-Za-z]+)*)"?(?:: ("[\w-]+"|\d+|true|false))?$/.exec(quoted) ?? []
    if (path === undefined || FILE_NAME.test(quoted)) return false
    const names = path.split('.')
    if (value === undefined && !(names.length > 1 && (simulation.includes(names[0]!) || names[0] === 'simulation'))) return false
    const first = fields.get(names[0]!)
    if (first === undefined) return !words.has(names[0]!) // of a file other than a scene
    const last = names.slice(1).reduce((forms, name) => forms.flatMap(form => form.properties?.[name] === undefined ? [] : formsOf(form.properties[name])), first)
    if (value === undefined) return last.length === 0
    const allowed = last.flatMap(form => [...form.enum ?? [], ...form.const === undefined ? [] : [form.const]])
    return last.length === 0 || (value.startsWith('"') && !allowed.includes(JSON.parse(value)))
  })
}

/** Scripts and benchmarks of `npm run …` that do not exist. */
function unknownScripts(text: string): string[] {
  const { scripts } = JSON.parse(readText('package.json')) as { scripts: Readonly<Record<string, string>> }
  return [...text.matchAll(/npm run ([\w:-]+)(?: -- ([a-z][\w-]*))?/g)].filter(([, script = '', argument]) =>
    !Object.hasOwn(scripts, script) || (script === 'bench' && argument !== undefined && !existsSync(join(root, `test/bench/${argument}.ts`)))).map(([all]) => all)
}

describe.each(pages)('%s', page => {
  const text = withoutBlocks(page)

  it('names only identifiers of the sources', () => {
    expect(symbolsIn(text).filter(symbol => !words.has(symbol))).toStrictEqual([])
  })

  it('names hyphenated words only as the sources do', () => {
    expect(quotedIn(text).filter(name => /^[a-z]+(?:-[a-z]+)+$/.test(name) && !words.has(name) && !FOREIGN.has(name))).toStrictEqual([])
  })

  it('names only existing files', () => {
    const isThere = (path: string) => ['', '.ts', '.vue', '.js'].some(ending => existsSync(join(root, path + ending)))
    expect([...namedIn(text).filter(path => !isThere(path)), ...quotedIn(text).filter(name => FILE_NAME.test(name) && !isFile(name))]).toStrictEqual([])
  })

  it('links only existing files and headings', () => {
    expect(linkedFrom(text).filter(target => missingLink(page, target))).toStrictEqual([])
  })

  it('names only settings that a scene can have', () => {
    expect(unknownSettings(text)).toStrictEqual([])
  })

  it('names only existing scripts and benchmarks', () => {
    expect(unknownScripts(readText(page))).toStrictEqual([])
  })
})

/** As PBM01-C, FLS*21, CS248B, Baraff92. */
const short = /^(?:PBM01-[A-Z]|[A-Z]{2,}\*?\d{2,}[A-Z]?(?!\d)|[A-Z][a-z]+\d{2}\b)/
const namesAndYear = /^\p{Lu}[\p{L}'’-]+(?:(?:,| and| &)? (?:van der |van )?\p{Lu}[\p{L}'’-]+)*(?: et al\.)? (?:(?:18|19|20)\d{2}|\d{2})\b/u

/** Keys of cited works, as in [Baraff92 eq. 6-31] or [Davis 2005; Dekker 1971]. */
function citedIn(text: string): string[] {
  return [...text.matchAll(/\[([A-Z][^[\]`]*)\](?!\()/g)].flatMap(match => match[1]!.split('; ')).flatMap(part => {
    const [key] = short.exec(part) ?? namesAndYear.exec(part) ?? []
    return key === undefined || /^(?:RFC|ISO) /.test(key) ? [] : [key]
  })
}

it('docs/sources.md lists the works that are cited, and no others', () => {
  const code = sources.filter(name => ['.ts', '.vue', '.js'].includes(extname(name))).flatMap(name => readText(name).match(comments) ?? []).map(comment => comment.replace(/\s*\n\s*\*?\s*/g, ' '))
  const cited = new Set([...code, ...pages.filter(page => page !== 'docs/sources.md').map(withoutBlocks)].flatMap(citedIn))
  const listed = [...readText('docs/sources.md').matchAll(/^\| (?!key|---)([^|]+?) \|/gm)].map(match => match[1]!)
  expect([...cited].sort()).toStrictEqual([...listed].sort())
})

it('comments name only existing pages', () => {
  const named = sources.filter(name => ['.ts', '.vue', '.js'].includes(extname(name))).flatMap(name => (readText(name).match(comments) ?? [])
    .flatMap(comment => [...comment.matchAll(/(?<![\w/<>.-])((?:[\w-]+\/)*[\w-]+\.md)\b/g)].map(match => match[1]!))
    .filter(page => !isFile(page) && !FOREIGN.has(page)).map(page => `${name}: ${page}`))
  expect(named).toStrictEqual([])
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
