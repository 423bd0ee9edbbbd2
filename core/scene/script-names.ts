import type { Collection } from './schema/field'

/** Functions with which a script refers to objects by id, and the collection of each. */
const CALLS: Readonly<Record<string, Collection>> = { body: 'bodies', joint: 'joints', sensor: 'sensors' }

/** A script's calls of `body('…')`, `joint('…')` and `sensor('…')` with other ids; computed ids are not recognised. */
export function withNamesChanged(source: string, renamed: (collection: Collection, id: string) => string): string {
  return source.replace(/\b(body|joint|sensor)(\(\s*)(['"`])([A-Za-z0-9_.-]+)\3/g, (_, call: string, open: string, quote: string, id: string) =>
    `${call}${open}${quote}${renamed(CALLS[call]!, id)}${quote}`)
}
