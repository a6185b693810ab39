import { Facts } from '../../../ui/facts.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { Section } from '../../../ui/section.tsx'
import type { ExplainedSearch } from './hit-parts.ts'
import classes from './search-test-page.module.css'

const reasonNames: Readonly<Record<ExplainedSearch['removed'][number]['reasons'][number], string>> = {
  reader: 'the reader may not see it',
  version: 'it is of another version',
  language: 'it is in another language',
  tag: 'it does not have the tag',
  groups: 'it is for other groups',
  path: 'it lies elsewhere',
  'edition-missing': 'there is no such version or language',
}

/** The words of the query as the index knows them, and how much each tells. */
export function TermList({ found: { terms, unknownTerms } }: { found: ExplainedSearch }) {
  if (terms.length === 0 && unknownTerms.length === 0)
    return <Notice tone="warning">The query holds no word that is searched for.</Notice>
  return (
    <Section title="Words">
      <ul className={classes.terms}>
        {terms.map(({ term, passages, rarity, weight }) => (
          <li key={term}>
            <mark>{term}</mark> in {passages.toLocaleString()} {passages === 1 ? 'passage' : 'passages'}, rarity{' '}
            {rarity.toFixed(1)}
            {weight < 1 ? `, a guess that counts ${Math.round(weight * 100)} %` : ''}
          </li>
        ))}
      </ul>
      {unknownTerms.length === 0 ? null : (
        <p className={classes.muted}>No passage holds {unknownTerms.map((term) => `“${term}”`).join(', ')}.</p>
      )}
    </Section>
  )
}

/** Pages among the best that the reader or the filter leaves out. */
export function RemovedPages({ removed }: Pick<ExplainedSearch, 'removed'>) {
  if (removed.length === 0) return null
  return (
    <Section
      title="Left out"
      description="Pages that would have been among the best for everybody and without a filter."
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
