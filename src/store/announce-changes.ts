import { webhookTextCharsMax } from '../contract/webhooks.ts'
import type { AgentJob } from './agent/agent-job-row.ts'
import type { Db } from './schema.ts'
import { announceEvent } from './webhooks/webhook-events.ts'

/** Announces the end of a job's round. Call it in the transaction that ends it. */
export async function announceJobEnd(db: Db, job: AgentJob, now: number): Promise<void> {
  const organizationId = await findOrganization(db, job.projectId)
  if (organizationId === null || job.status === 'active') return
  await announceEvent(db, {
    organizationId,
    subject: `${job.id}:${job.round}`,
    body: {
      type: 'job.ended',
      timestamp: toIso(now),
      data: {
        jobId: job.id,
        projectId: job.projectId,
        siteId: job.siteId,
        status: job.status,
        title: cut(job.title),
        summary: cut(job.summary),
        failure: job.failure && { code: job.failure.code, message: cut(job.failure.message) },
        prLink: job.pullRequest?.url ?? null,
        branch: job.branch,
      },
    },
    now,
  })
}

/** Announces the merge of a job's pull request. Call it in the transaction that records it. */
export async function announceMerge(
  db: Db,
  job: AgentJob,
  { id, url }: { id: string; url: string },
  now: number,
): Promise<void> {
  const organizationId = await findOrganization(db, job.projectId)
  if (organizationId === null) return
  const { projectId, siteId, branch } = job
  await announceEvent(db, {
    organizationId,
    subject: `${job.id}:${id}`,
    body: {
      type: 'pull_request.merged',
      timestamp: toIso(now),
      data: { jobId: job.id, projectId, siteId, url, branch },
    },
    now,
  })
}

/** Announces a failed sync. Call it in the transaction that ends the run. */
export async function announceSyncFailure(
  db: Db,
  { runId, siteId, failure, now }: { runId: string; siteId: string; failure: string; now: number },
): Promise<void> {
  const site = await db
    .selectFrom('sites')
    .innerJoin('projects', 'projects.id', 'sites.projectId')
    .select(['sites.slug', 'projects.organizationId'])
    .where('sites.id', '=', siteId)
    .executeTakeFirst()
  if (site === undefined) return
  await announceEvent(db, {
    organizationId: site.organizationId,
    subject: runId,
    body: {
      type: 'sync.failed',
      timestamp: toIso(now),
      data: { siteId, slug: site.slug, runId, failure: cut(failure) },
    },
    now,
  })
}

async function findOrganization(db: Db, projectId: string): Promise<string | null> {
  const row = await db.selectFrom('projects').select('organizationId').where('id', '=', projectId).executeTakeFirst()
  return row?.organizationId ?? null
}

function cut<Text extends string | null>(text: Text): Text {
  // Slicing preserves nullness.
  return (text?.slice(0, webhookTextCharsMax) ?? null) as Text
}

function toIso(ms: number): string {
  return new Date(ms).toISOString()
}
