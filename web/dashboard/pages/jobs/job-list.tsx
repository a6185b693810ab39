import { useNavigate, useSearch } from '@tanstack/react-router'
import { Bot } from 'lucide-react'
import { useState } from 'react'
import type { ProjectResource, SiteResource } from '../../../../src/contract/admin.ts'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { findSite } from '../../shell/places.ts'
import { JobFilters } from './job-filters.tsx'
import { type JobSearch, readJobSearch, startOfPeriod } from './job-search.ts'
import { JobTable } from './job-table.tsx'
import { NewJobLink } from './new-job-link.tsx'
import { agentJobOperations } from '../../../../src/contract/operations/agent-jobs.ts'
import { usePages } from '../../api/use-pages.ts'
import { say } from '../../../words/say.ts'

export interface JobListProps {
  projects: readonly ProjectResource[]
  sites: readonly SiteResource[]
  /** The site of this page; null on the organization's page. */
  site: SiteResource | null
}

/** Jobs of a project, filtered by the address. */
export function JobList({ projects, sites, site }: JobListProps) {
  const search = readJobSearch(useSearch({ strict: false }))
  const navigate = useNavigate()
  const [chosen, setChosen] = useState(projects[0]?.id ?? '')
  const projectId = site?.projectId ?? chosen
  const ofProject = sites.filter((each) => each.projectId === projectId)
  const change = (search: JobSearch) => void navigate({ to: '.', search })
  const filter = {
    projectId,
    status: search.status,
    site: site?.id ?? findSite(ofProject, search.site)?.id,
    search: search.search,
    from: search.days === undefined ? undefined : startOfPeriod(search.days, Date.now()),
  }
  return (
    <>
      <JobFilters
        search={search}
        sites={site === null ? ofProject : null}
        projects={site === null ? projects : []}
        projectId={projectId}
        onChange={change}
        onProjectChange={(id) => {
          setChosen(id)
          const { site: _site, ...kept } = search
          change(kept)
        }}
      />
      <JobRows
        key={JSON.stringify(filter)}
        filter={filter}
        sites={sites}
        site={site}
        isFiltered={Object.keys(search).length > 0}
      />
    </>
  )
}

interface JobRowsProps {
  filter: {
    projectId: string
    status: JobSearch['status']
    site?: string | undefined
    search?: string | undefined
    from?: string | undefined
  }
  sites: readonly SiteResource[]
  site: SiteResource | null
  isFiltered: boolean
}

function JobRows({ filter: { projectId, ...filter }, sites, site, isFiltered }: JobRowsProps) {
  const list = usePages(
    agentJobOperations.listJobs,
    { params: { projectId }, query: filter },
    { toPage: ({ jobs, nextCursor }) => ({ items: jobs, nextCursor }) },
  )
  const empty = isFiltered ? (
    <EmptyState icon={<Bot aria-hidden />} title={say('No matching jobs')}>
      {say('No jobs match these filters. Remove some of them.')}
    </EmptyState>
  ) : (
    <EmptyState icon={<Bot aria-hidden />} title={say('No jobs yet')} action={<NewJobLink {...(site && { site })} />}>
      {say(
        'A job is a request in plain words. The agent edits the documentation and opens a pull request for you to review and merge.',
      )}
    </EmptyState>
  )
  return <JobTable list={list} sites={site === null ? sites : null} empty={empty} />
}
