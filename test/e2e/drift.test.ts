import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { discrepancyListSchema } from '../../src/contract/discrepancies.ts'
import { listComments } from '../../src/store/hosting/pull-requests.ts'
import { sendAsAdmin } from '../support/ask.ts'
import { cloneRepository, type GitClient } from '../support/git-client.ts'
import { finishJob } from '../support/agent-jobs.ts'
import { createGitRepository, type GitRepository } from '../support/git-repository.ts'
import { addressOf, asAdmin, openPullRequest, pushChange } from '../support/pull-requests.ts'
import { type Docent, startDocent } from '../support/start-docent.ts'

vi.setConfig({ testTimeout: 240_000, hookTimeout: 240_000 })

const options = (width: string) => `export interface Options {\n  ${width}: number\n}\nexport const ${width} = 42\n`

const page = '# Printers\n\nSet `printerWidth` to 58 for narrow paper.\n'

let docent: Docent
let pagesCommit: string
let product: GitRepository
let client: GitClient
beforeAll(async () => {
  // Nothing is polled, so that what happens was told.
  docent = await startDocent({ env: { DOCENT_POLL_MINUTES: '0', DOCENT_PUSH_TO_DEFAULT_BRANCH: 'true' } })
  product = await createGitRepository()
  await product.write('src/options.ts', options('printerWidth'))
  product.commit('Begin')
  await docent.post('/admin/v1/repositories', { name: 'product', from: product.folder }, asAdmin)
  client = await cloneRepository(addressOf(docent, { name: 'default/product' }))
  const pages = await pushChange(docent, { branch: 'widths', path: 'guides/printers.mdx', text: page })
  await pages.git('push', '--quiet', 'origin', 'widths:main')
  pagesCommit = await pages.git('rev-parse', 'HEAD')
  await pages.remove()
  const source = { kind: 'builtin', location: 'default/product' }
  const body = { name: 'product', role: 'product', source }
  await docent.post('/admin/v1/sites/docs/context-repositories', body, asAdmin)
})
afterAll(async () => {
  await docent.remove()
  await Promise.all([product.remove(), client.remove()])
})

const until = <T>(check: () => Promise<T>) => vi.waitFor(check, { timeout: 20_000, interval: 250 })

async function listDrift(state = 'open') {
  const { body } = await sendAsAdmin(docent, 'GET', `/admin/v1/sites/docs/discrepancies?kind=drift&state=${state}`)
  return discrepancyListSchema.parse(body).items
}

async function push(branch: string, text: string, from = branch) {
  await client.git('checkout', '--quiet', '-B', branch, from)
  await client.write('src/options.ts', text)
  await client.git('commit', '--quiet', '--all', '--allow-empty', '-m', `Change on ${branch}`)
  const commit = await client.git('rev-parse', 'HEAD')
  await client.git('push', '--quiet', 'origin', branch)
  return commit
}

it('says on a pull request of the product what it makes false, in one comment that follows the branch', async () => {
  await until(async () => {
    const checks = await docent.service.store.durable.selectFrom('driftChecks').selectAll().execute()
    expect(checks).toMatchObject([{ pagesRevision: pagesCommit, runAt: null, failure: null }])
  })
  const head = await push('rename', options('paperWidth'), 'main')
  const { id } = await openPullRequest(docent, { branch: 'rename', repository: 'default/product' })
  const comments = async () => (await listComments(docent.service.store.durable, id, 10)).map(({ body }) => body)

  await until(async () => expect(await comments()).toHaveLength(1))
  const [said = ''] = await comments()
  await push('rename', options('printerWidth'))
  await until(async () => expect((await comments())[0]).toContain('No sentence of the documentation became false.'))

  expect(said).toContain('guides/printers.mdx')
  expect(said).toContain('The name `printerWidth` no longer exists in the product. It is now `paperWidth`.')
  expect(said).toContain(head.slice(0, 10))
  expect(await comments()).toHaveLength(1)
  expect(await listDrift()).toEqual([])
})

it('lists what became false once the branch has moved, remembers what is ignored, and closes what came back', async () => {
  await push('main', options('paperWidth'))
  const [found] = await until(async () => {
    const items = await listDrift()
    expect(items).toHaveLength(1)
    return items
  })
  await sendAsAdmin(docent, 'PATCH', `/admin/v1/discrepancies/${found?.id}`, { state: 'ignored' })
  await push('main', options('rollWidth'))
  await until(async () => expect((await listDrift('ignored'))[0]?.facts[1]?.value).toBe('rollWidth'))

  const open = await listDrift()

  expect(found).toMatchObject({ page: 'guides/printers.mdx', subject: 'printerWidth' })
  expect(found?.places[0]).toMatchObject({ path: '/guides/printers' })
  expect(open).toEqual([])
})

it('fixes a certain rename by a draft pull request, by a rule of the site and without a model, once', async () => {
  const [ignored] = await listDrift('ignored')
  await sendAsAdmin(docent, 'PATCH', `/admin/v1/discrepancies/${ignored?.id}`, { state: 'open' })
  await sendAsAdmin(docent, 'PATCH', '/admin/v1/sites/docs', { settings: { driftJobsPerDay: 5 } })
  await push('main', options('rollWidth'))
  const jobId = await until(async () => {
    const [open] = await listDrift()
    expect(open?.jobId).toEqual(expect.any(String))
    return open?.jobId ?? ''
  })
  const job = await finishJob(docent, jobId)
  await push('main', options('rollWidth'))

  const body = await (await docent.get(`/admin/v1/jobs/${jobId}/diff`, asAdmin)).text()

  expect(job).toMatchObject({ status: 'completed' })
  expect(body).toContain('Set `rollWidth` to 58')
  expect(await docent.service.store.durable.selectFrom('agentJobs').selectAll().execute()).toHaveLength(1)
})

it('lists what a product lost before it was added', async () => {
  const old = await createGitRepository()
  await old.write('src/tapes.ts', options('ribbonWidth'))
  old.commit('Begin')
  await old.write('src/tapes.ts', options('tapeWidth'))
  old.commit('Rename')
  await docent.post('/admin/v1/repositories', { name: 'old', from: old.folder }, asAdmin)
  const text = '# Tapes\n\nSet `ribbonWidth` to 12.\n'
  const pages = await pushChange(docent, { branch: 'tapes', path: 'guides/tapes.mdx', text })
  await pages.git('push', '--quiet', 'origin', 'tapes:main')
  await Promise.all([pages.remove(), old.remove()])

  const body = { name: 'old', role: 'product', source: { kind: 'builtin', location: 'default/old' } }
  await docent.post('/admin/v1/sites/docs/context-repositories', body, asAdmin)

  await until(async () => {
    const found = (await listDrift()).filter(({ page }) => page === 'guides/tapes.mdx')
    expect(found).toMatchObject([{ subject: 'ribbonWidth' }])
  })
})
