import { Search } from 'lucide-react'
import { useState } from 'react'
import type { ProjectResource, SiteResource } from '../../../../src/contract/admin.ts'
import { Button } from '../../../ui/button.tsx'
import { FilterBar } from '../../../ui/form.tsx'
import { SelectField } from '../../../ui/select-field.tsx'
import { TextField } from '../../../ui/text-field.tsx'
import { siteWord } from '../../shell/places.ts'
import { type JobSearch, periods, readJobSearch } from './job-search.ts'
import { say } from '../../../words/say.ts'

export interface JobFiltersProps {
  search: JobSearch
  /** Sites to choose from; null on a site's own page. */
  sites: readonly SiteResource[] | null
  projects: readonly ProjectResource[]
  projectId: string
  onChange(search: JobSearch): void
  onProjectChange(id: string): void
}

const statusOptions = [
  { value: '', label: say('Any') },
  { value: 'active', label: say('Working') },
  { value: 'completed', label: say('Completed') },
  { value: 'failed', label: say('Failed or cancelled') },
] as const

const periodOptions = [
  { value: '', label: say('Any time') },
  ...periods.map((days) => ({
    value: String(days),
    label: days === 1 ? say('Today') : say('Last {days} days', { days }),
  })),
]

export function JobFilters(props: JobFiltersProps) {
  const { search, sites, projects, projectId, onChange, onProjectChange } = props
  const [text, setText] = useState(search.search ?? '')
  const change = (name: keyof JobSearch, value: string) => onChange(readJobSearch({ ...search, [name]: value }))
  return (
    <FilterBar label={say('Filter jobs')} onSubmit={() => change('search', text)}>
      <TextField
        label={say('Text')}
        type="search"
        maxLength={200}
        placeholder={say('Prompt, title or branch')}
        value={text}
        onValueChange={setText}
      />
      {projects.length < 2 ? null : (
        <SelectField
          label={say('Project')}
          value={projectId}
          options={projects.map(({ id, name }) => ({ value: id, label: name }))}
          onValueChange={onProjectChange}
        />
      )}
      <SelectField
        label={say('Status')}
        value={search.status ?? ''}
        options={statusOptions}
        onValueChange={(status) => change('status', status)}
      />
      {sites === null ? null : (
        <SelectField
          label={say('Site')}
          value={search.site ?? ''}
          options={[
            { value: '', label: say('All') },
            ...sites.map((site) => ({ value: siteWord(site), label: site.name })),
          ]}
          onValueChange={(site) => change('site', site)}
        />
      )}
      <SelectField
        label={say('Created')}
        value={String(search.days ?? '')}
        options={periodOptions}
        onValueChange={(days) => change('days', days)}
      />
      <Button type="submit">
        <Search size={15} aria-hidden /> {say('Search')}
      </Button>
    </FilterBar>
  )
}
