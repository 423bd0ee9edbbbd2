/** Import from and export to other runtimes: the formats of core, with checked options and errors for hosts. */
import {
  completeOptions, exported, exportFormats, FormatError, formatById, formats, importFormats, recogniseFormat, type FormatFile,
} from '../../core/formats'
import { parseScene, writeScene } from '../../core/scene'
import type { ExportResult, FormatInfo, ImportOutcome, ImportRequest } from '../protocol/exchange'
import { HostError } from '../protocol/host'
import { refusal } from './refusal'

export function formatInfos(): FormatInfo[] {
  return formats.map(({ id, label, exporter, importer, motion }) => ({
    id, label,
    exports: exporter && { extensions: [exporter.extension], options: exporter.options },
    imports: importer && { extensions: importer.extensions, options: importer.options },
    motion: motion && { extensions: [motion.extension], options: motion.options },
  }))
}

/** @param stem of the main file's name @throws HostError: unknown format or option, or an invalid scene */
export async function exportText(text: string, formatId: string, stem: string, options: Readonly<Record<string, unknown>> = {}): Promise<ExportResult> {
  const exporter = formatById(formatId)?.exporter
  if (!exporter) throw unknownFormat(formatId, exportFormats.map(format => format.id))
  const parsed = parseScene(text)
  if (!parsed.ok) throw refusal(parsed.problems)
  const { files, losses } = await withTypedErrors(async () => exported(exporter, parsed.resolved, stem, completeOptions(exporter.options, options)))
  return { files: files.map(({ name, content }) => ({ name, data: bytesOf(content) })), losses }
}

/** The first file is the main one; the others are found by name. @throws HostError: why the file was refused */
export async function importFiles({ files, format: wanted, options }: ImportRequest): Promise<ImportOutcome> {
  const main = files[0]
  if (main === undefined) throw new HostError('BadRequest', 'There is no file to import.')
  const given = new Map(files.map(file => [file.name, file]))
  return importWith({ name: main.name, content: main.data }, wanted, options, path => {
    const file = given.get(path)
    return file === undefined ? null : { name: path, content: file.data }
  })
}

/** @throws HostError: why the file was refused */
export async function importWith(
  main: FormatFile, wanted: string | null, options: Readonly<Record<string, unknown>>, resolve: (path: string) => FormatFile | null,
): Promise<ImportOutcome> {
  const format = wanted === null ? recogniseFormat(main) : formatById(wanted)
  if (!format?.importer) {
    const known = importFormats.map(({ id, label }) => wanted === null ? label : id).join(', ')
    throw wanted === null ? asHostError(new FormatError('UnknownFormat', main.name, `"${main.name}" has no importable format.`, { allowed: known }))
      : unknownFormat(wanted, importFormats.map(one => one.id))
  }
  const { importer } = format
  const { scene, losses, missing, notes } = await withTypedErrors(async () => importer.run(main, resolve, completeOptions(importer.options, options)))
  return { format: format.id, text: writeScene(scene, null), losses, missing, notes }
}

function unknownFormat(id: string, allowed: readonly string[]): HostError {
  return asHostError(new FormatError('UnknownFormat', '', `There is no format "${id}".`, { value: id, allowed: allowed.join(', ') }))
}

export async function withTypedErrors<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw error instanceof FormatError ? asHostError(error) : error
  }
}

function asHostError({ name, message, path, value, allowed, ids }: FormatError): HostError {
  return new HostError(name, message, [{
    name, severity: 'error', message, path, ids, ...(value === undefined ? {} : { value }), ...(allowed === undefined ? {} : { allowed }),
  }])
}

export function bytesOf(content: string | Uint8Array): Uint8Array {
  return typeof content === 'string' ? new TextEncoder().encode(content) : content
}
