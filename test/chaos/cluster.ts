import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startPostgres, type TestPostgres } from '../support/start-postgres.ts'
import { type CutProxy, startCutProxy } from './cut-proxy.ts'
import { mayMountDisks, mountSmallDisk, unmountSmallDisk } from './small-disk.ts'
import { startVictim, type Victim } from './start-victim.ts'

/** One process of a cluster: its own folder, its own way to the database, its own clock. */
export interface Member {
  name: string
  role: 'serve' | 'work'
  folder: string
  proxy: CutProxy
  /** Changed by `restart`. */
  victim: Victim
  /** Kills it without a chance to tidy up, and starts it again on its folder. */
  restart(): Promise<void>
  /** The file that its clock is shifted by. */
  clockFile: string
}

export interface Cluster {
  postgres: TestPostgres
  members: Member[]
  /** Whether each member's folder is a file system of its own. */
  hasSmallDisks: boolean
  /** Where the servers listen now. */
  urls(): string[]
  stop(): Promise<void>
}

export const adminKey = `svc_${'c'.repeat(43)}`
const assistantKey = `svc_dsc_${'c'.repeat(43)}`

/** Uses of one assistant key in a month; small, so that every run reaches it. */
export const keyLimit = 40

/** Two servers and two workers on one PostgreSQL that keeps what it has committed. */
export async function startCluster(): Promise<Cluster | { unavailable: string }> {
  const postgres = await startPostgres({ settings: ['fsync=on', 'full_page_writes=on'] })
  if ('unavailable' in postgres) return postgres
  const members: Member[] = []
  const hasSmallDisks = mayMountDisks()
  const stop = async () => {
    for (const { victim, proxy, folder, clockFile } of members.splice(0)) {
      await victim.kill()
      await proxy.close()
      if (hasSmallDisks) unmountSmallDisk(folder)
      for (const path of [folder, clockFile]) await rm(path, { recursive: true, force: true })
    }
    await postgres.stop()
  }
  try {
    // A server comes first: it makes the first start, for which workers wait.
    for (const [index, role] of (['serve', 'work', 'serve', 'work'] as const).entries())
      members.push(await startMember(postgres, { name: `${role} ${index + 1}`, role, hasSmallDisks }))
    const urls = () => members.filter(({ role }) => role === 'serve').map(({ victim }) => victim.url)
    return { postgres, members, hasSmallDisks, urls, stop }
  } catch (error) {
    await stop()
    throw error
  }
}

async function startMember(
  postgres: TestPostgres,
  { name, role, hasSmallDisks }: Pick<Member, 'name' | 'role'> & Pick<Cluster, 'hasSmallDisks'>,
): Promise<Member> {
  const folder = await mkdtemp(join(tmpdir(), 'docent-cluster-'))
  if (hasSmallDisks) mountSmallDisk(folder)
  const database = new URL(postgres.url)
  const proxy = await startCutProxy({ host: database.hostname, port: Number(database.port) })
  database.port = String(proxy.port)
  const clockFile = `${folder}.clock`
  const env = {
    DATABASE_URL: database.href,
    DOCENT_SECRET_KEY: 's'.repeat(40),
    DOCENT_BASE_URL: 'http://docs.example.com',
    DOCENT_ADMIN_KEY: adminKey,
    DOCENT_ASSISTANT_KEY: assistantKey,
    DOCENT_LIMIT_KEY_PER_MONTH: String(keyLimit),
    DOCENT_LIMIT_JOBS_PER_HOUR: '100000',
    DOCENT_LIMIT_ORG_PER_HOUR: '100000000',
    DOCENT_LIMIT_IP_PER_DAY: '100000000',
    CHAOS_CLOCK: clockFile,
  }
  const start = () =>
    startVictim(folder, env, { command: role, preload: new URL('./shifted-clock.ts', import.meta.url) })
  const member: Member = {
    name,
    role,
    folder,
    proxy,
    clockFile,
    victim: await start(),
    async restart() {
      await member.victim.kill()
      member.victim = await start()
    },
  }
  return member
}
