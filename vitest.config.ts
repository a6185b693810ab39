import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'
import { LongestFirst } from './test/support/longest-first.ts'

export default defineConfig({
  test: {
    exclude: ['**/node_modules/**', 'test/fixtures/**'],
    globalSetup: ['test/support/run-folder.ts'],
    setupFiles: ['test/support/fast-check-setup.ts'],
    // Files share the processes of the run: loading the product anew for each takes longer than most of the tests.
    pool: 'forks',
    isolate: false,
    // One more than there are processors: a third of the time the tests wait, for git, browsers and databases.
    maxWorkers: availableParallelism() + 1,
    sequence: { sequencer: LongestFirst },
    // Generous, because a busy machine must not turn a test red; a test that waits for time is wrong anyway.
    testTimeout: 60_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 20_000 } },
    unstubEnvs: true,
    projects: [
      {
        extends: true,
        test: {
          name: 'node',
          include: [
            'src/**/*.test.ts',
            'web/**/*.test.ts',
            'packages/*/src/**/*.test.ts',
            'test/**/*.test.ts',
            'scripts/**/*.test.ts',
            'bench/**/*.test.ts',
          ],
          environment: 'node',
          setupFiles: ['test/support/spawner-setup.ts'],
          // Node runs the sources as it does in production; transforming them once more costs a third of the time of all tests.
          experimental: { viteModuleRunner: false },
        },
      },
      // Pages of the dashboard over a fake service: JSX has to be transformed.
      {
        extends: true,
        test: {
          name: 'pages',
          include: ['web/**/*.test.tsx'],
          environment: 'happy-dom',
          setupFiles: ['web/dashboard/testing/page-setup.ts'],
        },
      },
    ],
  },
})
