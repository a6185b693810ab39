import type { ProjectResource, SiteResource } from '../../../../src/contract/admin.ts'
import { type ChipFilter, FilterChips } from '../../../ui/filter-chips.tsx'
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

const statusChoices = [
  { value: '', label: say('Any') },
  { value: 'active', label: say('Working') },
  { value: 'completed', label: say('Completed') },
  { value: 'failed', label: say('Failed or cancelled') },
]

const periodChoices = periods.map((days) => ({
  value: String(days),
  label: days === 1 ? say('Today') : say('Last {days} days', { days }),
}))

export function JobFilters({ search, sites, projects, projectId, onChange, onProjectChange }: JobFiltersProps) {
  const filter = (name: keyof JobSearch, label: string, more: Partial<ChipFilter>): ChipFilter => ({
    label,
    value: String(search[name] ?? ''),
    onValueChange: (value) => onChange(readJobSearch({ ...search, [name]: value })),
    ...more,
  })
  const project: ChipFilter = {
    label: say('Project'),
    value: projectId,
    isFixed: true,
    choices: projects.map(({ id, name }) => ({ value: id, label: name })),
    onValueChange: onProjectChange,
  }
  const site = filter('site', say('Site'), {
    isFixed: true,
    choices: [
      { value: '', label: say('All') },
      ...(sites ?? []).map((site) => ({ value: siteWord(site), label: site.name })),
    ],
  })
  return (
    <FilterChips
      label={say('Filter jobs')}
      filters={[
        filter('search', say('Text'), { isFixed: true, charsMax: 200, placeholder: say('Prompt, title or branch') }),
        ...(projects.length < 2 ? [] : [project]),
        ...(sites === null ? [] : [site]),
        filter('status', say('Status'), { isFixed: true, choices: statusChoices }),
        filter('days', say('Created'), { choices: periodChoices }),
      ]}
    />
  )
}
