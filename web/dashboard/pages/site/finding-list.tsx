import { useQuery } from '@tanstack/react-query'
import { CircleCheck } from 'lucide-react'
import { useState } from 'react'
import type { SiteResource } from '../../../../src/contract/admin.ts'
import { type Column, DataTable } from '../../../ui/data-table.tsx'
import { Card } from '../../../ui/card.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { FilterBar } from '../../../ui/form.tsx'
import { Section } from '../../../ui/section.tsx'
import { SelectField } from '../../../ui/select-field.tsx'
import { TextField } from '../../../ui/text-field.tsx'
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
  { title: say('Problem'), sortBy: ({ message }) => message, render: ({ message }) => message },
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
      <FilterBar label={say('Filter findings')}>
        <TextField
          label={say('Text')}
          type="search"
          placeholder={say('File or text')}
          value={text}
          onValueChange={setText}
        />
        <SelectField
          label={say('Rule')}
          value={rule}
          options={[
            { value: '', label: say('All rules') },
            ...rules.map(({ name, count }) => ({ value: name, label: `${name} (${count})` })),
          ]}
          onValueChange={setRule}
        />
      </FilterBar>
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
