/** A trajectory that is measured during the run, and written only if it is kept. */
import { Measures, type EventTally, type ParsedMeasure } from '../../core/analysis/measure'
import type {
  CertificateFrame, ContactFrame, DeformableFrame, ForceFrame, Frame, JointFrame, ScriptFrame, TrajectoryEvent, TrajectoryHeader, TrajectorySink,
} from '../../core/trajectory/frame'

type Sink = TrajectorySink & { header(header: TrajectoryHeader): void }

export class MeasuringSink implements Sink {
  begun: TrajectoryHeader | null = null
  private measures: Measures | null = null
  private readonly events = new Map<string, EventTally>()
  private readonly plots = new Map<string, number>()
  private current: { frame?: Frame; contacts?: ContactFrame; joints?: JointFrame; certificate?: CertificateFrame } = {}

  /**
   * @param kept additional destination of the trajectory, if any
   * @param eachFrame called after each frame; may throw to end the run
   */
  constructor(private readonly wanted: readonly ParsedMeasure[], private readonly kept: Sink | null, private readonly eachFrame: () => void) {}

  /** By measure; NaN without a value. */
  results(): number[] {
    this.take()
    return this.measures?.results() ?? this.wanted.map(() => NaN)
  }

  header(header: TrajectoryHeader): void {
    this.begun = header
    this.measures = new Measures(this.wanted, header)
    this.kept?.header(header)
  }

  frame(frame: Frame): void {
    this.take()
    this.current = { frame }
    this.kept?.frame(frame)
  }

  contacts(contacts: ContactFrame): void {
    this.current.contacts = contacts
    this.kept?.contacts(contacts)
  }

  joints(joints: JointFrame): void {
    this.current.joints = joints
    this.kept?.joints(joints)
  }

  forces(forces: ForceFrame): void {
    this.kept?.forces(forces)
  }

  deformables(deformables: DeformableFrame): void {
    this.kept?.deformables(deformables)
  }

  certificate(certificate: CertificateFrame): void {
    this.current.certificate = certificate
    this.kept?.certificate(certificate)
    this.eachFrame()
  }

  script(script: ScriptFrame): void {
    script.names.forEach((name, k) => this.plots.set(name, script.values[k]!))
    this.kept?.script(script)
    this.take()
  }

  event(event: TrajectoryEvent): void {
    this.take()
    const { count, firstTime, impulse } = this.events.get(event.kind) ?? { count: 0, firstTime: event.time, impulse: 0 }
    const [x = 0, y = 0, z = 0] = event.impulse
    this.events.set(event.kind, { count: count + 1, firstTime, lastTime: event.time, impulse: impulse + Math.sqrt(x * x + y * y + z * z) })
    this.kept?.event(event)
  }

  /** Measures the current frame, once. It is complete when its script message, the next event or the next frame has arrived. */
  private take(): void {
    const { frame, contacts, joints, certificate } = this.current
    if (!frame || !contacts || !joints || !certificate) return
    this.current = {}
    this.measures!.frame({ time: frame.time, frame, contacts, joints, certificate, events: this.events, plots: this.plots })
  }
}
