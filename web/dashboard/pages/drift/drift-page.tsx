import { CircleCheck } from 'lucide-react'
import { useState } from 'react'
import type { SiteResource } from '../../../../src/contract/admin.ts'
import {
  type DiscrepancyKind,
  discrepancyKinds,
  type DiscrepancyState,
} from '../../../../src/contract/discrepancies.ts'
import { discrepancyOperations } from '../../../../src/contract/operations/discrepancies.ts'
import { Button } from '../../../ui/button.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { FilterChips } from '../../../ui/filter-chips.tsx'
import { PageHeader } from '../../../ui/page-header.tsx'
import type { ItemOf } from '../../api/call.ts'
import { usePages } from '../../api/use-pages.ts'
import { Loaded } from '../../shell/loaded.tsx'
import { SiteScope } from '../../shell/site-scope.tsx'
import classes from './drift-page.module.css'
import { FindingCard } from './finding-card.tsx'
import { say } from '../../../words/say.ts'

export type Finding = ItemOf<typeof discrepancyOperations.listDiscrepancies>

const kinds = [
  { value: '', label: say('All') },
  { value: 'drift', label: say('The product changed') },
  { value: 'contradiction', label: say('Pages disagree') },
  { value: 'sample', label: say('Broken samples') },
] as const

const states = [
  { value: 'open', label: say('Open') },
  { value: 'ignored', label: say('Ignored') },
] as const

export function DriftPage() {
  return (
    <>
      <PageHeader title={say('Outdated content')}>
        {say(
          'Sentences, tables and samples that your product, another page or a schema contradicts. Docent finds them without a model.',
        )}
      </PageHeader>
      <SiteScope>{(site) => <Findings key={site.id} site={site} />}</SiteScope>
    </>
  )
}

function Findings({ site }: { site: SiteResource }) {
  const [state, setState] = useState<Exclude<DiscrepancyState, 'closed'>>('open')
  const [kind, setKind] = useState<DiscrepancyKind | ''>('')
  return (
    <>
      <FilterChips
        label={say('Filter findings')}
        filters={[
          {
            label: say('State'),
            value: state,
            isFixed: true,
            choices: states,
            onValueChange: (value) => setState(value === 'ignored' ? value : 'open'),
          },
          {
            label: say('Reason'),
            value: kind,
            isFixed: true,
            choices: kinds,
            onValueChange: (value) => setKind(discrepancyKinds.find((each) => each === value) ?? ''),
          },
        ]}
      />
      <FindingList key={`${state} ${kind}`} site={site} state={state} kind={kind} />
    </>
  )
}

interface FindingListProps {
  site: SiteResource
  state: DiscrepancyState
  kind: DiscrepancyKind | ''
}

function FindingList({ site, state, kind }: FindingListProps) {
  const list = usePages(discrepancyOperations.listDiscrepancies, {
    params: { id: site.id },
    query: { state, ...(kind !== '' && { kind }) },
  })
  return (
    <Loaded query={list.query}>
      {({ items, nextCursor }) => {
        const pages = list.toTablePages(nextCursor)
        if (items.length === 0 && list.isFirst) return <NoFindings state={state} />
        return (
          <div className={classes.list}>
            {[...Map.groupBy(items, ({ page }) => page)].map(([page, findings]) => (
              <section key={page} className={classes.page}>
                <h2>
                  <code>{page}</code>
                </h2>
                {findings.map((finding) => (
                  <FindingCard key={finding.id} finding={finding} />
                ))}
              </section>
            ))}
            <div className={classes.pages}>
              {pages.hasPrevious ? <Button onClick={pages.showPrevious}>{say('Previous')}</Button> : null}
              {pages.hasNext ? <Button onClick={pages.showNext}>{say('Next')}</Button> : null}
            </div>
          </div>
        )
      }}
    </Loaded>
  )
}

function NoFindings({ state }: Pick<FindingListProps, 'state'>) {
  return (
    <EmptyState
      icon={<CircleCheck aria-hidden />}
      title={state === 'open' ? say('Nothing outdated found') : say('Nothing is ignored')}
    >
      {state === 'open'
        ? say(
            'In the site’s settings, add the product’s repository as a context repository with the role of the product. Docent then compares each push with the pages.',
          )
        : say('What you ignore appears here, and stays ignored for its name and page.')}
    </EmptyState>
  )
}
