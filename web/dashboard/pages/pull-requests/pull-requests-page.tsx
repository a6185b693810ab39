import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { listForges } from '../../../../src/contract/code-hosts.ts'
import type { PullRequestResource } from '../../../../src/contract/pull-requests.ts'
import { FilterChips } from '../../../ui/filter-chips.tsx'
import { PageHeader } from '../../../ui/page-header.tsx'
import { useMay } from '../../api/session.ts'
import { Loaded } from '../../shell/loaded.tsx'
import { MergeDialog } from './merge-dialog.tsx'
import { type PullRequestSearch, readPullRequestSearch } from './pull-request-search.ts'
import { PullRequestTable } from './pull-request-table.tsx'
import { RepositoryList } from './repository-list.tsx'
import { useClosePullRequest } from './use-close-pull-request.ts'
import { pullRequestOperations } from '../../../../src/contract/operations/pull-requests.ts'
import { repositoryOperations } from '../../../../src/contract/operations/repositories.ts'
import { usePages } from '../../api/use-pages.ts'
import { listOf } from '../../api/call.ts'
import { say } from '../../../words/say.ts'

export function PullRequestsPage() {
  const search = readPullRequestSearch(useSearch({ strict: false }))
  const navigate = useNavigate()
  const repositories = useQuery(listOf(repositoryOperations.listRepositories))
  return (
    <>
      <PageHeader title={say('Pull requests')}>
        {say(
          'Changes in repositories on the built-in host. Pull requests on {listForges} are reviewed there; each job links to its own.',
          { listForges: listForges('and') },
        )}
      </PageHeader>
      <Loaded query={repositories}>
        {(repositories) => (
          <>
            <PullRequestFilters
              search={search}
              repositories={repositories.map(({ name }) => name)}
              onChange={(search) => void navigate({ to: '.', search })}
            />
            <PullRequestRows key={JSON.stringify(search)} filter={search} />
            <RepositoryList repositories={repositories} />
          </>
        )}
      </Loaded>
    </>
  )
}

const stateOptions = [
  { value: '', label: say('Any') },
  { value: 'open', label: say('Open') },
  { value: 'merged', label: say('Merged') },
  { value: 'closed', label: say('Closed') },
] as const

interface PullRequestFiltersProps {
  search: PullRequestSearch
  repositories: readonly string[]
  onChange(search: PullRequestSearch): void
}

function PullRequestFilters({ search, repositories, onChange }: PullRequestFiltersProps) {
  return (
    <FilterChips
      label={say('Filter pull requests')}
      filters={[
        {
          label: say('Repository'),
          value: search.repository ?? '',
          isFixed: true,
          choices: [{ value: '', label: say('All') }, ...repositories.map((name) => ({ value: name, label: name }))],
          onValueChange: (repository) => onChange(readPullRequestSearch({ ...search, repository })),
        },
        {
          label: say('State'),
          value: search.state ?? '',
          isFixed: true,
          choices: stateOptions,
          onValueChange: (state) => onChange(readPullRequestSearch({ ...search, state })),
        },
      ]}
    />
  )
}

function PullRequestRows({ filter }: { filter: PullRequestSearch }) {
  const list = usePages(pullRequestOperations.listPullRequests, { query: filter })
  const mayDecide = useMay('editor')
  const [merged, setMerged] = useState<PullRequestResource | null>(null)
  const close = useClosePullRequest()
  return (
    <>
      <PullRequestTable list={list} {...(mayDecide && { onMerge: setMerged, onClose: ({ id }) => close.mutate(id) })} />
      <MergeDialog pullRequest={merged} onClose={() => setMerged(null)} />
    </>
  )
}
