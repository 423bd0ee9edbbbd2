import tseslint from 'typescript-eslint'
import vue from 'eslint-plugin-vue'
import vueParser from 'vue-eslint-parser'

/** Functions of Math that IEEE 754 defines exactly; all others differ between engines and versions. */
const exactMath = 'abs|sign|sqrt|min|max|floor|ceil|round|trunc|imul|fround'

/** @type {import('eslint').Linter.RulesRecord} */
const determinism = {
  'no-restricted-syntax': ['error',
    { selector: 'BinaryExpression[operator="**"]', message: 'Engines differ on **: multiply, or use pow from core/math/elementary.' },
    { selector: 'AssignmentExpression[operator="**="]', message: 'Engines differ on **=: multiply, or use pow from core/math/elementary.' },
    {
      selector: `MemberExpression[object.name="Math"]:not([computed=false][property.name=/^(${exactMath}|PI|E|SQRT2|SQRT1_2|LN2|LN10)$/])`,
      message: 'Engines differ on this Math function: take it from core/math/elementary.',
    },
    { selector: ':not(MemberExpression) > Identifier[name="Math"]', message: 'Do not alias or destructure Math: write Math.name where it is used.' },
    { selector: 'ForInStatement', message: 'for-in depends on the order of keys: iterate over an array or a Map.' },
  ],
  'no-restricted-globals': ['error',
    ...['Date', 'performance', 'setTimeout', 'setInterval', 'setImmediate', 'queueMicrotask', 'requestAnimationFrame'].map(name => ({
      name, message: 'core has no clock: time is an argument.',
    })),
    ...['process', 'Buffer', 'require', 'window', 'document', 'navigator', 'fetch', 'crypto', 'console', 'globalThis', 'Intl'].map(name => ({
      name, message: 'core is pure: no Node, no DOM, no locale.',
    })),
  ],
  'no-restricted-properties': ['error',
    { property: 'toLocaleString', message: 'core does not depend on the locale.' },
    { property: 'localeCompare', message: 'core does not depend on the locale: compare code units with < and >.' },
  ],
}

/** Files that may exceed 300 lines because their content has to be in one file. */
const oneFileOnly = [
  'main/run/guest.js', // one expression, loaded as text into the sandbox of scripts
]

/** @type {import('eslint').Linter.RulesRecord} */
const everywhere = {
  'max-lines': ['error', { max: 300, skipBlankLines: false, skipComments: false }],
  'semi': ['error', 'never'],
  'no-unexpected-multiline': 'error',
  'quotes': ['error', 'single', { avoidEscape: true, allowTemplateLiterals: true }],
  'max-len': ['error', { code: 160, ignoreUrls: true, ignoreRegExpLiterals: true, ignoreTemplateLiterals: true, ignoreStrings: true }],
  'no-trailing-spaces': 'error',
  'eol-last': 'error',
  'eqeqeq': ['error', 'always', { null: 'ignore' }],
  'prefer-const': ['error', { destructuring: 'all' }],
  'no-var': 'error',
  'no-constant-condition': ['error', { checkLoops: false }],
  'no-empty': 'error',
  'no-self-compare': 'error',
  'no-unreachable': 'error',
  'no-fallthrough': 'error',
  'no-debugger': 'error',
  'no-eval': 'error',
  'no-implied-eval': 'error',
  'no-new-func': 'error',
  'no-unsafe-finally': 'error',
  'no-async-promise-executor': 'error',
  'no-warning-comments': ['error', { terms: ['todo', 'fixme', 'xxx'], location: 'start' }],
  '@typescript-eslint/no-explicit-any': 'error',
  '@typescript-eslint/ban-ts-comment': ['error', { 'ts-expect-error': 'allow-with-description' }],
  '@typescript-eslint/consistent-type-imports': ['error', { disallowTypeAnnotations: false }],
  '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_', caughtErrors: 'none' }],
}

/** @type {import('eslint').Linter.RulesRecord} */
const typeAware = {
  '@typescript-eslint/no-floating-promises': 'error',
  '@typescript-eslint/no-misused-promises': ['error', { checksVoidReturn: false }],
  '@typescript-eslint/only-throw-error': 'error',
}

export default tseslint.config(
  { ignores: ['out/', '.out-*/', 'dist/', 'release/', 'coverage/', 'node_modules/', 'kernels/'] },
  { linterOptions: { reportUnusedDisableDirectives: 'error' } },
  {
    files: ['**/*.{ts,js,cjs,mjs}'],
    languageOptions: { parser: tseslint.parser },
    plugins: { '@typescript-eslint': tseslint.plugin },
    rules: everywhere,
  },
  {
    files: ['**/*.cjs'],
    languageOptions: { sourceType: 'commonjs' },
  },
  {
    files: ['main/**/*.ts'],
    languageOptions: { parserOptions: { project: ['main/tsconfig.json', 'tsconfig.preload.json'], tsconfigRootDir: import.meta.dirname } },
    rules: typeAware,
  },
  { files: oneFileOnly, rules: { 'max-lines': 'off' } },
  { files: ['core/**/*.ts'], rules: determinism },
  { files: ['test/**/*.ts'], rules: { 'max-len': ['error', { code: 200, ignoreUrls: true, ignoreStrings: true, ignoreTemplateLiterals: true }] } },
  {
    files: ['test/**/*.ts'],
    ignores: ['test/seed.ts'],
    rules: {
      'no-restricted-syntax': ['error', {
        selector: 'CallExpression[callee.property.name="configureGlobal"]', message: 'It would discard the seed of all property tests: set it in test/seed.ts.',
      }],
    },
  },
  // Restricted to these files: without `files` its many rules would apply to every file.
  ...vue.configs['flat/essential'].map(config => ({ files: ['renderer/**/*.{vue,ts}', 'test/unit/renderer/**/*.ts'], ...config })),
  {
    files: ['renderer/**/*.vue'],
    languageOptions: { parser: vueParser, parserOptions: { parser: tseslint.parser, sourceType: 'module' } },
    plugins: { '@typescript-eslint': tseslint.plugin },
    rules: {
      ...everywhere,
      'max-len': 'off',
      'vue/max-len': ['error', {
        code: 160, template: 200, ignoreUrls: true, ignoreRegExpLiterals: true, ignoreTemplateLiterals: true, ignoreStrings: true,
        ignoreHTMLAttributeValues: true, ignoreHTMLTextContents: true,
      }],
      'vue/no-v-html': 'error',
      'vue/component-api-style': ['error', ['script-setup']],
      'vue/block-lang': ['error', { script: { lang: 'ts' } }],
    },
  },
  {
    files: ['renderer/App.vue'],
    rules: { 'vue/multi-word-component-names': 'off' },
  },
)
