/** Definitions of terms: one entry serves the tooltip, the glossary dialog and the table headings. */

export interface GlossaryEntry {
  readonly term: string
  readonly text: string
}

export const GLOSSARY = {
  accuracy: { term: 'Accuracy', text: 'Residuals of a frame from its certificate: penetration, complementarity, joint error, friction cone, energy.' },
  gap: { term: 'Gap', text: 'Distance between the two touching features along the normal. Below zero is penetration.' },
  normal: { term: 'Normal', text: 'Unit vector out of body B towards body A at the contact point.' },
  normalForce: { term: 'Normal force', text: 'Force on body A along the normal. Never negative, and zero if the bodies separate.' },
  frictionForce: { term: 'Friction force', text: 'Tangential force on body A. At most the static coefficient times the normal force while sticking; the dynamic one times it while sliding.' },
  totalForce: { term: 'Total force', text: 'Sum of normal and friction force on body A. The opposite force acts on body B.' },
  coneUsage: { term: 'Friction used', text: 'Magnitude of the friction force as a share of its limit, μ times the normal force. 100 % is the edge of the friction cone.' },
  frictionLaw: { term: 'Friction law', text: 'The run approximated static friction, for comparison. Lotstedt: bounded by μ times the normal force of the previous step. Crawl: below the crawl speed it grows with the slip, and contacts creep. Sign-guess: its two axes are bounded separately. The share used refers to the limit of that law.' },
  mode: { term: 'Mode', text: 'Sticking: no slip. Sliding: friction at its limit, against the slip. Rolling: no slip, but the bodies rotate. Separating: no force.' },
  slip: { term: 'Slip speed', text: 'Tangential speed of body A relative to body B at the contact point.' },
  features: { term: 'Features', text: 'Touching vertex, edge, face or surface of each body.' },
  interval: { term: 'Force interval', text: 'All normal forces compatible with the same motion. A box on four corners has infinitely many: the interval is the range of this one.' },
  indexSet: { term: 'Index set', text: 'State of the contact in the solver: C clamped (holds, force ≥ 0), NC not clamped (separates, force 0).' },
  complementarity: { term: 'Complementarity residual', text: 'Force × normal acceleration: at every contact one of the two must be zero.' },
  contactRow: { term: 'Row of A and b', text: 'The normal acceleration of a contact as the sum of all contributions: A times the contact forces, and b for the loads and the motion. If the contact holds, the sum is zero.' },
  forceBalance: { term: 'Force balance', text: 'All loads on the body by source, with torques about its centre of mass. Their sums are mass times acceleration and the rate of angular momentum.' },
  island: { term: 'Island', text: 'Group of bodies connected by contacts and joints, solved together.' },
  constraint: { term: 'Constraint', text: 'Type of the contact in a time step. U: its gap may not be negative. I and X: the largest gap of several feature pairs may not, so that planes do not constrain beyond their corners. The standard model has U only.' },
  featurePair: { term: 'Feature pair', text: 'Types of the two active features: vertex–face, edge–edge, vertex–edge or vertex–vertex; curved shapes have surfaces.' },
  asleep: { term: 'Asleep', text: 'At rest, and skipped by time-stepping until something moves it, without any drift. The contact forces shown hold it. It is drawn muted.' },
  residualHistory: { term: 'Solver residual', text: 'Residual of the worst row after each sweep of the solver, in the hardest solve of the steps before this frame, m/s. Linear convergence is a straight line. Not shown if the last index set was still valid.' },
  normalAcceleration: { term: 'Normal acceleration', text: 'Of the gap, after the solve: zero if the contact holds, positive if it opens.' },
  impulse: { term: 'Impulse', text: 'Force integrated over the instant of an impact, N s.' },
  restitution: { term: 'Restitution', text: 'Rebound speed over approach speed of an impact: 0 does not bounce, 1 loses no energy.' },
  staticFriction: { term: 'Static friction μs', text: 'A contact sticks while its friction is at most μs times the normal force.' },
  dynamicFriction: { term: 'Dynamic friction μd', text: 'Friction of a sliding contact, divided by the normal force. At most the static coefficient.' },
  torsionalFriction: { term: 'Torsional friction', text: 'Resistance to spinning about the contact normal, in metres: the largest torque divided by the normal force. Without it a spinning ball never stops.' },
  rollingFriction: { term: 'Rolling friction', text: 'Resistance to rolling, in metres: the largest torque about the tangents divided by the normal force. A ball of radius R stays on a slope up to tan θ = rolling friction / R.' },
  torsionUsage: { term: 'Torsion used', text: 'Torsional torque as a share of its limit, torsional friction times the normal force. 100 %: the contact spins.' },
  rollingUsage: { term: 'Rolling used', text: 'Rolling torque as a share of its limit, rolling friction times the normal force. 100 %: the contact rolls.' },
  tangentialAcceleration: { term: 'Tangential acceleration', text: 'Of body A relative to B at the point, after the solve: zero if the contact sticks.' },
  lessExact: { term: 'Less exact', text: 'The method used a fallback: time-stepping finished an interval with too many events or vanishing steps, or a time step was halved, shortened for stiff forces, or solved with another contact model, or bodies of a pile were moved apart at its end. The list of events has type, time and bodies.' },
  indeterminate: { term: 'Indeterminate', text: 'At this instant the laws allow more than one motion. Cairn chose one; the event lists all.' },
  penetration: { term: 'Penetration', text: 'Deepest overlap of any two bodies in the frame.' },
  residual: { term: 'Energy unexplained', text: 'Change of energy without a recorded work, loss or spawn, as a share of the largest energies so far.' },
  centerOfMass: { term: 'Centre of mass', text: 'Mean position of the mass, in the body frame.' },
  inertia: { term: 'Inertia', text: 'Resistance to rotation about the centre of mass: xx, yy, zz, xy, xz, yz in body axes.' },
  principal: { term: 'Principal moments', text: 'Inertia about the three axes in which its products vanish. For any solid A + B ≥ C.' },
  anchor: { term: 'Anchor', text: 'Point where the joint holds the bodies together, in the world frame at the initial pose.' },
  axis: { term: 'Axis', text: 'Direction of the joint, in the world frame at the initial pose. Positions are right-handed about it.' },
  reaction: { term: 'Reaction', text: 'Force and torque of the joint on body A at its anchor.' },
  strain: { term: 'Strain', text: 'Change of length ÷ length at rest: of springs and segments along them, for triangles of cloth the larger of warp and weft. Positive is stretched. The mean is that of its magnitude over all elements.' },
  density: { term: 'Density', text: 'Mass of a cubic metre of the material.' },
  stale: { term: 'Old run', text: 'The scene was edited since this run: the numbers belong to the previous scene.' },
  event: { term: 'Event', text: 'Something at an exact time: an impact, a new contact, a release, a change between sticking and sliding, a joint limit.' },
} satisfies Record<string, GlossaryEntry>

export type Term = keyof typeof GLOSSARY
