import { afterEach, expect, it, vi } from 'vitest'
import type { ReadersChange } from '../../src/contract/counterfactual.ts'
import { queueComparison } from '../../src/store/comparisons/comparisons.ts'
import { askDocent, sendAsAdmin } from '../support/ask.ts'
import { startConnectedDocent } from '../support/connected-forge.ts'
import { everything, removeGithubTemplate, startGithubServer } from '../support/github-server.ts'
import { noonClock } from '../support/noon.ts'
import { startDocent, type Docent } from '../support/start-docent.ts'
import { asAdmin, getPullRequest, openPullRequest, pushChange, viewPullRequest } from '../support/pull-requests.ts'
import { createScriptedModel, paidFinish, type ScriptedModel } from '../support/scripted-model.ts'

vi.setConfig({ testTimeout: 240_000, hookTimeout: 60_000 })

const question = 'What does the code E-42 mean?'
const suite = `tests:\n  - question: ${question}\n    facts: paper has run out\n`

let docent: Docent
afterEach(() => docent.remove())

async function change(settings: object): Promise<void> {
  const headers = { ...asAdmin, 'content-type': 'application/json' }
  const body = JSON.stringify({ settings })
  expect((await fetch(`${docent.url}/admin/v1/sites/docs`, { method: 'PATCH', headers, body })).status).toBe(200)
}

/** A pull request that takes the explanation of a code off its page. */
async function openEmptied() {
  const client = await pushChange(docent, {
    branch: 'emptied',
    path: 'guides/printers.mdx',
    text: '# Printers\n\nSoon.\n',
  })
  await client.write('docent.tests.yaml', suite)
  await client.commit('Test the code')
  await client.git('push', '--quiet', 'origin', 'emptied')
  await client.remove()
  return openPullRequest(docent, { branch: 'emptied' })
}

async function waitForReaders(url: string): Promise<ReadersChange | undefined> {
  await vi.waitFor(
    async () => expect((await viewPullRequest(url)).readers).toMatchObject([{ state: 'done', isCurrent: true }]),
    { timeout: 120_000, interval: 500 },
  )
  return (await viewPullRequest(url)).readers[0]
}

it('says on a pull request what it changes for readers, and holds it where none may be worse', async () => {
  docent = await startDocent()
  await change({ requiresNoneWorse: true })
  const { id, url } = await openEmptied()
  const merge = async () => (await docent.post(`/admin/v1/pull-requests/${id}/merge`, {}, asAdmin)).json()

  expect(await merge()).toMatchObject({ code: 'conflict', error: expect.stringContaining('is not known yet') })
  const readers = await waitForReaders(url)

  expect(readers?.comparison?.answers).toMatchObject([{ question, origin: 'suite', outcome: 'worse' }])
  expect(readers?.comparison?.lostAnchors).toEqual([{ path: '/guides/printers', anchor: 'error-e-42' }])
  expect(readers?.comparison?.byModel).toBeNull()
  expect((await getPullRequest(docent, id)).checks).toMatchObject([
    { name: 'Answers to readers of docs', state: 'failed' },
  ])
  expect(await merge()).toMatchObject({ code: 'conflict' })
})

/** Answers from what it is shown, as a model does, in words of its own. */
function createReadingModel(costUsd = 0.001): ScriptedModel {
  const [found, lost] = [
    'The error means that the paper has run out, as [Printers](/guides/printers) says.',
    'The documentation does not say that.',
  ].map((text) => createScriptedModel([[{ type: 'text', text }, paidFinish(costUsd)]]))
  const calls: ScriptedModel['calls'] = []
  return {
    ...(found as ScriptedModel), // Both are there.
    calls,
    doStream(options) {
      calls.push(options)
      const isShown = JSON.stringify(options.prompt).includes('paper has run out')
      return (isShown ? found : lost)?.doStream(options) as ReturnType<ScriptedModel['doStream']>
    },
  }
}

it('asks the model of the site before and after, where its owner wants that and the day is bounded', async () => {
  const model = createReadingModel()
  docent = await startDocent({ model })
  await change({ suiteAsksModel: true })
  const { id, url } = await openEmptied()

  const readers = await waitForReaders(url)

  expect(readers?.comparison?.byModel).toMatchObject({
    model: 'test/scripted',
    unasked: null,
    counts: { suite: { worse: 1, better: 0, changed: 0, same: 0 }, reader: { worse: 0 } },
    answers: [
      {
        question,
        outcome: 'worse',
        before: { text: expect.stringContaining('as [Printers]') },
        after: { verdict: 'unanswered' },
      },
    ],
  })
  const check = (await getPullRequest(docent, id)).checks[0]
  expect(check).toMatchObject({ state: 'warning', summary: expect.stringContaining('1 worse by the model') })
  // Before, after, and once more because it was worse.
  expect(model.calls).toHaveLength(3)
})

it('stops asking the model once the share of pull requests in the day is spent, and says so', async () => {
  docent = await startDocent({
    model: createReadingModel(0.06),
    clock: noonClock,
    env: { DOCENT_SITE_COST_PER_DAY: '0.1' },
  })
  await change({ suiteAsksModel: true })
  await askDocent(docent, question)
  const { url } = await openEmptied()

  const readers = await waitForReaders(url)

  expect(readers?.comparison?.byModel).toMatchObject({ answers: [], unasked: { count: 1, reason: 'budget' } })
})

it.each([
  ['no ceiling', { suiteAsksModel: true, dailyCostUsdMax: 'unlimited' }],
  ['no wish of the owner', {}],
])('asks no model with %s', async (_, settings) => {
  const model = createReadingModel()
  docent = await startDocent({ model })
  await change(settings)
  const { url } = await openEmptied()

  expect((await waitForReaders(url))?.comparison?.byModel).toBeNull()
  expect(model.calls).toEqual([])
})

it.each([
  ['from a fork', true, { counts: { suite: { worse: 0 } }, unasked: { count: 1, reason: 'fork' } }],
  ['of the repository itself', false, { counts: { suite: { worse: 1 } }, unasked: null }],
])('asks a model about a pull request on GitHub only if it is not from a fork: %s', async (_, isFromFork, byModel) => {
  const model = createReadingModel()
  const github = await startGithubServer({ granted: everything })
  const connected = await startConnectedDocent({ model })
  docent = connected
  try {
    const { origin, path, app, state } = github
    const { repository, pulls } = state
    const write = (branch: string, from: string, entries: Record<string, string>) => {
      const files = Object.entries(entries).map(([file, content]) => ({ path: file, mode: '100644', content }))
      const tree = repository.writeTree(repository.readCommit(from)?.tree ?? null, files)
      const commit = repository.writeCommit({ tree, parents: [from], message: 'Change' })
      repository.updateRef(`refs/heads/${branch}`, commit)
      return commit
    }
    const text = '# Printers\n\nThe code `E-42` means that the paper has run out.\n'
    const base = write('main', repository.readRef('refs/heads/main') ?? '', {
      'printers.md': text,
      'docent.tests.yaml': suite,
    })
    write('emptied', base, { 'printers.md': '# Printers\n\nSoon.\n' })
    await sendAsAdmin(docent, 'POST', '/admin/v1/code-host-apps', {
      kind: 'github',
      origin,
      ...app,
      slug: 'docent-acme',
    })
    const source = { kind: 'github', location: `${origin}/${path}` }
    const site = { slug: 'handbook', name: 'Handbook', source }
    await sendAsAdmin(docent, 'POST', '/admin/v1/sites', site)
    await sendAsAdmin(docent, 'PATCH', '/admin/v1/sites/handbook', { settings: { suiteAsksModel: true } })
    await connected.waitForRevision('handbook', base)
    // The tests of the site itself are asked first.
    await vi.waitFor(() => expect(model.calls).toHaveLength(1), { timeout: 60_000 })
    pulls.create({ title: 'Shorten', head: 'emptied', base: 'main', isFromFork })
    const db = docent.service.store.durable
    const { id: siteId } = await connected.readSite('handbook')
    await queueComparison(db, { id: 'comparison_1', siteId, pullRequestId: '1', headCommit: null, now: Date.now() })

    const [row] = await vi.waitFor(
      async () => {
        const rows = await db.selectFrom('comparisons').selectAll().where('siteId', '=', siteId).execute()
        expect(rows).toMatchObject([{ runAt: null, failure: null }])
        return rows
      },
      { timeout: 120_000, interval: 300 },
    )

    expect(row?.result?.comparison.byModel).toMatchObject({ model: 'test/scripted', ...byModel })
    expect(pulls.look(1).comments[0]).toContain(isFromFork ? 'may come from a fork' : '**Worse by the model**')
    expect(model.calls).toHaveLength(isFromFork ? 1 : 4)
  } finally {
    await github.stop()
    await removeGithubTemplate()
  }
})
