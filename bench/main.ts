import { parseArgs } from 'node:util'
import { benchAgent } from './agent.ts'
import { benchAgents } from './agents/agents.ts'
import { benchAnswers } from './answers.ts'
import { benchContradictions } from './contradictions.ts'
import { benchCounterfactual } from './counterfactual.ts'
import { benchDrift } from './drift.ts'
import { benchHome } from './home.ts'
import { benchIndex } from './index-time.ts'
import { benchJob } from './job.ts'
import { benchMcp } from './mcp.ts'
import { benchOpenStreams } from './open-streams.ts'
import { benchOverhead } from './overhead.ts'
import { benchReplicas } from './replicas.ts'
import { benchRetrieval } from './retrieval/peers.ts'
import { benchVectors } from './retrieval/vectors.ts'
import { benchSamples } from './samples.ts'
import { benchStart } from './start-time.ts'
import { benchTopics } from './topics/topics.ts'
import { benchWebMcp } from './web-mcp.ts'
import { benchWidget } from './widget.ts'

// npm run bench [-- agent|answers|overhead|replicas|mcp|streams|start|vectors|web-mcp|widget|home|index|job …] [--quick]
// npm run bench -- counterfactual [--site NAME …] [--quick]: TEST_SITES is a folder with a site in each of its folders
// npm run bench -- contradictions [--sets FOLDER]: FOLDER holds contra.jsonl; sites of TEST_SITES are seeded
// npm run bench -- drift [--sets FOLDER] [--quick]: seeded products, time and memory; FOLDER holds real.jsonl
// npm run bench -- agents [addresses|scores|cost] [--site NAME …]: our own documentation, and the sites of TEST_SITES if it is set
// npm run bench -- index [--site FOLDER]: a whole index, and ones after changes
// npm run bench -- topics: groups of questions by topic, against labels of a person
// npm run bench -- samples: checks the samples of the sites of TEST_SITES, as they are and with seeded defects
// npm run bench -- retrieval --sets FOLDER [--quick]: FOLDER holds judged sets, as `docent eval retrieval` reads them

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    quick: { type: 'boolean', default: false },
    sets: { type: 'string' },
    site: { type: 'string', multiple: true, default: [] },
  },
})
const isChosen = (name: string) => (positionals.length === 0 && values.sets === undefined) || positionals.includes(name)
const quick = values.quick

console.log(
  `Node ${process.versions.node} on ${process.platform} ${process.arch}; ratios count, absolute figures are this machine's`,
)
if (isChosen('start')) await benchStart(quick ? 1 : 5, quick ? 2_000 : 60_000)
if (isChosen('agent')) await benchAgent(quick ? [20] : [78, 200])
if (isChosen('answers')) await benchAnswers(quick ? 1 : 5, quick ? 500 : 2_000)
if (isChosen('overhead')) await benchOverhead(quick ? 1 : 5, quick ? 16 : 40)
if (isChosen('replicas')) await benchReplicas(quick ? 1 : 5, quick ? 400 : 2_000)
if (isChosen('streams')) await benchOpenStreams(quick ? 200 : 5_000, quick ? 2_000 : 60_000)
if (isChosen('vectors')) benchVectors(quick)
if (positionals.includes('index')) await benchIndex(quick ? 1 : 5, values.site[0])
if (positionals.includes('job')) await benchJob(quick ? 3 : 15)
if (positionals.includes('home')) await benchHome(quick ? 5 : 21)
if (positionals.includes('mcp')) await benchMcp()
if (positionals.includes('web-mcp')) await benchWebMcp()
if (positionals.includes('widget')) await benchWidget(quick ? 1 : 9)
const testSites = process.env['TEST_SITES']
if (positionals[0] === 'agents') {
  const parts = positionals.slice(1)
  await benchAgents(testSites ?? null, values.site, parts.length === 0 ? ['addresses', 'scores', 'cost'] : parts)
}
if (positionals.includes('counterfactual')) {
  if (testSites === undefined)
    throw new Error('Set TEST_SITES to a folder with one documentation site in each of its folders.')
  await benchCounterfactual(testSites, values.site, quick)
}
if (positionals.includes('topics')) await benchTopics()
if (positionals.includes('samples')) await benchSamples(testSites)
if (positionals.includes('contradictions')) await benchContradictions(values.sets, testSites)
else if (positionals.includes('drift')) await benchDrift(values.sets, quick)
else if (values.sets !== undefined) await benchRetrieval(values.sets, quick)
else if (positionals.includes('retrieval')) throw new Error('Name a folder of judged sets with --sets FOLDER.')
