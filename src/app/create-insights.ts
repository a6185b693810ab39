import { countJobs } from '../access/limits/count-jobs.ts'
import type { AgentDeps } from '../agent/agent-deps.ts'
import type { AnswerDeps } from '../assistant/answer-question.ts'
import { createMailer } from '../hand-overs/send-mail.ts'
import { AgentsSeen } from '../insights/agents-seen.ts'
import { ClusterThread } from '../insights/cluster-thread.ts'
import { DashboardEvents } from '../insights/dashboard-events.ts'
import { ErrorCounts } from '../insights/error-counts.ts'
import { HealthReader } from '../insights/read-health.ts'
import { nameModel, offlineModelId } from '../contract/model-providers.ts'
import { describeDatabaseFault } from '../store/database-error.ts'
import { createNotices } from '../store/streams/notices.ts'
import type { WriteProbe } from '../store/write-probe.ts'
import type { WriteGroup } from '../store/write-group.ts'
import { DigestWorker } from '../worker/digest-worker.ts'
import { SuiteWorker } from '../worker/suite-worker.ts'
import { GapWorker } from '../worker/gap-worker.ts'
import type { Foundation } from './foundation.ts'

/** What the dashboard shows besides sites, keys and jobs. */
export interface Insights {
  clusters: ClusterThread
  dashboardEvents: DashboardEvents
  agentsSeen: AgentsSeen
  operations: { health: HealthReader; errors: ErrorCounts; startedAt: number }
  gaps: GapWorker
  suites: SuiteWorker
  digests: DigestWorker
  /** Stores the counts so far; requests must have ended. */
  close(): Promise<void>
}

export interface CreateInsightsInput {
  answers: AnswerDeps
  agent: AgentDeps
  writeProbe: WriteProbe
}

export async function createInsights(
  foundation: Foundation,
  { answers, agent, writeProbe }: CreateInsightsInput,
): Promise<Insights> {
  const { settings, store, clock, log, folder, owner } = foundation
  const notices = await createNotices({ store, log, databaseUrl: settings.databaseUrl, sender: owner })
  const dashboardEvents = new DashboardEvents({ store, clock, log, notices })
  const clusters = new ClusterThread()
  const countJob = countJobs(foundation, settings.limitJobsPerHour)
  const errors = new ErrorCounts({ store, clock, log })
  const health = new HealthReader({
    store,
    clock,
    dataFolder: folder.path,
    indexFolder: folder.indexes,
    embeddingModel: settings.embeddingModel ?? null,
    readModelName: async () => nameModel((await answers.models()).answering),
    offlineModelId,
    findIndexFault: (siteId) => agent.sites.findIndexFault(siteId),
    listSealedFaults: foundation.listLostSecrets,
    readWriteFault: async () => {
      const fault = await writeProbe.read()
      return fault === null ? null : describeDatabaseFault(fault)
    },
  })
  const { writes } = answers
  return {
    clusters,
    dashboardEvents,
    agentsSeen: new AgentsSeen({ ...foundation, writes, masksStored: settings.maskStored }),
    operations: { health, errors, startedAt: clock.now() },
    digests: new DigestWorker({ ...foundation, clusters, sendMail: createMailer(settings.smtpUrl, settings.mailFrom) }),
    suites: new SuiteWorker({ answers, sites: agent.sites, log }),
    gaps: new GapWorker({ ...agent, clusters, answers, countJob, masksStored: settings.maskStored }),
    async close() {
      dashboardEvents.close()
      await clusters.close()
      await notices.close()
      await errors.flush()
    },
  }
}

/** Wakes dashboards once an answer is stored. */
export function announceAnswers(writes: WriteGroup, wake: () => void): WriteGroup {
  return {
    ...writes,
    async add(record) {
      await writes.add(record)
      wake()
    },
  }
}
