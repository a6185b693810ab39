import { waitUntilReady } from '../test/support/wait-until-ready.ts'
import { applyLoad, type LoadTarget, median, quantile } from './load.ts'
import { writePieces } from './prose.ts'
import { type MeasuredServer, startMeasured } from './start-measured.ts'

// Processor time of an answer of 200 pieces, of all threads: the whole product, a bare server that writes the same bytes,
// and the AI SDK's own server helper with the same pieces and search, in turns within one run.

const key = `svc_dsc_${'k'.repeat(43)}`
const pieces = writePieces(200)
const questions = [
  'How do I create a key?',
  'What is a thread?',
  'Which limits does an assistant key have?',
  'How do I use PostgreSQL instead of the embedded database?',
  'What does the error key_expired mean?',
  'How do I ask with curl?',
  'Where does the thread id come from in useChat?',
  'How is a site indexed again?',
]
let asked = 0

/** A question of its own for every request: what is cached by question helps nobody here. */
function makeBody(): string {
  return JSON.stringify(makeRequest())
}

/** As clients of the AI SDK ask: with the id of a chat, by which the answer can be resumed. */
function makeChatBody(): string {
  const request = makeRequest()
  return JSON.stringify({ ...request, id: `chat-${asked}`, trigger: 'submit-message' })
}

function makeRequest() {
  asked++
  const text = `${questions[asked % questions.length] ?? ''} Case ${asked}.`
  return { fp: 'bench', messages: [{ role: 'user', parts: [{ type: 'text', text }] }] }
}

const headers = { 'content-type': 'application/json', authorization: `Bearer ${key}` }
const concurrency = 50

interface Contender {
  name: string
  server: MeasuredServer
  target: LoadTarget
  answersPerSecond: number[]
  cpuMsPerAnswer: number[]
  firstTextMs: number[]
  bytesPerAnswer: number
}

/** @param rounds Turns of each contender. @param count Answers in a turn. */
export async function benchAnswers(rounds: number, count: number): Promise<void> {
  const docent = await startMeasured('docent-server', [JSON.stringify(pieces), key])
  const docentUrl = `${docent.url}/discovery/v2/assistant/docs/message`
  await waitUntilReady(docent.url)
  const frames = await readFrames(docentUrl)
  const bare = await startMeasured('bare-server', [JSON.stringify(frames)])
  const sdk = await startMeasured('sdk-server', [JSON.stringify(pieces), JSON.stringify(listSearchParts(frames))])
  const offline = await startMeasured('docent-server', ['offline', key])
  await waitUntilReady(offline.url)
  const uncited = { ...process.env, BENCH_CITATIONS: 'off' }
  const uncitedDocent = await startMeasured('docent-server', [JSON.stringify(pieces), key], uncited)
  const uncitedOffline = await startMeasured('docent-server', ['offline', key], uncited)
  for (const { url } of [uncitedDocent, uncitedOffline]) await waitUntilReady(url)
  const contenders = [
    contender('docent', docent, docentUrl),
    contender('docent, answers that can be resumed', docent, docentUrl, makeChatBody),
    contender('bare node:http, a write per frame', bare, `${bare.url}/frames`),
    contender('bare node:http, one write', bare, `${bare.url}/whole`),
    contender('AI SDK 7 pipeUIMessageStreamToResponse', sdk, sdk.url),
    contender('docent, offline model (its own answer)', offline, `${offline.url}/discovery/v2/assistant/docs/message`),
    contender('docent without citations', uncitedDocent, `${uncitedDocent.url}/discovery/v2/assistant/docs/message`),
    contender(
      'docent, offline model without citations',
      uncitedOffline,
      `${uncitedOffline.url}/discovery/v2/assistant/docs/message`,
    ),
  ]
  for (const each of contenders) await applyLoad(each.target, count, concurrency)
  for (let round = 0; round < rounds; round++) for (const each of contenders) await measure(each, count)
  report(contenders)
  await Promise.all([docent, bare, sdk, offline, uncitedDocent, uncitedOffline].map((server) => server.stop()))
}

function contender(name: string, server: MeasuredServer, url: string, body = makeBody): Contender {
  const target = { url, headers, body }
  return { name, server, target, answersPerSecond: [], cpuMsPerAnswer: [], firstTextMs: [], bytesPerAnswer: 0 }
}

async function measure(contender: Contender, count: number): Promise<void> {
  const before = await contender.server.report()
  const result = await applyLoad(contender.target, count, concurrency)
  const after = await contender.server.report()
  contender.answersPerSecond.push(result.answersPerSecond)
  contender.cpuMsPerAnswer.push((after.cpuMs - before.cpuMs) / count)
  contender.firstTextMs.push(...result.firstTextMs)
  contender.bytesPerAnswer = result.bytesPerAnswer
}

function report(contenders: readonly Contender[]): void {
  const [docent] = contenders
  const docentCpuMs = median(docent?.cpuMsPerAnswer ?? [])
  console.log(`\nAnswers of ${pieces.length} pieces, ${concurrency} at once; medians of the turns`)
  console.table(
    Object.fromEntries(
      contenders.map((each) => {
        const firstText = each.firstTextMs.toSorted((a, b) => a - b)
        return [
          each.name,
          {
            'cpu ms/answer': Number(median(each.cpuMsPerAnswer).toFixed(2)),
            'times docent by cpu': Number((median(each.cpuMsPerAnswer) / docentCpuMs).toFixed(2)),
            'answers/s': Math.round(median(each.answersPerSecond)),
            'first text p50 ms': Math.round(quantile(firstText, 0.5)),
            'first text p99 ms': Math.round(quantile(firstText, 0.99)),
            'bytes/answer': Math.round(each.bytesPerAnswer),
          },
        ]
      }),
    ),
  )
  console.log(
    'Left out: a model takes time, and each of its pieces more than here (overhead measures that). Docent uses three\n' +
      'threads, the others one, so answers a second do not compare. Only Docent checks keys and limits, searches, cites and stores.',
  )
}

/** What comes before the text: the search, and what it found. */
function listSearchParts(frames: readonly string[]): unknown[] {
  const parts = frames.map(
    (frame) => JSON.parse(frame.slice('data: '.length).replace('[DONE]', '{}')) as { type?: string },
  )
  return parts.filter(({ type }) => type?.startsWith('tool-') === true)
}

/** The frames of one real answer, as a bare server is to write them. */
async function readFrames(url: string): Promise<string[]> {
  const text = await (await fetch(url, { method: 'POST', headers, body: makeBody() })).text()
  return text.split(/(?<=\n\n)/)
}
