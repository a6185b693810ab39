import type { MessageParts } from './docent-message.ts'
import type { Citation } from './generated/wire-types.ts'

/** A text part of an answer, Markdown, with its citations in the order of their sentences. */
export interface AnswerText {
  text: string
  citations: Citation[]
}

/**
 * The text parts of a message, each with its citations. Messages name no ids of text parts; a citation belongs to the
 * text part after which the first citation with its `textId` stands.
 */
export function listTexts({ parts }: MessageParts): AnswerText[] {
  const texts: AnswerText[] = []
  const byId = new Map<string, AnswerText>()
  for (const part of parts) {
    if (isText(part)) texts.push({ text: part.text, citations: [] })
    const citation = readCitation(part)
    const text = citation && (byId.get(citation.answer.textId) ?? texts.at(-1))
    if (!citation || !text) continue
    byId.set(citation.answer.textId, text)
    text.citations.push(citation)
  }
  for (const { citations } of texts) citations.sort((a, b) => a.answer.start - b.answer.start)
  return texts
}

/** All citations of a message, in the order of the answer. */
export function listCitations(message: MessageParts): Citation[] {
  return listTexts(message).flatMap(({ citations }) => citations)
}

function isText(part: MessageParts['parts'][number]): part is { type: 'text'; text: string } {
  return part.type === 'text' && 'text' in part && typeof part.text === 'string'
}

function readCitation(part: MessageParts['parts'][number]): Citation | null {
  // Only the service makes parts of this type.
  return part.type === 'data-docent-citation' && 'data' in part ? (part.data as Citation) : null
}
