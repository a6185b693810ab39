import { ForgeError } from '../../codehost/forge/forge-error.ts'
import type { AgentJobContextRepository } from '../../contract/agent-job.ts'
import { AppError } from '../../contract/app-error.ts'
import { type ContextRepository, listContextRepositories } from '../../store/sites/context-repositories.ts'
import type { AgentDeps } from '../agent-deps.ts'

/** A repository that the agent may read in a round, at the commit that the round began with. */
export interface ContextPin extends AgentJobContextRepository {
  id: string
}

/** Product repositories may be large, but a job must not wait forever for one. */
const fetchMsMax = 5 * 60_000

/**
 * Pins the context repositories of a site to the current tips of their branches. One that cannot be fetched is reported
 * to the model and to people without failing the job.
 *
 * @throws The reason of the signal when that aborts.
 */
export async function pinContexts(
  deps: Pick<AgentDeps, 'store' | 'log' | 'contexts'>,
  siteId: string,
  signal: AbortSignal,
): Promise<ContextPin[]> {
  const contexts = await listContextRepositories(deps.store.durable, { siteId })
  const pins: ContextPin[] = []
  // Sequential, so that a job uses no more network and disk than an indexing run.
  for (const context of contexts) pins.push(await pinContext(deps, context, signal))
  return pins
}

async function pinContext(
  { contexts, log }: Pick<AgentDeps, 'log' | 'contexts'>,
  context: ContextRepository,
  signal: AbortSignal,
): Promise<ContextPin> {
  const { id, name, source } = context
  const pin = { id, name, repository: source.location }
  try {
    const limited = AbortSignal.any([signal, AbortSignal.timeout(fetchMsMax)])
    const { commit } = await contexts.open(context, null, limited)
    return { ...pin, commit, problem: null }
  } catch (error) {
    signal.throwIfAborted()
    log.warn({ error, contextRepositoryId: id }, 'context-repository-not-fetched')
    return { ...pin, commit: null, problem: explain(error) }
  }
}

function explain(error: unknown): string {
  const isTold = error instanceof AppError || error instanceof ForgeError
  return isTold ? error.message : 'could not be fetched; the log of the server says more.'
}
