import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { siteSchema } from '../../src/contract/admin.ts'
import { ownerLinkSchema } from '../../src/contract/repositories.ts'
import { createGitRepository } from '../support/git-repository.ts'
import { runCommand } from '../support/run-command.ts'
import { copyUsualFirstStart } from '../support/start-docent.ts'

// Each test runs dozens of git commands, and a busy machine must not turn it red.
vi.setConfig({ testTimeout: 240_000, hookTimeout: 240_000 })

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'docent-test-'))
  await copyUsualFirstStart(join(folder, 'data'))
  await mkdir(join(folder, 'ferries'))
  await writeFile(join(folder, 'ferries', 'index.md'), '# Ferries\n\nThe ferry leaves at noon.\n')
})
afterEach(() => rm(folder, { recursive: true, force: true }))

/** Runs a command on a data folder without a server. @returns What it printed, as JSON. */
async function run(...args: string[]): Promise<unknown> {
  const command = runCommand(['--json', ...args], { DOCENT_DATA: join(folder, 'data') })
  const exitCode = await command.exit
  expect({ exitCode, errors: exitCode === 0 ? '' : command.stderr() }).toEqual({ exitCode: 0, errors: '' })
  return JSON.parse(command.stdout())
}

const addSite = async (...args: string[]) => siteSchema.parse(await run('site', 'add', ...args))

it('site add imports what lies on this machine, and reads it in place with --follow', async () => {
  const path = join(folder, 'ferries')

  const imported = await addSite(path)
  const followed = await addSite(path, '--slug', 'live', '--follow')

  expect(imported.source).toMatchObject({ kind: 'builtin', location: 'default/ferries' })
  expect(imported.generation?.pages).toBe(1)
  expect(followed.source).toMatchObject({ kind: 'folder', location: path })
})

it('site add leaves no repository behind when the site cannot be made', async () => {
  const refused = runCommand(['site', 'add', join(folder, 'ferries'), '--hostname', 'no host'], {
    DOCENT_DATA: join(folder, 'data'),
  })
  expect(await refused.exit).toBe(2)

  const imported = await addSite(join(folder, 'ferries'))

  expect(imported.source.location).toBe('default/ferries')
})

it('site add takes the branch of a repository that is named', async () => {
  const origin = await createGitRepository()
  try {
    await origin.write('docs/index.md', '# Old\n')
    const old = origin.commit()
    origin.git(['branch', 'stable'])
    await origin.write('docs/index.md', '# New\n')
    origin.commit()

    const site = await addSite(origin.folder, '--slug', 'stable', '--ref', 'stable', '--subdirectory', 'docs')

    expect(site.source).toMatchObject({ kind: 'builtin', location: 'default/stable', ref: null, subdirectory: 'docs' })
    expect(site.generation?.revision).toBe(old)
  } finally {
    await origin.remove()
  }
})

it('repository remove gives a name free, once no site is read from it', async () => {
  await addSite(join(folder, 'ferries'))
  await run('site', 'remove', 'ferries', '--yes')

  const removed = await run('repository', 'remove', 'default/ferries', '--yes')
  const left = await run('repository', 'list')

  expect(removed).toEqual({ removed: 'default/ferries' })
  expect(left).toEqual([expect.objectContaining({ name: 'default/docs' })])
})

it('owner-link prints a link to the server', async () => {
  const { url } = ownerLinkSchema.parse(await run('owner-link'))

  expect(url).toMatch(/^http:\/\/127\.0\.0\.1:4000\/sign-in\?token=[\w-]{43}$/)
})
