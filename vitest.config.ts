import { defineConfig } from 'vitest/config'
import vue from '@vitejs/plugin-vue'
import { availableParallelism } from 'node:os'

const minute = 60_000

/** Files of sweeps over many seeds, processes or settings: `npm run test:long`, and .ci/run, where nobody waits. */
const LONG = [
  'test/unit/main/cli/node-versions.test.ts', 'test/verification/{penalty,polyhedral-cone,random-columns,rims,exchange/round-trip}.test.ts', 'test/long/**/*.test.ts',
]

/** Five projects: pure units, the interface's units (happy-dom), known answers in mechanics, those of all these that take long, and a real browser. */
export default defineConfig({
  test: {
    reporters: ['default'],
    maxWorkers: availableParallelism(), // vitest leaves one core idle by default: half the machine where there are two
    coverage: { include: ['core/**', 'main/**', 'renderer/**'] },
    projects: [
      {
        test: {
          name: 'unit',
          environment: 'node',
          setupFiles: ['test/seed.ts'],
          include: ['test/unit/**/*.test.ts'],
          exclude: ['test/unit/renderer/**', ...LONG],
          testTimeout: minute,
          hookTimeout: minute, // the first that needs threads and processes bundles them
        },
      },
      {
        plugins: [vue()],
        test: {
          name: 'renderer',
          environment: 'happy-dom',
          setupFiles: ['test/seed.ts'],
          include: ['test/unit/renderer/**/*.test.ts'],
          testTimeout: minute,
        },
      },
      {
        test: {
          name: 'verification',
          environment: 'node',
          include: ['test/verification/**/*.test.ts'],
          exclude: LONG,
          setupFiles: ['test/seed.ts', 'test/verification/measure.ts'],
          isolate: false, // all of them run whole scenes: loading the engine anew for each file took a quarter of the time
          testTimeout: 10 * minute,
        },
      },
      {
        test: {
          name: 'long',
          environment: 'node',
          include: LONG,
          setupFiles: ['test/seed.ts', 'test/verification/measure.ts'],
          globalSetup: ['test/e2e/setup.ts'],
          testTimeout: 10 * minute,
          hookTimeout: minute,
        },
      },
      {
        test: {
          name: 'e2e',
          environment: 'node',
          include: ['test/e2e/**/*.test.ts'],
          globalSetup: ['test/e2e/setup.ts'],
          fileParallelism: false, // two browsers that draw in software take each other's time: side by side each test takes twice as long
          maxWorkers: 1,
          testTimeout: 5 * minute,
          hookTimeout: 5 * minute,
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
})
