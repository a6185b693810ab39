import { Facts } from '../../../ui/facts.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { Section } from '../../../ui/section.tsx'
import type { ExplainedSearch } from './hit-parts.ts'
import classes from './search-test-page.module.css'
import { language } from '../../../words/language.ts'
import { say, sayCount } from '../../../words/say.ts'

const oneDigit = { minimumFractionDigits: 1, maximumFractionDigits: 1 }

const reasonNames: Readonly<Record<ExplainedSearch['removed'][number]['reasons'][number], string>> = {
  reader: say('the reader may not see it'),
  version: say('it belongs to another version'),
  language: say('it is in another language'),
  tag: say('it does not have the tag'),
  groups: say('it is for other groups'),
  path: say('it is at another path'),
  'edition-missing': say('there is no such version or language'),
}

/** Query terms as the index knows them, with their weights. */
export function TermList({ found: { terms, unknownTerms } }: { found: ExplainedSearch }) {
  if (terms.length === 0 && unknownTerms.length === 0)
    return <Notice tone="warning">{say('The query contains no searchable words.')}</Notice>
  return (
    <Section title={say('Words')}>
      <ul className={classes.terms}>
        {terms.map(({ term, passages, rarity, weight }) => (
          <li key={term}>
            <mark>{term}</mark> {sayCount(passages, 'in {count} passage', 'in {count} passages')},{' '}
            {say('rarity {rarity}', { rarity: rarity.toLocaleString(language, oneDigit) })}
            {weight < 1 ? `, ${say('inferred, counts {percent} %', { percent: Math.round(weight * 100) })}` : ''}
          </li>
        ))}
      </ul>
      {unknownTerms.length === 0 ? null : (
        <p className={classes.muted}>
          {say('No passage contains {unknownTerms}.', {
            unknownTerms: unknownTerms.map((term) => `“${term}”`).join(', '),
          })}
        </p>
      )}
    </Section>
  )
}

/** Top pages that the reader's permissions or the filter exclude. */
export function RemovedPages({ removed }: Pick<ExplainedSearch, 'removed'>) {
  if (removed.length === 0) return null
  return (
    <Section
      title={say('Excluded')}
      description={say('Pages that would rank among the best without the filter and for a reader with full access.')}
    >
      <Facts
        facts={removed.map(({ path, title, reasons }) => [
          `${title} (${path})`,
          reasons.map((reason) => reasonNames[reason]).join(', '),
        ])}
      />
    </Section>
  )
}
