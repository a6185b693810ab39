import type { ComponentProps } from 'react'
import type { Citation } from '../../src/contract/citations.ts'
import classes from './citations.module.css'
import { describeState, labelCitation } from './citation-words.ts'
import { describePlace, listHeadings, readQuote, readWebAddress } from './describe-citation.ts'
import { sentenceVerdictWords } from './sentence-verdict-words.ts'
import { say } from '../words/say.ts'

export interface CitationCardProps extends ComponentProps<'span'> {
  citation: Citation
}

/** The evidence for a sentence. Consists of phrasing elements, because it is inside a paragraph. */
export function CitationCard({ citation, ...attributes }: CitationCardProps) {
  const { label, sentence } = sentenceVerdictWords[citation.verdict]
  const [page, ...headings] = listHeadings(citation)
  const address = readWebAddress(citation.url)
  return (
    <span
      {...attributes}
      popover="auto"
      role="group"
      aria-label={labelCitation(citation)}
      className={classes.card}
      dir="auto"
    >
      <span className={classes.head}>
        <span className={classes.litNumber} aria-hidden>
          {citation.number}
        </span>
        <span className={classes.title}>
          {page}
          {headings.map((heading) => (
            <span key={heading} className={classes.heading}>
              {' ›\u00A0'}
              {heading}
            </span>
          ))}
        </span>
        {address === null ? null : (
          <a className={classes.open} href={address} target="_blank" rel="noreferrer">
            {say('Open page')}
          </a>
        )}
      </span>
      <q className={classes.quote} dir="auto">
        <mark>{readQuote(citation)}</mark>
      </q>
      <span className={classes.verdict} data-verdict={citation.verdict} dir="auto">
        <b>{label}.</b> {sentence}
      </span>
      <Origin citations={[citation]} />
    </span>
  )
}

/** Where quotes of one section are in the source of the site, as far as that is known. */
export function Origin({ citations }: { citations: readonly Citation[] }) {
  const place = describePlace(citations)
  const facts = citations.slice(0, 1).flatMap(describeState)
  if (place === '' && facts.length === 0) return null
  return (
    <span className={classes.facts}>
      {place === '' ? null : <code dir="ltr">{place}</code>}
      {facts.map((fact) => (
        <span key={fact}>{fact}</span>
      ))}
    </span>
  )
}
