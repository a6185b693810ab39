import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Badge } from '../../../ui/badge.tsx'
import { jobQuery } from '../../api/jobs.ts'
import { useSession } from '../../api/session.ts'
import { Loaded } from '../../shell/loaded.tsx'
import { describeJobState, nameJob } from '../jobs/job-state.ts'
import { PullRequestLink } from '../jobs/pull-request-link.tsx'
import classes from './insights-page.module.css'
import { sayParts } from '../../../words/say.ts'

/** State of the job started for a gap. */
export function GapJob({ jobId }: { jobId: string }) {
  const job = useQuery(jobQuery(jobId))
  const { organization } = useSession()
  return (
    <Loaded query={job}>
      {(job) => {
        const { tone, label } = describeJobState(job)
        return (
          <p className={classes.actions}>
            {sayParts('Job: {job}{label}', {
              job: (
                <Link to="/$organization/jobs/$jobId" params={{ organization: organization.id, jobId }}>
                  {nameJob(job)}
                </Link>
              ),
              label: <Badge tone={tone}>{label}</Badge>,
            })}
            {job.pullRequest === null ? null : <PullRequestLink pullRequest={job.pullRequest} />}
          </p>
        )
      }}
    </Loaded>
  )
}
