/** Output of `--help`: an overview of all commands, or one command with its options. */
import type { FormatOption } from '../../core/formats'
import { TABLES } from '../protocol/runs'

interface CommandHelp {
  /** As typed, without `cairn`. */
  readonly usage: string
  readonly what: string
  /** What an option means; options of formats are loaded when they are asked for. */
  readonly options: readonly (readonly [string, string | (() => Promise<string>)])[]
}

const json = ['--json', 'prints exactly one JSON object; a refusal too'] as const
const output = (what: string) => ['-o, --output file', what] as const

const pieces = [
  ['--method m', 'auto, exact (along the mesh\'s own faces), approximate (cuts along concave edges, keeps holes open), voxels or surface (an open one as it is, by plates behind it); auto takes the first applicable one'],
  ['--max-pieces n', 'most pieces'], ['--resolution n', 'voxels along the longest side'],
  ['--concavity c', 'largest empty share of the hull of an approximate piece, 0 to 1'],
] as const

/** Names of `exportFormats` and `importFormats`, which would load all formats and the engine: a test compares them. */
const EXPORTS = 'mjcf|urdf|sdf|gltf|usda|obj|stl'
const IMPORTS = 'mjcf|urdf|sdf|gltf|usda'

async function exportOptionHelp(): Promise<string> {
  const [{ exportFormats }, { PAGE, pageOptions }] = await Promise.all([import('../../core/formats'), import('../engine/page/page')])
  return optionHelp([...exportFormats.map(format => [format.id, format.exporter.options] as const), [PAGE, pageOptions]])
}

async function importOptionHelp(): Promise<string> {
  const { importFormats } = await import('../../core/formats')
  return optionHelp(importFormats.map(format => [format.id, format.importer.options]))
}

/** Every option of every format, with its values. */
function optionHelp(formats: readonly (readonly [string, readonly FormatOption[]])[]): string {
  const values = (option: FormatOption): string => option.kind === 'choice' ? option.choices.map(choice => choice.id).join('|') : option.kind === 'flag' ? 'true|false' : option.kind
  return formats.filter(([, options]) => options.length > 0).map(([id, options]) => `${id}: ${options.map(option => `${option.id}=${values(option)}`).join(', ')}`).join('; ')
}

export const COMMANDS: Readonly<Record<string, CommandHelp>> = {
  open: {
    usage: 'open [scene] [--web] [--port n] [--no-browser] [--root folder]', what: 'the editor',
    options: [
      ['--web', 'in a browser, at an address on this machine, even if the desktop application can run'],
      ['--port n', 'of that address; default: a free one'], ['--no-browser', 'prints the address and opens no browser'],
      ['--root folder', 'the only folder whose files the editor in a browser may open and save; default: the current one'],
    ],
  },
  validate: { usage: 'validate <scene> [--json]', what: 'checks a scene and prints its problems', options: [json] },
  simulate: {
    usage: `simulate <scene> [-o run.mcap] [--duration s] [--rate hz] [--method m] [--step h] [--contact-model m]
           [--solver name] [--set json.path=value]… [--from run.mcap [--at t]] [--resume] [--json]`,
    what: 'runs a scene',
    options: [
      output('the recorded run; default: the scene\'s path with .mcap'), ['--duration s', 'simulated time'], ['--rate hz', 'recorded frames a second'],
      ['--method m', 'event-driven, time-stepping, penalty, or auto, which chooses by the number of bodies'],
      ['--step h', 'of time-stepping and penalty, and of the fixed-step integrators of event-driven runs, s'],
      ['--contact-model m', 'of time-stepping: peg (geometrically exact) or standard; half-spaces and locally-nonconvex for comparison'],
      ['--solver name', 'of the method that runs: dantzig, lemke, gauss-seidel, jacobi, sor; event-driven also qp, time-stepping also auto, accelerated and slack'],
      ['--set path=value', 'changes the scene before it runs, e.g. --set bodies.box.position[2]=3; may be repeated'],
      ['--from run.mcap', 'starts from a frame of this run: at --at t, s, or its last one'],
      ['--resume', 'continues a run that was cancelled, stopped or killed, in its file, with the same results as without the interruption'], json,
    ],
  },
  inspect: {
    usage: 'inspect <run.mcap> [--time t] [--contacts] [--joints] [--forces] [--rows] [--events] [--certificate] [--sensors] [--deformables] [--intervals] [--json]',
    what: 'contents of a run file',
    options: [
      ['--time t', 's; default: the end of the run. Between two frames the state is interpolated, and marked as such'],
      ['--contacts', 'points, normals, forces, gaps, modes'], ['--joints', 'reactions, positions, errors'], ['--forces', 'loads on each body, by source'],
      ['--rows', 'the rows of a = A f − b'], ['--events', 'impacts, changes of contact, fallbacks: all of them without --time'],
      ['--certificate', 'residuals of the laws of mechanics'], ['--sensors', 'values of the scene\'s sensors'], ['--deformables', 'energies, largest strain and tension, and reactions of particles, ropes, hair and cloth'], ['--intervals', 'adds the interval of each normal force if forces are not unique'], json,
    ],
  },
  table: {
    usage: `table <run.mcap> --what bodies|contacts|joints|… --to csv|npy|parquet [-o file] [--json]`,
    what: 'for notebooks and databases',
    options: [
      ['--what table', `${TABLES.join(', ')}: forces by source and body, rates (the sum of all loads), vertices and elements of deformables, reactions of their pins and attachments, solves (islands of time steps), plots and logs of scripts`],
      ['--to format', 'csv, npy (NumPy\'s, a structured array) or parquet; units are in the metadata, of CSV in a file -metadata.json beside it'],
      output('default: standard output'), ['--json', 'prints one JSON object about what was written to -o; a refusal in any case'],
    ],
  },
  render: {
    usage: `render <run.mcap> -o picture.png [--time t] | --video -o film.webm|film.mp4 [--from t] [--to t] [--rate hz] [--speed x]
         [--size WxH] [--overlays names|none] [--view name] [--theme dark|light] [--time-code] [--transparent]
         [--plot quantity,…]… [--json]`,
    what: 'a picture at a time, or a film over a range, as drawn by the editor',
    options: [
      output('the output file; its extension sets the format'), ['--time t', 'of the picture, s; default: the end of the run'],
      ['--video', 'a film'], ['--from t, --to t', 'range of simulated time, s; default: the whole run'],
      ['--rate hz', 'frames a second of the film; default: 30. Each shows its exact time, also between recorded frames'],
      ['--speed x', 'simulated seconds in a second of the film: 0.1 is ten times slower; default: 1'],
      ['--size WxH', 'pixels, plots included; default: 1920x1080'],
      ['--overlays names', `what is drawn over the bodies, with commas between: grid, axes, scales, points, normals, regions, arrows, totals, cones, impulses, joints,
                       forces, velocities, centers, inertia, trails, names, edges, pieces, values, shadows, occlusion; or none`],
      ['--view name', 'the whole scene from the front, back, left, right, top, bottom, isometric; fit keeps the direction of the editor'],
      ['--theme name', 'dark or light'], ['--time-code', 'the simulated time in a corner'], ['--transparent', 'pictures without background'],
      ['--plot quantities', `a plot beside the picture; may be repeated: energy.total, certificate.maxPenetration, bodies.<id>.position.z,
                       pairs.<id>/<id>.normalForce, joints.<id>.torque, deformables.<id>.worstStrain,
                       script.<name>, or formulas over them; "a against b" draws against another quantity`], json,
    ],
  },
  figure: {
    usage: `figure <run.mcap> --body id -o diagram.svg|diagram.pdf [--time t] [--view auto|xz|yz|xy|isometric] [--labels symbols|numbers|both]
         [--contacts points|resultant] [--polygon] [--table] [--ink dark|light] [--width pt] [--json]`,
    what: 'the free-body diagram of a body, to scale, as a vector graphic',
    options: [
      ['--body id', 'of the body'], output('the output file; its extension sets the format. Without a background'),
      ['--time t', 's; default: the end of the run. Between two frames the forces are those of the one before'],
      ['--view v', 'the plane of two axes, or from the front right above; auto: the plane with the largest forces'],
      ['--labels l', 'symbols, numbers in newtons, or both'], ['--contacts c', 'each contact point separately, or all of two bodies as one force'],
      ['--polygon', 'the forces tip to tail beside it'], ['--table', 'all forces and their moments about the centre of mass below it'],
      ['--ink i', 'dark lines for light paper, or light ones for dark slides'], ['--width pt', 'points, 1/72 inch; default: 480'], json,
    ],
  },
  compare: {
    usage: 'compare <a.mcap> <b.mcap> [--tolerance x] [--html report.html] [--json]', what: 'where two runs differ, by how much, and in which events',
    options: [
      ['--tolerance x', `what is still equal, in SI units: one number for all, 1e-8 if left out, or position=1e-6,force=0.1 for what is to be judged, of
                       position, rotation, velocity, spin, force and event (s between two that are the same)`],
      ['--html file', 'a report with plots, in one file'], json,
    ],
  },
  check: {
    usage: 'check <folder> [--update] [--junit file.xml] [--jobs n] [--json]',
    what: 'runs every scene of a folder and compares it with the results stored there in cairn-check.json',
    options: [
      ['--update', 'stores the results as expected ones; keeps tolerances and limits'],
      ['--junit file', 'the results as JUnit XML, for CI'], ['--jobs n', 'scenes at a time; default: the number of processors'], json,
    ],
  },
  export: {
    usage: `export <scene|run.mcap> --to ${EXPORTS}|forces|html [-o file] [--option name=value]… [--at t [--from run.mcap]] [--rate hz] [--json]`,
    what: 'other runtimes, with a loss report; a run as a film, or as a page that plays it',
    options: [
      [`--to ${EXPORTS}`, 'the format'], output('default: the scene\'s path with the format\'s extension; meshes are written beside it'),
      ['--option name=value', exportOptionHelp],
      ['--at t --from run', 'bodies at this time of a run, s; without --from if the run itself is exported'],
      ['--rate hz', 'of a run: frames a second, at most'], json,
    ],
  },
  import: {
    usage: `import <file> [-o scene] [--from ${IMPORTS}] [--option name=value]… [--json]
  import <mesh> [-o scene] [--scale s] [--density d] [--reference]
         [--method auto|exact|approximate|voxels|surface] [--max-pieces n] [--resolution n] [--concavity c] [--json]`,
    what: 'a scene of another runtime, with a loss report; or a scene with a mesh, cut into convex pieces',
    options: [
      output('default: the file\'s path with .cairn.json; an existing scene is replaced only if named here'),
      [`--from ${IMPORTS}`, 'the format; default: detected from the file'],
      ['--option name=value', importOptionHelp],
      ['--scale s', 'metres of one unit of the file'], ['--density d', 'kg/m³'], ['--reference', 'refers to the mesh\'s file in the scene instead of copying it'], ...pieces, json,
    ],
  },
  decompose: {
    usage: 'decompose <scene> [-o scene] [--all] [--method auto|exact|approximate|voxels|surface] [--max-pieces n] [--resolution n] [--concavity c] [--json]',
    what: 'finds the convex pieces of a scene\'s meshes',
    options: [output('default: the scene itself'), ['--all', 'also of meshes that already have pieces'], ...pieces, json],
  },
  sweep: {
    usage: `sweep <scene>… [--vary path=values]… [--param name=values]… [--let path=expression]… [--points file] [--design grid|list|latin|sobol]
        [--sample n] [--seed n] [--measure expressions] [--keep all|failed|none|"where …"] [--set path=value]… -o folder
        [--jobs n] [--time-limit s] [--memory-limit MB] [--shard i/n] [--store place] [--queue redis://host] [--json]
  sweep collect <folder> [--partial] [--queue …] | sweep status [folder] [--queue …] | sweep cancel <id> --queue …`,
    what: 'many runs, one table',
    options: [
      ['--vary path=values', 'from:to:count, from:to:count:log, from:to (with --sample), or values separated by commas; name=path+path=values names it and sets several fields'],
      ['--param name=values', 'a parameter for --let only'], ['--let path=expression', 'of the parameters, e.g. gravity[0]=9.81*sin(angle*pi/180)'],
      ['--points file', 'a table of values, CSV with paths in its first line or JSON; - is standard input'], ['--scenes pattern', 'more scenes; * in the last part of the path'],
      ['--design d', 'grid: all combinations; list: first with first; latin, sobol: --sample points'], ['--sample n', 'number of points, by a Latin hypercube unless --design sets another'],
      ['--seed n', 'of the samples'], ['--measure expressions', 'separated by commas, e.g. "bodies.box.position[2]@end, max(contacts.normalForce), energy.residual"'],
      ['--keep which', 'trajectories: all, failed, none, or "where <expression>"'], ['--set path=value', 'changes the scenes before the sweep'],
      output('the folder of the results; the same sweep resumes in it'), ['--jobs n', 'concurrent runs; default: the number of processors'],
      ['--time-limit s', 'of wall-clock time, a run'], ['--memory-limit MB', 'a run'], ['--shard i/n', 'every n-th run from i on, for a scheduler\'s jobs; collect joins them'],
      ['--store place', 'store of the trajectories: a folder, or s3://bucket/prefix'], ['--queue address', 'redis:// or rediss://: runs on workers on other machines'],
      ['--partial', 'of collect: even if runs are missing'], json,
    ],
  },
  worker: {
    usage: 'worker --queue redis://host [--concurrency n] [--lease s] [--store place]', what: 'runs jobs of sweeps from a queue',
    options: [
      ['--queue address', 'redis:// or rediss://; the password comes from CAIRN_QUEUE_PASSWORD or the file that CAIRN_QUEUE_PASSWORD_FILE names'],
      ['--concurrency n', 'concurrent runs; default: the number of processors'], ['--lease s', 'time without a sign of a worker after which its run goes to another; default: 30'],
      ['--store place', 'store of the trajectories, instead of the sweep\'s'],
    ],
  },
}

const CODES = 'Exit codes: 0 done, 1 the run stopped, 2 refused before it began, 130 cancelled.'

/** Help of one command, or the overview if there is no command of this name. */
export async function helpText(name: string | undefined): Promise<string> {
  const one = name !== undefined && Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined
  if (!one) {
    const all = Object.values(COMMANDS).map(({ usage, what }) => `  ${usage}\n      ${what}`)
    return ['Usage: cairn <command> …', '', ...all, '', '`cairn <command> --help` explains its options.', CODES].join('\n')
  }
  const width = Math.max(...one.options.map(([option]) => option.length)) + 2
  const options = await Promise.all(one.options.map(async ([option, meaning]) => `  ${option.padEnd(width)}${typeof meaning === 'string' ? meaning : await meaning()}`))
  return [`Usage: cairn ${one.usage}`, `      ${one.what}`, '', ...options, '', CODES].join('\n')
}
