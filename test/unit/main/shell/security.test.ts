import { describe, expect, it } from 'vitest'
import { isOwnPage, isPermitted, isTrustedSender, startPage } from '../../../../main/shell/security'

const foreign = [
  'https://example.org/', 'http://127.0.0.1:8080/', 'file:///etc/passwd', 'cairn://evil/index.html', 'cairn://app.evil/index.html',
  'cairn://user@app/index.html', 'cairn://user:word@app/', 'cairnx://app/', 'data:text/html,x', 'blob:cairn://app/1', 'about:blank', 'javascript:1', '', 'app',
]

describe('Cairn\'s own page', () => {
  it('is any address below cairn://app', () => {
    expect([startPage, 'cairn://app/', 'cairn://app/index.html#x'].map(isOwnPage)).toEqual([true, true, true])
  })

  it.each(foreign)('is not %j', url => {
    expect(isOwnPage(url)).toBe(false)
  })
})

describe('messages', () => {
  it('are answered to the top frame of our page', () => {
    expect(isTrustedSender({ url: startPage, parent: null })).toBe(true)
  })

  it('are not answered to frames inside it, to foreign pages, or to a destroyed frame', () => {
    expect(isTrustedSender({ url: startPage, parent: {} })).toBe(false)
    expect(isTrustedSender({ url: 'https://example.org/', parent: null })).toBe(false)
    expect(isTrustedSender(null)).toBe(false)
  })
})

describe('permissions', () => {
  it.each([
    'media', 'geolocation', 'notifications', 'midi', 'midiSysex', 'pointerLock', 'fullscreen', 'openExternal', 'clipboard-read', 'hid', 'usb',
    'serial', 'display-capture', 'fileSystem', 'idle-detection', 'window-management', 'storage-access', 'keyboardLock', 'unknown',
  ])('denies %s', permission => {
    expect(isPermitted(permission, startPage)).toBe(false)
  })

  it('lets our own page, and no other, write to the clipboard', () => {
    expect(isPermitted('clipboard-sanitized-write', startPage)).toBe(true)
    expect(foreign.some(url => isPermitted('clipboard-sanitized-write', url))).toBe(false)
  })
})
