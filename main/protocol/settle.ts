/** Where bodies lie after they fell. */
export interface Settled {
  /** s that it took. */
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
