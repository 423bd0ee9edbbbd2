import { defineConfig } from 'vitest/config'
import vue from '@vitejs/plugin-vue'
import { availableParallelism } from 'node:os'
import { kernels } from './bin/kernels.js'
import { LongestFirst } from './bin/longest-first.js'

const minute = 60_000

/** Tests that `npm test` skips; `npm run test:long` and .ci/run execute them. */
export const TAGS = [{ name: 'long', description: 'more than two and a half seconds of one core, or one of several long rows of a table', timeout: 15 * minute }]

/** Four projects: unit tests, unit tests of the interface (happy-dom), known answers in mechanics, and tests in a real browser. */
export default defineConfig({
  test: {
    reporters: ['default'],
    tags: TAGS,
    maxWorkers: availableParallelism(), // by default vitest leaves one core idle, which is half of a machine with two
    sequence: { sequencer: LongestFirst },
    coverage: { include: ['core/**', 'main/**', 'renderer/**'] },
    projects: [
      {
        plugins: [kernels()],
        test: {
          name: 'unit',
          environment: 'node',
          setupFiles: ['test/seed.ts'],
          include: ['test/unit/**/*.test.ts'],
          exclude: ['test/unit/renderer/**'],
          isolate: false, // reloading core for each file took a third of the time
          testTimeout: minute,
          hookTimeout: minute, // the first test that needs threads or processes bundles their code
        },
      },
      {
        plugins: [kernels(), vue()],
        test: {
          name: 'renderer',
          environment: 'happy-dom',
          setupFiles: ['test/seed.ts'],
          include: ['test/unit/renderer/**/*.test.ts'],
          isolate: false, // a new environment and reloading the interface for each file took three fifths of the time
          testTimeout: minute,
        },
      },
      {
        plugins: [kernels()],
        test: {
          name: 'verification',
          environment: 'node',
          include: ['test/verification/**/*.test.ts'],
          setupFiles: ['test/seed.ts', 'test/verification/measure.ts'],
          isolate: false, // all files run whole scenes: reloading the engine for each took a quarter of the time
          testTimeout: 10 * minute,
        },
      },
      {
        plugins: [kernels()],
        test: {
          name: 'e2e',
          isolate: false,
          maxWorkers: availableParallelism() + 1, // a test waits for pictures and messages a third of the time
          environment: 'node',
          include: ['test/e2e/**/*.test.ts'],
          globalSetup: ['test/e2e/setup.ts'],
          setupFiles: ['test/e2e/close-pages.ts'],
          testTimeout: 5 * minute,
          hookTimeout: 5 * minute,
          // The default of one second is too short for a picture by software rendering on a shared processor.
          expect: { poll: { timeout: 30_000, interval: 50 } },
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
})
