import type { CertificateFrame, EnergyAudit } from '../../../core/trajectory/frame'
import type { TrajectoryReader } from '../reader'
import { integer, real, runTable, type ColumnOf } from './definition'

interface Row {
  readonly number: number
  readonly certificate: CertificateFrame
}

type Count = 'steps' | 'solverCalls' | 'basisHits' | 'pivots' | 'contacts' | 'degraded'

const place: ColumnOf<Row>[] = [integer('frame', ({ number }) => number), real('time', 's', ({ certificate: { time } }) => time)]
const worst = (name: 'maxPenetration' | 'maxComplementarity' | 'maxJointError' | 'maxConeViolation', unit: string) =>
  real<Row>(name, unit, ({ certificate }) => certificate[name])
const energy = (name: keyof EnergyAudit, unit = 'J') => real<Row>(name, unit, ({ certificate }) => certificate.energy[name])
const count = (name: Count) => integer<Row>(name, ({ certificate }) => certificate[name])

function* frames(reader: TrajectoryReader): Iterable<Row> {
  for (let number = 0; number < reader.frames; number++) yield { number, certificate: reader.certificate(number) }
}

/** One row per frame: accuracy certificate and energy balance. */
export const certificate = runTable<Row>({
  columns: [
    ...place, worst('maxPenetration', 'm'), worst('maxComplementarity', ''), worst('maxJointError', 'm or rad'), worst('maxConeViolation', ''),
    energy('kinetic'), energy('potential'), energy('elastic'), energy('damping'), energy('numerical'), energy('friction'), energy('impacts'), energy('drag'),
      energy('scripts'), energy('joints'), energy('kinematic'),
    energy('spawned'), energy('residual', ''), count('steps'), count('solverCalls'), count('basisHits'), count('pivots'), count('contacts'), count('degraded'),
    energy('initial'),
  ],
  items: frames,
  rows: () => 1,
})

/** One row per island that the last step before a frame solved, in time-stepping runs. */
export const solves = runTable<Row>({
  columns: [
    ...place, integer('island', ({ certificate: c }, k) => c.solvedIsland[k]!), integer('sweeps', ({ certificate: c }, k) => c.solvedSweeps[k]!),
    real('residual', '', ({ certificate: c }, k) => c.solvedResidual[k]!),
  ],
  items: frames,
  rows: ({ certificate: { solvedIsland } }) => solvedIsland.length,
})
