import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { type SiteResource, siteSchema } from '../../src/contract/admin.ts'
import type { TestForge } from './forge-kinds.ts'
import { asAdmin } from './pull-requests.ts'
import { runCommand } from './run-command.ts'
import { type Docent, startDocent, type StartDocentOptions } from './start-docent.ts'

/** The product connected to a forge, with a clock that can be advanced. */
export interface ConnectedDocent extends Docent {
  /** Runs a command while the server runs. */
  run(...args: string[]): Promise<{ exitCode: number | null; stdout: string; stderr: string }>
  /** Puts the clock forward, so that what is done by the clock is due. */
  advance(ms: number): void
  readSite(slug: string): Promise<SiteResource>
  /** Waits until the site serves a commit. */
  waitForRevision(slug: string, revision: string | null): Promise<void>
}

export async function startConnectedDocent(options: StartDocentOptions = {}): Promise<ConnectedDocent> {
  let skewMs = 0
  const env = { DOCENT_ALLOW_PRIVATE_ADDRESSES: 'true', ...options.env }
  const docent = await startDocent({ ...options, env, clock: { now: () => Date.now() + skewMs } })
  const readSite = async (slug: string) =>
    siteSchema.parse(await (await docent.get(`/admin/v1/sites/${slug}`, asAdmin)).json())
  return {
    ...docent,
    async run(...args) {
      const command = runCommand(['--json', ...args], { DOCENT_DATA: docent.folder })
      const exitCode = await command.exit
      return { exitCode, stdout: command.stdout(), stderr: command.stderr() }
    },
    advance: (ms) => void (skewMs += ms),
    readSite,
    async waitForRevision(slug, revision) {
      while ((await readSite(slug)).generation?.revision !== revision) await wait(50)
    },
  }
}

/**
 * `docent site add` of the forge's repository, its token in a file, or without one.
 *
 * @throws what the command wrote, when it fails.
 */
export async function addForgeSite(
  docent: ConnectedDocent,
  { location, token }: Pick<TestForge, 'location'> & { token: string | null },
  slug: string,
): Promise<{ site: SiteResource; stderr: string }> {
  const folder = await mkdtemp(join(tmpdir(), 'docent-token-'))
  try {
    const file = join(folder, 'token')
    await writeFile(file, `${token}\n`)
    const given = token === null ? [] : ['--token-file', file]
    const added = await docent.run('site', 'add', location, '--slug', slug, ...given)
    if (added.exitCode !== 0) throw new Error(added.stderr)
    return { site: siteSchema.parse(JSON.parse(added.stdout)), stderr: added.stderr }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** The same over the admin API, which takes less time. */
export async function connectForge(
  docent: ConnectedDocent,
  { kind, location, origin, token, repository }: TestForge,
  slug: string,
): Promise<void> {
  const source = { kind, location, ...(new URL(origin).pathname !== '/' && { origin }) }
  const site = { slug, name: slug, source, credential: { token } }
  const made = await docent.post('/admin/v1/sites', site, asAdmin)
  if (made.status !== 201) throw new Error(await made.text())
  await docent.waitForRevision(slug, repository.tip('main'))
}
