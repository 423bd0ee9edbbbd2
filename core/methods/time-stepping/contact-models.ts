/** The contact models by their names in a scene. */

import type { ContactModel } from './contact-model'
import { pegModel } from './peg'
import { halfSpaceModel, locallyNonConvexModel } from './peg/comparison'
import { standardModel } from './standard-model'

/** Scene settings of a model. */
export interface ContactModelOptions {
  /** Most candidates of one constraint among which the active one is selected. */
  readonly primaryContacts: number
}

const models: Readonly<Record<string, (options: ContactModelOptions) => ContactModel>> = {
  peg: ({ primaryContacts }) => pegModel(primaryContacts),
  standard: () => standardModel,
  'half-spaces': () => halfSpaceModel(),
  'locally-nonconvex': ({ primaryContacts }) => locallyNonConvexModel(primaryContacts),
}

export const CONTACT_MODELS: readonly string[] = Object.keys(models)

/** @throws RangeError for an unknown name */
export function contactModel(name: string, options: ContactModelOptions): ContactModel {
  const make = models[name]
  if (make === undefined) throw new RangeError(`contact model ${name}; there are ${CONTACT_MODELS.join(', ')}`)
  return make(options)
}
