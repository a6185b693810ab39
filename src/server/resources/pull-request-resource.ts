import { pullRequestUrl, repositoryOf } from '../../codehost/builtin/builtin-host-deps.ts'
import { findHold } from '../../codehost/builtin/find-hold.ts'
import type { Person } from '../../codehost/builtin/person.ts'
import { reconcilePullRequest } from '../../codehost/builtin/reconcile-pull-request.ts'
import { pullRequestNotFound } from '../../codehost/pull-request-number.ts'
import { getPullRequest, type PullRequestRecord } from '../../store/hosting/pull-requests.ts'
import type { AppContext } from '../app-env.ts'
import type { ServerDeps } from '../server-deps.ts'

/** @throws {AppError} `pull_request_not_found`, also if it belongs to another organization. */
export async function findOwn(c: AppContext, { host, store }: ServerDeps, id: string): Promise<PullRequestRecord> {
  const record = await getPullRequest(store.durable, id)
  if (record === null) throw pullRequestNotFound(id)
  const repository = await repositoryOf(host, record)
  if (repository.organizationId !== c.get('organizationId')) throw pullRequestNotFound(id)
  return record
}

export function personOf(c: AppContext): Person {
  const { kind, id, name } = c.get('actor')
  return { id: `${kind}:${id ?? ''}`, name }
}

export function targetOf({ id, title }: { id: string; title: string }) {
  return { kind: 'pull-request', id, name: title }
}

/** Reflects the current state of its branches. */
export async function readResource(c: AppContext, deps: ServerDeps, id: string) {
  const { record } = await reconcilePullRequest(deps.host, id, c.req.raw.signal)
  return toResource(deps, record)
}

export async function toResource({ host }: ServerDeps, record: PullRequestRecord) {
  const repository = await repositoryOf(host, record)
  return {
    ...record,
    repository: repository.name,
    url: pullRequestUrl(host, record),
    draft: record.isDraft,
    head: { branch: record.headBranch, commit: record.headCommit },
    base: { branch: record.baseBranch, commit: record.baseCommit },
    hold: record.state === 'open' ? await findHold(host, record) : null,
  }
}
