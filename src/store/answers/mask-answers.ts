import { maskSecrets } from '../../base/mask-secrets.ts'
import type { Citation } from '../../contract/citations.ts'
import type { AskedContext, Message } from './messages.ts'
import type { WriteGroup } from '../write-group.ts'

/** A write group that masks secrets and personal data in questions and answers. */
export function maskAnswers(writes: WriteGroup): WriteGroup {
  return {
    ...writes,
    add: (record) => writes.add({ ...record, messages: record.messages.map(maskMessage) }),
  }
}

/** These come from the client and may contain anything. */
function maskAsked(asked: AskedContext): AskedContext {
  const mask = (text: string | null) => text && maskSecrets(text)
  const { currentPath, version, language } = asked
  return { ...asked, currentPath: mask(currentPath), version: mask(version), language: mask(language) }
}

/** Verdict reasons quote the answer. */
function maskMessage(message: Message): Message {
  const { text, citations, verdictReasons, asked, basis } = message
  const masked = maskSecrets(text)
  return {
    ...message,
    text: masked,
    citations: masked === text ? citations : moveCitations(citations, text, masked),
    verdictReasons: verdictReasons.map(maskSecrets),
    asked: asked && maskAsked(asked),
    basis: basis && {
      ...basis,
      tag: basis.tag && maskSecrets(basis.tag),
      groups: basis.groups?.map(maskSecrets) ?? null,
    },
  }
}

/** Moves citations to their sentences in the masked text; drops those whose sentence a mask reaches beyond. */
function moveCitations(citations: readonly Citation[], text: string, masked: string): Citation[] {
  const places = citations.map(({ answer }) => answer).sort((one, other) => one.start - other.start)
  const moved = new Map<string, { start: number; end: number } | null>()
  let last = { end: 0, movedEnd: 0 }
  for (const place of places) {
    if (moved.has(nameOf(place))) continue
    const { start, end } = place
    const sentence = maskSecrets(text.slice(start, end))
    const isAt = (position: number) => masked.startsWith(sentence, position)
    // Masking is most of what storing an answer costs, so only what is new since the last sentence is masked.
    let movedStart = last.movedEnd + maskSecrets(text.slice(last.end, start)).length
    // A mask may reach from one part into the next.
    if (start < last.end || !isAt(movedStart)) movedStart = maskSecrets(text.slice(0, start)).length
    moved.set(nameOf(place), isAt(movedStart) ? { start: movedStart, end: movedStart + sentence.length } : null)
    if (isAt(movedStart)) last = { end, movedEnd: movedStart + sentence.length }
  }
  return citations.flatMap((citation) => {
    const place = moved.get(nameOf(citation.answer))
    return place ? [{ ...citation, answer: { ...citation.answer, ...place } }] : []
  })
}

const nameOf = ({ start, end }: { start: number; end: number }) => `${start} ${end}`
