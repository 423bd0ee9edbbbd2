import { cpSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { cruise, type ICruiseOptions, type ICruiseResult } from 'dependency-cruiser'
import extractTSConfig from 'dependency-cruiser/config-utl/extract-ts-config'
import { ESLint } from 'eslint'
import ts from 'typescript'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'

const root = resolve(import.meta.dirname, '../..')
const rules = createRequire(import.meta.url)(join(root, '.dependency-cruiser.cjs')) as ICruiseOptions['ruleSet'] & { options: ICruiseOptions }

/** Lays the given files out as a small repository and returns the names of the rules of the real configuration that they break. */
async function brokenRules(files: Record<string, string>): Promise<string[]> {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(join(tree, dirname(path)), { recursive: true })
    writeFileSync(join(tree, path), text)
  }
  const folders = [...new Set(Object.keys(files).map(path => path.split('/')[0]!))]
  const { output } = await cruise(
    folders,
    { ...rules.options, ruleSet: { forbidden: rules.forbidden! }, validate: true, baseDir: tree },
    rules.options.enhancedResolveOptions as Parameters<typeof cruise>[2],
    { tsConfig: extractTSConfig(join(root, 'tsconfig.base.json')) },
  )
  return [...new Set((output as ICruiseResult).summary.violations.map(violation => violation.rule.name))].sort()
}

let tree = ''
beforeEach(() => {
  tree = realpathSync(mkdtempSync(join(tmpdir(), 'cairn-boundaries-')))
  cpSync(join(root, 'package.json'), join(tree, 'package.json'))
  symlinkSync(join(root, 'node_modules'), join(tree, 'node_modules'), 'dir')
})
afterEach(() => rmSync(tree, { recursive: true, force: true }))

const leaf = 'export const one = 1\nexport interface Leaf { one: number }\n'
const imports = (from: string) => `import { one } from '${from}'\nexport const two = one + one\n`

describe('the layers of core', () => {
  it('permits imports downwards', async () => {
    expect(await brokenRules({
      'core/math/leaf.ts': leaf,
      'core/geometry/shape.ts': imports('../math/leaf'),
      'core/collision/witness.ts': imports('../geometry/shape').replace('{ one }', '{ two as one }'),
      'core/lcp/dantzig.ts': imports('../math/leaf'),
      'core/scene/schema.ts': "import { z } from 'zod'\nimport { create } from 'mutative'\nexport const a = [z, create]\n",
      'core/formats/xml.ts': "import { SaxesParser } from 'saxes'\nexport const Parser = SaxesParser\n",
    })).toEqual([])
  })

  it.each([
    ['geometry', 'collision'], ['math', 'geometry'], ['lcp', 'geometry'], ['dynamics', 'contact'], ['dynamics', 'lcp'], ['dynamics', 'collision'],
    ['contact', 'methods'], ['methods', 'simulation'], ['scene', 'geometry'], ['scene', 'trajectory'], ['trajectory', 'scene'],
    ['formats', 'collision'], ['analysis', 'formats'], ['analysis', 'dynamics'], ['methods', 'scene'], ['methods', 'trajectory'],
  ])('stops %s from importing %s', async (from, to) => {
    expect(await brokenRules({ [`core/${from}/a.ts`]: imports(`../${to}/leaf`), [`core/${to}/leaf.ts`]: leaf }))
      .toEqual([`core-${from}-imports-downwards`])
  })

  it('counts type imports', async () => {
    expect(await brokenRules({
      'core/math/a.ts': "import type { Leaf } from '../geometry/leaf'\nexport type A = Leaf\n",
      'core/geometry/leaf.ts': leaf,
    })).toEqual(['core-math-imports-downwards'])
  })

  it('lets only simulation join both sides', async () => {
    const both = "import '../methods/leaf'\nimport '../scene/leaf'\nimport '../analysis/leaf'\nexport {}\n"
    const sides = { 'core/methods/leaf.ts': leaf, 'core/scene/leaf.ts': leaf, 'core/analysis/leaf.ts': leaf }
    expect(await brokenRules({ ...sides, 'core/simulation/run.ts': both })).toEqual([])
    expect(await brokenRules({ 'core/analysis/run.ts': both })).toEqual(['core-analysis-imports-downwards'])
  })

  it('has a layer for every folder', async () => {
    expect(await brokenRules({ 'core/misc/a.ts': imports('./leaf'), 'core/misc/leaf.ts': leaf })).toEqual(['core-folder-not-listed'])
  })

  it('keeps Node, Electron, the outside and unlisted packages out', async () => {
    expect(await brokenRules({ 'core/math/a.ts': "import { readFileSync } from 'node:fs'\nexport const read = readFileSync\n" }))
      .toContain('core-knows-no-node')
    expect(await brokenRules({ 'core/math/a.ts': imports('ws') })).toEqual(['core-uses-pure-libraries-only'])
    expect(await brokenRules({ 'core/math/a.ts': imports('../../main/engine/leaf'), 'main/engine/leaf.ts': leaf }))
      .toEqual(['core-stays-in-core'])
  })
})

describe('cycles', () => {
  it('finds two files that import each other, even for types only', async () => {
    expect(await brokenRules({
      'core/math/a.ts': "import { b } from './b'\nexport interface A { b: number }\nexport const a = b\n",
      'core/math/b.ts': "import type { A } from './a'\nexport const b = 1\nexport type B = A\n",
    })).toEqual(['no-cycles'])
  })
})

describe('processes', () => {
  it.each(['engine', 'run', 'web', 'cli', 'protocol'])('keeps Electron out of main/%s', async folder => {
    expect(await brokenRules({ [`main/${folder}/a.ts`]: "import { app } from 'electron'\nexport const a = app\n" }))
      .toContain('only-the-shell-knows-electron')
  })

  it('lets the shell import Electron and the engine', async () => {
    expect(await brokenRules({
      'main/shell/main.ts': "import { app } from 'electron'\nimport { one } from '../engine/leaf'\nexport const a = [app, one]\n",
      'main/engine/leaf.ts': leaf,
    })).toEqual([])
  })

  it('stops the engine from importing its hosts, and main from importing the interface', async () => {
    expect(await brokenRules({ 'main/engine/a.ts': imports('../web/leaf'), 'main/web/leaf.ts': leaf })).toEqual(['main-engine-imports-downwards'])
    expect(await brokenRules({ 'main/engine/a.ts': imports('../../renderer/leaf'), 'renderer/leaf.ts': leaf })).toEqual(['main-imports-core'])
  })

  it.each(['math', 'geometry', 'scene', 'trajectory', 'formats', 'analysis', 'modelling', 'dynamics/joints'])('permits the renderer to import core/%s', async folder => {
    expect(await brokenRules({ 'renderer/a.ts': imports(`../core/${folder}/leaf`), [`core/${folder}/leaf.ts`]: leaf })).toEqual([])
  })

  it.each([
    'core/collision', 'core/lcp', 'core/dynamics', 'core/contact', 'core/methods', 'core/simulation', 'main/engine', 'main/shell',
  ])('forbids the renderer to import %s, Vue components included', async folder => {
    expect(await brokenRules({
      'renderer/A.vue': `<script setup lang="ts">\nimport type { Leaf } from '../${folder}/leaf'\ndefineProps<Leaf>()\n</script>\n<template><p /></template>\n`,
      [`${folder}/leaf.ts`]: leaf,
    })).toEqual(['renderer-sees-its-part'])
  })
})

describe('arithmetic in core', () => {
  const lint = new ESLint({ cwd: root, overrideConfigFile: join(root, 'eslint.config.js') })
  const complaints = async (text: string, filePath: string) => {
    const [result] = await lint.lintText(text, { filePath: join(root, filePath) })
    return result!.messages.map(message => `${message.line}: ${message.ruleId}`)
  }

  it.each([
    'export const y = Math.sin(1)',
    'export const y = Math.hypot(3, 4)',
    'export const y = Math.random()',
    "export const y = Math['sin'](1)",
    'export const { sin } = Math',
    'export const y = [1].map(Math.cos)',
    'export const y = 2 ** 0.5',
    'export let y = 2\ny **= 2',
    'export const y = Date.now()',
    'export const y = new Date()',
    'export const y = performance.now()',
    'export const y = setTimeout(() => {}, 1)',
    'export const y = globalThis',
    'for (const key in { a: 1 }) { String(key) }',
  ])('refuses: %s', async line => {
    expect(await complaints(`${line}\n`, 'core/math/sample.ts')).not.toEqual([])
  })

  it('accepts operations that IEEE 754 rounds equally everywhere', async () => {
    const names = ['abs', 'sign', 'sqrt', 'min', 'max', 'floor', 'ceil', 'round', 'trunc', 'imul']
    const text = names.map(name => `export const ${name} = Math.${name}(2, 3)\n`).join('')
    expect(await complaints(text, 'core/math/sample.ts')).toEqual([])
  })

  it('permits Math in the renderer', async () => {
    expect(await complaints('export const y = Math.sin(1) ** 2\n', 'renderer/sample.ts')).toEqual([])
  })
})

describe('what exists in core', () => {
  it('is the language alone: neither the DOM, nor Node, nor a console', () => {
    const names = ['document', 'window', 'fetch', 'process', 'Buffer', 'console', 'setTimeout', 'performance', 'structuredClone', 'TextEncoder', 'URL']
    const file = join(tree, 'sample.ts')
    writeFileSync(file, `export const found = [Math, Map, Float64Array, ${names.join(', ')}]\n`)
    const config = ts.readConfigFile(join(root, 'core/tsconfig.json'), path => ts.sys.readFile(path))
    const { options } = ts.parseJsonConfigFileContent(config.config, ts.sys, join(root, 'core'))
    const program = ts.createProgram([file], { ...options, incremental: false, tsBuildInfoFile: undefined })
    const messages = program.getSemanticDiagnostics().map(each => ts.flattenDiagnosticMessageText(each.messageText, ' '))
    expect(messages.map(message => /'(\w+)'/.exec(message)![1])).toEqual(names)
  })
})
