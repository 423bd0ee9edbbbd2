/**
 * The floors of the building. Imports go downwards only, type imports counted; the whole rule is this table,
 * and docs/architecture.md says why. A folder may always import itself.
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

/** Small pure libraries that core may use; nothing else from node_modules. */
const pureLibraries = ['zod', 'mutative', 'yalps', '@gltf-transform/core', 'saxes']

const rendererSees = '^(renderer/|main/protocol/|core/(vocabulary|math|expression|geometry|scene|trajectory|formats|analysis|modelling)/|core/dynamics/joints(/|\\.))'

const anyOf = names => `(${names.join('|')})`
const unknownFolder = (root, floors) => ({
  name: `${root}-folder-without-a-floor`,
  comment: `Every folder in ${root}/ needs its place in .dependency-cruiser.cjs.`,
  severity: 'error',
  from: { path: `^${root}/[^/]+/`, pathNot: `^${root}/${anyOf(Object.keys(floors))}/` },
  to: {},
})

const floorRules = (root, floors) => Object.entries(floors).map(([folder, below]) => ({
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
      comment: 'No two files import each other, directly or on a way round.',
      severity: 'error',
      from: { path: '^(core|main|renderer|test)/' },
      to: { circular: true },
    },
    {
      name: 'resolvable',
      comment: 'An import that leads nowhere.',
      severity: 'error',
      from: { path: '^(core|main|renderer|test|bin)/' },
      // Kernels are resolved by a plugin, and only the sweeps know one.
      to: { couldNotResolve: true, pathNot: '^kernel:' },
    },
    {
      name: 'kernels-behind-solvers',
      comment: 'A WebAssembly kernel is known only to the solver that has its twin in TypeScript.',
      severity: 'error',
      from: { pathNot: '^core/methods/time-stepping/solvers/' },
      to: { path: '^kernel:' },
    },
    ...floorRules('core', core),
    unknownFolder('core', core),
    {
      name: 'core-stays-in-core',
      comment: 'core is pure: it knows no main, renderer, test or tool.',
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
      comment: 'event-driven and time-stepping import nothing from each other; what they share lies in core/contact, impacts at one instant in core/methods/impacts.',
      severity: 'error',
      from: { path: '^core/methods/(event-driven|time-stepping)/' },
      to: { path: '^core/methods/(event-driven|time-stepping)/', pathNot: '^core/methods/$1/' },
    },
    ...floorRules('main', main),
    unknownFolder('main', main),
    {
      name: 'main-imports-core',
      comment: 'main owns files and processes; it may import core, never the interface or the tests.',
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
      comment: 'main/protocol is read on both sides of every port: no Node, and only the core that the renderer may see.',
      severity: 'error',
      from: { path: '^main/protocol/' },
      to: { pathNot: `${rendererSees}|node_modules/`, couldNotResolve: false },
    },
    {
      name: 'renderer-sees-its-part',
      comment: 'The renderer sees the document, the stream and the protocol; never the solver.',
      severity: 'error',
      from: { path: '^renderer/' },
      to: { pathNot: `${rendererSees}|node_modules/`, couldNotResolve: false },
    },
    {
      name: 'no-undeclared-packages',
      comment: 'A package that is not in package.json works by luck.',
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
