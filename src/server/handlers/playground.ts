import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response'
import { z } from 'zod'
import { nameModel } from '../../contract/model-providers.ts'
import { type TrialResult, tryAnswer } from '../../assistant/try-answer.ts'
import { readQuestion } from '../../contract/assistant-request.ts'
import type { playgroundOperations } from '../../contract/operations/playground.ts'
import { type playgroundRequestSchema, encodePlaygroundPart, type PlaygroundStep } from '../../contract/playground.ts'
import { createFreeModel } from '../../models/calls/billed-model.ts'
import type { BilledModel } from '../../models/calls/model-account.ts'
import type { ExplainedHit, Reader } from '../../search/search-query.ts'
import type { LiveSite } from '../../sites/live-sites.ts'
import { pageHref } from '../../sites/site-url.ts'
import type { Site } from '../../store/sites/sites.ts'
import type { AppContext } from '../app-env.ts'
import { countStream } from '../replies/count-stream.ts'
import { invalidRequest } from '../bodies/read-json.ts'
import { readSearchFilter } from '../resources/search-filter.ts'
import type { Handlers } from '../serve-operations.ts'
import type { ServerDeps } from '../server-deps.ts'
import { requireSocket } from '../streams/stream-request.ts'
import { startCountdown } from '../streams/countdown.ts'
import { toUiMessageFormat, writeAnswerStream } from '../streams/write-answer-stream.ts'
import type { Clock } from '../../base/clock.ts'
import type { AnswerEvent } from '../../contract/answer-event.ts'
import type { JsonValue } from '../../contract/json.ts'
import { createUiMessageEncoder } from '../../contract/ui-message-stream.ts'

const pageSizeDefault = 10

export function createPlaygroundHandlers(deps: ServerDeps): Handlers<typeof playgroundOperations> {
  return {
    listPlaygroundModels: async () => {
      const [first, ...others] = await listModelIds(deps)
      const items = [{ id: first, isDefault: true }, ...others.map((id) => ({ id, isDefault: false }))]
      return { items, nextCursor: null }
    },

    tryAnswer: ({ c, body, site }) => streamTrial(c, deps, site, body),

    explainSearch: async ({
      c,
      body: { query, pageSize, scoreThreshold, filter, currentPath, groups },
      site: { slug },
    }) => {
      const site = await requireLiveSite(deps, slug)
      const explained = await site.index.explain(
        {
          text: query,
          limit: pageSize ?? pageSizeDefault,
          filter: readSearchFilter(filter),
          ...(scoreThreshold != null && { scoreThreshold }),
          ...(currentPath != null && { currentPath }),
          readerGroups: groups ?? [],
          isSignedIn: groups != null,
        },
        c.req.raw.signal,
      )
      return { ...explained, hits: explained.hits.map((hit) => toHit(site, hit)) }
    },
  }
}

function toHit(site: LiveSite, { passage, ...hit }: ExplainedHit) {
  const { path, anchor, title, content, headings, version, language, score } = passage
  const href = pageHref(site, path, anchor)
  return { ...hit, path, anchor, title, content, headings, version, language, score, href }
}

async function streamTrial(
  c: AppContext,
  deps: ServerDeps,
  { slug }: Site,
  request: z.output<typeof playgroundRequestSchema>,
): Promise<Response> {
  const { model, instructions, skills, groups } = request
  const question = readQuestion('v2', { ...request, fp: 'playground', threadId: null, threadKey: null })
  const changes = {
    model: model == null ? null : await findModel(deps, model),
    instructions: instructions ?? null,
    withSkills: skills ?? true,
  }
  const site = await requireLiveSite(deps, slug)
  const reader: Reader = { readerGroups: groups ?? [], isSignedIn: groups != null }
  const log = c.get('log')
  let result: TrialResult | null = null
  const release = await deps.answerGate.acquire(site.id, c.req.raw.signal)
  const response = requireSocket(c)
  const write = () =>
    writeAnswerStream(response, {
      format: toUiMessageFormat(
        createPlaygroundEncoder({ clock: deps.clock, isSdkClient: question.isSdkClient, readResult: () => result }),
      ),
      headers: { 'X-Request-Id': c.get('requestId') },
      source: (emit, signal) =>
        tryAnswer(
          deps.answers,
          { site, reader, question, changes, log },
          emit,
          signal,
          (ended) => (result = ended),
        ).finally(release),
      startCountdown,
      drainSignal: deps.lifecycle.streamsEnd,
      reportError: (error) => log.error({ error }, 'playground-broken'),
    })
  await countStream(deps, 'playground', write)
  return RESPONSE_ALREADY_SENT
}

/** A site of the organization that existed a moment ago. */
async function requireLiveSite(deps: ServerDeps, slug: string): Promise<LiveSite> {
  const site = await deps.sites.find(slug)
  if (site === null) throw new Error(`The site ${slug} no longer exists.`)
  return site
}

/** Only models that the installation is configured with, because only their keys are available. */
async function findModel({ answers, agent }: ServerDeps, id: string): Promise<BilledModel> {
  const { answering } = await answers.models()
  if (nameModel(answering) === id) return answering
  if (nameModel(answers.offlineModel) === id) return createFreeModel(answers.offlineModel)
  const found = (await agent.models()).find(id)
  if (found !== null) return found
  const known = (await listModelIds({ answers, agent })).join(', ')
  throw invalidRequest([{ path: 'model', message: `is not configured here. Leave it out, or take one of: ${known}` }])
}

/** The model that answers readers comes first. */
async function listModelIds({ answers, agent }: Pick<ServerDeps, 'answers' | 'agent'>): Promise<[string, ...string[]]> {
  const [{ answering }, { ids }] = await Promise.all([answers.models(), agent.models()])
  const first = nameModel(answering)
  return [first, ...[...new Set([nameModel(answers.offlineModel), ...ids])].filter((id) => id !== first)]
}

interface PlaygroundEncoderDeps {
  clock: Clock
  isSdkClient: boolean
  /** How the answer ended; called at its last event. */
  readResult(): TrialResult | null
}

const foundPagesSchema = z.array(
  z.object({
    path: z.string(),
    metadata: z.object({ title: z.string(), score: z.number().optional() }),
  }),
)

/**
 * Encodes one answer of the playground: the frames that readers get; each tool call is followed by its duration and
 * findings, and the end is preceded by verdict, timings and cost.
 */
function createPlaygroundEncoder(deps: PlaygroundEncoderDeps): (event: AnswerEvent) => string {
  const { clock, isSdkClient } = deps
  const encode = createUiMessageEncoder({ isSdkClient })
  const calls = new Map<string, OpenCall>()
  const startedAt = clock.now()
  let searchMs: number | null = null
  return (event) => {
    if (event.type === 'tool-called') {
      calls.set(event.callId, { toolName: event.toolName, input: event.input, startedAt: clock.now() })
    }
    if (event.type === 'tool-returned' || event.type === 'tool-failed') {
      searchMs ??= clock.now() - startedAt
      return encode(event) + encodeStep(event, calls.get(event.callId), clock.now())
    }
    return event.type === 'answer-finished' ? encodeEnd(deps.readResult(), searchMs) + encode(event) : encode(event)
  }
}

interface OpenCall {
  toolName: string
  input: JsonValue
  startedAt: number
}

type CallEnd = Extract<AnswerEvent, { type: 'tool-returned' | 'tool-failed' }>

function encodeStep(event: CallEnd, call: OpenCall | undefined, now: number): string {
  if (call === undefined) return ''
  const { toolName, input, startedAt } = call
  const isReturned = event.type === 'tool-returned'
  return encodePlaygroundPart({
    type: 'data-docent-step',
    data: {
      toolName,
      callId: event.callId,
      input,
      tookMs: now - startedAt,
      outcome: isReturned ? 'returned' : 'failed',
      message: isReturned ? null : event.message,
      pages: isReturned ? listPages(event.output) : [],
    },
  })
}

/** Searches return passages; other tools return anything. */
function listPages(output: JsonValue): PlaygroundStep['pages'] {
  const found = foundPagesSchema.safeParse(Array.isArray(output) ? output : [output])
  if (!found.success) return []
  return found.data.map(({ path, metadata }) => ({ path, title: metadata.title, score: metadata.score ?? null }))
}

function encodeEnd(result: TrialResult | null, searchMs: number | null): string {
  if (result === null) return ''
  const { answer, sentences } = result
  const { verdict, verdictReasons, timings, usage, model, costUsd } = answer
  return (
    encodePlaygroundPart({
      type: 'data-docent-verdict',
      data: { verdict: verdict ?? 'failed', reasons: verdictReasons, sentences },
    }) +
    encodePlaygroundPart({
      type: 'data-docent-timings',
      data: { searchMs, firstTextMs: timings?.['firstTextMs'] ?? null, totalMs: timings?.['totalMs'] ?? 0 },
    }) +
    encodePlaygroundPart({
      type: 'data-docent-cost',
      data: { model, inputTokens: usage?.inputTokens ?? 0, outputTokens: usage?.outputTokens ?? 0, costUsd },
    })
  )
}
