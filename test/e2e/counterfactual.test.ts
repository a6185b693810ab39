import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { startDocent, type Docent } from '../support/start-docent.ts'
import { asAdmin, getPullRequest, openPullRequest, pushChange, viewPullRequest } from '../support/pull-requests.ts'

vi.setConfig({ testTimeout: 240_000, hookTimeout: 60_000 })

let docent: Docent
beforeAll(async () => {
  docent = await startDocent()
})
afterAll(() => docent.remove())

it('says on a pull request what it changes for readers, and holds it where none may be worse', async () => {
  const body = JSON.stringify({ settings: { requiresNoneWorse: true } })
  const headers = { ...asAdmin, 'content-type': 'application/json' }
  expect((await fetch(`${docent.url}/admin/v1/sites/docs`, { method: 'PATCH', headers, body })).status).toBe(200)
  const client = await pushChange(docent, {
    branch: 'emptied',
    path: 'guides/printers.mdx',
    text: '# Printers\n\nSoon.\n',
  })
  const question = 'What does the code E-42 mean?'
  await client.write('docent.tests.yaml', `tests:\n  - question: ${question}\n    facts: paper has run out\n`)
  await client.commit('Test the code')
  await client.git('push', '--quiet', 'origin', 'emptied')
  const { id, url } = await openPullRequest(docent, { branch: 'emptied' })
  const merge = async () => (await docent.post(`/admin/v1/pull-requests/${id}/merge`, {}, asAdmin)).json()

  expect(await merge()).toMatchObject({ code: 'conflict', error: expect.stringContaining('is not known yet') })
  await vi.waitFor(
    async () => expect((await viewPullRequest(url)).readers).toMatchObject([{ state: 'done', isCurrent: true }]),
    { timeout: 120_000, interval: 500 },
  )

  const [change] = (await viewPullRequest(url)).readers
  expect(change?.comparison?.answers).toMatchObject([{ question, origin: 'suite', outcome: 'worse' }])
  expect(change?.comparison?.lostAnchors).toEqual([{ path: '/guides/printers', anchor: 'error-e-42' }])
  expect((await getPullRequest(docent, id)).checks).toMatchObject([
    { name: 'Answers to readers of docs', state: 'failed' },
  ])
  expect(await merge()).toMatchObject({ code: 'conflict' })
  await client.remove()
})
