// Completes package-lock.json for all platforms; with --check only says whether it is complete.

import { readFileSync, writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { fillLockfile, type Lockfile } from './fill-lockfile.ts'

const file = resolve(import.meta.dirname, '..', 'package-lock.json')
// npm's own file; the fields that are read are checked by npm whenever it uses them.
const lockfile = JSON.parse(readFileSync(file, 'utf8')) as Lockfile
const added = fillLockfile(lockfile)

if (added.length === 0) console.log('The lockfile is complete.')
else if (process.argv.includes('--check')) {
  console.error(
    `The lockfile lacks ${added.length} packages of other platforms, such as ${added[0]}, and "npm ci" will refuse it.`,
  )
  console.error('Run "node scripts/run.js scripts/complete-lockfile.ts".')
  process.exitCode = 1
} else {
  writeFileSync(file, `${JSON.stringify(lockfile, null, 2)}\n`)
  console.log(`Added ${added.length} packages of other platforms to the lockfile.`)
}
