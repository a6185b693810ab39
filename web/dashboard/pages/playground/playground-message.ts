import type { UIMessage } from 'ai'
import { listSuggestions, type SuggestedPage } from '../../../../packages/docent-client/src/answer-sources.ts'
import { listTexts } from '../../../../packages/docent-client/src/answer-texts.ts'
import type { AnswerMetadata, DataParts } from '../../../../packages/docent-client/src/generated/wire-types.ts'
import { type Citation, citationPartType } from '../../../../src/contract/citations.ts'
import type { PlaygroundPart, PlaygroundStep, PlaygroundVerdict } from '../../../../src/contract/playground.ts'
import type { Source } from '../../answers/source-list.tsx'
import type { Transcript } from '../../../../src/contract/threads.ts'

type DataOf<Type extends PlaygroundPart['type']> = Extract<PlaygroundPart, { type: Type }>['data']

/** Extra parts of playground answers. A type, because the SDK requires an index signature. */
type PlaygroundData = {
  'docent-step': PlaygroundStep
  'docent-verdict': PlaygroundVerdict
  'docent-timings': DataOf<'data-docent-timings'>
  'docent-cost': DataOf<'data-docent-cost'>
}

export type PlaygroundMessage = UIMessage<AnswerMetadata, DataParts & PlaygroundData>

export interface AnswerView {
  text: string
  sources: Source[]
  /** Their offsets count in `text`. */
  citations: Citation[]
  /** Pages that it suggests besides its sources. */
  suggestions: SuggestedPage[]
  steps: PlaygroundStep[]
  /** Names of running tools. */
  running: string[]
  verdict: PlaygroundVerdict | null
  timings: PlaygroundData['docent-timings'] | null
  cost: PlaygroundData['docent-cost'] | null
}

/** Collects the parts of a message for display. */
export function readMessage({ parts }: Pick<PlaygroundMessage, 'parts'>): AnswerView {
  const view = { ...emptyView(), citations: readCitations({ parts }), suggestions: listSuggestions({ parts }) }
  for (const part of parts) {
    if (part.type === 'text') view.text += part.text
    else if (part.type === 'source-url') view.sources.push({ url: part.url, title: part.title ?? '' })
    else if (part.type === 'data-docent-step') view.steps.push(part.data)
    else if (part.type === 'data-docent-verdict') view.verdict = part.data
    else if (part.type === 'data-docent-timings') view.timings = part.data
    else if (part.type === 'data-docent-cost') view.cost = part.data
    else if (isRunningTool(part)) view.running.push(part.type.slice('tool-'.length))
  }
  return view
}

function emptyView(): AnswerView {
  return {
    text: '',
    sources: [],
    citations: [],
    suggestions: [],
    steps: [],
    running: [],
    verdict: null,
    timings: null,
    cost: null,
  }
}

/** Citations of a message, with offsets into its texts joined. */
function readCitations(message: Pick<PlaygroundMessage, 'parts'>): Citation[] {
  let end = 0
  return listTexts(message).flatMap(({ text, citations }) => {
    const start = end
    end += text.length
    return citations.map((citation) => moveCitation(citation, start))
  })
}

function moveCitation({ answer, ...citation }: Citation, by: number): Citation {
  return { ...citation, answer: { ...answer, start: answer.start + by, end: answer.end + by } }
}

function isRunningTool(part: PlaygroundMessage['parts'][number]): boolean {
  return part.type.startsWith('tool-') && 'state' in part && part.state.startsWith('input-')
}

/** Converts a stored conversation into chat messages. */
export function toMessages({ messages }: Pick<Transcript, 'messages'>): PlaygroundMessage[] {
  return messages.map((message) => ({
    id: message.id,
    role: message.role,
    parts: [
      { type: 'text', text: message.text },
      ...message.sources.map(({ url, title }) => ({ type: 'source-url' as const, sourceId: url, url, title })),
      ...message.citations.map((data) => ({ type: citationPartType, data }) as const),
      ...listJudgement(message),
    ],
  }))
}

function listJudgement(message: Transcript['messages'][number]): PlaygroundMessage['parts'] {
  const { role, verdict, verdictReasons: reasons, model, usage, costUsd, timings } = message
  if (role === 'user') return []
  const { inputTokens = 0, outputTokens = 0 } = usage ?? {}
  return [
    ...(verdict === null ? [] : [{ type: 'data-docent-verdict' as const, data: { verdict, reasons, sentences: [] } }]),
    ...(timings === null
      ? []
      : [
          {
            type: 'data-docent-timings' as const,
            data: { searchMs: null, firstTextMs: timings['firstTextMs'] ?? null, totalMs: timings['totalMs'] ?? 0 },
          },
        ]),
    { type: 'data-docent-cost' as const, data: { model, inputTokens, outputTokens, costUsd } },
  ]
}
