import { countOf } from '../../contract/count-of.ts'
import type { Discrepancy } from '../../store/discrepancies/discrepancies.ts'

/** What a report says of a finding. */
export type ReportedDrift = Pick<Discrepancy, 'page' | 'subject' | 'isCertain' | 'details'>

const shownMax = 50
const linesMax = 3

/** The findings as Markdown: certain ones open, the others folded. Everything quoted is escaped. Pure. */
export function writeDriftReport(found: readonly ReportedDrift[]): string {
  if (found.length === 0) return 'No sentence of the documentation became false.'
  const certain = found.filter(({ isCertain }) => isCertain)
  const likely = found.filter(({ isCertain }) => !isCertain)
  const parts = [`**${countOf(found.length, 'place')} in the documentation became false.** Nothing is blocked.`]
  if (certain.length > 0) parts.push(writeList(certain))
  if (likely.length > 0) {
    parts.push(
      `<details><summary>${countOf(likely.length, 'less certain finding')}</summary>\n\n${writeList(likely)}\n\n</details>`,
    )
  }
  return parts.join('\n\n')
}

function writeList(found: readonly ReportedDrift[]): string {
  const shown = found.slice(0, shownMax).map(writeItem)
  const rest = found.length - shown.length
  return [...shown, ...(rest > 0 ? [`- … and ${rest} more`] : [])].join('\n')
}

function writeItem({ page, details }: ReportedDrift): string {
  const { title, places, facts, advice, replacement } = details
  const lines = places.slice(0, linesMax).map(({ line, text }) => `  - line ${line}: ${quoteCode(text)}`)
  const evidence = facts
    .filter(({ file, commit }) => file !== null && commit !== null && commit !== '')
    .map(
      ({ label, file, line, commit }) =>
        `${label.toLowerCase()} in ${quoteCode(`${file}:${line}`)} at ${quoteCode(commit?.slice(0, 10) ?? '')}`,
    )
  const suggestion =
    replacement === null ? advice : `Replace ${quoteCode(replacement.from)} by ${quoteCode(replacement.to)}.`
  return [
    `- ${quoteCode(page)}: ${escapeText(title)}`,
    ...lines,
    `  - ${[...evidence, escapeText(suggestion)].join('; ')}`,
  ].join('\n')
}

/** As inline code, which nothing within can leave. */
function quoteCode(text: string): string {
  const line = text.replaceAll(/[\p{Cc}\p{Cf}]+/gu, ' ').slice(0, 200)
  const marks = '`'.repeat(Math.max(0, ...(line.match(/`+/g) ?? []).map((run) => run.length)) + 1)
  return line.includes('`') ? `${marks} ${line} ${marks}` : `${marks}${line}${marks}`
}

/** Sentences of ours, with names of the product in code. Nothing in them is a mention, a link or HTML. */
function escapeText(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Cf}]+/gu, ' ').replaceAll(/[<>@[\]!]/g, (char) => `&#${char.codePointAt(0)};`)
}
