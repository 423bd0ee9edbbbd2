/**
 * The memory of a stage between steps: entries of eight numbers, of which the first names the owner. Numbers below those here are finders of contacts, whose
 * entries are a link's finder and features, λ and τ, and whether it slid.
 */

/** Numbers of an entry. */
export const ENTRY = 8
/** Ties and rods, with entries as those of contacts. */
export const TIES = 255
/** Multipliers of conditions: condition, row, λ, parameter of its nearest point. */
export const CONDITIONS = 254
/** Searches of energies: energy, element, parameter of its nearest point. */
export const SEARCHES = 253
