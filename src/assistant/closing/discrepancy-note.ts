import { inlineCode } from '../../content/markdown/markdown-writing.ts'
import type { DiscrepancyPlace } from '../../contract/discrepancies.ts'
import type { IndexedPage, Reader } from '../../search/search-query.ts'
import type { LiveSite } from '../../sites/live-sites.ts'
import { placeTarget } from '../../sites/site-url.ts'
import type { AnswerPages } from '../answer-pages.ts'
import { cleanTitle } from './suggested-pages.ts'

const notesMax = 2
const placesMax = 3

export interface NoteInput {
  site: Pick<LiveSite, 'url' | 'index' | 'discrepancies'>
  reader: Reader
  pages: Pick<AnswerPages, 'citations'>
  text: string
}

export interface DiscrepancyNotes {
  /** Markdown that says what each of `pages` states, an item each; empty if this reader sees no contradiction. */
  text: string
  /** What the pages disagree about, as Markdown. */
  subjects: string[]
  /** The pages that `text` names. */
  pages: IndexedPage[]
  /** Markdown about statements that may be wrong, without saying what would be right; empty for most answers. */
  doubt: string
}

export const noDiscrepancies: DiscrepancyNotes = { text: '', subjects: [], pages: [], doubt: '' }

/**
 * Says which statements of an answer rest on pages that contradict each other, or that a check found to be wrong.
 *
 * Concerned is an answer that names the subject and cites one of the places. Of the other places, only those on pages
 * that this reader may see are named.
 */
export async function writeDiscrepancyNotes(input: NoteInput): Promise<DiscrepancyNotes> {
  const { discrepancies } = input.site
  const cited = discrepancies.length === 0 ? new Set<string>() : listCited(input.pages)
  const concerned = discrepancies.filter(({ subject, details }) => {
    return (
      names(input.text, subject) && details.places.some(({ path = '', file }) => cited.has(path) || cited.has(file))
    )
  })
  const notes = await Promise.all(concerned.slice(0, notesMax).map((discrepancy) => writeNote(input, discrepancy)))
  const conflicts = notes.filter(({ pages }) => pages.length > 0)
  return {
    text: joinNotes(conflicts),
    subjects: conflicts.map(({ subject }) => subject),
    pages: conflicts.flatMap(({ pages }) => pages),
    doubt: joinNotes(notes.filter(({ pages }) => pages.length === 0)),
  }
}

/** Whether the text has the name as a word of its own: an answer about `report` does not name `port`. */
function names(text: string, subject: string): boolean {
  for (let at = text.indexOf(subject); at >= 0; at = text.indexOf(subject, at + 1)) {
    const around = [text[at - 1], text[at + subject.length]]
    if (!around.some((char) => char !== undefined && /[\p{L}\p{N}_]/u.test(char))) return true
  }
  return false
}

/** Paths and files of the pages that the answer rests on. */
function listCited({ citations }: NoteInput['pages']): Set<string> {
  const files = citations.sentences.flatMap((sentence) => sentence.citations.map(({ source }) => source.file ?? ''))
  return new Set([...citations.sections.map(({ path }) => path), ...files.filter((file) => file !== '')])
}

type SiteDiscrepancy = LiveSite['discrepancies'][number]

interface Note {
  subject: string
  text: string
  /** Those that it names. */
  pages: IndexedPage[]
}

function joinNotes(notes: readonly Note[]): string {
  return notes.map(({ text }) => `> ${text}`).join('\n\n')
}

async function writeNote(input: NoteInput, { kind, subject: name, details }: SiteDiscrepancy): Promise<Note> {
  const subject = inlineCode(name)
  if (kind !== 'contradiction') {
    const text = `**Note:** What the documentation says about ${subject} may be wrong or out of date.`
    return { subject, text, pages: [] }
  }
  const stated = details.places.map((place, index) => readPlace(input, place, details.facts[index]?.value ?? null))
  const seen = (await Promise.all(stated)).filter((place) => place !== null).slice(0, placesMax)
  const start = '**Note:** The pages of this documentation disagree about'
  if (seen.length < 2) return { subject, text: `${start} ${subject}.`, pages: [] }
  const items = seen.map(({ page, value }) => {
    const link = `[${cleanTitle(page.title) || page.path}](${placeTarget(input.site.url, page.path)})`
    return `\n> - ${subject} is ${inlineCode(value)} on ${link}`
  })
  return { subject, text: `${start} ${subject}:\n>${items.join('')}`, pages: seen.map(({ page }) => page) }
}

/** Null for a page that this reader does not have. */
async function readPlace({ site, reader }: NoteInput, { path }: DiscrepancyPlace, value: string | null) {
  const page = path === undefined || value === null ? null : await site.index.readPage(path, reader)
  return page === null || value === null ? null : { page, value }
}
