import { countOf } from '../../contract/count-of.ts'
import { maskSecrets } from '../../base/mask-secrets.ts'
import type { DiscrepancyPlace } from '../../contract/discrepancies.ts'
import type { DescribedDrift } from '../../drift/describe-drift.ts'

/** A finding as reported. */
export type ReportedDrift = Pick<DescribedDrift, 'page' | 'subject' | 'isCertain' | 'details'>

/** Who reads a report. */
export interface ReportReaders {
  /**
   * Base URL of the site. Lines are then quoted only from pages with a path, which anybody may read: someone who opens a
   * pull request chooses the names that are looked up, and must not read guarded pages through it. Null: quotes all.
   */
  siteUrl: string | null
  /** Whether the host shows `<details>`. */
  folds: boolean
}

const shownMax = 50
const linesMax = 3
const lineCharsMax = 200

/** The findings as Markdown: certain ones open, the others folded. Quotes are escaped. Pure. */
export function writeDriftReport(
  found: readonly ReportedDrift[],
  readers: ReportReaders = { siteUrl: null, folds: true },
): string {
  if (found.length === 0) return 'No sentence of the documentation became false.'
  const certain = found.filter(({ isCertain }) => isCertain)
  const likely = found.filter(({ isCertain }) => !isCertain)
  const parts = [`**${countOf(found.length, 'place')} in the documentation became false.** Nothing is blocked.`]
  if (certain.length > 0) parts.push(writeList(certain, readers))
  if (likely.length > 0) {
    const summary = countOf(likely.length, 'less certain finding')
    const list = writeList(likely, readers)
    parts.push(
      ...(readers.folds ? [`<details><summary>${summary}</summary>`, list, '</details>'] : [`**${summary}**`, list]),
    )
  }
  return parts.join('\n\n')
}

function writeList(found: readonly ReportedDrift[], readers: ReportReaders): string {
  const shown = found.slice(0, shownMax).map((drift) => writeItem(drift, readers))
  const rest = found.length - shown.length
  return [...shown, ...(rest > 0 ? [`- … and ${rest} more`] : [])].join('\n')
}

function writeItem({ page, details }: ReportedDrift, readers: ReportReaders): string {
  const { title, places, facts, advice, replacement } = details
  const lines = places.slice(0, linesMax).map((place) => `  - line ${place.line}${writeQuote(place, readers)}`)
  const evidence = facts
    .filter(({ file, commit }) => file !== null && commit !== null && commit !== '')
    .map(
      ({ label, file, line, commit }) =>
        `${label.toLowerCase()} in ${quoteCode(`${file}:${line}`)} at ${quoteCode(commit?.slice(0, 10) ?? '')}`,
    )
  const suggestion =
    replacement === null
      ? writeSentence(advice)
      : `Replace ${quoteCode(replacement.from)} by ${quoteCode(replacement.to)}.`
  return [
    `- ${writePage(page, places[0]?.path, readers)}: ${writeSentence(title)}`,
    ...lines,
    `  - ${evidence.length === 0 ? '' : `${startSentence(evidence.join(', '))}. `}${suggestion}`,
  ].join('\n')
}

const startSentence = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)

function writePage(page: string, path: string | undefined, { siteUrl }: ReportReaders): string {
  if (siteUrl === null || path === undefined) return quoteCode(page)
  const address = `${siteUrl}${encodeURI(path)}`.replaceAll(
    /[()<>[\]\\]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16)}`,
  )
  return `[${quoteCode(page)}](${address})`
}

function writeQuote({ text, path }: DiscrepancyPlace, { siteUrl }: ReportReaders): string {
  return siteUrl === null || path !== undefined ? `: ${quoteCode(maskSecrets(text))}` : ''
}

/** As inline code, which nothing within can leave. */
function quoteCode(text: string): string {
  const line = text.replaceAll(/[\p{Cc}\p{Cf}]+/gu, ' ').slice(0, lineCharsMax)
  const marks = '`'.repeat(Math.max(0, ...(line.match(/`+/g) ?? []).map((run) => run.length)) + 1)
  return line.includes('`') ? `${marks} ${line} ${marks}` : `${marks}${line}${marks}`
}

/** A sentence of ours with names of the product in code. Text outside code contains no mention, link or HTML. */
function writeSentence(text: string): string {
  return text
    .split(/(`[^`]*`)/)
    .map((part) => (/^`[^`]*`$/.test(part) ? quoteCode(part.slice(1, -1)) : escapeText(part)))
    .join('')
}

function escapeText(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Cf}]+/gu, ' ').replaceAll(/[`<>@[\]!]/g, (char) => `&#${char.codePointAt(0)};`)
}
