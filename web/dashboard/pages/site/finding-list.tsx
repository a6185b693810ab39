import { useQuery } from '@tanstack/react-query'
import { CircleCheck } from 'lucide-react'
import { useState } from 'react'
import type { SiteResource } from '../../../../src/contract/admin.ts'
import { type Column, DataTable } from '../../../ui/data-table.tsx'
import { Card } from '../../../ui/card.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { FilterChips } from '../../../ui/filter-chips.tsx'
import { Section } from '../../../ui/section.tsx'
import { FindingText } from '../../shell/finding-text.tsx'
import { Loaded } from '../../shell/loaded.tsx'
import { type Finding, filterFindings, listRules } from './filter-findings.ts'
import { siteOperations } from '../../../../src/contract/operations/sites.ts'
import { queryOf } from '../../api/call.ts'
import { say } from '../../../words/say.ts'

const rowsOfPage = 25

const columns: [Column<Finding>, ...Column<Finding>[]] = [
  {
    title: say('Location'),
    sortBy: ({ file, line }) => `${file}:${line ?? 0}`,
    render: ({ file, line }) => <code>{line === null ? file : `${file}:${line}`}</code>,
  },
  { title: say('Problem'), sortBy: ({ message }) => message, render: FindingText },
  { title: say('Rule'), sortBy: ({ rule }) => rule, render: ({ rule }) => <code>{rule}</code> },
]

/** Problems in the source of the published pages. */
export function FindingList({ site }: { site: SiteResource }) {
  const { generation } = site
  if (generation === null) return null
  return (
    <Section
      title={say('Findings ({findings})', { findings: generation.findings })}
      description={say('Problems in the source of the pages, and how to fix them. The pages are published regardless.')}
    >
      {generation.findings === 0 ? (
        <Card>{say('No broken links, missing pages or unreadable files.')}</Card>
      ) : (
        <Findings siteId={site.id} />
      )}
    </Section>
  )
}

function Findings({ siteId }: { siteId: string }) {
  const findings = useQuery(queryOf(siteOperations.listFindings, { params: { id: siteId } }))
  return <Loaded query={findings}>{({ items }) => <FilteredFindings findings={items} />}</Loaded>
}

function FilteredFindings({ findings }: { findings: readonly Finding[] }) {
  const [rule, setRule] = useState('')
  const [text, setText] = useState('')
  const shown = filterFindings(findings, { rule, text })
  const rules = listRules(findings)
  return (
    <>
      <FilterChips
        label={say('Filter findings')}
        filters={[
          {
            label: say('Text'),
            value: text,
            isFixed: true,
            placeholder: say('File or text'),
            onValueChange: setText,
          },
          {
            label: say('Rule'),
            value: rule,
            isFixed: true,
            choices: [
              { value: '', label: say('All') },
              ...rules.map(({ name, count }) => ({ value: name, label: `${name} (${count})` })),
            ],
            onValueChange: setRule,
          },
        ]}
      />
      {shown.length === 0 ? (
        <EmptyState icon={<CircleCheck aria-hidden />} title={say('No matching findings')}>
          {say('No findings match this text and rule.')}
        </EmptyState>
      ) : (
        <DataTable
          caption={say('Findings')}
          columns={columns}
          rows={shown}
          keyOf={(finding) => `${findings.indexOf(finding)}`}
          rowsOfPage={rowsOfPage}
        />
      )}
    </>
  )
}
