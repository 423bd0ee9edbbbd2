import type { Lesson } from './lesson'

export const jointsAndMotors: Lesson = {
  id: 'joints-and-motors', title: 'Joints and motors', about: 'A hinge with a motor, friction and a stop.', example: 'Door with a motor and limits',
  steps: [
    { text: 'A motor opens a door against a crate. Run it: Ctrl+Enter.', goal: { kind: 'run' }, workspace: 'inspect' },
    { text: 'Go to 1.0 s: type the time beside the play button, or drag on the axis. The door pushes the crate.', goal: { kind: 'time', from: 0.9, to: 1.1 } },
    { text: 'Plots: add the joint’s motor force and velocity. The motor supplies the force for friction and crate, until the hinge meets its stop.', panel: 'plots', goal: { kind: 'panel', panel: 'plots' } },
    { text: 'In Compose, Joints, give the motor another target velocity, and compare the two runs in Runs.', workspace: 'compose', panel: 'joints', goal: { kind: 'change' } },
    { text: 'A motor holds its velocity with as little force as it needs, and never more than its limit.' },
  ],
}
