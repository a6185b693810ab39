import { countJobs } from '../access/limits/count-jobs.ts'
import type { AgentDeps } from '../agent/agent-deps.ts'
import type { AnswerDeps } from '../assistant/answer-question.ts'
import type { WebhookHandlerDeps } from '../agent/handle-webhook-event.ts'
import { createGuardedFetch } from '../base/guarded-fetch.ts'
import { createMailer } from '../hand-overs/send-mail.ts'
import { traceFetch } from '../telemetry/trace-fetch.ts'
import { WebhookSecrets } from '../webhooks/webhook-secrets.ts'
import { CompareThread } from '../agent/counterfactual/compare-thread.ts'
import { DriftThread } from '../agent/drift/drift-thread.ts'
import type { BuiltinHostDeps } from '../codehost/builtin/builtin-host-deps.ts'
import { openSourceHost } from '../codehost/open-source-host.ts'
import { ComparisonWorker } from '../worker/comparison-worker.ts'
import { DriftWorker } from '../worker/drift-worker.ts'
import { HandOverSender } from '../worker/hand-over-sender.ts'
import { WebhookSender } from '../worker/webhook-sender.ts'
import { WebhookWorker } from '../worker/webhook-worker.ts'
import type { Foundation } from './foundation.ts'

export interface CreateWebhooksInput {
  agent: AgentDeps
  answers: AnswerDeps
  /** Wakes the worker for the site. */
  wake(siteId: string): void
  triggerAutomations: WebhookHandlerDeps['triggerAutomations']
  host: BuiltinHostDeps
}

/** Handles received webhooks, and sends our own and messages of readers. */
export interface Webhooks {
  secrets: WebhookSecrets
  /** Wakes the workers. */
  wake(): void
  /** Starts the workers. */
  start(): void
  stop(): Promise<void>
}

export function createWebhooks(
  foundation: Foundation,
  { agent, answers, wake, triggerAutomations, host }: CreateWebhooksInput,
): Webhooks {
  const { settings, store, clock, log, deriveKey, randomBytes, telemetry } = foundation
  const secrets = new WebhookSecrets(deriveKey('webhook-endpoints'), randomBytes)
  const countFollowUp = countJobs({ store, clock, telemetry }, settings.limitJobsPerHour)
  const { agentMention } = settings
  const answerKey = deriveKey('comment-answers')
  const handling = { ...agent, answerKey, telemetry, agentMention, countFollowUp, wakeSync: wake, triggerAutomations }
  const worker = new WebhookWorker(handling)
  const fetch = traceFetch(createGuardedFetch({ allowsPrivateAddresses: settings.allowPrivateAddresses }))
  const sender = new WebhookSender({
    store,
    clock,
    log,
    secrets,
    fetch,
    telemetry,
    random: foundation.modelDeps.random,
  })
  const sendMail = createMailer(settings.smtpUrl, settings.mailFrom)
  const handOvers = new HandOverSender({ store, clock, log, telemetry, openHost: agent.openHost, sendMail })
  const thread = new CompareThread()
  const comparisons = new ComparisonWorker({
    ...agent,
    telemetry,
    thread,
    indexFolder: foundation.folder.indexes,
    parsedFolder: foundation.folder.parsed,
    markKey: deriveKey('comparisons'),
    openModel: async (site) => {
      const { openSiteModel } = await import('../worker/open-site-model.ts')
      return openSiteModel({ answers, sites: agent.sites, log }, site)
    },
  })
  const driftThread = new DriftThread()
  const drift = new DriftWorker({
    ...agent,
    telemetry,
    thread: driftThread,
    driftFolder: foundation.folder.drift,
    countJob: countFollowUp,
    markKey: deriveKey('drift'),
    pollIntervalMs: settings.pollMinutes === 0 ? null : settings.pollMinutes * 60_000,
    openProductHost: async (context) =>
      (await openSourceHost(host, context.source)) ?? agent.contexts.openForgeHost(context),
  })
  const workers = [worker, sender, handOvers, comparisons, drift]
  return {
    secrets,
    wake() {
      for (const each of workers) each.wake()
    },
    start() {
      for (const each of workers) each.start()
    },
    async stop() {
      await Promise.all(workers.map((each) => each.stop()))
      await Promise.all([thread.close(), driftThread.close()])
    },
  }
}
