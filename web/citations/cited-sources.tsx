import type { Citation, SentenceVerdict } from '../../src/contract/citations.ts'
import { Origin } from './citation-card.tsx'
import classes from './citations.module.css'
import { listHeadings, readQuote, readWebAddress } from './describe-citation.ts'
import { sentenceVerdictWords } from './sentence-verdict-words.ts'
import { say } from '../words/say.ts'

export interface CitedSourcesProps {
  citations: readonly Citation[]
  /** Whether the pages disagree. Passages of several are then shown beside each other. */
  isConflict: boolean
}

/** The sections that an answer rests on, by number. */
export function CitedSources({ citations, isConflict: isDisputed }: CitedSourcesProps) {
  const sections = [...Map.groupBy(citations, ({ number }) => number).entries()]
  const isConflict = isDisputed && sections.length > 1
  return (
    <>
      {isConflict ? <p className={classes.conflict}>{say('These passages disagree. Compare what they say.')}</p> : null}
      <ol className={classes.sources}>
        {sections
          .toSorted(([a], [b]) => Number(a) - Number(b))
          .map(([number, ofSection]) => (
            <li key={number} dir="auto">
              <span className={classes.rowNumber} aria-hidden>
                {number}
              </span>
              <Section citations={ofSection} hasQuotes={isConflict} />
            </li>
          ))}
      </ol>
    </>
  )
}

function Section({ citations, hasQuotes }: { citations: readonly Citation[]; hasQuotes: boolean }) {
  const [first] = citations
  if (first === undefined) return null
  const verdict = findWorst(citations)
  const [page, ...headings] = listHeadings(first)
  const address = readWebAddress(first.url)
  const quotes = hasQuotes ? new Set(citations.map(readQuote)) : []
  return (
    <span className={classes.row}>
      {address === null ? (
        page
      ) : (
        <a href={address} target="_blank" rel="noreferrer">
          {page}
        </a>
      )}
      {headings.length === 0 ? null : <span className={classes.heading}>{headings.join(' › ')}</span>}
      {[...quotes].map((quote) => (
        <q key={quote} className={classes.quote} dir="auto">
          <mark>{quote}</mark>
        </q>
      ))}
      <span className={classes.facts}>
        <span className={classes.verdict} data-verdict={verdict}>
          <b>{sentenceVerdictWords[verdict].label}</b>
        </span>
        <Origin citations={citations} />
      </span>
    </span>
  )
}

/** A section that fails one sentence is worth a look. */
function findWorst(citations: readonly Citation[]): SentenceVerdict {
  const worst = Object.keys(sentenceVerdictWords) as SentenceVerdict[] // The keys of the record.
  return worst.find((word) => citations.some(({ verdict }) => verdict === word)) ?? 'pending'
}
