import type * as z from 'zod'
import { allowedText, describeField, schemaAt, shapeOf } from './fields'
import { nearestName } from './nearest'
import { formatPath, valueAt, type Path } from './path'
import { quoted, type ProblemList } from './problem'

type Issue = z.core.$ZodIssue

const meant = (written: unknown, known: Iterable<string>) => {
  const name = typeof written === 'string' ? nearestName(written, known) : null
  return name === null ? '' : `; did you mean "${name}"?`
}

/**
 * Converts schema errors to problems with the value and the allowed values.
 * `document` is the input of `schema`; `base` is its path in the whole document.
 */
export function reportIssues(issues: readonly Issue[], schema: z.core.$ZodType, document: unknown, base: Path, list: ProblemList): void {
  for (const issue of issues) reportIssue(issue, schema, document, base, list)
}

function reportIssue(issue: Issue, schema: z.core.$ZodType, document: unknown, base: Path, list: ProblemList): void {
  const local = issue.path as Path
  const path = [...base, ...local]
  const value = valueAt(document, local)
  const at = schemaAt(schema, local, document)
  const allowed = at ? allowedText(at) : issue.code === 'invalid_type' && issue.expected === 'number' ? 'a finite number' : undefined
  const label = subject(local, at)
  switch (issue.code) {
    case 'unrecognized_keys': {
      const known = Object.keys((at && shapeOf(at)) ?? {})
      for (const [k, key] of issue.keys.entries()) {
        if (list.isFull) {
          list.count(issue.keys.length - k)
          return
        }
        const where = formatPath(path)
        list.report('UnknownKey', [...path, key], `Unknown key "${key}"${where === '' ? '' : ` in ${where}`}${meant(key, known)}`, {
          value: valueAt(document, [...local, key]), allowed: known.join(', '),
        })
      }
      return
    }
    case 'invalid_type':
      if (value === undefined) {
        list.report('MissingKey', path, `${label} is missing`, { allowed })
      } else if (typeof value === 'number' && !Number.isFinite(value)) {
        list.report('NotFinite', path, `${label} is ${value}; numbers must be finite`, { value, allowed })
      } else {
        list.report('WrongType', path, `${label} must be ${allowed ?? issue.expected}, not ${quoted(value)}`, { value, allowed })
      }
      return
    case 'invalid_union': {
      const options = 'options' in issue ? (issue.options as unknown[]).map(String) : []
      const choices = options.length > 0 ? `one of ${options.join(', ')}` : allowed
      if (value === undefined) list.report('MissingKey', path, `${label} is missing`, { allowed: choices })
      else list.report('InvalidValue', path, `Unknown ${formatPath(local.slice(-1))} ${quoted(value)}${meant(value, options)}`, { value, allowed: choices })
      return
    }
    case 'invalid_value':
      if (value === undefined) list.report('MissingKey', path, `${label} is missing`, { allowed })
      else list.report('InvalidValue', path, `${label} cannot be ${quoted(value)}${meant(value, issue.values.map(String))}`, { value, allowed })
      return
    case 'too_small':
    case 'too_big':
    case 'not_multiple_of':
      if (Array.isArray(value)) list.report('OutOfRange', path, `${label} has ${value.length} elements; it must be ${allowed}`, { value, allowed })
      else if (typeof value === 'string') list.report('OutOfRange', path, `${label} has ${value.length} characters; it must be ${allowed}`, { value, allowed })
      else list.report('OutOfRange', path, `${label} is ${quoted(value)}; it must be ${allowed}`, { value, allowed })
      return
    case 'invalid_format':
      list.report('InvalidFormat', path, `${label} ${quoted(value)} must be ${allowed}`, { value, allowed })
      return
    case 'custom': {
      const expected = typeof issue.params?.allowed === 'string' ? issue.params.allowed : allowed
      list.report('WrongType', path, `${issue.message}, not ${quoted(value)}`, { value, allowed: expected })
      return
    }
    default:
      list.report('InvalidValue', path, issue.message, { value, allowed })
  }
}

/** The name of a field as the beginning of a sentence; components and elements by their path. */
function subject(local: Path, schema: z.core.$ZodType | null): string {
  const last = local.at(-1)
  if (typeof last === 'string' && schema) {
    const { label } = describeField(last, schema)
    return label.toLowerCase() === last.toLowerCase() ? `"${last}"` : `${label} ("${last}")`
  }
  if (typeof last === 'string') return `"${last}"`
  return last === undefined ? 'The scene' : formatPath(local.slice(-2))
}
