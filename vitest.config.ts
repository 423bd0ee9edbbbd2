import { defineConfig } from 'vitest/config'
import vue from '@vitejs/plugin-vue'
import { availableParallelism } from 'node:os'
import { kernels } from './bin/kernels.js'

const minute = 60_000

/** What `npm test` leaves to `npm run test:long` and to .ci/run, where nobody waits. */
export const TAGS = [{ name: 'long', description: 'more than two and a half seconds of one core, or one of several long rows of a table', timeout: 15 * minute }]

/** Four projects: pure units, the interface's units (happy-dom), known answers in mechanics, and a real browser. */
export default defineConfig({
  test: {
    reporters: ['default'],
    tags: TAGS,
    maxWorkers: availableParallelism(), // vitest leaves one core idle by default: half the machine where there are two
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
          isolate: false, // loading the core anew for each file took a third of the time
          testTimeout: minute,
          hookTimeout: minute, // the first that needs threads and processes bundles them
        },
      },
      {
        plugins: [kernels(), vue()],
        test: {
          name: 'renderer',
          environment: 'happy-dom',
          setupFiles: ['test/seed.ts'],
          include: ['test/unit/renderer/**/*.test.ts'],
          isolate: false, // an environment and the interface's modules for each file took three fifths of the time
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
          isolate: false, // all of them run whole scenes: loading the engine anew for each file took a quarter of the time
          testTimeout: 10 * minute,
        },
      },
      {
        plugins: [kernels()],
        test: {
          name: 'e2e',
          isolate: false,
          environment: 'node',
          include: ['test/e2e/**/*.test.ts'],
          globalSetup: ['test/e2e/setup.ts'],
          setupFiles: ['test/e2e/close-pages.ts'],
          testTimeout: 5 * minute,
          hookTimeout: 5 * minute,
          // Of vitest's second, a picture by software rendering takes all where other work shares the processor.
          expect: { poll: { timeout: 30_000, interval: 50 } },
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
})
