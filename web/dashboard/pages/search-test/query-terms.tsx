import { countOf } from '../../../../src/contract/count-of.ts'
import { Facts } from '../../../ui/facts.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { Section } from '../../../ui/section.tsx'
import type { ExplainedSearch } from './hit-parts.ts'
import classes from './search-test-page.module.css'

const reasonNames: Readonly<Record<ExplainedSearch['removed'][number]['reasons'][number], string>> = {
  reader: 'the reader may not see it',
  version: 'it belongs to another version',
  language: 'it is in another language',
  tag: 'it does not have the tag',
  groups: 'it is for other groups',
  path: 'it is at another path',
  'edition-missing': 'there is no such version or language',
}

/** Query terms as the index knows them, with their weights. */
export function TermList({ found: { terms, unknownTerms } }: { found: ExplainedSearch }) {
  if (terms.length === 0 && unknownTerms.length === 0)
    return <Notice tone="warning">The query contains no searchable words.</Notice>
  return (
    <Section title="Words">
      <ul className={classes.terms}>
        {terms.map(({ term, passages, rarity, weight }) => (
          <li key={term}>
            <mark>{term}</mark> in {countOf(passages, 'passage')}, rarity {rarity.toFixed(1)}
            {weight < 1 ? `, inferred, counts ${Math.round(weight * 100)} %` : ''}
          </li>
        ))}
      </ul>
      {unknownTerms.length === 0 ? null : (
        <p className={classes.muted}>No passage contains {unknownTerms.map((term) => `“${term}”`).join(', ')}.</p>
      )}
    </Section>
  )
}

/** Top pages that the reader's permissions or the filter exclude. */
export function RemovedPages({ removed }: Pick<ExplainedSearch, 'removed'>) {
  if (removed.length === 0) return null
  return (
    <Section
      title="Excluded"
      description="Pages that would rank among the best without the filter and for a reader with full access."
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
