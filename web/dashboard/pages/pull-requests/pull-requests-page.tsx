import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { GitPullRequest } from 'lucide-react'
import { useState } from 'react'
import { listForges } from '../../../../src/contract/code-hosts.ts'
import type { PullRequestResource } from '../../../../src/contract/pull-requests.ts'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { FilterBar } from '../../../ui/form.tsx'
import { PageHeader } from '../../../ui/page-header.tsx'
import { SelectField } from '../../../ui/select-field.tsx'
import { Skeleton } from '../../../ui/skeleton.tsx'
import { useCursorPages } from '../../api/cursor-pages.ts'
import { type PullRequestFilter, pullRequestsQuery } from '../../api/pull-requests.ts'
import { repositoriesQuery } from '../../api/repositories.ts'
import { useMay } from '../../api/session.ts'
import { Loaded } from '../../shell/loaded.tsx'
import { CloseDialog } from './close-dialog.tsx'
import { MergeDialog } from './merge-dialog.tsx'
import { type PullRequestSearch, readPullRequestSearch } from './pull-request-search.ts'
import { PullRequestTable } from './pull-request-table.tsx'
import { RepositoryList } from './repository-list.tsx'

/** The repositories of the built-in host and their pull requests. */
export function PullRequestsPage() {
  const search = readPullRequestSearch(useSearch({ strict: false }))
  const navigate = useNavigate()
  const repositories = useQuery(repositoriesQuery)
  return (
    <>
      <PageHeader title="Pull requests">
        Changes in the repositories that Docent hosts itself. Those on {listForges('and')} are reviewed there; each job
        leads to its own.
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
  { value: '', label: 'Any' },
  { value: 'open', label: 'Open' },
  { value: 'merged', label: 'Merged' },
  { value: 'closed', label: 'Closed' },
] as const

interface PullRequestFiltersProps {
  search: PullRequestSearch
  repositories: readonly string[]
  onChange(search: PullRequestSearch): void
}

function PullRequestFilters({ search, repositories, onChange }: PullRequestFiltersProps) {
  return (
    <FilterBar label="Narrow the list of pull requests">
      <SelectField
        label="Repository"
        value={search.repository ?? ''}
        options={[{ value: '', label: 'All' }, ...repositories.map((name) => ({ value: name, label: name }))]}
        onValueChange={(repository) => onChange(readPullRequestSearch({ ...search, repository }))}
      />
      <SelectField
        label="State"
        value={search.state ?? ''}
        options={stateOptions}
        onValueChange={(state) => onChange(readPullRequestSearch({ ...search, state }))}
      />
    </FilterBar>
  )
}

function PullRequestRows({ filter }: { filter: PullRequestFilter }) {
  const { cursor, toTablePages } = useCursorPages()
  const pullRequests = useQuery({ ...pullRequestsQuery(filter, cursor), placeholderData: keepPreviousData })
  const mayDecide = useMay('editor')
  const [merged, setMerged] = useState<PullRequestResource | null>(null)
  const [closed, setClosed] = useState<PullRequestResource | null>(null)
  return (
    <Loaded query={pullRequests} skeleton={<Skeleton count={5} />}>
      {({ items, nextCursor }) =>
        items.length === 0 && cursor === null ? (
          <EmptyState icon={<GitPullRequest aria-hidden />} title="No pull request">
            Jobs of the agent open them, and so do you for a branch that you pushed.
          </EmptyState>
        ) : (
          <>
            <PullRequestTable
              pullRequests={items}
              pages={toTablePages(nextCursor)}
              {...(mayDecide && { onMerge: setMerged, onClose: setClosed })}
            />
            <MergeDialog pullRequest={merged} onClose={() => setMerged(null)} />
            <CloseDialog pullRequest={closed} onClose={() => setClosed(null)} />
          </>
        )
      }
    </Loaded>
  )
}
