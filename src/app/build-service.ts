import { parseTrustedProxies } from '../access/client-address.ts'
import { KeyDirectory } from '../access/key-directory.ts'
import { GitServing } from '../git/serve-git.ts'
import type { ChatModel } from '../models/chat-model.ts'
import { createServer, type DocentServer } from '../server/create-server.ts'
import type { Lifecycle } from '../server/lifecycle.ts'
import type { Store } from '../store/store.ts'
import { type AgentParts, createAgentParts } from './agent-parts.ts'
import { type AnswerParts, createAnswerParts } from './answer-parts.ts'
import type { DataFolder } from './data-folder.ts'
import { moveDemoSite } from './demo-repository.ts'
import { type FirstStart, makeFirstStart } from './first-start.ts'
import { type Foundation, type FoundationInput, openFoundation } from './foundation.ts'
import { createSiteParts, type SiteParts } from './site-parts.ts'

export interface BuildServiceInput extends FoundationInput {
  /** The token of commands on this machine. */
  localToken: string
  demoFolder: string
  /** Reads the demo where it lies instead of importing it, in tests and benchmarks that change it. */
  readsDemoInPlace?: boolean
  /** Instead of the model that the settings name, in tests and benchmarks. */
  model?: ChatModel
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
  return {
    server: createServerOf(input, foundation, { answerParts, siteParts, agent }),
    lifecycle,
    store,
    folder,
    firstStart,
    async start(role) {
      if (role !== 'work') lifecycle.serve()
      if (role === 'serve') return
      await siteParts.start()
      agent.worker.start()
    },
    open() {
      worksOnDemand = true
      siteParts.workOnDemand()
      lifecycle.serve()
    },
    async close() {
      await Promise.all([siteParts.stop(), agent.worker.stop()])
      await answerParts.close()
      await siteParts.close()
      await store.close()
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

interface RequestParts {
  answerParts: AnswerParts
  siteParts: SiteParts
  agent: AgentParts
}

function createServerOf(
  { localToken }: BuildServiceInput,
  foundation: Foundation,
  { answerParts, siteParts, agent }: RequestParts,
): DocentServer {
  const { settings, store, clock } = foundation
  const { answers, liveModels, streams, lifecycle } = answerParts
  const { sites, host, removeSite, wake } = siteParts
  return createServer({
    ...foundation,
    host,
    agent: agent.deps,
    gitServing: new GitServing(),
    allowsDefaultBranchPush: settings.pushToDefaultBranch,
    keys: new KeyDirectory(store, clock),
    sites,
    answers,
    modelSettings: liveModels.stored,
    forgetModels: () => liveModels.forget(),
    streams,
    masksStored: settings.maskStored,
    lifecycle,
    removeSite,
    wakeWorker: wake,
    localToken,
    trustedProxies: parseTrustedProxies(settings.trustProxy),
    limits: {
      keyPerMonth: settings.limitKeyPerMonth,
      organizationPerHour: settings.limitOrgPerHour,
      addressPerDay: settings.limitIpPerDay,
      searchPerHour: settings.limitSearchPerHour,
      jobsPerHour: settings.limitJobsPerHour,
    },
  })
}
