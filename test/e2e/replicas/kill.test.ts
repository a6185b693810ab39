import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { afterAll, describe, expect, it, vi } from 'vitest'
import { cloneRepository, type GitClient } from '../../support/git-client.ts'
import { readAddress, runCommand, type RunningCommand } from '../../support/run-command.ts'
import { adminKey } from '../../support/start-docent.ts'
import { startPostgres } from '../../support/start-postgres.ts'

vi.setConfig({ testTimeout: 240_000, hookTimeout: 240_000 })

const database = await startPostgres()
if ('unavailable' in database) process.stderr.write(`Skipped killed replicas: ${database.unavailable}\n`)

describe.skipIf('unavailable' in database)('a server that is killed while it takes pushes', () => {
  const running: RunningCommand[] = []
  const folders: string[] = []
  const clients: GitClient[] = []

  afterAll(async () => {
    for (const { child } of running) child.kill('SIGKILL')
    await Promise.all(running.map(({ exit }) => exit))
    for (const client of clients) await client.remove()
    for (const folder of folders) await rm(folder, { recursive: true, force: true })
    if ('stop' in database) await database.stop()
  })

  async function start(folder: string): Promise<{ command: RunningCommand; address: string }> {
    const command = runCommand(['serve'], {
      PORT: '0',
      DOCENT_DATA: folder,
      DATABASE_URL: 'url' in database ? database.url : '',
      DOCENT_SECRET_KEY: 'x'.repeat(40),
      DOCENT_ADMIN_KEY: adminKey,
    })
    running.push(command)
    const url = await readAddress(command)
    return { command, address: `${url.replace('//', `//git:${adminKey}@`)}/git/default/docs.git` }
  }

  async function makeFolder(): Promise<string> {
    const folder = await mkdtemp(join(tmpdir(), 'docent-replica-'))
    folders.push(folder)
    return folder
  }

  async function clone(address: string): Promise<GitClient> {
    const client = await cloneRepository(address)
    clients.push(client)
    return client
  }

  /** Branches and what they name, as a server tells git. */
  async function listBranches(client: GitClient, address: string): Promise<Map<string, string>> {
    const lines = (await client.git('ls-remote', '--heads', address)).split('\n')
    return new Map(lines.map((line) => line.split('\t').toReversed() as [string, string]))
  }

  it('loses no push that it confirmed, and stands in the way of none that comes after', async () => {
    const killedFolder = await makeFolder()
    const [killed, other] = await Promise.all([start(killedFolder), start(await makeFolder())])
    const client = await clone(other.address)
    const confirmed = new Map<string, string>()
    const push = async (address: string, name: string) => {
      await client.git('checkout', '--quiet', '-b', name)
      await client.write('killed.md', `${name}\n`)
      const commit = await client.commit(name)
      await client.git('push', '--quiet', address, name)
      confirmed.set(`refs/heads/${name}`, commit)
    }

    for (const name of ['first', 'second', 'third']) await push(killed.address, name)
    const underWay = push(killed.address, 'under-way').catch(() => undefined)
    await wait(200)
    killed.command.child.kill('SIGKILL')
    await Promise.all([underWay, killed.command.exit])

    const seen = await listBranches(client, other.address)
    for (const [branch, commit] of confirmed) expect(seen.get(branch)).toBe(commit)
    await push(other.address, 'after')
    const restarted = await start(killedFolder)
    const [fromOther, fromRestarted] = await Promise.all([
      listBranches(client, other.address),
      listBranches(client, restarted.address),
    ])
    expect(fromRestarted).toEqual(fromOther)
    expect(fromOther.get('refs/heads/after')).toBe(confirmed.get('refs/heads/after'))
    const whole = await clone(restarted.address)
    await whole.git('fsck', '--strict')
    expect(await whole.git('rev-parse', 'origin/after')).toBe(confirmed.get('refs/heads/after'))
  })
})
