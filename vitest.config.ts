import { defineConfig } from 'vitest/config'
import vue from '@vitejs/plugin-vue'
import { availableParallelism } from 'node:os'

const minute = 60_000

/** Packages whose modules plain Node cannot resolve: vite does it. */
const server = { deps: { inline: ['quickhull3d'] } }

/** Four projects: pure units, the interface's units (happy-dom), known answers in mechanics, and a real browser. */
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
          server,
          setupFiles: ['test/seed.ts'],
          include: ['test/unit/**/*.test.ts'],
          exclude: ['test/unit/renderer/**'],
          testTimeout: minute,
        },
      },
      {
        plugins: [vue()],
        test: {
          name: 'renderer',
          environment: 'happy-dom',
          server,
          setupFiles: ['test/seed.ts'],
          include: ['test/unit/renderer/**/*.test.ts'],
          testTimeout: minute,
        },
      },
      {
        test: {
          name: 'verification',
          environment: 'node',
          server,
          include: ['test/verification/**/*.test.ts'],
          setupFiles: ['test/seed.ts', 'test/verification/measure.ts'],
          testTimeout: 10 * minute,
        },
      },
      {
        test: {
          name: 'e2e',
          environment: 'node',
          server,
          include: ['test/e2e/**/*.test.ts'],
          globalSetup: ['test/e2e/setup.ts'],
          fileParallelism: false,
          maxWorkers: 1,
          testTimeout: 5 * minute,
          hookTimeout: 5 * minute,
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
})
