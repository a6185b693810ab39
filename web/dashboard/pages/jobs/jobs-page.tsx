import { useQuery } from '@tanstack/react-query'
import type { SiteResource } from '../../../../src/contract/admin.ts'
import { PageHeader } from '../../../ui/page-header.tsx'
import { projectsQuery, sitesQuery } from '../../api/sites.ts'
import { Loaded } from '../../shell/loaded.tsx'
import { SiteScope } from '../../shell/site-scope.tsx'
import { JobList } from './job-list.tsx'
import { NewJobLink } from './new-job-link.tsx'
import { say } from '../../../words/say.ts'

/** Jobs of all sites. */
export function JobsPage() {
  const projects = useQuery(projectsQuery)
  const sites = useQuery(sitesQuery)
  return (
    <>
      <PageHeader title={say('Jobs')} action={<NewJobLink />}>
        {say('Requests to the agent and the resulting pull requests.')}
      </PageHeader>
      <Loaded query={projects}>
        {(projects) => (
          <Loaded query={sites}>{(sites) => <JobList projects={projects} sites={sites} site={null} />}</Loaded>
        )}
      </Loaded>
    </>
  )
}

export function SiteJobsPage() {
  return <SiteScope>{(site) => <SiteJobs key={site.id} site={site} />}</SiteScope>
}

function SiteJobs({ site }: { site: SiteResource }) {
  const projects = useQuery(projectsQuery)
  return (
    <>
      <PageHeader title={say('Jobs')} action={<NewJobLink site={site} />}>
        {say('Requests to the agent to edit {name}.', { name: site.name })}
      </PageHeader>
      <Loaded query={projects}>{(projects) => <JobList projects={projects} sites={[site]} site={site} />}</Loaded>
    </>
  )
}
