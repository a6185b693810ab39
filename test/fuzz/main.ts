// Sends malformed input to everything that takes input from outside: npm run fuzz [-- INPUTS [SEED [TARGET]]]
// Prints a line for each target; ends with 1 when a promise was broken. The same seed sends the same inputs.

import { runFuzz } from './run-fuzz.ts'

const [inputs = '100000', seed = '20261121', only] = process.argv.slice(2)
const print = (line: string) => void process.stdout.write(`${line}\n`)
const faults = await runFuzz({ inputs: Number(inputs), seed: Number(seed), only, print })
process.exitCode = faults.length === 0 ? 0 : 1
