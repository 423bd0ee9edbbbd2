/**
 * Formulas with their first and second derivatives, by automatic differentiation in forward mode: each entry of the tape holds a second-order Taylor
 * polynomial (a jet) in the variables. Exact except for rounding.
 */

import { calculated, stepsOf, times, type Binary, type Smooth, type Step } from './tape'

/** A formula in variables; stores the last result. */
export class Jet {
  /** ∂f/∂xᵢ and ∂²f/∂xᵢ∂xⱼ, row-major. */
  readonly gradient: Float64Array
  readonly hessian: Float64Array
  private readonly steps: readonly Step[]
  /** All entries of the tape in order: value, gradient, and the upper triangle of the Hessian, row by row. */
  private readonly tape: Float64Array
  private readonly stride: number
  private readonly values: Float64Array

  /** @param variables their names @throws MeasureError */
  constructor(text: string, private readonly variables: readonly string[]) {
    const n = variables.length
    this.steps = stepsOf(text, variables)
    this.stride = 1 + n + n * (n + 1) / 2
    this.tape = new Float64Array(this.steps.length * this.stride)
    this.values = new Float64Array(this.steps.length)
    this.gradient = new Float64Array(n)
    this.hessian = new Float64Array(n * n)
  }

  /** The value alone. */
  value(x: readonly number[]): number {
    const { steps, values } = this
    for (let k = 0; k < steps.length; k++) {
      const step = steps[k]!
      switch (step.kind) {
        case 'constant':
          values[k] = step.value
          break
        case 'variable':
          values[k] = x[step.index]!
          break
        case 'unary':
          values[k] = step.f.value(values[step.a]!)
          break
        case 'binary':
          values[k] = calculated(step.operator, values[step.a]!, values[step.b]!)
      }
    }
    return values[steps.length - 1]!
  }

  /** The value at `x`, with its derivatives in `gradient` and `hessian`; not finite if the formula has no value. */
  at(x: readonly number[]): number {
    const { steps, tape, stride, gradient, hessian } = this
    const n = this.variables.length
    for (let k = 0; k < steps.length; k++) this.step(steps[k]!, k * stride, x)
    const last = (steps.length - 1) * stride
    for (let i = 0, h = last + 1 + n; i < n; i++) {
      gradient[i] = tape[last + 1 + i]!
      for (let j = i; j < n; j++, h++) hessian[n * i + j] = hessian[n * j + i] = tape[h]!
    }
    return tape[last]!
  }

  private step(step: Step, to: number, x: readonly number[]): void {
    const { tape, stride } = this
    switch (step.kind) {
      case 'constant':
        tape[to] = step.value
        return
      case 'variable':
        tape[to] = x[step.index]!
        tape[to + 1 + step.index] = 1
        return
      case 'unary':
        this.chain(step.f, step.a * stride, to)
        return
      case 'binary':
        this.combine(step.operator, step.a * stride, step.b * stride, to)
    }
  }

  /** f(a): f′ ∇a, and f″ ∇a ∇aᵀ + f′ ∇²a. */
  private chain(f: Smooth, a: number, to: number): void {
    const { tape } = this
    const n = this.variables.length
    const x = tape[a]!
    const value = f.value(x)
    const first = f.first(x, value)
    const second = f.second(x, value)
    tape[to] = value
    for (let i = 0, h = 1 + n; i < n; i++) {
      const slope = tape[a + 1 + i]!
      tape[to + 1 + i] = times(first, slope)
      for (let j = i; j < n; j++, h++) tape[to + h] = times(second, slope * tape[a + 1 + j]!) + times(first, tape[a + h]!)
    }
  }

  private combine(operator: Binary, a: number, b: number, to: number): void {
    const { tape, stride } = this
    const n = this.variables.length
    if (operator === '+' || operator === '-') {
      const sign = operator === '+' ? 1 : -1
      for (let i = 0; i < stride; i++) tape[to + i] = tape[a + i]! + sign * tape[b + i]!
      return
    }
    const u = tape[a]!
    const v = tape[b]!
    // a/b: with q = a/b, ∇q = (∇a − q ∇b)/b and ∇²q = (∇²a − q ∇²b − ∇q ∇bᵀ − ∇b ∇qᵀ)/b.
    const quotient = u / v
    tape[to] = operator === '*' ? u * v : quotient
    for (let i = 0; i < n; i++) {
      const da = tape[a + 1 + i]!
      const db = tape[b + 1 + i]!
      tape[to + 1 + i] = operator === '*' ? u * db + v * da : (da - quotient * db) / v
    }
    for (let i = 0, h = 1 + n; i < n; i++) {
      for (let j = i; j < n; j++, h++) {
        const bi = tape[b + 1 + i]!
        const bj = tape[b + 1 + j]!
        tape[to + h] = operator === '*'
          ? u * tape[b + h]! + v * tape[a + h]! + tape[a + 1 + i]! * bj + tape[a + 1 + j]! * bi
          : (tape[a + h]! - quotient * tape[b + h]! - tape[to + 1 + i]! * bj - bi * tape[to + 1 + j]!) / v
      }
    }
  }
}
