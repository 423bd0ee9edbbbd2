import { app, session } from 'electron'
import { isOwnPage, isPermitted } from './security'

/** For all pages: no navigation, no new windows, no embedded pages, no permissions. */
export function guardContents(): void {
  app.on('web-contents-created', (_event, contents) => {
    contents.setWindowOpenHandler(() => ({ action: 'deny' }))
    contents.on('will-attach-webview', event => event.preventDefault())
    contents.on('will-redirect', event => event.preventDefault())
    contents.on('will-frame-navigate', event => {
      if (!event.isMainFrame || !isOwnPage(event.url)) event.preventDefault()
    })
  })
}

/** Call once the application is ready. */
export function denyPermissions(): void {
  const own = session.defaultSession
  own.setPermissionRequestHandler((contents, permission, answer) => answer(isPermitted(permission, contents.getURL())))
  own.setPermissionCheckHandler((contents, permission) => isPermitted(permission, contents?.getURL() ?? ''))
  own.setDevicePermissionHandler(() => false)
  own.on('will-download', event => event.preventDefault())
}
