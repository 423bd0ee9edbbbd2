/** The in-page open and save dialogs of the web host: they resolve to a file handle. Electron uses the system's dialogs. */

import { shallowRef } from 'vue'
import { defineStore } from 'pinia'
import type { WebFiles } from '../../main/protocol/host'
import type { Handle } from '../../main/protocol/documents'

/** A scene's file name for saving; adds the extension if it is missing. */
export const withEnding = (name: string) => /\.(cairn|json)$/i.test(name) ? name : `${name.replace(/\.+$/, '')}.cairn.json`

export type FileRequest =
  | { readonly mode: 'open'; readonly files: WebFiles }
  | { readonly mode: 'save'; readonly files: WebFiles; readonly suggestedName: string }

export const useFileDialog = defineStore('fileDialog', () => {
  const request = shallowRef<FileRequest | null>(null)
  let settle: ((handle: Handle | null) => void) | null = null

  function ask(next: FileRequest): Promise<Handle | null> {
    answer(null)
    request.value = next
    return new Promise(resolve => { settle = resolve })
  }

  function answer(handle: Handle | null) {
    const resolve = settle
    settle = null
    request.value = null
    resolve?.(handle)
  }

  return { request, ask, answer }
})
