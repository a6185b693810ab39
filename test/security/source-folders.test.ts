import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { readServerAddress } from '../../src/app/data-folder.ts'
import { listSourceFolders } from '../../src/app/list-source-folders.ts'
import { asAdmin } from '../support/pull-requests.ts'
import { type Docent, sampleSite, startDocent } from '../support/start-docent.ts'

// Who has an admin key has the documentation, and not the files of the machine that it is served from.

let docent: Docent
let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'docent-sources-'))
  await mkdir(join(folder, 'docs'))
  await mkdir(join(folder, 'docs-private'))
  await writeFile(join(folder, 'docs', 'index.md'), '# Home\n\nText.\n')
  await symlink('/etc', join(folder, 'docs', 'link'))
  docent = await startDocent({ env: { DOCENT_SOURCE_FOLDERS: join(folder, 'docs') } })
})
afterAll(async () => {
  await docent.remove()
  await rm(folder, { recursive: true })
})

const codeOf = async (response: Response) => ((await response.json()) as { code?: string }).code ?? response.status

/** Every request that can name a folder of the server. */
async function nameFolder(location: string, headers: Record<string, string>) {
  const send = async (method: string, path: string, body: object) =>
    codeOf(
      await fetch(docent.url + path, {
        method,
        headers: { ...headers, 'content-type': 'application/json' },
        body: JSON.stringify(body),
      }),
    )
  return {
    check: await send('POST', '/admin/v1/sites/check-source', { source: { kind: 'folder', location } }),
    change: await send('PATCH', '/admin/v1/sites/docs', { source: { kind: 'git', location } }),
    context: await send('POST', '/admin/v1/sites/docs/context-repositories', {
      name: 'taken',
      source: { kind: 'git', location },
    }),
    import: await send('POST', '/admin/v1/repositories', { name: 'taken', from: location }),
    make: await send('POST', '/admin/v1/sites', { slug: 'taken', name: 'T', source: { kind: 'folder', location } }),
  }
}

it('lets a key name no folder but those that the settings allow, not by a link and not by a like name', async () => {
  const refused = 'source_not_allowed'
  const [inside, beside] = [join(folder, 'docs'), join(folder, 'docs-private')]
  for (const location of ['/etc', '/', beside, `${inside}/../docs-private`, join(inside, 'link'), '/nowhere']) {
    const outcome = await nameFolder(location, asAdmin)

    expect({ location, ...outcome }).toEqual({
      location,
      check: refused,
      change: refused,
      context: refused,
      import: refused,
      make: refused,
    })
  }
})

it('reads what the settings allow, and what a command on this machine names', async () => {
  const { token } = (await readServerAddress(docent.service.folder)) ?? { token: '' }
  const source = { source: { kind: 'folder', location: sampleSite } }
  const local = { authorization: `Bearer ${token}` }
  const inside = { source: { kind: 'folder', location: join(folder, 'docs') } }

  expect((await docent.post('/admin/v1/sites/check-source', source, local)).status).toBe(200)
  expect((await docent.post('/admin/v1/sites/check-source', inside, asAdmin)).status).toBe(200)
  expect((await docent.post('/admin/v1/sites/check-source', source, asAdmin)).status).toBe(403)
})

it('allows any folder only where nobody but this machine reaches the server', () => {
  const baseUrl = 'https://docs.example.com'

  expect(listSourceFolders({ host: '127.0.0.1', sourceFolders: undefined, baseUrl: undefined })).toEqual(['/'])
  expect(listSourceFolders({ host: '0.0.0.0', sourceFolders: undefined, baseUrl: undefined })).toEqual([])
  expect(listSourceFolders({ host: '127.0.0.1', sourceFolders: undefined, baseUrl })).toEqual([])
  expect(listSourceFolders({ host: '0.0.0.0', sourceFolders: '/srv/a, /srv/b', baseUrl })).toEqual(['/srv/a', '/srv/b'])
})
