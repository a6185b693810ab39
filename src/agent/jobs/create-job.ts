import { createHash } from 'node:crypto'
import type { AgentJobCreate } from '../../contract/agent-job.ts'
import { AppError } from '../../contract/app-error.ts'
import type { CodeHost } from '../../codehost/code-host.ts'
import { isBranchName } from '../../git/repositories/refs.ts'
import type { AutomationStart } from '../../store/agent/automation-runs.ts'
import {
  type AgentJob,
  type CountJob,
  type CreateAgentJobResult,
  findRepeatedAgentJob,
  insertAgentJob,
  type NewAgentJob,
} from '../../store/agent/agent-jobs.ts'
import { offlineModelId } from '../../contract/model-providers.ts'
import { describeRefusal } from '../../models/offline-agent/decide-agent-reply.ts'
import { readInstruction } from '../../models/offline-agent/read-instruction.ts'
import type { AgentModels, AgentRequestDeps } from '../agent-deps.ts'
import { toJobPullRequest } from './refresh-pull-request.ts'
import { findJobSource } from './job-source.ts'
import { nameBranch } from './name-branch.ts'
import { OneAtATime } from '../../base/one-at-a-time.ts'

export interface CreateJobInput {
  projectId: string
  request: AgentJobCreate
  /** Chosen by the client; null without one. */
  idempotencyKey: string | null
  /** The owner who confirms deletions; only a person does. */
  deletionsAllowedBy?: string | null
  /** The automation run that creates it. */
  automation?: AutomationStart | undefined
  count: CountJob
}

/** What `createJob` uses. */
export type CreateJobDeps = Pick<
  AgentRequestDeps,
  'store' | 'clock' | 'ids' | 'models' | 'openHost' | 'demoRepository' | 'wakeWorker'
>

/** Concurrent requests with the same key wait for each other, so that a repeated request is not counted. */
const repeated = new OneAtATime()

/**
 * Creates a job, or finds the one that the same key and body created within 24 hours.
 *
 * @throws {AppError} `conflict` for a different body under the same key, `no_repository`, `invalid_request` for an
 *   unusable branch or model, and what `count` throws; then nothing was created or counted.
 */
export function createJob(
  deps: CreateJobDeps,
  input: CreateJobInput,
  signal: AbortSignal,
): Promise<{ job: AgentJob; created: boolean }> {
  const { projectId, idempotencyKey } = input
  const make = () => makeJob(deps, input, signal)
  return idempotencyKey === null ? make() : repeated.run(JSON.stringify([projectId, idempotencyKey]), make)
}

async function makeJob(deps: CreateJobDeps, input: CreateJobInput, signal: AbortSignal) {
  const { projectId, request, idempotencyKey, count } = input
  const { store, clock, ids } = deps
  const requestHash = createHash('sha256').update(JSON.stringify(request)).digest('hex')
  if (idempotencyKey !== null) {
    const known = { projectId, requestHash, idempotencyKey, now: clock.now() }
    const found = await findRepeatedAgentJob(store.durable, known)
    if (found !== null) return requireSame(found)
  }
  const { site, host } = await findJobSource(deps, projectId, request.site ?? null)
  const model = chooseModel(await deps.models(), request.model ?? null)
  const base = await host.resolveBranch(request.baseBranch ?? site.source.ref, signal)
  const { repository, defaultBranch } = await host.readSource(signal)
  const id = ids.prefixed('job')
  const branch = request.branch ?? nameBranch(request.prompt, id)
  checkBranch(branch, [base.branch, defaultBranch])
  const pullRequest = request.branch ? await findOpenPullRequest(host, branch, signal) : null
  const job: NewAgentJob = {
    id,
    projectId,
    siteId: site.id,
    repository,
    ref: base.branch,
    branch,
    model,
    isDraft: request.draft ?? false,
    deletionsAllowedBy: input.deletionsAllowedBy ?? null,
    prompt: request.prompt,
    context: request.context ?? [],
    idempotencyKey,
    requestHash,
    pullRequest,
    automation: input.automation,
    createdAt: clock.now(),
  }
  const made = await insertAgentJob(store.durable, job, count)
  deps.wakeWorker()
  return requireSame(made)
}

/**
 * For people, who wait for a reply: a job that would only fail is not made. Programs poll jobs, and find the same sentence there.
 *
 * @throws {AppError} `model_required` with literal instructions that are near.
 */
export async function requireReadable({ models }: Pick<CreateJobDeps, 'models'>, request: AgentJobCreate) {
  const model = request.model ?? (await models()).defaultId
  if (model !== offlineModelId || readInstruction(request.prompt.trim()) !== null) return
  throw new AppError('model_required', describeRefusal(request.prompt.trim()))
}

function requireSame({ job, created, isSameRequest }: CreateAgentJobResult) {
  if (isSameRequest) return { job, created }
  throw new AppError(
    'conflict',
    `The Idempotency-Key was already used for the job ${job.id} with a different body. Send a new key with a new request.`,
  )
}

function chooseModel(models: AgentModels, wanted: string | null): string {
  const id = wanted ?? models.defaultId
  if (models.find(id) !== null) return id
  const message = `is not configured here. Leave it out, or use one of: ${models.ids.join(', ')}`
  throw new AppError('invalid_request', `The model "${id}" ${message}.`, { details: [{ path: 'model', message }] })
}

function checkBranch(branch: string, taken: readonly string[]): void {
  const message = !isBranchName(branch)
    ? 'is not a valid branch name'
    : taken.includes(branch)
      ? 'is the base branch. Choose another one'
      : null
  if (message === null) return
  throw new AppError('invalid_request', `The branch "${branch}" ${message}.`, {
    details: [{ path: 'branch', message }],
  })
}

/** A job on the branch of an open pull request adds to that pull request. */
async function findOpenPullRequest(host: CodeHost, branch: string, signal: AbortSignal) {
  const found = await host.findPullRequest({ branch }, signal)
  return found?.state === 'open' ? toJobPullRequest(found) : null
}
