// Runs all static checks: npm run check

import { join, resolve } from 'node:path'
import { runChecks, type Check } from './run-checks.ts'

const root = resolve(import.meta.dirname, '..')
const node = process.execPath

const linted = ['src', 'packages', 'test', 'bench', 'scripts', 'web']

const checks: Check[] = [
  // The longest first, so that the shorter ones fill the other core.
  { name: 'lint', command: ['oxlint', '--type-aware', '--deny-warnings', ...linted] },
  // Checks again only what a change can reach. The file is a cache: without it, everything is checked.
  {
    name: 'types',
    command: [
      'tsc',
      '-p',
      '.',
      '--incremental',
      '--tsBuildInfoFile',
      join(root, 'node_modules/.cache/types.tsbuildinfo'),
    ],
  },
  { name: 'dead exports', command: ['knip'] },
  { name: 'format', command: ['oxfmt', '--check'] },
  { name: 'import direction', command: [node, join(root, 'scripts', 'check-import-direction.ts')] },
  { name: 'dashboard words', command: [node, join(root, 'scripts', 'check-dashboard-words.ts')] },
  { name: 'dashboard size', command: [node, join(root, 'scripts', 'check-dashboard-size.ts')] },
  { name: 'widget size', command: [node, join(root, 'scripts', 'check-widget-size.ts')] },
  { name: 'dependencies', command: [node, join(root, 'scripts', 'check-dependencies.ts')] },
  { name: 'lockfile', command: [node, join(root, 'scripts', 'complete-lockfile.ts'), '--check'] },
  { name: 'generated files', command: [node, join(root, 'scripts', 'generate.ts'), '--check'] },
]

const failed = await runChecks(checks, { root, print: (line) => console.log(line) })
process.exitCode = failed === 0 ? 0 : 1
