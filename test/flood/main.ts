// Floods one public key from many source addresses: npm run flood [-- ADDRESSES [CEILING]]
// Prints what came of it; ends with 1 when more was spent than the ceiling, or a search was refused.

import { floodKey } from './flood-key.ts'

const [addresses = 1_000, usdMax = 0.5] = process.argv.slice(2).map(Number)
const outcome = await floodKey({ addresses, usdMax, normalPerMinute: 30 })
process.stdout.write(`${JSON.stringify({ addresses, usdMax, ...outcome }, null, 2)}\n`)
const isKept = outcome.spentUsd <= usdMax && Object.keys(outcome.searches).join() === '200'
process.exitCode = isKept ? 0 : 1
