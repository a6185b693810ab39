import { randomBytes } from 'node:crypto'
import type { Service } from '../app/build-service.ts'
import { locateDataFolder, readServerAddress, type ServerAddress } from '../app/data-folder.ts'
import { demoFolder } from '../app/demo-folder.ts'
import { type Client, createClient, type Send } from '../client/create-client.ts'
import { readEnvironment } from '../config/read-environment.ts'
import type { Settings } from '../config/settings.ts'
import { allOperations } from '../contract/operations/all-operations.ts'
import type { Output } from './output.ts'

/** Access to the service for a command. */
export interface Connection {
  client: Client
  close(): Promise<void>
}

const pingTimeoutMs = 2_000

/**
 * Connects to the server running on this data folder. If none runs, opens the database and serves the same requests in
 * this process, so commands need not care. Syncs nothing beyond what the command requests.
 *
 * @throws {NoInstallationError} Commands never perform the first start, and leave no file behind without one.
 */
async function connect(): Promise<Connection> {
  const settings = readEnvironment()
  const address = await findServer(settings)
  if (address !== null) {
    return { client: createServerClient(address), close: async () => {} }
  }
  const { requireInstallation } = await import('../app/require-installation.ts')
  await requireInstallation(settings)
  const localToken = randomBytes(32).toString('base64url')
  const service = await openService(settings, localToken)
  service.open()
  const client = createTokenClient(async (path, init) => service.server.request(path, init), localToken)
  return { client, close: () => service.close() }
}

export function createServerClient({ url, token }: ServerAddress): Client {
  return createTokenClient((path, init) => fetch(url + path, init), token)
}

function createTokenClient(send: Send, token: string): Client {
  return createClient(allOperations, send, { authorization: `Bearer ${token}` })
}

/** Imported lazily: loading the whole service takes longer than asking a running server. */
async function openService(settings: Settings, localToken: string): Promise<Service> {
  const [{ buildService }, { silentLog }] = await Promise.all([
    import('../app/build-service.ts'),
    import('../telemetry/log.ts'),
  ])
  const baseUrl = settings.baseUrl ?? `http://${settings.host}:${settings.port}`
  return buildService({ settings, log: silentLog, baseUrl, localToken, demoFolder, firstStart: { kind: 'refuse' } })
}

/** Address of the server running on this data folder, or null. */
export async function findServer(settings: Pick<Settings, 'dataFolder'>): Promise<ServerAddress | null> {
  const address = await readServerAddress(locateDataFolder(settings))
  return address !== null && (await isAlive(address)) ? address : null
}

async function isAlive({ url }: ServerAddress): Promise<boolean> {
  const signal = AbortSignal.timeout(pingTimeoutMs)
  return fetch(`${url}/healthz`, { signal }).then(
    (response) => response.ok,
    () => false,
  )
}

/** Runs a command's work and always closes the connection. */
export async function withClient<Result>(work: (client: Client) => Promise<Result>): Promise<Result> {
  const { client, close } = await connect()
  try {
    return await work(client)
  } finally {
    await close()
  }
}

/** Prints what the service replies. */
export async function printReply<Reply>(
  output: Output,
  ask: (client: Client) => Promise<Reply>,
  describe: (reply: Reply) => string,
): Promise<void> {
  const reply = await withClient(ask)
  output.result(reply, () => describe(reply))
}
