import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { countOf } from '../src/contract/count-of.ts'
import { findPrice } from '../src/models/providers/prices.ts'
import { finishJob, readEvents, runJob, sendToJob } from '../test/support/agent-jobs.ts'
import { type AnthropicServer, type MessagesUse, startAnthropicServer } from '../test/support/anthropic-server.ts'
import { editorPrompt, listPages, playEditor } from '../test/support/competent-editor.ts'
import { startDocent } from '../test/support/start-docent.ts'

const model = 'anthropic/claude-sonnet-4-5'
const pageChars = 9_000
/** Messages to a job whose budget is reached, each with a budget of its own. */
const messagesMax = 3
/** A conversation begins with at most so many. */
const beginningMessages = 3

/** Jobs that change one word on each of many pages, with a model that makes no mistakes and a cache like Anthropic's. */
export async function benchAgent(pageCounts: readonly number[]): Promise<void> {
  for (const pages of pageCounts) await benchJob({ pages, contextTokens: 200_000 })
  await benchJob({ pages: pageCounts.at(-1) ?? 1, contextTokens: 32_000 })
}

async function benchJob({ pages, contextTokens }: { pages: number; contextTokens: number }): Promise<void> {
  const folder = await writeSite(pages)
  const server = await startAnthropicServer(playEditor, { contextTokens })
  const docent = await startDocent({
    demoFolder: folder,
    readsDemoInPlace: false,
    env: {
      DOCENT_AGENT_MODEL: model,
      DOCENT_AGENT_MODEL_BASE_URL: server.url,
      DOCENT_AGENT_MODEL_API_KEY: 'key-of-bench',
      DOCENT_MODEL_OPTIONS: JSON.stringify({ [model]: { contextTokens } }),
    },
  })
  try {
    const startedAt = performance.now()
    let job = await runJob(docent, editorPrompt)
    let messages = 1
    for (; job.failure?.code === 'budget_reached' && messages < messagesMax; messages++) {
      await sendToJob(docent, job.id, 'message', { prompt: 'Go on.' })
      job = await finishJob(docent, job.id)
    }
    const seconds = Math.round((performance.now() - startedAt) / 1_000)
    const events = (await readEvents(docent, job.id)).map(({ event }) => event.type)
    const count = (type: string) => events.filter((each) => each === type).length
    console.log(
      `${pages} pages, window of ${contextTokens}: ${job.status}, ${job.changes.length} files changed for ${countOf(messages, 'message')}, ${job.usage.steps} steps, ${seconds} s; ` +
        `results elided ${count('results-elided')} times, conversation summarized ${count('conversation-compacted')} times`,
    )
    if (job.failure !== null) console.log(`  ${job.failure.message}`)
    console.log(`  ${describeTokens(server)}`)
    console.log(`  ${describeCost(server, job.usage.costUsd)}`)
  } finally {
    await docent.remove()
    await server.close()
    await rm(folder, { recursive: true, force: true })
  }
}

async function writeSite(pages: number): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'docent-bench-agent-'))
  const files = listPages(pages, pageChars)
  const navigation = { pages: [...files.keys()].map((path) => path.replace('.mdx', '')) }
  files.set('docs.json', JSON.stringify({ name: 'Pumps', navigation }, null, 2))
  for (const [path, text] of files) {
    await mkdir(dirname(join(folder, path)), { recursive: true })
    await writeFile(join(folder, path), text)
  }
  return folder
}

const sum = (used: readonly MessagesUse[], field: keyof MessagesUse) =>
  used.reduce((total, use) => total + use[field], 0)

function describeTokens({ used }: AnthropicServer): string {
  const [fresh, read, written] = [sum(used, 'fresh'), sum(used, 'cacheRead'), sum(used, 'cacheWrite')]
  const total = fresh + read + written
  const largest = Math.max(...used.map((use) => use.fresh + use.cacheRead + use.cacheWrite))
  const share = ((read / total) * 100).toFixed(1)
  return (
    `${total.toLocaleString()} input tokens, ${share}% read from the cache, ${written.toLocaleString()} written, ` +
    `${fresh.toLocaleString()} fresh; ${sum(used, 'output').toLocaleString()} output; largest request ${largest.toLocaleString()}`
  )
}

function describeCost(server: AnthropicServer, counted: number | null): string {
  const { used } = server
  const price = findPrice(model)
  if (price === null) throw new Error(`There is no list price of ${model}.`)
  const million = 1_000_000
  const output = (sum(used, 'output') * price.output) / million
  const cached =
    (sum(used, 'fresh') * price.input +
      sum(used, 'cacheRead') * (price.cachedInput ?? price.input) +
      sum(used, 'cacheWrite') * (price.cacheWrite ?? price.input)) /
    million
  const plain = (growUnshortened(server).reduce((total, tokens) => total + tokens, 0) * price.input) / million
  return (
    `$${(cached + output).toFixed(2)} at list price (the job says $${counted?.toFixed(2) ?? '?'}); ` +
    `$${(plain + output).toFixed(2)} if every step sent everything, without a cache`
  )
}

/**
 * The size of each request if nothing had ever been dropped: what a request adds to the one before stays in all later
 * ones of its message.
 */
function growUnshortened({ used, requests }: AnthropicServer): number[] {
  let [before, grown] = [0, 0]
  return used.map((use, index) => {
    const isFirst = (requests[index]?.messages.length ?? 0) <= beginningMessages
    const tokens = use.fresh + use.cacheRead + use.cacheWrite
    grown = (isFirst ? 0 : grown) + Math.max(0, tokens - (isFirst ? 0 : before))
    before = tokens
    return grown
  })
}
