import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { lazy, Suspense } from 'react'
import type { AgentJobResource } from '../../../../src/contract/agent-job.ts'
import type { AgentJobDiffResource } from '../../../../src/contract/agent-job-diff.ts'
import { Section } from '../../../ui/section.tsx'
import { Skeleton } from '../../../ui/skeleton.tsx'
import { Loaded } from '../../shell/loaded.tsx'
import classes from './job-page.module.css'
import { agentJobOperations } from '../../../../src/contract/operations/agent-jobs.ts'
import { call } from '../../api/call.ts'
import { ApiError } from '../../api/api-error.ts'
import { say, sayCount, sayParts } from '../../../words/say.ts'

const DiffView = lazy(() => import('./diff-view.tsx').then((module) => ({ default: module.DiffView })))

/** Changes are re-read after each step and may take half a megabyte each. */
const diffKeptMs = 10_000

/** Changes made so far; updates while the agent works. */
export function JobChanges({ job, version }: { job: AgentJobResource; version: number }) {
  const diff = useQuery({
    queryKey: ['getJobDiff', job.id, version],
    queryFn: ({ signal }) => readDiff(job.id, signal),
    gcTime: diffKeptMs,
    enabled: version > 0,
    placeholderData: keepPreviousData,
    staleTime: Infinity,
  })
  if (version === 0) return null
  return (
    <Section title={say('Changes')}>
      <Loaded query={diff}>{(diff) => <Changes diff={diff} isActive={job.status === 'active'} />}</Loaded>
    </Section>
  )
}

/** Null before the job has changed anything. */
async function readDiff(id: string, signal: AbortSignal): Promise<AgentJobDiffResource | null> {
  try {
    return await call(agentJobOperations.getJobDiff, { params: { id }, signal })
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) return null
    throw error
  }
}

function Changes({ diff, isActive }: { diff: AgentJobDiffResource | null; isActive: boolean }) {
  if (diff === null || diff.files.length === 0) {
    return <p className={classes.muted}>{isActive ? say('No changes yet.') : say('No files were changed.')}</p>
  }
  const more = diff.filesTotal - diff.files.length
  return (
    <Suspense fallback={<Skeleton count={2} />}>
      <p className={classes.muted}>
        {sayParts('{files} changed since {baseCommit}', {
          files: sayCount(diff.filesTotal, '{count} file', '{count} files'),
          baseCommit: <code>{diff.baseCommit.slice(0, 12)}</code>,
        })}
      </p>
      <DiffView files={diff.files} />
      {more === 0 ? null : (
        <p className={classes.muted}>
          {sayCount(
            more,
            '{count} more file not shown. Fetch the branch with git to view all changes.',
            '{count} more files not shown. Fetch the branch with git to view all changes.',
          )}
        </p>
      )}
    </Suspense>
  )
}
