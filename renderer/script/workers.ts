export { default as EditorWorker } from 'monaco-editor/editor/editor.worker?worker'
export { default as JsonWorker } from 'monaco-editor/language/json/json.worker?worker'
export { default as TsWorker } from 'monaco-editor/language/typescript/ts.worker?worker'
