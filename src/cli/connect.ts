import { randomBytes } from 'node:crypto'
import type { Service } from '../app/build-service.ts'
import { locateDataFolder, readServerAddress, type ServerAddress } from '../app/data-folder.ts'
import { demoFolder } from '../app/demo-folder.ts'
import { type Client, createClient, type Send } from '../client/create-client.ts'
import { readEnvironment } from '../config/read-environment.ts'
import type { Settings } from '../config/settings.ts'
import { allOperations } from '../contract/operations/all-operations.ts'

/** How a command reaches the service. */
export interface Connection {
  client: Client
  close(): Promise<void>
}

const pingTimeoutMs = 2_000

/**
 * Connects to the server that runs on this data folder; where none runs, opens the database here and answers the same
 * requests in this process, so that commands do not care. Nothing is synced but what the command asks for.
 *
 * @throws {NoInstallationError} Commands never make the first start, and leave no file where none was made.
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

/** The client of a running server. */
export function createServerClient({ url, token }: ServerAddress): Client {
  return createTokenClient((path, init) => fetch(url + path, init), token)
}

function createTokenClient(send: Send, token: string): Client {
  return createClient(allOperations, send, { authorization: `Bearer ${token}` })
}

/** Loaded only here, because loading all of the service takes longer than what a command asks of a server that runs. */
async function openService(settings: Settings, localToken: string): Promise<Service> {
  const [{ buildService }, { silentLog }] = await Promise.all([
    import('../app/build-service.ts'),
    import('../telemetry/log.ts'),
  ])
  const baseUrl = settings.baseUrl ?? `http://${settings.host}:${settings.port}`
  return buildService({ settings, log: silentLog, baseUrl, localToken, demoFolder, firstStart: { kind: 'refuse' } })
}

/** Where the server that runs on this data folder listens; null where none runs. */
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

/** Runs a command's work and lets go of the connection however it ends. */
export async function withClient<Result>(work: (client: Client) => Promise<Result>): Promise<Result> {
  const { client, close } = await connect()
  try {
    return await work(client)
  } finally {
    await close()
  }
}
