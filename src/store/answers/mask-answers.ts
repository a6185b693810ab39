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
    citations: masked === text ? citations : citations.flatMap((citation) => moveCitation(citation, text, masked)),
    verdictReasons: verdictReasons.map(maskSecrets),
    asked: asked && maskAsked(asked),
    basis: basis && {
      ...basis,
      tag: basis.tag && maskSecrets(basis.tag),
      groups: basis.groups?.map(maskSecrets) ?? null,
    },
  }
}

/** Moves a citation to its sentence in the masked text; without it if a mask reaches beyond the sentence. */
function moveCitation(citation: Citation, text: string, masked: string): Citation[] {
  const { textId, start, end } = citation.answer
  const sentence = maskSecrets(text.slice(start, end))
  const moved = maskSecrets(text.slice(0, start)).length
  if (!masked.startsWith(sentence, moved)) return []
  return [{ ...citation, answer: { textId, start: moved, end: moved + sentence.length } }]
}
