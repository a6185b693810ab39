import type { Citation } from '../../src/contract/citations.ts'
import { CitationCard } from './citation-card.tsx'
import classes from './citations.module.css'
import { labelCitation } from './citation-words.ts'
import { readWebAddress } from './describe-citation.ts'
import { useCard } from './use-card.ts'

/** Keeps a number on the line of the word before it. */
const wordJoiner = '\u2060'

/**
 * The number of a source, behind the sentence that rests on it: a link to the passage. Pointing at it, focusing it or
 * tapping it shows a card.
 */
export function CitationNumber({ citation }: { citation: Citation }) {
  const { id, isOpen, area, link, card } = useCard()
  const address = readWebAddress(citation.url)
  return (
    <span className={classes.mark} {...area}>
      {wordJoiner}
      <a
        className={classes.number}
        {...(address === null
          ? { role: 'button', tabIndex: 0 }
          : { href: address, target: '_blank', rel: 'noreferrer' })}
        aria-label={labelCitation(citation)}
        aria-expanded={isOpen}
        data-verdict={citation.verdict}
        {...link}
      >
        {citation.number}
      </a>
      {isOpen ? <CitationCard id={id} citation={citation} {...card} /> : null}
    </span>
  )
}
