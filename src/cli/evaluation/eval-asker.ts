import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { readServerAddress, type ServerAddress } from '../../app/data-folder.ts'
import { demoFolder } from '../../app/demo-folder.ts'
import { requireInstallation } from '../../app/require-installation.ts'
import { type RunningServer, runServer } from '../../app/run-server.ts'
import type { Client } from '../../client/create-client.ts'
import { readEnvironment } from '../../config/read-environment.ts'
import type { Settings } from '../../config/settings.ts'
import { AppError } from '../../contract/app-error.ts'
import { errorBodySchema } from '../../contract/error-body.ts'
import { silentLog } from '../../telemetry/log.ts'
import { readText } from '../ask.ts'
import { createServerClient, findServer } from '../connect.ts'
import type { GivenAnswer } from './score-answer.ts'
import { readGivenAnswer } from './read-given-answer.ts'

export interface AskedQuestion {
  question: string
  /** Of the documentation; absent or null for the one shown by default. */
  version?: string | null
  /** The page that the reader is on. */
  currentPath?: string | undefined
}

/** Asks the assistant over HTTP, as readers do. */
export interface AnswerAsker {
  /** Slug of the site. */
  site: string
  ask(asked: AskedQuestion): Promise<GivenAnswer>
  /** Revokes the key, deletes the conversations and stops the server that it started. */
  close(): Promise<void>
}

interface AskerInput {
  /** Documentation to ask about, read in place; null for a site of the installation. */
  siteFolder: string | null
  site: string | undefined
  onProgress(text: string): void
}

const defaultSite = 'docs'
const pollMs = 100
/** Longer than any answer may take. */
const answerLimitMs = 320_000

/**
 * Connects to the server running on this data folder, or starts one. A documentation folder always gets its own server
 * on a temporary data folder, with the configured models.
 */
export async function openAnswerAsker(input: AskerInput): Promise<AnswerAsker> {
  const { siteFolder, onProgress } = input
  const settings = readEnvironment()
  if (siteFolder !== null && input.site !== undefined) {
    throw new AppError('invalid_request', `Leave out --site: the questions are about ${siteFolder}.`)
  }
  const running = siteFolder === null ? await findServer(settings) : null
  const started = running === null ? await startServer(settings, siteFolder) : null
  const address = running ?? (await readAddress(started))
  try {
    const asker = await openSite(address, siteFolder === null ? input.site : defaultSite, onProgress)
    const close = async () => {
      await asker.close()
      await started?.stop()
    }
    return { ...asker, close }
  } catch (error) {
    await started?.stop()
    throw error
  }
}

async function readAddress(started: RunningServer | null): Promise<ServerAddress> {
  const address = started === null ? null : await readServerAddress(started.service.folder)
  if (address === null) throw new Error('The server started for the questions has stopped. Run the command again.')
  return address
}

/** Starts a server for the duration of the command. */
async function startServer(settings: Settings, siteFolder: string | null): Promise<RunningServer> {
  const here = { ...settings, host: '127.0.0.1', port: 0, baseUrl: undefined }
  if (siteFolder === null) {
    await requireInstallation(settings)
    return runServer({ settings: here, log: silentLog, demoFolder, firstStart: { kind: 'refuse' } })
  }
  const dataFolder = await mkdtemp(join(tmpdir(), 'docent-eval-'))
  const remove = () => rm(dataFolder, { recursive: true, force: true })
  const own = { ...here, dataFolder, databaseUrl: undefined, secretKey: randomBytes(32).toString('hex') }
  const server = await runServer({
    settings: own,
    log: silentLog,
    demoFolder: siteFolder,
    readsDemoInPlace: true,
  }).catch(async (error: unknown) => {
    await remove()
    throw error
  })
  const stop = async () => {
    await server.stop()
    await remove()
  }
  return { ...server, stop }
}

async function openSite(
  { url, token }: ServerAddress,
  wanted: string | undefined,
  onProgress: (text: string) => void,
): Promise<AnswerAsker> {
  const client = createServerClient({ url, token })
  const site = wanted ?? (await chooseSite(client))
  await waitForIndex(client, site, onProgress)
  const key = await client.createKey({
    body: { kind: 'assistant', name: 'docent eval answers', siteId: site, expiresInDays: 7 },
  })
  const threadIds = new Set<string>()
  return {
    site,
    ask: (asked) => ask({ url, site, key: key.secret, onThread: (id) => threadIds.add(id) }, asked),
    async close() {
      for (const id of threadIds) await client.deleteThread({ params: { id: site, threadId: id } })
      await client.revokeKey({ params: { id: key.id } })
    },
  }
}

async function chooseSite(client: Client): Promise<string> {
  const { items } = await client.listSites()
  const [only] = items
  return items.length === 1 && only !== undefined ? only.slug : defaultSite
}

async function waitForIndex(client: Client, slug: string, onProgress: (text: string) => void): Promise<void> {
  for (let round = 0; ; round++) {
    const { generation, run } = await client.getSite({ params: { id: slug } })
    if (generation !== null) return
    if (run?.state === 'failed') throw new Error(`The site ${slug} could not be indexed: ${run.failure ?? 'no reason'}`)
    if (round === 0) onProgress(`Indexing the site ${slug} …`)
    await wait(pollMs)
  }
}

interface AskDeps {
  url: string
  site: string
  key: string
  onThread(id: string): void
}

async function ask(
  { url, site, key, onThread }: AskDeps,
  { question, version = null, currentPath }: AskedQuestion,
): Promise<GivenAnswer> {
  const response = await fetch(`${url}/discovery/v2/assistant/${encodeURIComponent(site)}/message`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      fp: 'docent-eval',
      messages: [{ role: 'user', parts: [{ type: 'text', text: question }] }],
      ...(version !== null && { filter: { version } }),
      currentPath,
    }),
    signal: AbortSignal.timeout(answerLimitMs),
  })
  if (!response.ok || response.body === null) {
    const { code, error } = errorBodySchema.parse(await response.json())
    throw new AppError(code, error)
  }
  const threadId = response.headers.get('x-thread-id')
  if (threadId !== null) onThread(threadId)
  return readGivenAnswer(readText(response.body), question)
}
