import { listCitations } from './answer-texts.ts'
import type { MessageParts } from './docent-message.ts'
import type { Citation, DataParts } from './generated/wire-types.ts'

export interface AnswerSource {
  /** The number that citations of it have; those that are only linked are numbered after them. */
  number: string
  sourceId: string
  url: string
  title: string
  citations: Citation[]
}

/** The sources of an answer by number, each once. */
export function listSources(message: MessageParts): AnswerSource[] {
  const citations = listCitations(message)
  const sources = new Map<string, AnswerSource>()
  for (const part of message.parts) {
    if (!isSource(part) || sources.has(part.sourceId)) continue
    const { sourceId, url, title } = part
    const own = citations.filter(({ sourceIds }) => sourceIds.includes(sourceId))
    sources.set(sourceId, { number: own[0]?.number ?? '', sourceId, url, title: title ?? url, citations: own })
  }
  return numberSources([...sources.values()])
}

function numberSources(sources: AnswerSource[]): AnswerSource[] {
  let last = Math.max(0, ...sources.map(({ number }) => Number(number) || 0))
  for (const source of sources) if (source.number === '') source.number = String(++last)
  return sources.sort((a, b) => Number(a.number) - Number(b.number))
}

interface SourcePart {
  type: 'source-url'
  sourceId: string
  url: string
  title?: string
}

function isSource(part: { readonly type: string }): part is SourcePart {
  return part.type === 'source-url' && 'sourceId' in part && 'url' in part
}

export type SuggestedPage = DataParts['suggestions']['items'][number]

/** Pages that the answer suggests besides its sources, where the owner of the site turned that on. */
export function listSuggestions({ parts }: MessageParts): SuggestedPage[] {
  // Only the service makes parts of this type.
  return parts.flatMap((part) =>
    part.type === 'data-suggestions' && 'data' in part ? (part.data as DataParts['suggestions']).items : [],
  )
}
