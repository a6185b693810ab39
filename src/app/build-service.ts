import { parseTrustedProxies } from '../access/client-address.ts'
import { KeyDirectory } from '../access/key-directory.ts'
import { KeyPressure } from '../access/key-pressure.ts'
import { ReaderSessions } from '../access/reader-sessions.ts'
import { OutageCounts } from '../access/outage-counts.ts'
import type { PasswordCost } from '../access/password-hasher.ts'
import { GitServing } from '../git/serve-git.ts'
import type { ChatModel } from '../models/chat-model.ts'
import { createAnswerGate } from '../server/create-gate.ts'
import { createServer, type DocentServer } from '../server/create-server.ts'
import type { Lifecycle } from '../server/lifecycle.ts'
import { noteInstallation } from '../store/installation-state.ts'
import type { Store } from '../store/store.ts'
import { WriteProbe } from '../store/write-probe.ts'
import { createAccountParts } from './account-parts.ts'
import { type AgentParts, createAgentParts } from './agent-parts.ts'
import { type AnswerParts, createAnswerParts } from './answer-parts.ts'
import { type AutomationParts, createAutomationParts } from './automation-parts.ts'
import type { DataFolder } from './data-folder.ts'
import { moveDemoSite } from './demo-repository.ts'
import { type FirstStart, makeFirstStart } from './first-start.ts'
import { type Foundation, type FoundationInput, openFoundation } from './foundation.ts'
import { createInsightParts, type InsightParts, tellAnswers } from './insight-parts.ts'
import { listSourceFolders } from './list-source-folders.ts'
import { createMetricsParts } from './metrics-parts.ts'
import { createSiteParts, type SiteParts } from './site-parts.ts'
import { createWebhookParts, type WebhookParts } from './webhook-parts.ts'

export interface BuildServiceInput extends FoundationInput {
  /** The token of commands on this machine. */
  localToken: string
  demoFolder: string
  /** Reads the demo where it lies instead of importing it, in tests and benchmarks that change it. */
  readsDemoInPlace?: boolean
  /** Instead of the model that the settings name, in tests and benchmarks. */
  model?: ChatModel
  /** Instead of what hashes of passwords cost, in tests that make hundreds. */
  passwordCost?: PasswordCost
}

/** What a process does of it all. Those that do not do everything share a PostgreSQL database. */
export type ServiceRole = 'all' | 'serve' | 'work'

/** Everything of one process, wired. Nothing runs yet: see `start`. */
export interface Service {
  server: DocentServer
  lifecycle: Lifecycle
  store: Store
  folder: DataFolder
  /** What the first start made; null on every other. */
  firstStart: FirstStart | null
  /** Takes up what falls to the role: work, requests, or both. */
  start(role: ServiceRole): Promise<void>
  /** Answers requests, and takes up work only when a request asks for some: for one command without a server. */
  open(): void
  /** Stops taking up work and lets go of everything. Answers must have ended. */
  close(): Promise<void>
}

/**
 * Builds the service out of its settings: with the files beside this one, the only place that makes parts and hands
 * them to each other.
 *
 * @throws {Error} with a sentence, when the data folder or the database cannot be used; nothing is left open then.
 */
export async function buildService(input: BuildServiceInput): Promise<Service> {
  const foundation = await openFoundation(input)
  try {
    return await wireService(input, foundation)
  } catch (error) {
    await foundation.store.close()
    throw error
  }
}

async function wireService(input: BuildServiceInput, foundation: Foundation): Promise<Service> {
  const { store, folder } = foundation
  const answerParts = await createAnswerParts(foundation, input.model)
  const firstStart = await prepareFirstSite(input, foundation)
  await noteInstallation(store, folder.path)
  const siteParts = await createSiteParts(foundation)
  let worksOnDemand = false
  const agent = await createAgentParts({
    ...foundation,
    ...siteParts,
    readSettings: () => answerParts.liveModels.stored.read(),
    folder: folder.path,
    wakeWorker: () => {
      if (worksOnDemand) agent.worker.start()
      agent.worker.wake()
    },
  })
  const { lifecycle } = answerParts
  const writeProbe = new WriteProbe({ ...foundation, folder: folder.path })
  const insights = createInsightParts(foundation, {
    answers: answerParts.answers,
    sites: siteParts.sites,
    openHost: agent.deps.openHost,
    writeProbe,
  })
  siteParts.onPublished(() => insights.gaps.wake())
  const automations = createAutomationParts(foundation, agent.deps)
  siteParts.onBranchMoved((move) => automations.noteMove(move))
  const { hasten: hastenAutomations } = automations
  const webhooks = createWebhookParts(foundation, { agent: agent.deps, wake: siteParts.wake, hastenAutomations })
  const metrics = createMetricsParts(foundation, lifecycle)
  return {
    server: createServerOf(input, foundation, {
      answerParts,
      siteParts,
      agent,
      insights,
      webhooks,
      automations,
      writeProbe,
    }),
    lifecycle,
    store,
    folder,
    firstStart,
    async start(role) {
      await metrics.start(role)
      if (role !== 'work') {
        siteParts.serve()
        lifecycle.serve()
      }
      if (role === 'serve') return
      await siteParts.start()
      agent.worker.start()
      webhooks.start()
      automations.worker.start()
      insights.gaps.start()
    },
    open() {
      worksOnDemand = true
      siteParts.workOnDemand()
      lifecycle.serve()
    },
    async close() {
      await automations.worker.stop()
      await Promise.all([siteParts.stop(), agent.worker.stop(), agent.pullRequests.stop(), webhooks.stop()])
      await insights.gaps.stop()
      await answerParts.close()
      await insights.close()
      await siteParts.close()
      await metrics.close()
      await store.close()
      await foundation.telemetry.tracer?.close()
    },
  }
}

async function prepareFirstSite(
  { demoFolder, readsDemoInPlace = false }: BuildServiceInput,
  foundation: Foundation,
): Promise<FirstStart | null> {
  const making = { ...foundation, repositoryFolder: foundation.folder.repositories }
  const firstStart = await makeFirstStart(making, foundation.settings, { demoFolder, readsDemoInPlace })
  if (firstStart === null && !readsDemoInPlace) await moveDemoSite(making, demoFolder)
  return firstStart
}

function createReaderSessions(foundation: Foundation): { pressure: KeyPressure; readerSessions: ReaderSessions } {
  const pressure = new KeyPressure(foundation.clock)
  const signingKey = foundation.deriveKey('reader-sessions')
  return { pressure, readerSessions: new ReaderSessions({ ...foundation, pressure, signingKey }) }
}

interface RequestParts {
  answerParts: AnswerParts
  siteParts: SiteParts
  agent: AgentParts
  insights: InsightParts
  webhooks: WebhookParts
  automations: AutomationParts
  writeProbe: WriteProbe
}

function createServerOf(
  { localToken, passwordCost }: BuildServiceInput,
  foundation: Foundation,
  { answerParts, siteParts, agent, insights, webhooks, automations, writeProbe }: RequestParts,
): DocentServer {
  const { settings, store, clock } = foundation
  const { liveModels, streams, lifecycle } = answerParts
  const { dashboardEvents, operations } = insights
  const writes = tellAnswers(answerParts.answers.writes, () => dashboardEvents.wake())
  const answers = { ...answerParts.answers, writes }
  const { sites, host, forges, removeSite, wake } = siteParts
  return createServer({
    ...foundation,
    host,
    forges,
    webhookKey: foundation.deriveKey('webhooks'),
    webhookSecrets: webhooks.secrets,
    wakeWebhooks: webhooks.wake,
    wakeAutomations: () => automations.worker.wake(),
    allowsPrivateAddresses: settings.allowPrivateAddresses,
    sourceFolders: listSourceFolders(settings),
    agent: agent.deps,
    pullRequests: agent.pullRequests,
    gitServing: new GitServing(),
    ...createReaderSessions(foundation),
    outageCounts: new OutageCounts(clock),
    answerGate: createAnswerGate(settings.answersAtOnce),
    allowsDefaultBranchPush: settings.pushToDefaultBranch,
    keys: new KeyDirectory(store, clock),
    ...createAccountParts(foundation, passwordCost),
    sites,
    answers,
    modelSettings: liveModels.stored,
    forgetModels: () => liveModels.forget(),
    streams,
    masksStored: settings.maskStored,
    lifecycle,
    writeProbe,
    dashboardEvents,
    operations,
    removeSite,
    wakeWorker: wake,
    localToken,
    trustedProxies: parseTrustedProxies(settings.trustProxy),
    limits: {
      keyPerMonth: settings.limitKeyPerMonth,
      organizationPerHour: settings.limitOrgPerHour,
      addressPerDay: settings.limitIpPerDay,
      prefixPerMinute: settings.limitPrefixPerMinute,
      prefixPerDay: settings.limitPrefixPerDay,
      searchPerHour: settings.limitSearchPerHour,
      jobsPerHour: settings.limitJobsPerHour,
    },
  })
}
