/**
 * Elementary functions with bit-identical results on every engine and version: only + − × ÷, square root, and integer operations on the bits of a
 * double. `Math.sin`, `Math.pow` and similar functions do not guarantee this. Errors are below 1 ulp.
 */
export { acos, asin, atan, atan2, cos, PI, sin, tan } from './trigonometric'
export { cbrt, exp, hypot, log, pow } from './exponential'
