import { createRoute } from '@hono/zod-openapi'
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response'
import { z } from 'zod'
import { nameModel } from '../../contract/model-providers.ts'
import { type TrialResult, tryAnswer } from '../../assistant/try-answer.ts'
import { readQuestion } from '../../contract/assistant-request.ts'
import { readErrorDetails } from '../../contract/error-details.ts'
import { playgroundModelListSchema, playgroundRequestSchema } from '../../contract/playground.ts'
import { createFreeModel } from '../../models/calls/billed-model.ts'
import type { BilledModel } from '../../models/calls/model-account.ts'
import type { Reader } from '../../search/search-query.ts'
import type { LiveSite } from '../../sites/live-sites.ts'
import type { AppContext } from '../app-env.ts'
import { countStream } from '../count-stream.ts'
import type { DocentServer } from '../create-server.ts'
import { findOwnSite } from '../own-site.ts'
import { invalidRequest, readJson } from '../read-json.ts'
import { reply } from '../reply.ts'
import { errorResponses } from '../route-responses.ts'
import type { ServerParts } from '../server-parts.ts'
import { requireSocket } from '../stream-request.ts'
import { startCountdown } from '../streams/countdown.ts'
import { createPlaygroundEncoder } from '../streams/playground-encoder.ts'
import { writeAnswerStream } from '../streams/write-answer-stream.ts'

const playgroundRoute = createRoute({
  method: 'post',
  path: '/admin/v1/sites/{id}/playground',
  tags: ['Playground'],
  security: [{ adminKey: [] }],
  summary: 'Try an answer',
  description:
    'Answers as readers are answered, with the same engine and the same stream (AI SDK 5 to 7), and with other settings where the request names them. The stream also carries `data-docent-step`, `data-docent-verdict`, `data-docent-timings` and `data-docent-cost`. Nothing of it is stored as a conversation or counted as a question; what it costs is.',
  request: {
    params: z.object({ id: z.string().meta({ description: 'The site, by id or slug.' }) }),
    body: { required: true, content: { 'application/json': { schema: playgroundRequestSchema } } },
  },
  responses: {
    200: { description: 'The answer, streamed.', content: { 'text/event-stream': { schema: z.string() } } },
    ...errorResponses(400, 401, 403, 404, 413, 415, 503),
  },
})

const modelsRoute = createRoute({
  method: 'get',
  path: '/admin/v1/playground-models',
  tags: ['Playground'],
  security: [{ adminKey: [] }],
  summary: 'List the models that the playground takes',
  description: 'Those that this installation is configured with; the one that answers readers first.',
  responses: {
    200: { description: 'The models.', content: { 'application/json': { schema: playgroundModelListSchema } } },
    ...errorResponses(401, 403, 503),
  },
})

export function addAdminPlayground(app: DocentServer, parts: ServerParts): void {
  app.openapi(modelsRoute, async (c) => {
    const [first, ...others] = await listModelIds(parts)
    const items = [{ id: first, isDefault: true }, ...others.map((id) => ({ id, isDefault: false }))]
    return reply(c, playgroundModelListSchema, { items, nextCursor: null }, 200)
  })
  app.openAPIRegistry.registerPath(playgroundRoute)
  app.post('/admin/v1/sites/:id/playground', (c) => streamTrial(c, parts, c.req.param('id')))
}

async function streamTrial(c: AppContext, parts: ServerParts, id: string): Promise<Response> {
  const { slug } = await findOwnSite(c, parts, id)
  const body = await readJson(c)
  const request = playgroundRequestSchema.safeParse(body)
  if (!request.success) throw invalidRequest(readErrorDetails(request.error))
  const { model, instructions, skills, groups } = request.data
  const question = readQuestion('v2', { ...request.data, fp: 'playground', threadId: null, threadKey: null })
  const changes = {
    model: model == null ? null : await findModel(parts, model),
    instructions: instructions ?? null,
    withSkills: skills ?? true,
  }
  const site = await requireLiveSite(parts, slug)
  const reader: Reader = { readerGroups: groups ?? [], isSignedIn: groups != null }
  const log = c.get('log')
  let result: TrialResult | null = null
  const leave = await parts.answerGate.enter(site.id, c.req.raw.signal)
  const response = requireSocket(c)
  const write = () =>
    writeAnswerStream(response, {
      version: 'v2',
      isSdkClient: question.isSdkClient,
      headers: { 'X-Request-Id': c.get('requestId') },
      encode: createPlaygroundEncoder({
        clock: parts.clock,
        isSdkClient: question.isSdkClient,
        readResult: () => result,
      }),
      source: (emit, signal) =>
        tryAnswer(
          parts.answers,
          { site, reader, question, changes, log },
          emit,
          signal,
          (ended) => (result = ended),
        ).finally(leave),
      startCountdown,
      drainSignal: parts.lifecycle.streamsEnd,
      reportError: (error) => log.error({ error }, 'playground-broken'),
    })
  await countStream(parts, 'playground', write)
  return RESPONSE_ALREADY_SENT
}

/** A site of the organization that was there a moment ago. */
export async function requireLiveSite(parts: ServerParts, slug: string): Promise<LiveSite> {
  const site = await parts.sites.find(slug)
  if (site === null) throw new Error(`The site ${slug} was there and is not any more.`)
  return site
}

/** Models that the installation is configured with, and no others: their keys are there for them. */
async function findModel({ answers, agent }: ServerParts, id: string): Promise<BilledModel> {
  const { answering } = await answers.models()
  if (nameModel(answering) === id) return answering
  if (nameModel(answers.offlineModel) === id) return createFreeModel(answers.offlineModel)
  const found = (await agent.models()).find(id)
  if (found !== null) return found
  const known = (await listModelIds({ answers, agent })).join(', ')
  throw invalidRequest([{ path: 'model', message: `is not configured here. Leave it out, or take one of: ${known}` }])
}

/** The model that answers readers comes first. */
async function listModelIds({
  answers,
  agent,
}: Pick<ServerParts, 'answers' | 'agent'>): Promise<[string, ...string[]]> {
  const [{ answering }, { ids }] = await Promise.all([answers.models(), agent.models()])
  const first = nameModel(answering)
  return [first, ...[...new Set([nameModel(answers.offlineModel), ...ids])].filter((id) => id !== first)]
}
