/** Opening of a connection between a page and the web host, before the calls of wire.ts. */

/** Path of the WebSocket on the page's own origin. */
export const socketPath = '/engine'

/** Key of the URL's fragment (`#token=…`) and of sessionStorage that hold the token. */
export const tokenKey = 'token'

/** ms within which the first message must bring the token. */
export const helloTimeout = 2000

/**
 * The page's first message is a text message with the token alone; the host answers with this text message, and binary messages follow.
 * Anything else closes the connection.
 */
export const helloAccepted = 'ready'

/** Codes with which the web host closes a connection. */
export const closeCodes = {
  /** The token is wrong or late: retrying is of no use. */
  unauthorized: 4401,
  /** A message that no page of Cairn sends. */
  badMessage: 4400,
  /** The host ends. */
  goingAway: 1001,
} as const
