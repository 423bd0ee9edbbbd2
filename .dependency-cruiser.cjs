/**
 * The layers. Each folder may import itself and the folders listed here, type imports included; docs/architecture.md describes the layers.
 */
const core = {
  vocabulary: [],
  math: [],
  expression: ['math'],
  geometry: ['expression', 'math'],
  collision: ['geometry', 'math', 'vocabulary'],
  lcp: ['math'],
  sparse: ['math'],
  dynamics: ['geometry', 'math'],
  deformables: ['collision', 'sparse', 'geometry', 'math'],
  contact: ['collision', 'lcp', 'dynamics', 'geometry', 'math', 'vocabulary'],
  methods: ['deformables', 'contact', 'collision', 'sparse', 'lcp', 'dynamics', 'geometry', 'math', 'vocabulary'],
  scene: ['expression', 'math'],
  trajectory: ['math', 'vocabulary'],
  analysis: ['scene', 'trajectory', 'geometry', 'expression', 'math', 'vocabulary'],
  modelling: ['analysis', 'scene', 'geometry', 'math'],
  formats: ['analysis', 'scene', 'trajectory', 'geometry', 'math'],
  simulation: [
    'methods', 'deformables', 'contact', 'collision', 'sparse', 'lcp', 'dynamics', 'geometry', 'math', 'scene', 'trajectory', 'formats', 'analysis', 'vocabulary',
  ],
}

const main = {
  protocol: [],
  run: ['protocol'],
  tables: ['protocol'],
  batch: ['run', 'tables', 'protocol'],
  engine: ['batch', 'run', 'tables', 'protocol'],
  web: ['engine', 'batch', 'run', 'tables', 'protocol'],
  shell: ['engine', 'batch', 'run', 'tables', 'protocol'],
  render: ['web', 'engine', 'batch', 'run', 'tables', 'protocol'],
  cli: ['render', 'web', 'engine', 'batch', 'run', 'tables', 'protocol'],
}

/** The only packages that core may import: small libraries without side effects. */
const pureLibraries = ['zod', 'mutative', '@gltf-transform/core', 'saxes', 'fflate']

const rendererSees = '^(renderer/|main/protocol/|core/(vocabulary|math|expression|geometry|scene|trajectory|formats|analysis|modelling)/|core/dynamics/joints(/|\\.))'

const anyOf = names => `(${names.join('|')})`
const unlistedFolder = (root, layers) => ({
  name: `${root}-folder-not-listed`,
  comment: `Every folder in ${root}/ has to be listed in .dependency-cruiser.cjs.`,
  severity: 'error',
  from: { path: `^${root}/[^/]+/`, pathNot: `^${root}/${anyOf(Object.keys(layers))}/` },
  to: {},
})

const layerRules = (root, layers) => Object.entries(layers).map(([folder, below]) => ({
  name: `${root}-${folder}-imports-downwards`,
  comment: `${root}/${folder} may import ${below.length > 0 ? below.map(name => `${root}/${name}`).join(', ') : 'no other folder here'}.`,
  severity: 'error',
  from: { path: `^${root}/${folder}/` },
  to: { path: `^${root}/`, pathNot: `^${root}/${anyOf([folder, ...below])}/` },
}))

module.exports = {
  forbidden: [
    {
      name: 'no-cycles',
      comment: 'No cyclic imports.',
      severity: 'error',
      from: { path: '^(core|main|renderer|test)/' },
      to: { circular: true },
    },
    {
      name: 'resolvable',
      comment: 'Every import has to be resolved.',
      severity: 'error',
      from: { path: '^(core|main|renderer|test|bin)/' },
      // Kernels are resolved by a plugin (bin/kernels.js).
      to: { couldNotResolve: true, pathNot: '^kernel:' },
    },
    {
      name: 'kernels-behind-solvers',
      comment: 'Only solvers import a WebAssembly kernel.',
      severity: 'error',
      from: { pathNot: '^core/(methods/time-stepping/solvers|sparse)/' },
      to: { path: '^kernel:' },
    },
    ...layerRules('core', core),
    unlistedFolder('core', core),
    {
      name: 'core-stays-in-core',
      comment: 'core imports nothing from main, renderer, test or the tools.',
      severity: 'error',
      from: { path: '^core/' },
      to: { pathNot: '^core/|node_modules/', dependencyTypesNot: ['core'], couldNotResolve: false },
    },
    {
      name: 'core-knows-no-node',
      comment: 'core runs in any JavaScript engine: no Node modules.',
      severity: 'error',
      from: { path: '^core/' },
      to: { dependencyTypes: ['core'] },
    },
    {
      name: 'core-uses-pure-libraries-only',
      comment: `core may use ${pureLibraries.join(', ')}.`,
      severity: 'error',
      from: { path: '^core/' },
      to: { path: 'node_modules/', pathNot: `node_modules/${anyOf(pureLibraries)}/` },
    },
    {
      name: 'methods-stand-apart',
      comment: 'event-driven and time-stepping import nothing from each other; shared code is in core/contact, and that of impacts in core/methods/impacts.',
      severity: 'error',
      from: { path: '^core/methods/(event-driven|time-stepping)/' },
      to: { path: '^core/methods/(event-driven|time-stepping)/', pathNot: '^core/methods/$1/' },
    },
    ...layerRules('main', main),
    unlistedFolder('main', main),
    {
      name: 'main-imports-core',
      comment: 'main handles files and processes; it may import core, but not renderer, tests or tools.',
      severity: 'error',
      from: { path: '^main/' },
      to: { path: '^(renderer|test|bin|scenes)/' },
    },
    {
      name: 'only-the-shell-knows-electron',
      comment: 'The engine and the other hosts run on plain Node.',
      severity: 'error',
      from: { path: '^(main|core|renderer|bin)/', pathNot: '^main/shell/' },
      to: { path: '(^|node_modules/)electron(/|$)' },
    },
    {
      name: 'protocol-is-plain-types',
      comment: 'Both sides of every port import main/protocol: no Node, and of core only what the renderer may import.',
      severity: 'error',
      from: { path: '^main/protocol/' },
      to: { pathNot: `${rendererSees}|node_modules/`, couldNotResolve: false },
    },
    {
      name: 'renderer-sees-its-part',
      comment: 'The renderer imports the document, the stream and the protocol, never the solver.',
      severity: 'error',
      from: { path: '^renderer/' },
      to: { pathNot: `${rendererSees}|node_modules/`, couldNotResolve: false },
    },
    {
      name: 'no-undeclared-packages',
      comment: 'Every imported package has to be in package.json.',
      severity: 'error',
      from: { path: '^(core|main|renderer|test|bin)/' },
      to: { dependencyTypes: ['npm-no-pkg', 'npm-unknown'] },
    },
    {
      name: 'setup-has-no-dependencies',
      comment: 'bin/setup.js and the launcher run before anything is installed.',
      severity: 'error',
      from: { path: '^bin/(setup|cairn)\\.js$' },
      to: { dependencyTypesNot: ['core', 'local'] },
    },
  ],
  options: {
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.base.json' },
    doNotFollow: { path: 'node_modules' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'module', 'node', 'default', 'types'],
      mainFields: ['module', 'main', 'types'],
    },
  },
}
