import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: [
      'src/**/*.test.ts',
      'web/**/*.test.ts',
      'test/**/*.test.ts',
      'scripts/**/*.test.ts',
      'bench/**/*.test.ts',
    ],
    exclude: ['**/node_modules/**', 'test/fixtures/**'],
    environment: 'node',
    globalSetup: ['test/support/run-folder.ts'],
    setupFiles: ['test/support/fast-check-setup.ts'],
    // Node runs the sources as it does in production; transforming them once more costs a third of the time of all tests.
    experimental: { viteModuleRunner: false },
    // Files share the processes of the run: loading the product anew for each takes longer than most of the tests.
    pool: 'forks',
    isolate: false,
    // One more than there are processors: a third of the time the tests wait, for git, browsers and databases.
    maxWorkers: availableParallelism() + 1,
    // Generous, because a busy machine must not turn a test red; a test that waits for time is wrong anyway.
    testTimeout: 60_000,
    hookTimeout: 120_000,
    unstubEnvs: true,
  },
})
