/** Measures of runs: expressions over the channels of a trajectory. */

export { MEASURE_CHANNELS, type EventTally, type MeasuredFrame, type MeasuredScene } from './channels'
export { MEASURE_FUNCTIONS, Measures } from './measure'
export { MeasureError, parseMeasure, parseMeasures, type MeasureNode, type ParsedMeasure } from '../../expression'
export { MEASURE_QUANTITIES, type MeasureQuantity, type MeasureSource } from './quantities'
