import { z } from 'zod'
import { agentFailureCodes, agentJobContextRepositorySchema } from './agent-job.ts'
import { timestamp } from './timestamp.ts'
import { parseFrameJson, StreamFormatError } from './frame-decoder.ts'

const planItemSchema = z.object({
  text: z.string(),
  state: z.enum(['open', 'doing', 'done']),
})
export type AgentPlanItem = z.output<typeof planItemSchema>

const problemSchema = z.object({
  rule: z.string(),
  path: z.string(),
  line: z.number().int().nullable(),
  message: z.string(),
  severity: z.enum(['block', 'warn']),
})
export type AgentProblem = z.output<typeof problemSchema>

/** What clients see of a job, in order. A closed union: a client of one release knows all of its events. */
export const agentJobEventSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('message-received'), prompt: z.string(), round: z.number().int() }),
  z.object({
    type: z.literal('job-started'),
    model: z.string(),
    branch: z.string(),
    baseCommit: z.string(),
    instructions: z.array(z.string()),
    contextRepositories: z.array(agentJobContextRepositorySchema).optional(),
  }),
  z.object({ type: z.literal('job-resumed'), attempt: z.number().int(), step: z.number().int() }),
  z.object({ type: z.literal('text-written'), text: z.string() }),
  z.object({
    type: z.literal('tool-called'),
    tool: z.string(),
    subject: z.string().meta({ description: 'The main argument: a path or a query.' }),
    outcome: z.enum(['returned', 'failed']),
    message: z.string().nullable().meta({ description: 'Why it failed.' }),
  }),
  z.object({ type: z.literal('plan-changed'), items: z.array(planItemSchema) }),
  z.object({ type: z.literal('checks-finished'), problems: z.array(problemSchema) }),
  z.object({
    type: z.literal('step-finished'),
    step: z.number().int(),
    inputTokens: z.number().int(),
    cachedTokens: z
      .number()
      .int()
      .optional()
      .meta({ description: "Of the input tokens: read from the provider's cache." }),
    outputTokens: z.number().int(),
    costUsd: z.number().nullable(),
  }),
  z.object({
    type: z.literal('results-elided'),
    tokens: z.number().int().meta({ description: 'About how many tokens the model no longer reads.' }),
  }),
  z.object({
    type: z.literal('conversation-compacted'),
    tokensBefore: z.number().int(),
    tokensAfter: z.number().int(),
  }),
  z.object({
    type: z.literal('job-waiting'),
    message: z.string().meta({ description: 'Why the model cannot be called.' }),
    until: timestamp(),
  }),
  z.object({
    type: z.literal('base-merged'),
    commit: z.string().meta({ description: 'The commit of the base branch.' }),
    conflicts: z.array(z.string()).meta({ description: 'Paths that the agent has to merge.' }),
  }),
  z.object({ type: z.literal('branch-pushed'), branch: z.string(), commit: z.string() }),
  z.object({ type: z.literal('pull-request-opened'), url: z.string(), draft: z.boolean() }),
  z.object({ type: z.literal('pull-request-changed'), url: z.string(), state: z.enum(['open', 'merged', 'closed']) }),
  z.object({ type: z.literal('job-completed'), summary: z.string(), prLink: z.string().nullable() }),
  z.object({
    type: z.literal('job-failed'),
    code: z.enum(agentFailureCodes),
    message: z.string(),
    prLink: z.string().nullable(),
  }),
])

export type AgentJobEvent = z.output<typeof agentJobEventSchema>

/** A comment, which clients of server-sent events ignore. */
export const agentJobHeartbeat = ': ping\n\n'

/** One frame. `JSON.stringify` escapes line breaks, so that text cannot end a frame or begin another. */
export function encodeAgentJobEvent(seq: number, event: AgentJobEvent): string {
  return `id: ${seq}\nevent: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`
}

/**
 * Decodes frames from pieces of an event stream, split anywhere. Events of unknown types are skipped, so that an older
 * client works with a newer service.
 *
 * @throws {StreamFormatError} for an event that does not match its type.
 */
export async function* decodeAgentJobEvents(
  pieces: AsyncIterable<string>,
): AsyncGenerator<{ seq: number; event: AgentJobEvent }> {
  let text = ''
  for await (const piece of pieces) {
    text += piece
    for (let end = text.indexOf('\n\n'); end !== -1; end = text.indexOf('\n\n')) {
      const frame = readFrame(text.slice(0, end))
      text = text.slice(end + 2)
      if (frame !== null) yield frame
    }
  }
}

const knownTypes: ReadonlySet<unknown> = new Set(
  agentJobEventSchema.options.flatMap((option) => [...option.shape.type.values]),
)

function readFrame(frame: string): { seq: number; event: AgentJobEvent } | null {
  const lines = frame.split('\n')
  const seq = lines.find((line) => line.startsWith('id: '))?.slice(4)
  const data = lines.find((line) => line.startsWith('data: '))?.slice(6)
  if (seq === undefined || data === undefined) return null
  const value = parseFrameJson(data)
  const type = typeof value === 'object' && value !== null && 'type' in value ? value.type : undefined
  if (typeof type === 'string' && !knownTypes.has(type)) return null
  const event = agentJobEventSchema.safeParse(value)
  if (event.success) return { seq: Number(seq), event: event.data }
  throw new StreamFormatError(`The stream contains a malformed event: ${z.prettifyError(event.error)}`)
}
