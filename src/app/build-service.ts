import { parseTrustedProxies } from '../access/client-address.ts'
import { KeyDirectory } from '../access/keys/key-directory.ts'
import { PageKeys } from '../access/keys/page-keys.ts'
import { ReaderSessions } from '../access/readers/reader-sessions.ts'
import { ReceiptSigner } from '../assistant/receipts/receipt-signer.ts'
import type { AnswerDeps } from '../assistant/answer-question.ts'
import { OutageCounts } from '../access/limits/outage-counts.ts'
import type { PasswordCost } from '../access/sign-in/password-hasher.ts'
import { GitServing } from '../git/remotes/serve-git.ts'
import type { ChatModel } from '../models/chat-model.ts'
import { BodyPlaces } from '../server/bodies/body-places.ts'
import { createAnswerGate } from '../server/create-gate.ts'
import type { DocentServer } from '../server/app-env.ts'
import { createServer } from '../server/create-server.ts'
import type { Lifecycle } from '../server/lifecycle.ts'
import { recordInstallation } from '../store/installation-state.ts'
import { isFirstStartDone } from '../store/installation.ts'
import type { Store } from '../store/store.ts'
import { WriteProbe } from '../store/write-probe.ts'
import { createSignInMethods } from './sign-in-methods.ts'
import { type Agent, createAgent } from './create-agent.ts'
import { type Assistant, createAssistant } from './create-assistant.ts'
import { type Automations, createAutomations } from './create-automations.ts'
import type { DataFolder } from './data-folder.ts'
import { moveDemoSite } from './demo-repository.ts'
import { CheckThread } from '../agent/checks/check-thread.ts'
import { type Bots, createBots } from './create-bots.ts'
import { type FirstStart, makeFirstStart } from './first-start.ts'
import { releaseMemory, processMemory } from './release-memory.ts'
import { type Foundation, type FoundationInput, openFoundation } from './foundation.ts'
import { createInsights, type Insights, announceAnswers } from './create-insights.ts'
import { listSourceFolders } from './list-source-folders.ts'
import { createMetricsEndpoint } from './create-metrics-endpoint.ts'
import { NoInstallationError } from './require-installation.ts'
import { IndexProcesses } from '../sites/indexing/index-processes.ts'
import { createSites, type Sites } from './create-sites.ts'
import { waitForFirstStart } from './wait-for-first-start.ts'
import { createWebhooks, type Webhooks } from './create-webhooks.ts'

/**
 * What a process does about the first start. Only servers perform it, because the keys and the owner's link are printed
 * once, and people look for them in a server's output.
 */
export type FirstStartDuty =
  /** `announce` is called immediately, so that a later failure cannot lose the keys. */
  | { kind: 'make'; announce?: (made: FirstStart, baseUrl: string) => void }
  | { kind: 'wait'; signal: AbortSignal }
  | { kind: 'refuse' }

export interface BuildServiceInput extends FoundationInput {
  firstStart: FirstStartDuty
  /** The token of commands on this machine. */
  localToken: string
  demoFolder: string
  /** Reads the demo in place instead of importing it, for tests and benchmarks that change it. */
  readsDemoInPlace?: boolean
  /** Replaces the configured model in tests and benchmarks. */
  model?: ChatModel
  /** Shared by the services of a test process, because starting one takes longer than most tests. */
  indexProcesses?: Pick<IndexProcesses, 'run' | 'close'>
  /** Replaces the cost of password hashes in tests that create hundreds. */
  passwordCost?: PasswordCost
}

/** What a process does. Roles other than `all` require PostgreSQL. */
export type ServiceRole = 'all' | 'serve' | 'work'

/** All parts of one process, wired but not running: see `start`. */
export interface Service {
  server: DocentServer
  lifecycle: Lifecycle
  store: Store
  folder: DataFolder
  /** What this process created at the first start; null otherwise. */
  firstStart: FirstStart | null
  /** Notes for operators on what the models may cost. */
  spendingNotes: readonly string[]
  /** Starts work, requests, or both, depending on the role. */
  start(role: ServiceRole): Promise<void>
  /** Serves requests, and works only on what they ask for: for a command without a server. */
  open(): void
  /** Lets all workers look for work now, for tests, which would otherwise wait until they poll. */
  wakeWorkers(): void
  /** Stops the workers and releases all resources. Answers must have ended. */
  close(): Promise<void>
}

/**
 * Builds the service from its settings. This folder is the only place that creates the service's objects and passes
 * them to each other.
 *
 * @throws {NoInstallationError} before the first start, in a process that does not perform it.
 * @throws {Error} a sentence, if the data folder or the database cannot be used; then nothing stays open.
 */
export async function buildService(input: BuildServiceInput): Promise<Service> {
  const foundation = await openFoundation(input)
  const service = await awaitInstallation(input, foundation)
    .then(() => wireService(input, foundation))
    .catch(async (error: unknown) => {
      await foundation.store.close()
      throw error
    })
  try {
    // Last, so that an unusable model in the settings cannot lose the keys.
    const firstStart = await prepareFirstSite(input, foundation)
    await recordInstallation(service.store, service.folder.path)
    return { ...service, firstStart }
  } catch (error) {
    await service.close()
    throw error
  }
}

async function awaitInstallation({ firstStart: duty }: BuildServiceInput, foundation: Foundation): Promise<void> {
  if (duty.kind === 'make') return
  if (duty.kind === 'wait') await waitForFirstStart(foundation, duty.signal)
  if (!(await isFirstStartDone(foundation.store.durable))) throw new NoInstallationError(foundation.settings)
}

async function wireService(input: BuildServiceInput, foundation: Foundation): Promise<Omit<Service, 'firstStart'>> {
  const { store, folder } = foundation
  const assistant = await createAssistant(foundation, input.model)
  const siteServices = await createSites(foundation, input.indexProcesses ?? new IndexProcesses())
  let worksOnDemand = false
  const agent = await createAgent({
    ...foundation,
    ...siteServices,
    readSettings: () => assistant.liveModels.stored.read(),
    folder: folder.path,
    wakeWorker: () => {
      if (worksOnDemand) agent.worker.start()
      agent.worker.wake()
    },
  })
  const { lifecycle } = assistant
  const writeProbe = new WriteProbe({ ...foundation, folder: folder.path })
  const insights = await createInsights(foundation, {
    answers: assistant.answers,
    agent: agent.deps,
    writeProbe,
  })
  siteServices.onPublished(() => {
    insights.gaps.wake()
    insights.suites.wake()
    webhooks.wake()
  })
  const automations = createAutomations(foundation, agent.deps)
  const { trigger: triggerAutomations } = automations
  const webhooks = createWebhooks(foundation, {
    agent: agent.deps,
    answers: assistant.answers,
    wake: siteServices.wake,
    triggerAutomations,
    host: siteServices.host,
  })
  siteServices.onBranchMoved(async (move) => {
    await automations.noteMove(move)
    webhooks.wake()
  })
  const answers = withAnnouncedAnswers(assistant, insights)
  // Public pages start it: it ends soon, and takes less time than the checks of jobs.
  const pageChecks = new CheckThread(20_000, 60_000)
  const bots = createBots(foundation, answers, siteServices.sites)
  const metrics = createMetricsEndpoint(foundation, lifecycle)
  const services = {
    assistant,
    siteServices,
    agent,
    insights,
    webhooks,
    automations,
    answers,
    bots,
    writeProbe,
    pageChecks,
  }
  let endGivingBack = () => {}
  return {
    server: createServerOf(input, foundation, services),
    lifecycle,
    store,
    folder,
    spendingNotes: assistant.liveModels.spendingNotes,
    async start(role) {
      endGivingBack = releaseMemory(processMemory())
      await metrics.start(role)
      if (role !== 'work') {
        siteServices.serve()
        lifecycle.serve()
      }
      if (role === 'serve') return
      await siteServices.start()
      agent.worker.start()
      webhooks.start()
      automations.worker.start()
      bots.worker.start()
      insights.gaps.start()
      insights.suites.start()
      insights.digests.start()
    },
    open() {
      worksOnDemand = true
      siteServices.workOnDemand()
      lifecycle.serve()
    },
    wakeWorkers() {
      for (const worker of [agent.worker, webhooks, automations.worker, bots.worker, insights.digests]) worker.wake()
    },
    async close() {
      endGivingBack()
      await automations.worker.stop()
      await Promise.all([siteServices.stop(), agent.worker.stop(), agent.pullRequests.stop(), webhooks.stop()])
      await Promise.all([bots.worker.stop(), pageChecks.close()])
      await insights.gaps.stop()
      await insights.digests.stop()
      // Before the writes of answers end, because what agents missed is stored by them.
      await insights.agentsSeen.flush()
      await insights.suites.stop()
      await assistant.close()
      await insights.close()
      await siteServices.close()
      await metrics.close()
      await store.close()
      await foundation.telemetry.tracer?.close()
    },
  }
}

async function prepareFirstSite(
  { firstStart: duty, demoFolder, readsDemoInPlace = false }: BuildServiceInput,
  foundation: Foundation,
): Promise<FirstStart | null> {
  const making = { ...foundation, repositoryFolder: foundation.folder.repositories }
  if (duty.kind === 'make') {
    const made = await makeFirstStart(making, foundation.settings, { demoFolder, readsDemoInPlace })
    if (made !== null) {
      duty.announce?.(made, foundation.baseUrl)
      return made
    }
  }
  if (!readsDemoInPlace) await moveDemoSite(making, demoFolder)
  return null
}

/** Dashboards hear of new answers. */
function withAnnouncedAnswers({ answers }: Assistant, { dashboardEvents }: Insights): AnswerDeps {
  return { ...answers, writes: announceAnswers(answers.writes, () => dashboardEvents.wake()) }
}

interface ServerInput {
  assistant: Assistant
  siteServices: Sites
  agent: Agent
  insights: Insights
  webhooks: Webhooks
  automations: Automations
  answers: AnswerDeps
  bots: Bots
  writeProbe: WriteProbe
  pageChecks: CheckThread
}

function createServerOf(
  { localToken, passwordCost }: BuildServiceInput,
  foundation: Foundation,
  services: ServerInput,
): DocentServer {
  const { settings, store, clock } = foundation
  const { liveModels, streams, lifecycle } = services.assistant
  const { clusters, dashboardEvents, agentsSeen, operations } = services.insights
  const { sites, host, forges, removeSite, wake } = services.siteServices
  return createServer({
    ...foundation,
    host,
    forges,
    webhookKey: foundation.deriveKey('webhooks'),
    receiptSigner: new ReceiptSigner(foundation.deriveKey('receipts')),
    webhookSecrets: services.webhooks.secrets,
    agentMention: settings.agentMention,
    wakeWebhooks: services.webhooks.wake,
    bots: services.bots.access,
    wakeAutomations: () => services.automations.worker.wake(),
    allowsPrivateAddresses: settings.allowPrivateAddresses,
    sourceFolders: listSourceFolders(settings),
    agent: services.agent.deps,
    pageChecks: services.pageChecks,
    pullRequests: services.agent.pullRequests,
    gitServing: new GitServing(),
    readerSessions: new ReaderSessions({ ...foundation, signingKey: foundation.deriveKey('reader-sessions') }),
    outageCounts: new OutageCounts(),
    answerGate: createAnswerGate(settings.answersAtOnce),
    bodyPlaces: new BodyPlaces(clock),
    questionThread: services.assistant.questionThread,
    allowsDefaultBranchPush: settings.pushToDefaultBranch,
    contentSignals: settings.contentSignals,
    keys: new KeyDirectory(store, clock),
    pageKeys: new PageKeys({ ...foundation, signingKey: foundation.deriveKey('page-keys') }),
    ...createSignInMethods(foundation, passwordCost),
    sites,
    answers: services.answers,
    modelSettings: liveModels.stored,
    forgetModels: () => liveModels.forget(),
    openForCheck: (id) => liveModels.openForCheck(id),
    streams,
    masksStored: settings.maskStored,
    lifecycle,
    clusters,
    writeProbe: services.writeProbe,
    dashboardEvents,
    agentsSeen,
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
