/** The contact models by the names that a scene gives them. */

import type { ContactModel } from './contact-model'
import { standardModel } from './standard-model'

export const CONTACT_MODELS: readonly ContactModel[] = [standardModel]

/** The model of that name; undefined for a name that no model has. */
export function contactModelByName(name: string): ContactModel | undefined {
  return CONTACT_MODELS.find(model => model.name === name)
}
