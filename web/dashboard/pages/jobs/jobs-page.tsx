import { useQuery } from '@tanstack/react-query'
import type { SiteResource } from '../../../../src/contract/admin.ts'
import { PageHeader } from '../../../ui/page-header.tsx'
import { projectsQuery, sitesQuery } from '../../api/sites.ts'
import { Loaded } from '../../shell/loaded.tsx'
import { SiteScope } from '../../shell/site-scope.tsx'
import { JobList } from './job-list.tsx'
import { NewJobLink } from './new-job-link.tsx'

/** The jobs of all sites. */
export function JobsPage() {
  const projects = useQuery(projectsQuery)
  const sites = useQuery(sitesQuery)
  return (
    <>
      <PageHeader title="Jobs" action={<NewJobLink />}>
        What the agent was asked to change, and the pull requests that came of it.
      </PageHeader>
      <Loaded query={projects}>
        {(projects) => (
          <Loaded query={sites}>{(sites) => <JobList projects={projects} sites={sites} site={null} />}</Loaded>
        )}
      </Loaded>
    </>
  )
}

/** The jobs of one site. */
export function SiteJobsPage() {
  return <SiteScope>{(site) => <SiteJobs key={site.id} site={site} />}</SiteScope>
}

function SiteJobs({ site }: { site: SiteResource }) {
  const projects = useQuery(projectsQuery)
  return (
    <>
      <PageHeader title="Jobs" action={<NewJobLink site={site} />}>
        What the agent was asked to change on {site.name}.
      </PageHeader>
      <Loaded query={projects}>{(projects) => <JobList projects={projects} sites={[site]} site={site} />}</Loaded>
    </>
  )
}
