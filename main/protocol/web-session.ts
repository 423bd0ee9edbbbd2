/** How a page and the web host meet, before the calls of wire.ts begin. */

/** Path of the WebSocket on the page's own origin. */
export const socketPath = '/engine'

/** Key of the URL's fragment (`#token=…`) and of sessionStorage that hold the token. */
export const tokenKey = 'token'

/** ms within which the first message has to bring the token. */
export const helloTimeout = 2000

/**
 * The page's first message is a text message with the token alone; the host answers with this text message, and binary messages follow.
 * Anything else closes the connection.
 */
export const helloAccepted = 'ready'

/** Codes with which the web host closes a connection. */
export const closeCodes = {
  /** The token is wrong, or did not come in time: asking again is of no use. */
  unauthorized: 4401,
  /** A message of a shape that no page of ours sends. */
  badMessage: 4400,
  /** The host ends. */
  goingAway: 1001,
} as const
