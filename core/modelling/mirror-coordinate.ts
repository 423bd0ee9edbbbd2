/** Mirrors a joint coordinate whose sign changes, with its limits and drives. */

import type { JointOf } from '../scene'

type Coordinate = NonNullable<JointOf<'cylindrical'>['rotation']>

const minus = (x: number): number => -x + 0

export function negatedCoordinate({ limits, motor, servo, drive, spring, ...rest }: Coordinate): Coordinate {
  return {
    ...rest,
    ...limits ? { limits: turnedAround(limits) } : {},
    ...motor ? { motor: { ...motor, ...signed(motor, 'targetVelocity') } } : {},
    ...servo ? { servo: { ...servo, ...signed(servo, 'target') } } : {},
    ...drive ? { drive: { ...drive, ...signed(drive, 'force') } } : {},
    ...spring ? { spring: { ...spring, ...spring.rest === undefined ? {} : { rest: minus(spring.rest) } } } : {},
  }
}

function turnedAround({ lower, upper }: NonNullable<Coordinate['limits']>): NonNullable<Coordinate['limits']> {
  return { ...upper === undefined ? {} : { lower: minus(upper) }, ...lower === undefined ? {} : { upper: minus(lower) } }
}

/** Changes the sign of a number and of its keys. */
function signed<Name extends string>(part: Partial<Record<Name, number>> & { readonly keys?: readonly Readonly<Record<Name, number>>[] }, name: Name): object {
  return {
    ...part[name] === undefined ? {} : { [name]: minus(part[name]) },
    ...part.keys === undefined ? {} : { keys: part.keys.map(key => ({ ...key, [name]: minus(key[name]) })) },
  }
}
