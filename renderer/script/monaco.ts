/** Monaco, configured for scripts and for the scene's JSON. Loaded with the script panel only. */

import * as monaco from 'monaco-editor/editor/editor.api'
import 'monaco-editor/features/register.all'
import 'monaco-editor/languages/definitions/typescript/register'
import { JsonWorker, TsWorker, EditorWorker } from './workers'
import * as typescript from 'monaco-editor/languages/features/typescript/register'
import * as json from 'monaco-editor/languages/features/json/register'
import { sceneJsonSchema, type Parameter } from '../../core/scene'
import type { Problem } from '../../main/protocol/problem'
import scriptTypes from '../../main/protocol/script-types.d.ts?raw'
import { useDocument } from '../state/document'
import type { Theme } from '../state/view'
import { scriptCompletions } from './completions'
import { parameterTypes } from './parameter-types'

export { monaco }

self.MonacoEnvironment = {
  getWorker: (_: unknown, label: string) => label === 'typescript' || label === 'javascript' ? new TsWorker() : label === 'json' ? new JsonWorker() : new EditorWorker(),
}

typescript.typescriptDefaults.setCompilerOptions({
  target: typescript.ScriptTarget.ESNext, module: typescript.ModuleKind.ESNext, lib: ['es2022'], strict: true, noEmit: true, allowNonTsExtensions: true,
})
typescript.typescriptDefaults.addExtraLib(scriptTypes, 'file:///cairn/script-types.d.ts')
json.jsonDefaults.setDiagnosticsOptions({
  validate: true, allowComments: false, schemas: [{ uri: 'cairn://scene.schema.json', fileMatch: ['*scene*'], schema: sceneJsonSchema() }],
})

monaco.languages.registerCompletionItemProvider('typescript', {
  triggerCharacters: ['\'', '"', '`'],
  provideCompletionItems(model, position) {
    const line = model.getLineContent(position.lineNumber)
    const word = model.getWordUntilPosition(position)
    return { suggestions: scriptCompletions(line.slice(0, position.column - 1), useDocument().scene, monaco.languages.CompletionItemKind).map(item => ({
      ...item, range: { startLineNumber: position.lineNumber, endLineNumber: position.lineNumber, startColumn: word.startColumn, endColumn: word.endColumn },
      ...(item.snippet ? { insertTextRules: monaco.languages.CompletionItemInsertTextRule.InsertAsSnippet } : {}),
    })) }
  },
})

for (const [name, base, colors] of [
  ['cairn-dark', 'vs-dark', { 'editor.background': '#101317', 'editor.lineHighlightBackground': '#1b1f26' }],
  ['cairn-light', 'vs', { 'editor.background': '#ffffff', 'editor.lineHighlightBackground': '#f1f4f8' }],
] as const) monaco.editor.defineTheme(name, { base, inherit: true, rules: [], colors })

/** Declares the parameters of the open scene, for completion, documentation and errors. */
export function setParameters(parameters: readonly Parameter[]): void {
  typescript.typescriptDefaults.addExtraLib(parameterTypes(parameters), 'file:///cairn/scene-parameters.d.ts')
}

export function setTheme(theme: Theme): void {
  monaco.editor.setTheme(`cairn-${theme}`)
}

/** One model for each script of a document, with its own undo history and cursor; models of former documents are disposed. */
export function modelFor(id: string, language: 'typescript' | 'json', text: string, generation: number) {
  const folder = `file:///document-${generation}/`
  for (const model of monaco.editor.getModels()) {
    if (model.uri.toString().startsWith('file:///document-') && !model.uri.toString().startsWith(folder)) model.dispose()
  }
  const uri = monaco.Uri.parse(`${folder}${language === 'json' ? 'scene.json' : id.endsWith('.ts') ? id : `${id}.ts`}`)
  return monaco.editor.getModel(uri) ?? monaco.editor.createModel(text, language, uri)
}

export function setMarkers(model: ReturnType<typeof modelFor>, problems: readonly Problem[]): void {
  monaco.editor.setModelMarkers(model, 'cairn', problems.map(problem => {
    const line = Math.min(model.getLineCount(), Math.max(1, problem.line ?? 1))
    const column = Math.max(1, problem.column ?? 1)
    return {
      severity: problem.severity === 'error' ? monaco.MarkerSeverity.Error : monaco.MarkerSeverity.Warning,
      message: problem.time === undefined ? problem.message : `${problem.message} (at t = ${problem.time} s)`,
      startLineNumber: line, startColumn: column, endLineNumber: line, endColumn: Math.max(column + 1, model.getLineMaxColumn(line)),
    }
  }))
}
