import { inlineCode } from '../../content/markdown/markdown-writing.ts'
import type { DiscrepancyPlace } from '../../contract/discrepancies.ts'
import type { Reader } from '../../search/search-query.ts'
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

/**
 * Says which statements of an answer rest on pages that contradict each other, or that a check found to be wrong.
 *
 * Concerned is an answer that names the subject and cites one of the places. Of the other places, only those on pages
 * that this reader may see are named.
 *
 * @returns Markdown, empty for most answers.
 */
export async function writeDiscrepancyNotes(input: NoteInput): Promise<string> {
  const { discrepancies } = input.site
  if (discrepancies.length === 0) return ''
  const cited = listCited(input.pages)
  const concerned = discrepancies.filter(({ subject, details }) => {
    return (
      input.text.includes(subject) && details.places.some(({ path = '', file }) => cited.has(path) || cited.has(file))
    )
  })
  const notes = await Promise.all(concerned.slice(0, notesMax).map((discrepancy) => writeNote(input, discrepancy)))
  return notes.map((note) => (note === '' ? '' : `\n\n> ${note}`)).join('')
}

/** Paths and files of the pages that the answer rests on. */
function listCited({ citations }: NoteInput['pages']): Set<string> {
  const files = citations.sentences.flatMap((sentence) => sentence.citations.map(({ source }) => source.file ?? ''))
  return new Set([...citations.sections.map(({ path }) => path), ...files.filter((file) => file !== '')])
}

type SiteDiscrepancy = LiveSite['discrepancies'][number]

async function writeNote(input: NoteInput, { kind, subject, details }: SiteDiscrepancy): Promise<string> {
  const name = inlineCode(subject)
  if (kind !== 'contradiction')
    return `**Note:** What the documentation says about ${name} may be wrong or out of date.`
  const values = details.places.map((place, index) => writePlace(input, place, details.facts[index]?.value ?? null))
  const seen = (await Promise.all(values)).filter((place) => place !== null)
  if (seen.length < 2) return `**Note:** The pages of this documentation disagree about ${name}.`
  return `**Note:** The pages disagree about ${name}: ${seen.slice(0, placesMax).join(', ')}.`
}

/** Null for a page that this reader does not have. */
async function writePlace({ site, reader }: NoteInput, { path }: DiscrepancyPlace, value: string | null) {
  const page = path === undefined || value === null ? null : await site.index.readPage(path, reader)
  if (page === null || value === null) return null
  return `[${cleanTitle(page.title) || page.path}](${placeTarget(site.url, page.path)}) says ${inlineCode(value)}`
}
