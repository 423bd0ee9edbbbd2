import type { Dialogs, WebHost } from '../../main/protocol/host'
import { useFileDialog } from '../state/file-dialog'

/** The web host's dialogs: files below its root are chosen in the page, results are handed over as downloads. */
export function webDialogs(files: WebHost): Dialogs {
  return {
    chooseOpen: () => useFileDialog().ask({ mode: 'open', files }),
    chooseSave: suggestedName => useFileDialog().ask({ mode: 'save', files, suggestedName }),
    saveFile(name, data) {
      const link = document.createElement('a')
      link.href = URL.createObjectURL(new Blob([data as Uint8Array<ArrayBuffer>]))
      link.download = name
      link.click()
      // The download has taken the data over by the next turn of the event loop; a second is generous.
      setTimeout(() => URL.revokeObjectURL(link.href), 1000)
      return Promise.resolve(true)
    },
  }
}
