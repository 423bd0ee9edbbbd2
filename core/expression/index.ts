/** The language of formulas: of parameters, of measures over a run, and of surfaces. */
export { MeasureError, parseMeasure, parseMeasures, type BinaryOperator, type MeasureNode, type ParsedMeasure } from './syntax'
export { expressionOf, namesIn, type Expression } from './value'
export { Jet } from './jet'
export { FormulaDerivatives } from './formula-derivatives'
