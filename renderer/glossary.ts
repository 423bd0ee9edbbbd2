/** What the words on the screen mean: one entry feeds the tooltip, the glossary dialog and the table heads. */

export interface GlossaryEntry {
  readonly term: string
  readonly text: string
}

export const GLOSSARY = {
  accuracy: { term: 'Accuracy', text: 'How well the laws hold in a frame, from the certificate that every frame carries: penetration, complementarity, joint error, friction cone, energy.' },
  gap: { term: 'Gap', text: 'Distance between the two touching features along the normal. Below zero is penetration.' },
  normal: { term: 'Normal', text: 'Unit vector out of body B towards body A at the contact point.' },
  normalForce: { term: 'Normal force', text: 'Force on body A along the normal. It only pushes: it is never below zero, and zero where the bodies separate.' },
  frictionForce: { term: 'Friction force', text: 'Tangential force on body A. At most the static coefficient times the normal force while sticking; the dynamic one times it while sliding.' },
  totalForce: { term: 'Total force', text: 'Normal and friction force together, as they act on body A. Body B feels the opposite.' },
  coneUsage: { term: 'Friction used', text: 'Size of the friction force as a share of its limit, μ times the normal force. 100 % is the edge of the friction cone.' },
  frictionLaw: { term: 'Friction law', text: 'The run approximated static friction, for comparison. Lotstedt: bounded by μ times the normal force of the step before. Crawl: below the crawl speed it grows with the slip, and contacts creep. Sign-guess: its two axes are bounded each on its own. The share used is of what that law allows.' },
  mode: { term: 'Mode', text: 'Sticking: no slip. Sliding: friction at its limit, against the slip. Rolling: no slip, but the bodies turn. Separating: no force.' },
  slip: { term: 'Slip speed', text: 'Tangential speed of body A relative to body B at the contact point.' },
  features: { term: 'Features', text: 'Which vertex, edge, face or surface of each body touches.' },
  interval: { term: 'Force interval', text: 'All normal forces compatible with the same motion. A box on four corners has infinitely many: the interval says how far this one could differ.' },
  indexSet: { term: 'Index set', text: 'Where the contact stands in the solver: C clamped (holds, force ≥ 0), NC not clamped (separates, force 0).' },
  complementarity: { term: 'Complementarity residual', text: 'Force × normal acceleration: at every contact one of the two must be zero.' },
  contactRow: { term: 'Row of A and b', text: 'The normal acceleration of a contact as the sum of what every force on its two bodies adds: A times the contact forces, and b for the loads and the motion. Where it holds, the sum is zero.' },
  forceBalance: { term: 'Force balance', text: 'Everything that acts on the body, by source, with torques about its centre of mass. It sums to mass times acceleration and to the rate of angular momentum.' },
  island: { term: 'Island', text: 'Group of bodies connected by contacts and joints, solved together.' },
  constraint: { term: 'Constraint', text: 'What the contact is in a time step. U: its gap alone may not be negative. I and X: the largest gap of several feature pairs may not, so that a corner is not held by a plane that has ended. The standard model has U only.' },
  featurePair: { term: 'Feature pair', text: 'Kinds of the two features that push: vertex–face, edge–edge, vertex–edge or vertex–vertex; curved shapes push at surfaces.' },
  asleep: { term: 'Asleep', text: 'At rest, and left out of the steps of time-stepping until something moves it: it does not drift by a bit, and the contact forces shown are those that hold it. It is drawn muted.' },
  residualHistory: { term: 'Solver residual', text: 'What is left of the worst row after each sweep of the solver, in the hardest solve of the steps that lead to this frame, m/s. A solver that converges falls in a straight line; none is shown where the last index set still held.' },
  normalAcceleration: { term: 'Normal acceleration', text: 'Of the gap, after the solve: zero where the contact holds, above zero where it opens.' },
  impulse: { term: 'Impulse', text: 'Force integrated over the instant of an impact, N s.' },
  restitution: { term: 'Restitution', text: 'Rebound speed over approach speed of an impact: 0 does not bounce, 1 loses nothing.' },
  staticFriction: { term: 'Static friction μs', text: 'A contact sticks while its friction is at most μs times the normal force.' },
  dynamicFriction: { term: 'Dynamic friction μd', text: 'Friction of a sliding contact, divided by the normal force. At most the static coefficient.' },
  torsionalFriction: { term: 'Torsional friction', text: 'Resistance to spinning about the contact normal, in metres: the largest torque divided by the normal force. Without it a spinning ball never stops.' },
  rollingFriction: { term: 'Rolling friction', text: 'Resistance to rolling, in metres: the largest torque about the tangents divided by the normal force. A ball of radius R stays on a slope up to tan θ = rolling friction / R.' },
  torsionUsage: { term: 'Torsion used', text: 'Torsional torque as a share of its limit, torsional friction times the normal force. 100 %: the contact spins.' },
  rollingUsage: { term: 'Rolling used', text: 'Rolling torque as a share of its limit, rolling friction times the normal force. 100 %: the contact rolls.' },
  tangentialAcceleration: { term: 'Tangential acceleration', text: 'Of body A relative to B at the point, after the solve: zero where the contact sticks.' },
  lessExact: { term: 'Less exact', text: 'The method could not go on as it should: an interval with too many events, or with steps that shrink to nothing, was finished by time-stepping, or a time step was halved, shortened for stiff forces, or solved with another contact model, or bodies of a pile were moved apart at its end. The list of events says which, when and whom.' },
  indeterminate: { term: 'Indeterminate', text: 'At this instant the laws allow more than one motion. Cairn chose one and says so.' },
  penetration: { term: 'Penetration', text: 'Deepest overlap of any two bodies in the frame.' },
  residual: { term: 'Energy unexplained', text: 'Change of energy that no work, loss or spawn accounts for, as a share of the largest energies so far.' },
  centerOfMass: { term: 'Centre of mass', text: 'Mean position of the mass, in the body frame.' },
  inertia: { term: 'Inertia', text: 'Resistance to turning about the centre of mass: xx, yy, zz, xy, xz, yz in body axes.' },
  principal: { term: 'Principal moments', text: 'Inertia about the three axes in which its products vanish. For any solid A + B ≥ C.' },
  anchor: { term: 'Anchor', text: 'Point where the joint holds the bodies together, in the world frame at the initial pose.' },
  axis: { term: 'Axis', text: 'Direction of the joint, in the world frame at the initial pose. Positions are right-handed about it.' },
  reaction: { term: 'Reaction', text: 'Force and torque with which the joint acts on body A at its anchor.' },
  strain: { term: 'Strain', text: 'Change of length ÷ length at rest: of springs and segments along them, of triangles of cloth the larger of warp and weft. Above zero it is stretched. The mean is that of its sizes over all elements.' },
  density: { term: 'Density', text: 'Mass of a cubic metre of the material.' },
  stale: { term: 'Old run', text: 'The scene was edited since this run: the numbers belong to the scene as it was.' },
  event: { term: 'Event', text: 'Something at an exact time: an impact, a new contact, a release, a change between sticking and sliding, a joint limit.' },
} satisfies Record<string, GlossaryEntry>

export type Term = keyof typeof GLOSSARY
