/** Permissions of the shell as predicates: [Electron, "Security", checklist 4–7, 12–14, 17]. */

export const scheme = 'cairn'
export const origin = 'cairn://app'
export const startPage = `${origin}/index.html`

/** Whether a URL is one of our own pages. Others may neither be navigated to nor send messages. */
export function isOwnPage(url: string): boolean {
  if (!URL.canParse(url)) return false
  const { protocol, host, username, password } = new URL(url)
  return protocol === `${scheme}:` && host === 'app' && username === '' && password === ''
}

/** A frame as Electron describes the sender of a message. */
export interface Sender {
  readonly url: string
  /** Null in a window's top frame. */
  readonly parent: unknown
}

/** Whether a message may be answered: it came from the top frame of one of our pages, which still exists. */
export function isTrustedSender(frame: Sender | null): boolean {
  return frame !== null && frame.parent === null && isOwnPage(frame.url)
}

/** Only writing text to the clipboard is permitted (copying a number), which reveals nothing. */
export function isPermitted(permission: string, url: string): boolean {
  return permission === 'clipboard-sanitized-write' && isOwnPage(url)
}
