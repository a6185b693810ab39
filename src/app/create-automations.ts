import { countJobs } from '../access/limits/count-jobs.ts'
import type { AgentDeps } from '../agent/agent-deps.ts'
import { triggerWatchers, type WatchedPlaces } from '../agent/automations/trigger-watchers.ts'
import { listSitesOfBranch } from '../sites/request-syncs-of-branch.ts'
import { listContextRepositoriesOfOrganization } from '../store/sites/context-repositories.ts'
import { queueDriftChecks } from '../store/drift/drift-checks.ts'
import type { Repository } from '../store/hosting/repositories.ts'
import { AutomationWorker } from '../worker/automation-worker.ts'
import type { Foundation } from './foundation.ts'

/** Runs recurring jobs. */
export interface Automations {
  worker: AutomationWorker
  /** Triggers the automations and the checks for drift that follow moved branches. */
  trigger(places: WatchedPlaces): Promise<void>
  /** The same for a branch of the built-in host. */
  noteMove(move: { repository: Repository; branch: string }): Promise<void>
}

export function createAutomations(foundation: Foundation, agent: AgentDeps): Automations {
  const { settings, store, clock, telemetry } = foundation
  const countJob = countJobs({ store, clock, telemetry }, settings.limitJobsPerHour)
  const pollIntervalMs = settings.pollMinutes === 0 ? null : settings.pollMinutes * 60_000
  const worker = new AutomationWorker({ ...agent, countJob, pollIntervalMs })
  const trigger = async (places: WatchedPlaces) => {
    await queueDriftChecks(store.durable, places, clock.now())
    if (await triggerWatchers({ store, clock }, places)) worker.wake()
  }
  return {
    worker,
    trigger,
    async noteMove(move) {
      const { organizationId, name, defaultBranch } = move.repository
      const sites = await listSitesOfBranch(store, move)
      const contexts = await listContextRepositoriesOfOrganization(store.durable, organizationId)
      const moved = contexts.filter(
        ({ source }) =>
          source.kind === 'builtin' && source.location === name && (source.ref ?? defaultBranch) === move.branch,
      )
      await trigger({ siteIds: sites.map(({ id }) => id), contextIds: moved.map(({ id }) => id) })
    },
  }
}
