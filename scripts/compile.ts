// Compiles src/ to dist/ for the package, because Node strips no types below node_modules: npm run compile

import { spawnSync } from 'node:child_process'
import { rmSync } from 'node:fs'
import { join, resolve } from 'node:path'

const root = resolve(import.meta.dirname, '..')

// What an earlier version had compiled must not be packed.
rmSync(join(root, 'dist'), { recursive: true, force: true })
const compiled = spawnSync('tsc', ['-p', join(root, 'tsconfig.build.json')], { cwd: root, stdio: 'inherit' })
process.exitCode = compiled.status ?? 1
