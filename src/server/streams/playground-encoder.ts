import { z } from 'zod'
import type { TrialResult } from '../../assistant/try-answer.ts'
import type { Clock } from '../../base/clock.ts'
import type { AnswerEvent } from '../../contract/answer-event.ts'
import type { JsonValue } from '../../contract/json.ts'
import { encodePlaygroundPart, type PlaygroundStep } from '../../contract/playground.ts'
import { createUiMessageEncoder } from '../../contract/ui-message-stream.ts'

export interface PlaygroundEncoderDeps {
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
export function createPlaygroundEncoder(deps: PlaygroundEncoderDeps): (event: AnswerEvent) => string {
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
