/**
 * A formula of one variable with its first three derivatives, by automatic differentiation in forward mode: each entry of the tape holds its value
 * and f′, f″, f‴. Exact except for rounding.
 */

import { stepsOf, times, type Binary, type Smooth, type Step } from './tape'

/** Value and three derivatives. */
const WIDTH = 4

export class FormulaDerivatives {
  private readonly steps: readonly Step[]
  private readonly tape: Float64Array

  /** @param variable its name @throws MeasureError */
  constructor(text: string, variable: string) {
    this.steps = stepsOf(text, [variable])
    this.tape = new Float64Array(WIDTH * this.steps.length)
  }

  /** f, f′, f″, f‴ at x; not finite if the formula has no value. Overwritten by the next call. */
  at(x: number): Float64Array {
    const { steps, tape } = this
    steps.forEach((step, k) => {
      const to = WIDTH * k
      switch (step.kind) {
        case 'constant':
          tape[to] = step.value
          break
        case 'variable':
          tape[to] = x
          tape[to + 1] = 1
          break
        case 'unary':
          this.chain(step.f, WIDTH * step.a, to)
          break
        case 'binary':
          this.combine(step.operator, WIDTH * step.a, WIDTH * step.b, to)
      }
    })
    return tape.subarray(tape.length - WIDTH)
  }

  /** f(a) by the formula of Faà di Bruno. */
  private chain(f: Smooth, a: number, to: number): void {
    const { tape } = this
    const [x, d1, d2, d3] = [tape[a]!, tape[a + 1]!, tape[a + 2]!, tape[a + 3]!]
    const value = f.value(x)
    const first = f.first(x, value)
    const second = f.second(x, value)
    tape[to] = value
    tape[to + 1] = times(first, d1)
    tape[to + 2] = times(second, d1 * d1) + times(first, d2)
    tape[to + 3] = times(f.third(x, value), d1 * d1 * d1) + times(second, 3 * d1 * d2) + times(first, d3)
  }

  private combine(operator: Binary, a: number, b: number, to: number): void {
    const { tape } = this
    if (operator === '+' || operator === '-') {
      const sign = operator === '+' ? 1 : -1
      for (let i = 0; i < WIDTH; i++) tape[to + i] = tape[a + i]! + sign * tape[b + i]!
      return
    }
    const [u, u1, u2, u3] = [tape[a]!, tape[a + 1]!, tape[a + 2]!, tape[a + 3]!]
    const [v, v1, v2, v3] = [tape[b]!, tape[b + 1]!, tape[b + 2]!, tape[b + 3]!]
    if (operator === '*') {
      tape[to] = u * v
      tape[to + 1] = u * v1 + u1 * v
      tape[to + 2] = u * v2 + 2 * u1 * v1 + u2 * v
      tape[to + 3] = u * v3 + 3 * (u1 * v2 + u2 * v1) + u3 * v
      return
    }
    // From u = q v by differentiation.
    const q = u / v
    const q1 = (u1 - q * v1) / v
    const q2 = (u2 - q * v2 - 2 * q1 * v1) / v
    tape[to] = q
    tape[to + 1] = q1
    tape[to + 2] = q2
    tape[to + 3] = (u3 - q * v3 - 3 * (q1 * v2 + q2 * v1)) / v
  }
}
