import { keyCreatedSchema } from '../../src/contract/admin.ts'
import { readerSessionSchema } from '../../src/contract/reader-session.ts'
import { isProof } from '../../src/access/readers/proof-of-work.ts'
import { readSpending } from '../../src/store/counts/spending.ts'
import { answerBounds } from '../../src/assistant/answer-bounds.ts'
import { createScriptedModel, paidByTokens } from '../support/scripted-model.ts'
import { adminKey, startDocent } from '../support/start-docent.ts'

const dayMs = 86_400_000
/** What an answer of the model costs, and what is reserved for it: its output, of this many tokens at the most. */
const answerUsd = 0.01
const { outputTokens } = answerBounds
const message = '/discovery/v2/assistant/docs/message'
const question = {
  fp: 'anonymous',
  messages: [{ role: 'user', parts: [{ type: 'text', text: 'What does E-42 mean?' }] }],
}

export interface FloodOptions {
  /** Source addresses: of the open flood each in a network of its own, of the guarded one all in one /64. */
  addresses: number
  /** The ceiling of the site. */
  usdMax: number
  /** Requests of a network in a minute that are usual for the key with sessions. */
  normalPerMinute: number
}

export interface FloodOutcome {
  /** Answers of a key without sessions, by status code. */
  open: Record<number, number>
  /** Answers of a key that asks for sessions under pressure, whose flood has none. */
  guarded: Record<number, number>
  spentUsd: number
  modelCalls: number
  /** Searches during both floods, by status code. */
  searches: Record<number, number>
  /** A reader who solves the puzzle, in the middle of the flood and in its network. */
  honest: { status: number; bits: number; solveMs: number }
  /** The status that a reader of another network gets, without a session. */
  elsewhere: number
}

/** Asks with one public key from many addresses at the same time, as whoever copied the key out of a page would. */
export async function floodKey({ addresses, usdMax, normalPerMinute }: FloodOptions): Promise<FloodOutcome> {
  // Stands still, so that all of it is one minute.
  const noon = Math.floor(Date.now() / dayMs) * dayMs + dayMs / 2
  const model = createScriptedModel([
    [{ type: 'text', text: 'See [Printers](/guides/printers).' }, paidByTokens(outputTokens)],
  ])
  const env = {
    DOCENT_TRUST_PROXY: '1',
    DOCENT_SITE_COST_PER_DAY: String(usdMax),
    DOCENT_MODEL_PRICES: `test/=0:${(answerUsd / outputTokens) * 1_000_000}`,
  }
  const docent = await startDocent({ model, clock: { now: () => noon }, env })
  try {
    const searches: Record<number, number> = {}
    const flood = async (headers: Record<string, string>, addressOf: (index: number) => string) => {
      const statuses: Record<number, number> = {}
      const ask = async (index: number) => {
        const from = { 'x-forwarded-for': addressOf(index) }
        count(statuses, await readStatus(docent.post(message, question, { ...headers, ...from })))
        if (index % 10 !== 0) return
        count(searches, await readStatus(docent.post('/discovery/v1/search/docs', { query: 'paper' }, from)))
      }
      await Promise.all(Array.from({ length: addresses }, (_, index) => ask(index)))
      return statuses
    }
    const open = await flood({}, addressOfNetwork)
    const body = { kind: 'assistant', name: 'Guarded', siteId: 'docs', session: 'pressure', normalPerMinute }
    const made = await docent.post('/admin/v1/keys', body, { authorization: `Bearer ${adminKey}` })
    const guardedKey = { authorization: `Bearer ${keyCreatedSchema.parse(await made.json()).secret}` }
    const guarded = await flood(guardedKey, addressInNetwork)
    const elsewhere = await readStatus(
      docent.post(message, question, { ...guardedKey, 'x-forwarded-for': '192.0.2.1' }),
    )
    const honest = await askHonestly(docent.post, { ...guardedKey, 'x-forwarded-for': addressInNetwork(addresses) })
    const { id } = await docent.service.store.durable.selectFrom('sites').select('id').executeTakeFirstOrThrow()
    const spent = await readSpending(docent.service.store.durable, { siteId: id, windowStart: noon - dayMs / 2 })
    return { open, guarded, spentUsd: spent / 1_000_000, modelCalls: model.calls.length, searches, honest, elsewhere }
  } finally {
    await docent.remove()
  }
}

/** A network of its own for each of the first 65,536. */
function addressOfNetwork(index: number): string {
  return `10.${index >> 8}.${index & 255}.9`
}

function addressInNetwork(index: number): string {
  return `2001:db8::${index.toString(16)}`
}

function count(counts: Record<number, number>, status: number): void {
  counts[status] = (counts[status] ?? 0) + 1
}

/** @returns 0 where there was no reply at all. */
async function readStatus(request: Promise<Response>): Promise<number> {
  try {
    const response = await request
    await response.arrayBuffer()
    return response.status
  } catch {
    return 0
  }
}

type Post = (path: string, body: unknown, headers: Record<string, string>) => Promise<Response>

async function askHonestly(post: Post, headers: Record<string, string>): Promise<FloodOutcome['honest']> {
  const getSession = async (body: object) =>
    readerSessionSchema.parse(await (await post('/discovery/v2/session/docs', body, headers)).json())
  const { puzzle } = await getSession({})
  if (puzzle === null) throw new Error('The flood made no pressure.')
  const { challenge, bits } = puzzle
  const startedAt = performance.now()
  const nonce = solve(challenge, bits)
  const solveMs = performance.now() - startedAt
  const { session } = await getSession({ challenge, nonce })
  const status = await readStatus(post(message, question, { ...headers, 'x-docent-session': session ?? '' }))
  return { status, bits, solveMs }
}

function solve(challenge: string, bits: number): string {
  for (let nonce = 0; ; nonce++) if (isProof(challenge, String(nonce), bits)) return String(nonce)
}
