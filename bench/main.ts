import { parseArgs } from 'node:util'
import { benchAnswers } from './answers.ts'
import { benchOpenStreams } from './open-streams.ts'
import { benchStart } from './start-time.ts'

// npm run bench [-- answers|streams|start …] [--quick]

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { quick: { type: 'boolean', default: false } },
})
const isChosen = (name: string) => positionals.length === 0 || positionals.includes(name)
const quick = values.quick

console.log(
  `Node ${process.versions.node} on ${process.platform} ${process.arch}; ratios count, absolute figures are this machine's`,
)
if (isChosen('start')) await benchStart(quick ? 1 : 5)
if (isChosen('answers')) await benchAnswers(quick ? 1 : 5, quick ? 500 : 2_000)
if (isChosen('streams')) await benchOpenStreams(quick ? 200 : 2_000)
