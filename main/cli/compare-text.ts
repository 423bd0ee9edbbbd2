import { shortNumber } from '../../core/math/short-number'
import { quantityUnits, type Divergence } from '../engine/compare'

/** A sentence with time, quantity and difference. */
export function divergenceText({ time, quantity, of, difference }: Divergence): string {
  const at = `at ${time} s`
  switch (quantity) {
    case 'bodies': return `only one of the runs has ${of}`
    case 'existence': return `${at} "${of}" exists in one run only`
    case 'event': return `${at} only one of the runs has: ${of}`
    case 'length': return `one run ends ${at}, ${shortNumber(difference!)} s before the other`
    default: return `${at} the ${quantity} of ${of} differs by ${shortNumber(difference!)} ${quantityUnits[quantity]}`
  }
}
