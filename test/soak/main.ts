// Uses the product for a long time and watches what its process holds: npm run soak [-- MINUTES]
// Prints a line every ten seconds; ends with 1 when something grows or fails.

import { soak } from './soak.ts'

const [minutes = 60] = process.argv.slice(2).map(Number)
const outcome = await soak({
  durationMs: minutes * 60_000,
  sampleEveryMs: 10_000,
  onSample: ({ atMs, residentMb, openFiles, threads }) =>
    process.stdout.write(
      `${Math.round(atMs / 1_000)} s: ${residentMb} MB, ${openFiles} open files, ${threads} threads\n`,
    ),
})
for (const fault of outcome.faults) process.stdout.write(`FAULT ${fault}\n`)
process.stdout.write(
  `${minutes} minutes: ${outcome.answers} answers, ${outcome.aborted} left, ${outcome.searches} searches, ${outcome.jobs} jobs, ${outcome.faults.length} faults\n`,
)
process.exitCode = outcome.faults.length === 0 ? 0 : 1
