/** Result of letting bodies fall. */
export interface Settled {
  /** s, simulated. */
  readonly time: number
  /** Whether all of them came to rest. */
  readonly resting: boolean
  /** m: how far they were moved up first, out of what they overlapped. */
  readonly lifted: number
  /** m: how far bodies that do not fall were moved down, without turning; null if bodies fell. */
  readonly lowered: number | null
  readonly poses: readonly {
    readonly id: string
    /** m, of the body frame. */
    readonly position: readonly [number, number, number]
    readonly orientation: readonly [number, number, number, number]
  }[]
}
