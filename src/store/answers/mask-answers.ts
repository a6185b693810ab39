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
  const moved = movePlaces(
    citations.map(({ answer }) => answer),
    text,
    masked,
  )
  return citations.flatMap((citation) => {
    const place = moved.get(nameOf(citation.answer))
    return place ? [{ ...citation, answer: { ...citation.answer, ...place } }] : []
  })
}

interface Place {
  start: number
  end: number
}

const nameOf = ({ start, end }: Place) => `${start} ${end}`

/** Masking is most of what storing an answer costs, so only what lies between masks is masked again. */
function movePlaces(places: readonly Place[], text: string, masked: string): Map<string, Place | null> {
  const { head, tail } = findSameEnds(text, masked)
  const shift = masked.length - text.length
  const moved = new Map<string, Place | null>()
  let last = { end: 0, movedEnd: 0 }
  for (const { start, end } of places.toSorted((one, other) => one.start - other.start)) {
    const name = nameOf({ start, end })
    if (moved.has(name)) continue
    if (start >= tail) {
      moved.set(name, { start: start + shift, end: end + shift })
      continue
    }
    const sentence = end <= head ? text.slice(start, end) : maskSecrets(text.slice(start, end))
    const isAt = (position: number) => masked.startsWith(sentence, position)
    let movedStart = end <= head ? start : last.movedEnd + maskSecrets(text.slice(last.end, start)).length
    // A mask may reach from one part into the next.
    if (end > head && (start < last.end || !isAt(movedStart))) movedStart = maskSecrets(text.slice(0, start)).length
    moved.set(name, isAt(movedStart) ? { start: movedStart, end: movedStart + sentence.length } : null)
    if (isAt(movedStart)) last = { end, movedEnd: movedStart + sentence.length }
  }
  return moved
}

/** Up to where, and from where on in `text`, two texts are the same. */
function findSameEnds(text: string, other: string): { head: number; tail: number } {
  const lengthMax = Math.min(text.length, other.length)
  let head = 0
  while (head < lengthMax && text.charCodeAt(head) === other.charCodeAt(head)) head++
  let same = 0
  while (
    same < lengthMax - head &&
    text.charCodeAt(text.length - 1 - same) === other.charCodeAt(other.length - 1 - same)
  )
    same++
  return { head, tail: text.length - same }
}
