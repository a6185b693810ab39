import { readdirSync, readFileSync, statSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { keyCreatedSchema } from '../../src/contract/admin.ts'
import { startVictim, type Victim } from '../chaos/start-victim.ts'
import { waitUntilReady } from '../support/wait-until-ready.ts'
import type { EventLoopGaps } from './measure-gaps.ts'

export const messagePath = '/discovery/v2/assistant/docs/message'
export const searchPath = '/discovery/v1/search/docs'

const adminKey = `svc_${'f'.repeat(43)}`

/** A server of its own process, with its defaults, behind one proxy, so that requests may name where they come from. */
export interface FloodTarget {
  url: string
  folder: string
  /** The secret of a website's key, as everybody can read it in the page. */
  key: string
  /** @param from The address of the client. */
  post(path: string, body: unknown, from: string): Promise<Response>
  postAsAdmin(path: string, body: unknown): Promise<Response>
  readGaps(): Promise<EventLoopGaps>
  readResidentMb(): number
  readDiskKib(): number
  /** Stops it and removes its data. */
  remove(): Promise<void>
}

export interface FloodTargetOptions {
  /** The working tree that the server is started from. */
  checkout?: string | undefined
  env?: Record<string, string>
  /** An empty data folder of the caller's, who removes it. */
  folder?: string
}

export async function startFloodTarget({ checkout, env = {}, ...given }: FloodTargetOptions): Promise<FloodTarget> {
  const folder = given.folder ?? (await mkdtemp(join(tmpdir(), 'docent-flood-')))
  const preload = new URL('measure-gaps.ts', import.meta.url)
  const victim = await startVictim(
    folder,
    { DOCENT_ADMIN_KEY: adminKey, DOCENT_TRUST_PROXY: '1', ...env },
    { preload, ...(checkout !== undefined && { checkout }) },
  )
  const removeFolder = () => (given.folder === undefined ? rm(folder, { recursive: true, force: true }) : undefined)
  try {
    await waitUntilReady(victim.url)
    return { ...(await describeTarget(victim, folder)), remove: () => victim.kill().then(removeFolder) }
  } catch (error) {
    await victim.kill().then(removeFolder)
    throw error
  }
}

async function describeTarget(victim: Victim, folder: string): Promise<Omit<FloodTarget, 'remove'>> {
  const post = (path: string, body: unknown, headers: Record<string, string>) =>
    fetch(victim.url + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    })
  const postAsAdmin = (path: string, body: unknown) => post(path, body, { authorization: `Bearer ${adminKey}` })
  const wanted = { kind: 'assistant', name: 'Website', siteId: 'docs', purpose: 'website' }
  const made = await postAsAdmin('/admin/v1/keys', wanted)
  const { secret: key } = keyCreatedSchema.pick({ secret: true }).parse(await made.json())
  return {
    url: victim.url,
    folder,
    key,
    post: (path, body, from) => post(path, body, { authorization: `Bearer ${key}`, 'x-forwarded-for': from }),
    postAsAdmin,
    readGaps: async () => (await victim.ask('gaps')) as EventLoopGaps, // What `measure-gaps.ts` sends.
    readResidentMb: () => readResidentMb(victim.processId),
    readDiskKib: () => readDiskKib(folder),
  }
}

function readResidentMb(processId: number): number {
  const status = readFileSync(`/proc/${processId}/status`, 'utf8')
  return Math.round(Number(/^VmRSS:\s*(\d+) kB/m.exec(status)?.[1]) / 1_024)
}

/** What the files of a folder occupy. Files that vanish meanwhile count for nothing. */
function readDiskKib(folder: string): number {
  let blocks = 0
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' }))
    blocks += statSync(join(folder, name), { throwIfNoEntry: false })?.blocks ?? 0
  return blocks / 2
}
