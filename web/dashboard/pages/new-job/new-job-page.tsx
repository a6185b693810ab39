import { useQuery } from '@tanstack/react-query'
import { Link, useSearch } from '@tanstack/react-router'
import { Bot } from 'lucide-react'
import type { SiteResource } from '../../../../src/contract/admin.ts'
import { codeHostKinds, listForges } from '../../../../src/contract/code-hosts.ts'
import type { AgentOptionsResource } from '../../../../src/contract/agent-options.ts'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { PageHeader } from '../../../ui/page-header.tsx'
import { useMay, useSession } from '../../api/session.ts'
import { sitesQuery } from '../../api/sites.ts'
import { Loaded } from '../../shell/loaded.tsx'
import { findSite } from '../../shell/places.ts'
import { NewJobForm } from './new-job-form.tsx'
import { agentJobOperations } from '../../../../src/contract/operations/agent-jobs.ts'
import { queryOf } from '../../api/call.ts'
import { say } from '../../../words/say.ts'

/** Sources whose repository accepts pull requests. */
const editableKinds: ReadonlySet<SiteResource['source']['kind']> = new Set(codeHostKinds)

export function NewJobPage() {
  const mayStart = useMay('editor')
  const sites = useQuery(sitesQuery)
  const options = useQuery(queryOf(agentJobOperations.getAgentOptions))
  return (
    <>
      <PageHeader title={say('New job')}>
        {say(
          'Describe a change. The agent edits the files, checks its work and opens a pull request. Readers see nothing until it is merged.',
        )}
      </PageHeader>
      {mayStart ? (
        <Loaded query={options}>
          {(options) => <Loaded query={sites}>{(sites) => <NewJob sites={sites} options={options} />}</Loaded>}
        </Loaded>
      ) : (
        <Notice>{say('As a viewer you can follow jobs but not start them. An owner can change your role.')}</Notice>
      )}
    </>
  )
}

function NewJob({ sites, options }: { sites: readonly SiteResource[]; options: AgentOptionsResource }) {
  const { organization } = useSession()
  const { site: wanted, page } = useSearch({ strict: false })
  const editable = sites.filter(({ source }) => editableKinds.has(source.kind))
  const [first] = editable
  if (first === undefined) {
    return (
      <EmptyState
        icon={<Bot aria-hidden />}
        title={say('No editable sites')}
        action={
          <Link to="/$organization" params={{ organization: organization.id }}>
            {say('Go to the sites')}
          </Link>
        }
      >
        {say('The agent edits sites whose repository is on the built-in host or on {listForges}.', {
          listForges: listForges('or'),
        })}
      </EmptyState>
    )
  }
  const chosen = findSite(editable, wanted) ?? first
  return <NewJobForm key={chosen.id} sites={editable} site={chosen} page={page} options={options} />
}
