// Compiles src/ to dist/ for the package, because Node strips no types below node_modules: npm run compile

import { spawnSync } from 'node:child_process'
import { copyFileSync, rmSync } from 'node:fs'
import { join, resolve } from 'node:path'

const root = resolve(import.meta.dirname, '..')

// What an earlier version had compiled must not be packed.
rmSync(join(root, 'dist'), { recursive: true, force: true })
// Types are what `npm run check` is for: checking them once more takes six times as long as writing the files.
const args = ['-p', join(root, 'tsconfig.build.json'), '--noCheck']
const compiled = spawnSync('tsc', args, { cwd: root, stdio: 'inherit' })
process.exitCode = compiled.status ?? 1
// Plain JavaScript, because readers run it without a checkout.
const verifier = 'git/verify-receipt.mjs'
copyFileSync(join(root, 'src', verifier), join(root, 'dist', verifier))
