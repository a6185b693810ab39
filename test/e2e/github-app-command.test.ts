import { setTimeout as wait } from 'node:timers/promises'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { codeHostAppListSchema, codeHostAppSchema } from '../../src/contract/code-host-apps.ts'
import { addForgeSite, type ConnectedDocent, startConnectedDocent } from '../support/connected-forge.ts'
import { type GithubServer, removeGithubTemplate, startGithubServer } from '../support/github-server.ts'
import { asAdmin } from '../support/pull-requests.ts'
import { runCommand } from '../support/run-command.ts'

// A command starts slowly on a busy machine.
vi.setConfig({ testTimeout: 240_000, hookTimeout: 240_000 })

let docent: ConnectedDocent
let github: GithubServer
beforeAll(async () => {
  docent = await startConnectedDocent()
  github = await startGithubServer({
    intercept: ({ route }) =>
      route === 'POST /app-manifests/{code}/conversions' ? { status: 201, body: makeApp() } : null,
  })
})
afterAll(async () => {
  await docent.remove()
  await github.stop()
  await removeGithubTemplate()
})

/** What GitHub answers for a code. */
const makeApp = () => ({
  id: Number(github.app.appId),
  name: 'Docent',
  slug: 'docent-acme',
  html_url: `${github.origin}/github-apps/docent-acme`,
  pem: github.app.privateKey,
  webhook_secret: null,
})

it('docent github-app create has GitHub make an App, stores it sealed, and a site is added without a token', async () => {
  const env = { DOCENT_DATA: docent.folder, DOCENT_ALLOW_PRIVATE_ADDRESSES: 'true' }
  const command = runCommand(['--json', 'github-app', 'create', '--origin', github.origin], env)
  const readPage = () => /http:\/\/127\.0\.0\.1:\d+\//.exec(command.stderr())?.[0]
  while (readPage() === undefined) await wait(20)
  const page = readPage() ?? ''
  const form = await (await fetch(page)).text()
  const state = /state=([\w-]+)/.exec(form)?.[1] ?? ''
  expect(form).toContain(`action="${github.origin}/settings/apps/new?state=`)

  await fetch(`${page}made?code=made-by-github&state=${state}`)
  expect({ exitCode: await command.exit, stderr: command.stderr() }).toMatchObject({ exitCode: 0 })

  const app = codeHostAppSchema.parse(JSON.parse(command.stdout()))
  expect(app).toMatchObject({ origin: github.origin, appId: github.app.appId })
  expect(command.stdout()).not.toContain('PRIVATE KEY')
  const listed = await (await docent.get('/admin/v1/code-host-apps', asAdmin)).text()
  expect(codeHostAppListSchema.parse(JSON.parse(listed)).items).toEqual([app])
  const forge = { location: `${github.origin}/${github.path}`, token: null }
  const { site, stderr } = await addForgeSite(docent, forge, 'handbook')
  expect(site).toMatchObject({ source: { kind: 'github' }, hasCredential: false, generation: { pages: 1 } })
  expect(stderr).not.toMatch(/^ {2}(?:NO|!!)/m)

  const removed = await docent.run('github-app', 'remove', app.id, '--yes')
  expect(removed).toMatchObject({ exitCode: 0 })
  expect((await docent.run('site', 'check', 'handbook')).exitCode).toBe(1)
})
