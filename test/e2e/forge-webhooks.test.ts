import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { siteWebhookSchema, siteWebhookSetupSchema } from '../../src/contract/source-check.ts'
import { addForgeSite, type ConnectedDocent, connectForge, startConnectedDocent } from '../support/connected-forge.ts'
import { type TestForge, testForges } from '../support/forge-kinds.ts'
import { asAdmin } from '../support/pull-requests.ts'

vi.setConfig({ testTimeout: 240_000, hookTimeout: 240_000 })

const baseUrl = 'https://docs.example.com'

describe('a service that code hosts reach', () => {
  let docent: ConnectedDocent
  let forge: TestForge
  beforeAll(async () => {
    docent = await startConnectedDocent({ env: { DOCENT_BASE_URL: baseUrl } })
    forge = await testForges.gitea()
  })
  afterAll(async () => {
    await docent.remove()
    await forge.stop()
  })

  it('has a webhook added to the repository of a site that is added, with the secret that it checks, once', async () => {
    const { site, stderr } = await addForgeSite(docent, forge, 'guide')

    const again = await docent.post(`/admin/v1/sites/${site.id}/webhook/add`, {}, asAdmin)
    const shown = siteWebhookSchema.parse(
      await (await docent.post('/admin/v1/sites/guide/webhook', {}, asAdmin)).json(),
    )

    expect(stderr).toContain('The webhook was added to the repository: changes are published immediately.')
    expect(siteWebhookSetupSchema.parse(await again.json())).toMatchObject({ state: 'updated' })
    expect(shown.url).toBe(`${baseUrl}/webhooks/gitea/${site.id}`)
    expect(forge.hooks.all).toMatchObject([shown])
    const audit = await (await docent.get('/admin/v1/audit-log?limit=20', asAdmin)).text()
    expect(audit.split('webhook-added')).toHaveLength(2)
    expect(`${stderr}${audit}`).not.toContain(shown.secret)
  })

  it('says what to do by hand where the token may not add one, and the site is there all the same', async () => {
    const gitlab = await testForges.gitlab()
    try {
      gitlab.fail(/^GET .*\/hooks/, { status: 403, body: { message: '403 Forbidden' } })
      const { site, stderr } = await addForgeSite(docent, gitlab, 'handbook')

      expect(stderr).toMatch(
        /The site's token is not allowed to add a webhook\. Enter .*docent -- site webhook handbook/u,
      )
      expect(site.generation).not.toBeNull()
      expect(gitlab.hooks.all).toEqual([])
    } finally {
      await gitlab.stop()
    }
  })
})

it('asks for no webhook that nobody could call', async () => {
  const docent = await startConnectedDocent()
  const forge = await testForges.gitlab()
  try {
    await connectForge(docent, forge, 'local')

    const setup = await docent.post('/admin/v1/sites/local/webhook/add', {}, asAdmin)

    expect(siteWebhookSetupSchema.parse(await setup.json())).toEqual({
      state: 'by-hand',
      message: expect.stringMatching(/^No code host can reach http:\/\/127\.0\.0\.1:\d+\. Set DOCENT_BASE_URL/u),
    })
    expect(forge.hooks.all).toEqual([])
  } finally {
    await docent.remove()
    await forge.stop()
  }
})
