/** The certificate of a frame: energy audit, residuals of the laws, and counts of the solver's work. */

/** Energy audit since t = 0, J. Work done *on* the bodies is positive, so friction, drag and impacts are ≤ 0. */
export interface EnergyAudit {
  readonly kinetic: number
  readonly potential: number
  /** Kinetic + potential at t = 0. */
  readonly initial: number
  readonly friction: number
  readonly impacts: number
  /** Drag, wind and spring damping. */
  readonly drag: number
  /** Script forces, keyframed forces and every other force without a potential. */
  readonly scripts: number
  /** Motors, joint damping and joint friction; joint reactions do no work. */
  readonly joints: number
  /** Work of kinematic bodies through contacts and joints. */
  readonly kinematic: number
  /** Energy of bodies spawned since t = 0. */
  readonly spawned: number
  /** Energy stored in deformables: part of the sum besides kinetic and potential, and of `initial`. */
  readonly elastic: number
  /** Losses in deformables, ≤ 0: by damping, and by the implicit method. */
  readonly damping: number
  readonly numerical: number
  /** Unexplained energy ÷ (max kinetic + max |potential − initial potential|) so far. */
  readonly residual: number
}

/** Maximum numbers of islands, and of residuals of one island, in a certificate. */
export const MAX_SOLVED_ISLANDS = 64
export const MAX_RESIDUALS = 256

/** Residuals of the laws in one frame. */
export interface CertificateFrame {
  readonly index: number
  readonly time: number
  /** Deepest penetration, m, ≥ 0. */
  readonly maxPenetration: number
  /** Worst complementarity residual, normalised. */
  readonly maxComplementarity: number
  /** Worst joint error, m or rad. */
  readonly maxJointError: number
  /** Worst friction-cone violation, normalised by the largest contact force. */
  readonly maxConeViolation: number
  readonly energy: EnergyAudit
  /** Since the previous frame. */
  readonly steps: number
  readonly solverCalls: number
  readonly basisHits: number
  readonly pivots: number
  readonly contacts: number
  /** 1 if a less exact method finished this frame's interval. */
  readonly degraded: number
  /**
   * Islands solved by the step that ends at the frame, those with the largest residual first; only for time-stepping. Number of the island as in
   * `ContactFrame.island`, sweeps or pivots of its last solve, and its final residual.
   */
  readonly solvedIsland: Int32Array
  readonly solvedSweeps: Int32Array
  readonly solvedResidual: Float64Array
  /**
   * m/s: worst residual after each sweep, of the solve with the most sweeps of all steps since the previous frame; among equals, the one with the
   * largest final residual. Only every second, fourth … value if there are too many.
   */
  readonly residualHistory: Float64Array
  /** s: end of that solve's step; NaN if there is none. */
  readonly residualTime: number
  /** Sleeping bodies of time-stepping: exactly at rest until they are woken. */
  readonly asleep: Int32Array
}
