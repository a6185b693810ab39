// Judges the packages that come with the product: licences, install scripts, pinned contents, known vulnerabilities.
// Advisories need a registry that keeps them. Without one the rest is checked, and that is said; with --require-advisories
// it is a fault.

import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { findLockfileFaults, listProductionPackages, lockfileSchema, readAudit } from './audit-dependencies.ts'

const root = resolve(import.meta.dirname, '..')
/** Longest time for the question about advisories. */
const auditMsMax = 60_000

const lockfile = lockfileSchema.parse(JSON.parse(readFileSync(resolve(root, 'package-lock.json'), 'utf8')))
const faults = findLockfileFaults(lockfile)
const audit = readAudit(await runAudit())

console.log(`${listProductionPackages(lockfile).length} packages come with the product.`)
if (audit.kind === 'known') {
  faults.push(...audit.failing.map((line) => `${line}. Update it, see "npm audit --omit=dev".`))
  for (const line of audit.others) console.log(`Known and not failing: ${line}`)
} else {
  const sentence = `The registry tells no advisories here (${audit.reason}), so that known vulnerabilities were not looked up.`
  if (!process.argv.includes('--require-advisories')) console.log(`Note: ${sentence}`)
  else faults.push(`${sentence} Run the check where a registry with advisories is reached.`)
}
for (const fault of faults) console.error(fault)
process.exitCode = faults.length === 0 ? 0 : 1

/** What npm printed, whatever it ended with: it ends with 1 for what it has found. */
function runAudit(): Promise<string> {
  const npm = spawn('npm', ['audit', '--omit=dev', '--json', '--fetch-retries=0'], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'ignore'],
    timeout: auditMsMax,
  })
  let printed = ''
  npm.stdout.on('data', (chunk: Buffer) => void (printed += chunk.toString()))
  return new Promise((done) => {
    npm.once('error', () => done(''))
    npm.once('close', () => done(printed))
  })
}
