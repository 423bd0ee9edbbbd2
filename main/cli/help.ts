/** What `--help` prints: all commands in short, or one with what its options mean. */

interface CommandHelp {
  /** As it is typed, without `cairn`. */
  readonly usage: string
  readonly what: string
  readonly options: readonly (readonly [string, string])[]
}

const json = ['--json', 'prints exactly one JSON object; a refusal too'] as const
const output = (what: string) => ['-o, --output file', what] as const

const pieces = [
  ['--method m', 'auto, exact (along the mesh\'s own faces) or approximate (by voxels); auto takes exact where that needs no more than --max-pieces'],
  ['--max-pieces n', 'most pieces'], ['--resolution n', 'voxels of an approximation along the longest side'],
  ['--concavity c', 'how much of its hull a piece of an approximation may leave empty, 0 to 1'],
] as const

export const COMMANDS: Readonly<Record<string, CommandHelp>> = {
  open: {
    usage: 'open [scene] [--web] [--port n] [--no-browser] [--root folder]', what: 'the editor',
    options: [
      ['--web', 'in a browser, at an address on this machine, also where the desktop application could run'],
      ['--port n', 'of that address; a free one if left out'], ['--no-browser', 'prints the address and opens no browser'],
      ['--root folder', 'the only folder whose files the editor in a browser may open and save; the present one if left out'],
    ],
  },
  validate: { usage: 'validate <scene> [--json]', what: 'checks a scene and prints its problems', options: [json] },
  simulate: {
    usage: `simulate <scene> [-o run.mcap] [--duration s] [--rate hz] [--method m] [--step h] [--contact-model standard|peg]
           [--solver name] [--set json.path=value]… [--json]`,
    what: 'runs a scene',
    options: [
      output('the recorded run; the scene\'s path with .mcap if left out'), ['--duration s', 'simulated time'], ['--rate hz', 'recorded frames a second'],
      ['--method m', 'event-driven, time-stepping, penalty, or auto, which chooses by the number of bodies'],
      ['--step h', 'of time-stepping and penalty, and of the fixed-step integrators of event-driven runs, s'],
      ['--contact-model m', 'of time-stepping: peg (geometrically exact) or standard'],
      ['--solver name', 'of the method that runs: dantzig, lemke, gauss-seidel, jacobi, sor; event-driven also qp, time-stepping also auto and accelerated'],
      ['--set path=value', 'changes the scene before it runs, e.g. --set bodies.box.position[2]=3; may be repeated'], json,
    ],
  },
  inspect: {
    usage: 'inspect <run.mcap> [--time t] [--contacts] [--joints] [--forces] [--rows] [--events] [--certificate] [--intervals] [--json]',
    what: 'what happened, from the file alone',
    options: [
      ['--time t', 's; the end of the run if left out. Between two frames the state is interpolated, and says so'],
      ['--contacts', 'points, normals, forces, gaps, modes'], ['--joints', 'reactions, positions, errors'], ['--forces', 'what acts on each body, by source'],
      ['--rows', 'the rows of a = A f − b'], ['--events', 'impacts, changes of contact, fall-backs: all of them without --time'],
      ['--certificate', 'how well the laws hold'], ['--intervals', 'adds the interval of each normal force where forces are not unique'], json,
    ],
  },
  table: {
    usage: 'table <run.mcap> --what bodies|contacts|joints|events|certificate --to csv [-o file]', what: 'for notebooks',
    options: [['--what table', 'which one'], ['--to csv', 'the format'], output('standard output if left out')],
  },
  export: {
    usage: 'export <scene> --to mjcf [-o file] [--at t --from run.mcap] [--json]', what: 'other runtimes, with a loss report',
    options: [
      ['--to mjcf', 'the format: MuJoCo\'s'], output('the scene\'s path with the format\'s ending if left out'),
      ['--at t --from run', 'bodies as they are at this time of a run, s'], json,
    ],
  },
  import: {
    usage: `import <mesh.obj|stl|ply|gltf|glb> [-o scene] [--scale s] [--density d] [--reference]
         [--method auto|exact|approximate] [--max-pieces n] [--resolution n] [--concavity c] [--json]`,
    what: 'a scene with the mesh, cut into convex pieces',
    options: [
      output('the mesh\'s path with .cairn.json if left out; a scene that is there already is replaced only where this names it'),
      ['--scale s', 'metres of one unit of the file'], ['--density d', 'kg/m³'], ['--reference', 'names the mesh\'s file in the scene instead of copying it'], ...pieces, json,
    ],
  },
  decompose: {
    usage: 'decompose <scene> [-o scene] [--all] [--method auto|exact|approximate] [--max-pieces n] [--resolution n] [--concavity c] [--json]',
    what: 'finds the convex pieces of a scene\'s meshes',
    options: [output('the scene itself if left out'), ['--all', 'also of meshes that have their pieces'], ...pieces, json],
  },
}

const CODES = 'Exit codes: 0 done, 1 the run stopped, 2 refused before it began, 130 cancelled.'

/** Of one command, or of all where there is none of this name. */
export function helpText(name: string | undefined): string {
  const one = name !== undefined && Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined
  if (!one) {
    const all = Object.values(COMMANDS).map(({ usage, what }) => `  ${usage}\n      ${what}`)
    return ['Usage: cairn <command> …', '', ...all, '', '`cairn <command> --help` says what its options mean.', CODES].join('\n')
  }
  const width = Math.max(...one.options.map(([option]) => option.length)) + 2
  const options = one.options.map(([option, meaning]) => `  ${option.padEnd(width)}${meaning}`)
  return [`Usage: cairn ${one.usage}`, `      ${one.what}`, '', ...options, '', CODES].join('\n')
}
