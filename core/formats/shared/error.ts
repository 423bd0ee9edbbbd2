/** Reason why a file was rejected. */

export type FormatErrorName =
  | 'MalformedFile' | 'MalformedXml' | 'TooLarge' | 'TooDeep' | 'TooMany' | 'ForbiddenKey' | 'InvalidValue' | 'MissingValue' | 'UnknownReference'
  | 'DuplicateName' | 'UnsafePath' | 'Unsupported' | 'UnknownFormat' | 'InvalidOption'

export class FormatError extends Error {
  override readonly name: FormatErrorName
  /** Where in the file: element and line, or the JSON path. */
  readonly path: string
  readonly value: unknown
  readonly allowed: string | undefined
  /** Names of the affected elements in the file. */
  readonly ids: readonly string[]

  constructor(name: FormatErrorName, path: string, message: string, details: { value?: unknown; allowed?: string; ids?: readonly string[] } = {}) {
    super(message)
    this.name = name
    this.path = path
    this.value = details.value
    this.allowed = details.allowed
    this.ids = details.ids ?? []
  }
}
