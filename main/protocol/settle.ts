/** Result of letting bodies fall. */
export interface Settled {
  /** s, simulated. */
  readonly time: number
  /** Whether all of them came to rest. */
  readonly resting: boolean
  readonly poses: readonly {
    readonly id: string
    /** m, of the body frame. */
    readonly position: readonly [number, number, number]
    readonly orientation: readonly [number, number, number, number]
  }[]
}
