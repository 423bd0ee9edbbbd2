import type { Dialogs, WebHost } from '../../main/protocol/host'
import { useFileDialog } from '../state/file-dialog'

/** Dialogs of the web host: files of the served folder are chosen in the page; results are downloaded. */
export function webDialogs(files: WebHost): Dialogs {
  return {
    chooseOpen: () => useFileDialog().ask({ mode: 'open', files }),
    chooseSave: suggestedName => useFileDialog().ask({ mode: 'save', files, suggestedName }),
    saveFile(name, data) {
      const link = document.createElement('a')
      link.href = URL.createObjectURL(new Blob([data as Uint8Array<ArrayBuffer>]))
      link.download = name
      link.click()
      // The download has read the data by the next turn of the event loop; a second is ample.
      setTimeout(() => URL.revokeObjectURL(link.href), 1000)
      return Promise.resolve(true)
    },
  }
}
