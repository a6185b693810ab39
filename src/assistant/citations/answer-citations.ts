import type { AnswerEvent } from '../../contract/answer-event.ts'
import type { Citation, CitedPassage, CitedSource, SentenceVerdict } from '../../contract/citations.ts'
import { cutText } from '../../contract/cut-text.ts'
import { BoundedCache } from '../../base/bounded-cache.ts'
import { pageHref } from '../../sites/site-url.ts'
import { stripInvisible } from '../gate/invisible-characters.ts'
import { LinkGate } from '../gate/link-gate.ts'
import { findSitePath } from '../gate/site-links.ts'
import { listFacts } from './exact-facts.ts'
import { findGrounds, type Ground } from './find-grounds.ts'
import { type CitablePassage, type PassageBlock, PassageText, type PassageUnit } from './passage-text.ts'
import type { Sentence } from './sentence-reader.ts'
import type { JudgedOutcome } from './cited-text.ts'
import { addTextFragment } from './text-fragment.ts'

/** The build of the site that an answer quotes. */
export interface CitedEdition {
  /** Base URL of the site. */
  url: string
  revision: string
  /** Null if the site was not built from a repository. */
  commit: string | null
}

/** A sentence of the answer, and what it rests on. */
export interface JudgedSentence extends Sentence {
  /** Of the text part that it is in; its offsets are into that part. */
  textId: string
  facts: { text: string; isHeld: boolean }[]
  /** At most three; empty if it rests on no passage. */
  citations: Citation[]
}

/** A cited section, or a page that is linked. */
export interface CitedSection {
  sourceId: string
  path: string
  /** Of its page. */
  title: string
  url: string
}

export type CitationEvent = Extract<AnswerEvent, { type: 'source-cited' | 'sentence-cited' }>

/** How much was cited at some time. */
export type CitationMark = Record<'numbers' | 'sections' | 'sentences', number>

const quoteCharsMax = 300
/** UTF-8 is at most three times as long, and hardly ever longer at all. */
const citationCharsMax = 32_000

/** Finds what the sentences of an answer rest on, and numbers the sections in order of first use. */
export class AnswerCitations {
  readonly #edition: CitedEdition
  /** Taken apart only once a sentence may rest on them. */
  readonly #passages: CitablePassage[] = []
  readonly #read: PassageText[] = []
  readonly #numbers = new Map<string, string>()
  readonly #sections = new Map<string, CitedSection>()
  readonly sentences: JudgedSentence[] = []
  #citations = 0
  #chars = 0

  constructor(edition: CitedEdition) {
    this.#edition = edition
  }

  /** Adds a passage that the model read. @returns Its number, from 1; the same for the same passage. */
  add(passage: CitablePassage): number {
    const { path, anchor, content } = passage
    // Comparing is quicker than hashing the content for a map.
    const known = this.#passages.findIndex(
      (one) => one.path === path && (one.anchor ?? '') === (anchor ?? '') && one.content === content,
    )
    return known === -1 ? this.#passages.push(passage) : known + 1
  }

  get #texts(): readonly PassageText[] {
    const added = this.#passages.slice(this.#read.length)
    if (added.length > 0) this.#read.push(...added.map((passage) => takeApart(passage, this.#edition.revision)))
    return this.#read
  }

  mark(): CitationMark {
    return { numbers: this.#numbers.size, sections: this.#sections.size, sentences: this.sentences.length }
  }

  /** Takes back everything since the mark. */
  restore({ numbers, sections, sentences }: CitationMark): void {
    for (const id of [...this.#numbers.keys()].slice(numbers)) this.#numbers.delete(id)
    for (const id of [...this.#sections.keys()].slice(sections)) this.#sections.delete(id)
    this.sentences.length = sentences
  }

  /** In the order of their first citation. */
  get sections(): CitedSection[] {
    return [...this.#sections.values()]
  }

  /** The sections that sentences rest on, by number. */
  get numbered(): { number: string; url: string; title: string }[] {
    return [...this.#numbers].flatMap(([sourceId, number]) => {
      const section = this.#sections.get(sourceId)
      return section === undefined ? [] : [{ number, url: section.url, title: section.title }]
    })
  }

  /** @param claims Numbers of the passages that the model names; null if the text is no answer, which rests on nothing. */
  judge(sentence: Sentence & { textId: string }, claims: readonly number[] | null): JudgedOutcome {
    const indexes = (claims ?? []).map((number) => number - 1)
    const facts = listFacts(sentence.text)
    const grounds =
      claims === null ? [] : findGrounds({ sentence: sentence.text, facts, passages: this.#texts, claims: indexes })
    const judgedFacts = facts.map((text) => ({ text, isHeld: grounds.some((ground) => ground.facts.has(text)) }))
    const judged: JudgedSentence = { ...sentence, facts: judgedFacts, citations: [] }
    this.sentences.push(judged)
    const outcome: JudgedOutcome = { events: [], numbers: [] }
    for (const ground of grounds) this.#cite(judged, ground, outcome)
    return outcome
  }

  /** Cites a linked page, unless one of its sections is already cited. */
  nameLinked(path: string, title: string, anchor: string | null): CitationEvent[] {
    if (this.sections.some((section) => section.path === path)) return []
    const ofPage = this.#textsOf(path)
    const text = ofPage.find(({ passage }) => anchor !== null && passage.anchor === anchor) ?? ofPage[0]
    const place = {
      anchor: text?.passage.anchor ?? text?.units[0]?.block.anchor ?? null,
      headings: text?.passage.headings ?? [],
    }
    const unit = place.anchor === null ? text?.units[0] : undefined
    const href = pageHref(this.#edition, path, place.anchor)
    const url = text === undefined || unit === undefined ? href : addTextFragment(href, { text, units: [unit] }, ofPage)
    return [
      this.#addSection(
        { sourceId: nameSource(path, place.anchor), path, title, url },
        this.#describe(text?.passage, { path, ...place }),
      ),
    ]
  }

  /** Without a part once the answer has many: a section that has a number is then only named. */
  #cite(sentence: JudgedSentence, ground: Ground, outcome: JudgedOutcome): void {
    const citation = this.#makeCitation(sentence, ground)
    const [sourceId = ''] = citation?.sourceIds ?? []
    if (citation === null || sentence.citations.some(({ sourceIds }) => sourceIds.includes(sourceId))) return
    const isKnown = this.#numbers.has(sourceId)
    const events: CitationEvent[] = [
      ...(isKnown ? [] : [this.#makeSource(citation, ground.text.passage)]),
      { type: 'sentence-cited', id: `c${this.#citations + 1}`, citation },
    ]
    const chars = JSON.stringify(events).length
    const isFull = this.#chars + chars > citationCharsMax
    if (isKnown || !isFull) outcome.numbers.push(citation.number)
    if (isFull) return
    this.#chars += chars
    this.#citations++
    this.#numbers.set(sourceId, citation.number)
    if (!isKnown) this.#sections.set(sourceId, nameSection(citation, ground.text.passage))
    sentence.citations.push(citation)
    outcome.events.push(...events)
  }

  #makeCitation({ textId, start, end, facts }: JudgedSentence, ground: Ground): Citation | null {
    const { passage } = ground.text
    const quote = this.#quote(passage.content, ground.units)
    const block = ground.units[0]?.block
    if (block === undefined || quote === '') return null
    const { anchor } = block
    const sourceId = nameSource(passage.path, anchor)
    const headings = block.headings.map(stripInvisible)
    const pageTitle = stripInvisible(passage.title)
    return {
      number: this.#numbers.get(sourceId) ?? String(this.#numbers.size + 1),
      sourceIds: [sourceId],
      url: addTextFragment(pageHref(this.#edition, passage.path, anchor), ground, this.#textsOf(passage.path)),
      title: [pageTitle, ...headings.slice(-1).filter((name) => name !== pageTitle)].join(': '),
      description: headings.join(' › '),
      quote,
      answer: { textId, start, end },
      source: this.#locate(passage, block),
      verdict: judgeFacts(facts),
    }
  }

  #textsOf(path: string): PassageText[] {
    return this.#texts.filter(({ passage }) => passage.path === path)
  }

  #locate(passage: CitablePassage, { anchor, headings, origin }: PassageBlock): CitedSource {
    const { revision, commit } = this.#edition
    const { path, version, language, file } = passage
    const place = { path, anchor, headings: headings.map(stripInvisible), revision, commit, version, language }
    const lines = origin?.lines ?? null
    if (lines === null || file === undefined) return { ...place, file: null, lines: null, sha256: null }
    return { ...place, file, lines, sha256: origin?.sha256 ?? null }
  }

  #makeSource({ number, sourceIds, url, title, quote, source }: Citation, passage: CitablePassage): CitationEvent {
    const { file, lines } = source
    const described = this.#describe(passage, source)
    const place = file === null || lines === null ? {} : { file, lines }
    const cited: CitedPassage = { number: Number(number), ...described, quote, ...place }
    return { type: 'source-cited', sourceId: sourceIds[0] ?? '', url, title, passage: cited }
  }

  #describe(
    passage: CitablePassage | undefined,
    place: { path: string; anchor: string | null; headings: readonly string[] },
  ): CitedPassage {
    const { revision, commit } = this.#edition
    const version = passage?.version ?? null
    const language = passage?.language ?? null
    return {
      path: place.path,
      ...(place.anchor !== null && { anchor: place.anchor }),
      headings: place.headings.map(stripInvisible),
      revision,
      ...(commit !== null && { commit }),
      ...(version !== null && { version }),
      ...(language !== null && { language }),
    }
  }

  #addSection(section: CitedSection, passage: CitedPassage): CitationEvent {
    const { sourceId, url, title } = section
    this.#sections.set(sourceId, section)
    return { type: 'source-cited', sourceId, url, title: stripInvisible(title), passage }
  }

  /** From the passage, word for word; without links that lead out of the site, because front ends render Markdown. */
  #quote(content: string, units: readonly PassageUnit[]): string {
    const [first] = units
    const last = units.at(-1)
    if (first === undefined || last === undefined) return ''
    const { url } = this.#edition
    const known = quotes.get(first)
    if (known?.last === last && known.url === url) return known.quote
    const quote = this.#cutQuote(content.slice(first.start, last.end))
    quotes.set(first, { last, url, quote })
    return quote
  }

  #cutQuote(text: string): string {
    const whole = cutText(text, quoteCharsMax).trim()
    if (this.#isSafe(whole)) return whole
    const pieces = whole.split(unsafe).map((piece) => piece.trim())
    const longest = pieces.reduce((best, piece) => (piece.length > best.length ? piece : best), '')
    return this.#isSafe(longest) ? longest : ''
  }

  #isSafe(quote: string): boolean {
    const gate = new LinkGate({
      allow: (target) => findSitePath(this.#edition.url, target)?.target ?? null,
      onLink() {},
    })
    return gate.push(quote) + gate.end() === quote && !/[<&]/.test(quote)
  }
}

/** Questions find the same passages repeatedly. Characters of passages. */
const takenApart = new BoundedCache<PassageText>(2_000_000)

function takeApart(passage: CitablePassage, revision: string): PassageText {
  const { path, anchor, title, headings, version, language, content } = passage
  // Without the content, which is compared: making and hashing so long a key takes longer than all the rest.
  const key = JSON.stringify([revision, path, anchor, title, headings, version, language, content.length])
  const known = takenApart.get(key)
  if (known?.passage.content === content) return known
  const text = new PassageText(passage)
  takenApart.set(key, text, content.length * 2)
  return text
}

/** The latest quote that begins with a unit. Kept as long as its passage, which is read for many answers. */
const quotes = new WeakMap<PassageUnit, { last: PassageUnit; url: string; quote: string }>()

const unsafe = /!?\[[^\]]*\](?:\([^)]*\))?|<[^>]*>|[^\s]*(?:\/\/|www\.|@)[^\s]*|[<>[\]&]/

function nameSection({ sourceIds, url }: Citation, { path, title }: CitablePassage): CitedSection {
  return { sourceId: sourceIds[0] ?? '', path, title: stripInvisible(title), url }
}

function nameSource(path: string, anchor: string | null): string {
  return anchor === null ? path : `${path}#${anchor}`
}

/** Of its exact statements. */
export function judgeFacts(facts: readonly { isHeld: boolean }[]): Exclude<SentenceVerdict, 'pending'> {
  if (facts.length === 0) return 'no-facts'
  const held = facts.filter(({ isHeld }) => isHeld).length
  if (held === facts.length) return 'held'
  return held === 0 ? 'missing' : 'partial'
}
