/** The contact models by the names that a scene gives them. */

import type { ContactModel } from './contact-model'
import { pegModel } from './peg'
import { halfSpaceModel, locallyNonConvexModel } from './peg/comparison'
import { standardModel } from './standard-model'

/** What a scene sets of a model. */
export interface ContactModelOptions {
  /** Candidates of one constraint between which a step may choose what pushes. */
  readonly primaryContacts: number
}

const models: Readonly<Record<string, (options: ContactModelOptions) => ContactModel>> = {
  peg: ({ primaryContacts }) => pegModel(primaryContacts),
  standard: () => standardModel,
  'half-spaces': () => halfSpaceModel(),
  'locally-nonconvex': ({ primaryContacts }) => locallyNonConvexModel(primaryContacts),
}

export const CONTACT_MODELS: readonly string[] = Object.keys(models)

/** The model of that name. @throws RangeError for a name that no model has */
export function contactModel(name: string, options: ContactModelOptions): ContactModel {
  const make = models[name]
  if (make === undefined) throw new RangeError(`contact model ${name}; there are ${CONTACT_MODELS.join(', ')}`)
  return make(options)
}
