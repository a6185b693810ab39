// Floods a server as strangers with its public key would: npm run flood [-- SCENARIO…] [--checkout FOLDER]
// Prints the figures of each scenario as a line of JSON, and a table of what passed its bound; ends with 1 when one did.
// `--checkout` floods the server of another working tree, for comparison.

import { parseArgs } from 'node:util'
import { damageIndex } from './damage-index.ts'
import { fillStore } from './fill-store.ts'
import { floodAddresses } from './flood-addresses.ts'
import { floodBodies } from './flood-bodies.ts'
import { floodReaders } from './flood-readers.ts'
import type { FloodOptions, FloodOutcome } from './flood-scenario.ts'
import { floodShare } from './flood-share.ts'
import { floodSpending } from './flood-spending.ts'

const scenarios: Readonly<Record<string, (options: FloodOptions) => Promise<FloodOutcome>>> = {
  spend: floodSpending,
  share: floodShare,
  readers: floodReaders,
  bodies: floodBodies,
  addresses: floodAddresses,
  index: damageIndex,
  disk: fillStore,
}

const { values, positionals } = parseArgs({ allowPositionals: true, options: { checkout: { type: 'string' } } })
const chosen = positionals.length === 0 ? Object.keys(scenarios) : positionals
const unknown = chosen.filter((name) => !Object.hasOwn(scenarios, name))
if (unknown.length > 0) {
  process.stderr.write(
    `There is no scenario ${unknown.join(', ')}. Choose from: ${Object.keys(scenarios).join(', ')}.\n`,
  )
  process.exit(2)
}

const faults: { scenario: string; fault: string }[] = []
for (const scenario of chosen) {
  const outcome = await scenarios[scenario]?.(values)
  process.stdout.write(`${JSON.stringify({ scenario, ...outcome?.figures, faults: outcome?.faults })}\n`)
  faults.push(...(outcome?.faults ?? []).map((fault) => ({ scenario, fault })))
}
for (const scenario of chosen) {
  const own = faults.filter((fault) => fault.scenario === scenario).map(({ fault }) => fault)
  process.stderr.write(`${scenario.padEnd(10)} ${own.length === 0 ? 'held' : own.join('; ')}\n`)
}
process.exitCode = faults.length === 0 ? 0 : 1
