/** The fields of a usdc file's specs: each spec is a run of fields, with a name and the location of the value. */

import type { UsdValue } from '../layer'
import { malformed } from './bytes'
import type { Crate } from './sections'
import type { CrateValues } from './values'

/** More fields than any spec has; bounds the cost of an unterminated run. */
const MAX_RUN_LENGTH = 256

export class CrateFields {
  constructor(private readonly crate: Crate, private readonly values: CrateValues) {}

  /** Value of a field; undefined if absent. */
  value(spec: number, name: string): UsdValue | undefined {
    const field = this.find(spec, name)
    return field < 0 ? undefined : this.values.value(this.crate.fields.low[field]!, this.crate.fields.high[field]!)
  }

  text(spec: number, name: string): string {
    const value = this.value(spec, name)
    return typeof value === 'string' ? value : ''
  }

  /** Words of a list, each once. */
  words(spec: number, name: string): readonly string[] {
    const value = this.value(spec, name)
    return Array.isArray(value) ? [...new Set(value.filter(word => typeof word === 'string'))] : []
  }

  has(spec: number, name: string): boolean {
    return this.find(spec, name) >= 0
  }

  samples(spec: number): readonly (readonly [number, UsdValue])[] {
    const field = this.find(spec, 'timeSamples')
    return field < 0 ? [] : this.values.samples(this.crate.fields.low[field]!, this.crate.fields.high[field]!)
  }

  /** Every field of a spec. */
  * names(spec: number): Generator<string> {
    for (let at = this.start(spec), left = MAX_RUN_LENGTH; ; at++, left--) {
      const field = this.fieldAt(at, left)
      if (field < 0) return
      yield this.nameOf(field)
    }
  }

  private find(spec: number, name: string): number {
    for (let at = this.start(spec), left = MAX_RUN_LENGTH; ; at++, left--) {
      const field = this.fieldAt(at, left)
      if (field < 0 || this.nameOf(field) === name) return field
    }
  }

  private start(spec: number): number {
    return this.crate.specs.fieldSet[spec] ?? -1
  }

  /** Index in the table of fields, −1 at the end of the run. */
  private fieldAt(at: number, left: number): number {
    const field = this.crate.fieldSets[at] ?? -1
    if (field >= this.crate.fields.token.length || field < -1 || left === 0) throw malformed('a run of fields has no end', 'FIELDSETS')
    return field
  }

  private nameOf(field: number): string {
    return this.values.token(this.crate.fields.token[field]!)
  }
}
