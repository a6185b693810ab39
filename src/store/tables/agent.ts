import type { AgentJobChange, AgentJobContext, AgentJobContextRepository } from '../../contract/agent-job.ts'
import type { AgentJobEvent } from '../../contract/agent-job-event.ts'
import { boolean, childOf, id, integer, items, nullable, object, real, table, text, time } from './define-table.ts'
import { queueColumns, queueIndex } from './queue-columns.ts'

/** A job's pull request, as last read from its host. */
export interface AgentJobPullRequest {
  /** The host's id. */
  id: string
  url: string
  state: 'open' | 'merged' | 'closed'
  isDraft: boolean
}

export const agentTables = {
  agentJobs: table(
    {
      id: id(),
      projectId: childOf('projects.id'),
      siteId: childOf('sites.id'),
      status: text<'active' | 'completed' | 'failed'>(),
      /** Starts at 1; a follow-up to a finished job starts the next round. */
      round: integer(),
      messageCount: integer(),
      eventCount: integer(),
      repository: text(),
      /** Base branch. */
      ref: text(),
      /** Branch that the job writes to. */
      branch: text(),
      /** `provider/model`. */
      model: text(),
      isDraft: boolean(),
      /** Name of the owner who lets it delete many files, and files that others use. */
      deletionsAllowedBy: nullable(text()),
      /** The user's newest message, without secrets; `jobMessages` keeps what the model needs. */
      prompt: text(),
      title: nullable(text()),
      summary: nullable(text()),
      failureCode: nullable(text()),
      failureMessage: nullable(text()),
      pullRequest: nullable(object<AgentJobPullRequest>()),
      instructions: items<{ path: string; commit: string }>(),
      changes: items<AgentJobChange>(),
      inputTokens: integer(),
      /** Input tokens read from the provider's cache. */
      cachedTokens: integer(),
      outputTokens: integer(),
      steps: integer(),
      /** US dollars; null if any part is unknown. */
      costUsd: nullable(real()),
      ...queueColumns(),
      idempotencyKey: nullable(text()),
      requestHash: nullable(text()),
      createdAt: time(),
      updatedAt: time(),
      archivedAt: nullable(time()),
      /** For the newest round. */
      contextRepositories: items<AgentJobContextRepository>(),
    },
    {
      unique: ['projectId', 'idempotencyKey'],
      indexes: {
        byProject: ['projectId', 'id'],
        byStatus: ['status', 'updatedAt'],
        bySite: ['siteId', 'id'],
        due: queueIndex,
      },
    },
  ),
  jobMessages: table(
    {
      jobId: childOf('agentJobs.id'),
      /** Counts from 1 within the job. */
      number: integer(),
      round: integer(),
      role: text<'user' | 'assistant'>(),
      text: text(),
      context: items<AgentJobContext>(),
      createdAt: time(),
    },
    { primaryKey: ['jobId', 'number'] },
  ),
  jobSteps: table(
    {
      jobId: childOf('agentJobs.id'),
      round: integer(),
      /** Counts from 0 within the round; step 0 is the state before the first model call. */
      step: integer(),
      /** Messages that the step added to the conversation. */
      transcript: items<object>(),
      /** Stored for the newest step of a round only, without the changed files. */
      checkpoint: nullable(object<object>()),
      /** How the step changed the files; null if it did not. */
      fileChanges: nullable(object<object>()),
      inputTokens: integer(),
      outputTokens: integer(),
      costUsd: nullable(real()),
      createdAt: time(),
    },
    { primaryKey: ['jobId', 'round', 'step'], indexes: { byTime: ['createdAt'] } },
  ),
  jobEvents: table(
    {
      jobId: childOf('agentJobs.id'),
      /** Counts from 1 within the job, without gaps. */
      seq: integer(),
      data: object<AgentJobEvent>(),
      createdAt: time(),
    },
    { primaryKey: ['jobId', 'seq'] },
  ),
}
