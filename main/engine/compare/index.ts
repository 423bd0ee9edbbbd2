/** Comparison of two runs. */
export {
  differences, quantities, quantityUnits, type BodyDifference, type Differences, type Divergence, type Quantity, type RunFacts, type Tolerances, type Worst,
} from './differences'
export type { EventComparison, UnmatchedEvent } from './events'
export { compareRuns } from './runs'
