import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { useEffect } from 'react'
import type { AgentJobResource } from '../../../../src/contract/agent-job.ts'
import { Notice } from '../../../ui/notice.tsx'
import { PageHeader } from '../../../ui/page-header.tsx'
import { Section } from '../../../ui/section.tsx'
import { VisibleText } from '../../shell/visible-text.tsx'
import { useJobEvents } from '../../api/job-events.ts'
import { jobQuery } from '../../api/jobs.ts'
import { Loaded } from '../../shell/loaded.tsx'
import { describeJobState, nameJob } from '../jobs/job-state.ts'
import { JobBadge } from '../jobs/job-table.tsx'
import { DeletionConsent } from './deletion-consent.tsx'
import { FollowUpForm } from './follow-up-form.tsx'
import { JobActions } from './job-actions.tsx'
import { JobChanges } from './job-changes.tsx'
import { JobChecks } from './job-checks.tsx'
import { JobFacts } from './job-facts.tsx'
import classes from './job-page.module.css'
import { JobPlan } from './job-plan.tsx'
import { JobPullRequest } from './job-pull-request.tsx'
import { JobTimeline } from './job-timeline.tsx'
import { summarizeEvents } from './summarize-events.ts'
import { say } from '../../../words/say.ts'

export function JobPage() {
  const { jobId: id = '' } = useParams({ strict: false })
  const job = useQuery(jobQuery(id))
  return <Loaded query={job}>{(job) => <JobView key={job.id} job={job} />}</Loaded>
}

function JobView({ job }: { job: AgentJobResource }) {
  const events = useJobEvents(job)
  const { plan, problems, needsConsent, changeSeq, stateSeq } = summarizeEvents(events)
  useReadAgain(job.id, stateSeq)
  const { failure } = job
  return (
    <>
      <PageHeader title={nameJob(job)} action={<JobActions job={job} />}>
        <span className={classes.state}>
          <JobBadge job={job} /> <code>{job.branch}</code>
        </span>
      </PageHeader>
      {/* Announces changes of the state to screen readers. */}
      <div role="status" className={classes.heard}>
        {describeJobState(job).label}
      </div>
      {failure === null ? null : (
        <Notice tone={describeJobState(job).tone}>
          <VisibleText text={failure.message} hasLines />
        </Notice>
      )}
      {job.status === 'completed' && job.summary !== null ? (
        <Notice tone="success">
          <p className={classes.text}>
            <VisibleText text={job.summary} hasLines />
          </p>
        </Notice>
      ) : null}
      {needsConsent ? <DeletionConsent job={job} /> : null}
      <JobPullRequest job={job} />
      <div className={classes.columns}>
        <div className={classes.main}>
          <Section title={say('Steps')}>
            <JobTimeline events={events} isActive={job.status === 'active'} />
          </Section>
          <FollowUpForm job={job} />
        </div>
        <div className={classes.side}>
          <JobPlan items={plan} />
          <JobFacts job={job} />
        </div>
      </div>
      <JobChecks problems={problems} />
      <JobChanges job={job} version={changeSeq} />
    </>
  )
}

/** The job's stream announces an end earlier than the dashboard's events. */
function useReadAgain(id: string, stateSeq: number): void {
  const client = useQueryClient()
  useEffect(() => {
    if (stateSeq > 0) void client.invalidateQueries({ queryKey: jobQuery(id).queryKey })
  }, [client, id, stateSeq])
}
