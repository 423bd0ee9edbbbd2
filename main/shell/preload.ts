/**
 * Runs sandboxed beside the page, as CommonJS. It only passes the page's request for ports to the shell, and the ports to the page.
 * (MessagePorts cannot cross contextBridge, so `window.postMessage` hands them over.)
 */
import { ipcRenderer } from 'electron'
import { connectAnswer, connectRequest } from '../protocol/shell'

window.addEventListener('message', event => {
  if (event.source === window && event.data === connectRequest) ipcRenderer.send(connectRequest)
})

ipcRenderer.on(connectAnswer, event => {
  window.postMessage(connectAnswer, '/', event.ports)
})
