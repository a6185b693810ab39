import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import type { Locator } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { siteSchema } from '../../src/contract/admin.ts'
import { errorBodySchema } from '../../src/contract/error-body.ts'
import { homeSchema } from '../../src/contract/home.ts'
import { ownerLinkSchema } from '../../src/contract/repositories.ts'
import { commentSchema, threadSchema } from '../../src/contract/pull-request-review.ts'
import { searchResponseSchema } from '../../src/contract/search.ts'
import { type GitClient, runGit } from '../support/git-client.ts'
import { findBarriers } from '../support/find-barriers.ts'
import { makeMember, MemberBrowser } from '../support/member-browser.ts'
import {
  type DashboardPage,
  keepSession,
  narrow,
  openWindow,
  patience,
  throwFaults,
  wide,
} from '../support/open-dashboard.ts'
import {
  asAdmin,
  getPullRequest,
  openPullRequest,
  pushChange,
  servedRevision,
  viewPullRequest,
} from '../support/pull-requests.ts'
import { closeWindows } from '../support/share-browser.ts'
import { type Docent, startDocent } from '../support/start-docent.ts'
import { findChromium, missingChromium } from '../wire/browser/find-chromium.ts'

// Each test runs dozens of git commands, and a busy machine must not turn it red.
vi.setConfig({ testTimeout: 240_000, hookTimeout: 240_000 })

const hasChromium = findChromium() !== null
if (!hasChromium) process.stderr.write(`Skipped: the page of a pull request. ${missingChromium}\n`)

let docent: Docent
let owner: MemberBrowser
/** A member who may only read. */
let viewing: MemberBrowser
const clients: GitClient[] = []
beforeAll(async () => {
  docent = await startDocent()
  owner = await signIn()
  viewing = await makeMember(docent, owner, 'viewer')
}, 60_000)
afterAll(() => docent.remove())
afterEach(async () => {
  for (const client of clients.splice(0)) await client.remove()
})

async function signIn(): Promise<MemberBrowser> {
  const browser = new MemberBrowser(docent.url)
  const { url } = ownerLinkSchema.parse(await (await docent.post('/admin/v1/owner-links', {}, asAdmin)).json())
  expect((await browser.followLink(new URL(url).searchParams.get('token') ?? '')).status).toBe(200)
  return browser
}

async function propose(branch: string, path: string, text: string, more: { body?: string; draft?: boolean } = {}) {
  const client = await pushChange(docent, { branch, path, text })
  clients.push(client)
  return { client, pullRequest: await openPullRequest(docent, { branch, title: `Change ${path}`, ...more }) }
}

const merge = (id: string, body: object = {}) => docent.post(`/admin/v1/pull-requests/${id}/merge`, body, asAdmin)

async function search(query: string): Promise<string[]> {
  const response = await docent.post('/discovery/v1/search/docs', { query })
  return searchResponseSchema.parse(await response.json()).map(({ path }) => path)
}

/** The bare repository on the disk of the server. */
/** Whether a window shows it without being scrolled. */
function isInView(element: Locator): Promise<boolean> {
  return element.evaluate(
    (node) => node.getBoundingClientRect().bottom <= node.ownerDocument.documentElement.clientHeight,
  )
}

async function repositoryFolder(): Promise<string> {
  const folder = join(docent.folder, 'repositories')
  const name = (await readdir(folder)).find((entry) => entry.endsWith('.git'))
  return join(folder, name ?? '')
}

const git = async (...args: string[]) => runGit('/nonexistent', await repositoryFolder(), args)

describe('merging', () => {
  it('by a member makes the assistant answer from the new text', async () => {
    const { pullRequest } = await propose(
      'numbat',
      'guides/install.mdx',
      '---\ntitle: Install\n---\n\nThe numbat port is 4711.\n',
    )
    expect(await search('numbat port')).toEqual([])

    const { member } = await viewPullRequest(pullRequest.url, owner)
    const merged = await owner.send('POST', `/admin/v1/pull-requests/${member?.id}/merge`, { head: member?.headCommit })

    expect(merged.status).toBe(200)
    const { state, mergeCommit } = await getPullRequest(docent, pullRequest.id)
    expect(state).toBe('merged')
    while ((await servedRevision(docent)) !== mergeCommit) await wait(50)
    expect(await search('numbat port')).toEqual(['/guides/install'])
  })

  it('keeps the changes readable when the branch is deleted', async () => {
    const { client, pullRequest } = await propose('gone', 'guides/gone.md', '# Gone\n\nThe quoll is gone.\n')
    expect((await merge(pullRequest.id)).status).toBe(200)

    await client.git('push', '--quiet', 'origin', '--delete', 'gone')
    await git('gc', '--prune=now', '--quiet')

    const { state, files, mergeability } = await viewPullRequest(pullRequest.url, owner)
    expect({ state, kind: mergeability.kind }).toEqual({ state: 'merged', kind: 'ended' })
    expect(files.map(({ patch }) => patch).join()).toContain('The quoll is gone.')
  })

  it('is refused when the changes are others than those that were read', async () => {
    const { client, pullRequest } = await propose('moving', 'guides/moving.md', 'One\n')
    const read = pullRequest.head.commit
    await client.write('guides/moving.md', 'Two\n')
    const pushed = await client.commit('Another thought')
    await client.git('push', '--quiet', 'origin', 'moving')

    const refused = await merge(pullRequest.id, { head: read })

    expect(refused.status).toBe(409)
    expect(errorBodySchema.parse(await refused.json()).code).toBe('conflict')
    expect(await getPullRequest(docent, pullRequest.id)).toMatchObject({ state: 'open', head: { commit: pushed } })
    expect((await merge(pullRequest.id, { head: pushed })).status).toBe(200)
  })

  it('of a draft needs a reason of an owner, which stays with it', async () => {
    const { pullRequest } = await propose('unfinished', 'guides/unfinished.md', 'Draft\n', { draft: true })

    const refused = await merge(pullRequest.id)
    const merged = await merge(pullRequest.id, { override: 'It is urgent.' })

    expect([refused.status, merged.status]).toEqual([409, 200])
    expect(errorBodySchema.parse(await refused.json()).error).toContain('This is a draft')
    const { comments } = await viewPullRequest(pullRequest.url)
    expect(comments.map(({ body }) => body).join()).toContain('decided to merge it all the same: It is urgent.')
  })

  it('happens once, however many ask for it at the same time', async () => {
    const { pullRequest } = await propose('once', 'guides/once.md', 'Once\n')

    const replies = await Promise.all(Array.from({ length: 5 }, () => merge(pullRequest.id)))

    expect(replies.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409, 409, 409, 409])
    expect((await viewPullRequest(pullRequest.url)).endedBy).toBe('First admin key')
    const merges = await git('log', '--format=%s', '--merges', '--grep', `#${pullRequest.number}:`, 'main')
    expect(merges.split('\n')).toHaveLength(1)
  })

  it('of several pull requests at the same time loses none', async () => {
    const proposals = []
    for (const name of ['left', 'right', 'middle'])
      proposals.push(await propose(name, `guides/${name}.md`, `${name}\n`))

    const replies = await Promise.all(proposals.map(({ pullRequest }) => merge(pullRequest.id)))

    expect(replies.map(({ status }) => status)).toEqual([200, 200, 200])
    const files = await git('ls-tree', '-r', '--name-only', 'main')
    expect(files.split('\n')).toEqual(expect.arrayContaining(['guides/left.md', 'guides/middle.md', 'guides/right.md']))
  })

  it('shows the files of a conflict and changes nothing', async () => {
    const first = await propose('first', 'index.mdx', 'First\n')
    const second = await propose('second', 'index.mdx', 'Second\n')
    expect((await merge(first.pullRequest.id)).status).toBe(200)
    const before = await git('rev-parse', 'main')

    const refused = await merge(second.pullRequest.id)

    expect(refused.status).toBe(409)
    const { code, error } = errorBodySchema.parse(await refused.json())
    expect(code).toBe('merge_conflict')
    expect(error).toContain('index.mdx')
    expect(await git('rev-parse', 'main')).toBe(before)
    const { mergeability } = await viewPullRequest(second.pullRequest.url)
    expect(mergeability).toEqual({ kind: 'conflict', files: ['index.mdx'] })
  })

  it('that was cut short after the branch moved is taken up by the next look', async () => {
    const { pullRequest } = await propose('cut', 'guides/cut.md', 'Cut\n')
    const { number, head } = pullRequest
    const tree = await git('merge-tree', '--write-tree', 'main', head.commit)
    const parents = ['-p', 'main', '-p', head.commit]
    const identity = ['-c', 'user.name=Docent', '-c', 'user.email=docent@localhost']
    const commit = await git(...identity, 'commit-tree', tree, ...parents, '-m', 'Merge')
    await git('update-ref', 'refs/heads/main', commit)
    await git('update-ref', `refs/pull/${number}/merged`, commit)

    const record = await getPullRequest(docent, pullRequest.id)

    expect(record).toMatchObject({ state: 'merged', mergeCommit: commit, head: { commit: head.commit } })
    while ((await servedRevision(docent)) !== commit) await wait(50)
  })
})

describe('reviewing', () => {
  const path = 'guides/reviewed.mdx'

  it('is for editors, and applies no suggestion that the agent may not push', async () => {
    const { pullRequest } = await propose('reviewed', path, '---\ntitle: Reviewed\n---\n\nThe key is long.\n')
    const { id, head } = pullRequest
    const at = `/admin/v1/pull-requests/${id}`
    const secret = ['ghp', 'Zx9Kq2LmP4Rt7Vw1Yb6Nc8Hd3Jf5Gs0AeUiO'].join('_')
    const post = (browser: MemberBrowser, action: string, body: object) =>
      browser.send('POST', `${at}/${action}`, { head: head.commit, ...body })
    const comment = { path, line: 5, body: `\`\`\`suggestion\nThe key is ${secret}.\n\`\`\`` }
    const thread = threadSchema.parse(await (await post(owner, 'threads', comment)).json())
    const comments = thread.comments.map((each) => each.id)

    const refused = await post(owner, 'suggestions', { comments })

    expect(refused.status).toBe(400)
    expect(errorBodySchema.parse(await refused.json()).error).toContain('push it with git')
    expect((await getPullRequest(docent, id)).head).toEqual(head)
    const actions = {
      threads: comment,
      suggestions: { comments },
      reviews: { verdict: 'approve' },
      'update-branch': {},
    }
    for (const [action, body] of Object.entries({ ...actions, reopen: {}, revert: {} })) {
      expect((await post(viewing, action, body)).status).toBe(403)
    }
    const seen = { path, blob: head.commit, viewed: true }
    expect((await viewing.send('PUT', `${at}/viewed-files`, seen)).status).toBe(403)
    expect((await viewing.send('PATCH', `${at}/threads/${thread.id}`, { resolved: true })).status).toBe(403)
    expect((await post(owner, 'reviews', { verdict: 'approve', head: '0'.repeat(40) })).status).toBe(409)
  })

  it('lets people edit and delete their own comments, owners delete any, and nobody what is a record', async () => {
    const { pullRequest } = await propose('said', 'guides/said.md', 'Said.\n')
    const at = `/admin/v1/pull-requests/${pullRequest.id}`
    const editing = await makeMember(docent, owner, 'editor')
    const say = async (browser: MemberBrowser, body: string) =>
      commentSchema.parse(await (await browser.send('POST', `${at}/comments`, { body })).json())
    const byOwner = await say(owner, 'By the owner.')
    const byEditor = await say(editing, 'By an editor.')
    await owner.send('PATCH', at, { draft: true })
    await owner.send('POST', `${at}/merge`, { override: 'It is urgent.' })
    const record = (await viewPullRequest(pullRequest.url)).comments.find(({ authorId }) => authorId === null)
    const edit = async (browser: MemberBrowser, { id }: { id: string }) =>
      (await browser.send('PATCH', `${at}/comments/${id}`, { body: 'Edited.' })).status
    const drop = async (browser: MemberBrowser, { id }: { id: string }) =>
      (await browser.send('DELETE', `${at}/comments/${id}`)).status

    expect([await edit(editing, byOwner), await edit(owner, byEditor), await drop(editing, byOwner)]).toEqual([
      403, 403, 403,
    ])
    expect([await edit(viewing, byOwner), await drop(viewing, byOwner)]).toEqual([403, 403])
    expect([await edit(owner, record ?? { id: '' }), await drop(owner, record ?? { id: '' })]).toEqual([409, 409])
    expect(await edit(editing, byEditor)).toBe(200)
    expect(await edit(editing, { id: 'comment_none' })).toBe(404)
    const { comments } = await viewPullRequest(pullRequest.url)
    expect(comments.find(({ id }) => id === byEditor.id)).toMatchObject({
      body: 'Edited.',
      editedAt: expect.any(String),
    })
    expect([await drop(owner, byEditor), await drop(owner, byOwner)]).toEqual([204, 204])
    expect((await viewPullRequest(pullRequest.url)).comments.map(({ id }) => id)).toEqual([record?.id])
  })

  it('shows pages before and after in a frame that runs nothing, and the addresses that change', async () => {
    const text = '---\ntitle: Compared\n---\n\nNew <script>alert(1)</script>words.\n\n![Lid](lid.svg)\n'
    const drawing = { branch: 'compared', path: 'guides/lid.svg', text: '<svg xmlns="http://www.w3.org/2000/svg"/>' }
    const client = await pushChange(docent, drawing)
    clients.push(client)
    await client.write('guides/compared.mdx', text)
    await client.commit('Show the lid')
    await client.git('push', '--quiet', 'origin', 'compared')
    const pullRequest = await openPullRequest(docent, { branch: 'compared' })

    const page = await fetch(`${pullRequest.url}/page?path=guides/compared.mdx`)
    const addresses = await (await fetch(`${pullRequest.url}/addresses`)).json()

    expect(page.headers.get('content-security-policy')).toMatch(/^default-src 'none'.* sandbox allow-same-origin$/)
    const html = await page.text()
    expect(html).toMatch(/Not there before.*<ins>.*<h1>Compared<\/h1><p>New .*words/s)
    const image = /<img src="([^"]*)" alt="Lid"/.exec(html)?.[1]?.replaceAll('&#x26;', '&') ?? ''
    expect(await (await fetch(new URL(image, page.url))).text()).toBe(drawing.text)
    expect(addresses).toMatchObject({ addresses: [{ before: null, after: '/guides/compared' }], total: 1 })
    expect((await fetch(`${pullRequest.url}/page?path=../../etc/passwd`)).status).toBe(404)
    expect((await fetch(`${pullRequest.url}/image?path=guides/compared.mdx`)).status).toBe(404)
  })
})

describe('opening', () => {
  it('is listed among what needs somebody, for the site that is made of the repository', async () => {
    const { pullRequest } = await propose('at-home', 'guides/at-home.md', 'At home\n')

    const { needs } = homeSchema.parse(await (await docent.get('/admin/v1/home', asAdmin)).json())
    const site = siteSchema.parse(await (await docent.get('/admin/v1/sites/docs', asAdmin)).json())

    expect(needs.find((need) => need.url === pullRequest.url)).toMatchObject({ kind: 'pull-request', siteId: site.id })
  })

  it('a second time finds the open one and brings it up to date', async () => {
    const { pullRequest } = await propose('again', 'guides/again.md', 'Again\n')

    const again = await openPullRequest(docent, { branch: 'again', title: 'A better title', draft: true })

    expect(again).toMatchObject({ id: pullRequest.id, url: pullRequest.url, title: 'A better title', draft: true })
  })

  it('after a close makes another one, and the closed one stays closed', async () => {
    const { pullRequest } = await propose('closed', 'guides/closed.md', 'Closed\n')
    const closed = await docent.post(`/admin/v1/pull-requests/${pullRequest.id}/close`, {}, asAdmin)
    expect(closed.status).toBe(200)

    const again = await openPullRequest(docent, { branch: 'closed' })

    expect(again.id).not.toBe(pullRequest.id)
    expect(await getPullRequest(docent, pullRequest.id)).toMatchObject({ state: 'closed', mergeCommit: null })
    expect((await merge(pullRequest.id)).status).toBe(409)
  })

  it.each([
    ['a branch that is not there', { branch: 'nowhere' }],
    ['the default branch itself', { branch: 'main' }],
    ['an option', { branch: '--upload-pack=touch' }],
    ['a title of two lines', { branch: 'again', title: 'One\nTwo' }],
  ])('is refused for %s', async (_, input) => {
    const body = { repository: 'default/docs', title: 'A change', ...input }
    const response = await docent.post('/admin/v1/pull-requests', body, asAdmin)

    expect(response.status).toBe(400)
  })
})

describe('the address', () => {
  it('is read by whoever has it, and by nobody else', async () => {
    const { pullRequest } = await propose('page', 'guides/page.md', 'The page\n')

    const response = await fetch(`${pullRequest.url}/view`)
    const view = await viewPullRequest(pullRequest.url)

    expect(response.status).toBe(200)
    expect(response.headers.get('cache-control')).toBe('private, no-store')
    expect(response.headers.get('referrer-policy')).toBe('no-referrer')
    expect(view).toMatchObject({ title: 'Change guides/page.md', state: 'open', member: null })
    expect(view.files).toMatchObject([{ path: 'guides/page.md', additions: 1 }])
    expect(await response.text()).not.toContain(pullRequest.id)
    const wrong = [
      pullRequest.url.replace(/\d+$/, String(pullRequest.number + 1)),
      pullRequest.url.replace(/pull\/../, 'pull/zz'),
    ]
    for (const url of wrong) {
      for (const address of [url, `${url}/view`]) {
        const missing = await fetch(address, { headers: { accept: 'text/html' } })
        expect(missing.status).toBe(404)
        expect(missing.headers.get('content-security-policy')).toContain("default-src 'none'")
      }
    }
  })

  it('lets nobody merge, close or comment without a session and its form token', async () => {
    const { pullRequest } = await propose('guarded', 'guides/guarded.md', 'Guarded\n')
    const { member } = await viewPullRequest(pullRequest.url, owner)
    const { formToken } = await signIn()
    const stranger = new MemberBrowser(docent.url)
    const body = { merge: { head: member?.headCommit }, close: {}, comments: { body: 'Hello' } }

    for (const [action, sent] of Object.entries(body)) {
      const path = `/admin/v1/pull-requests/${pullRequest.id}/${action}`
      const post = (browser: MemberBrowser, headers = {}) => browser.send('POST', path, sent, headers)
      expect((await post(stranger)).status).toBe(401)
      expect((await post(owner, { 'x-docent-form-token': '' })).status).toBe(403)
      expect((await post(owner, { 'x-docent-form-token': formToken ?? '' })).status).toBe(403)
      expect((await owner.send('POST', `${pullRequest.url}/${action}`, sent)).status).toBe(404)
    }

    expect(await viewPullRequest(pullRequest.url)).toMatchObject({ state: 'open', comments: [] })
  })
})

describe.skipIf(!hasChromium)('the page', () => {
  let reader: DashboardPage
  let decider: DashboardPage
  beforeAll(async () => {
    reader = await openWindow()
    decider = await openWindow({ storageState: keepSession(owner, docent) })
  })
  afterEach(() => {
    throwFaults(reader)
    throwFaults(decider)
  })
  afterAll(() => closeWindows())

  it('shows the change to whoever has the address, and offers them to sign in', async () => {
    const { pullRequest } = await propose('shown', 'guides/shown.md', 'The shown page\n', { body: 'Why *so*.' })
    const { page } = reader

    const response = await page.goto(pullRequest.url)

    expect(response?.status()).toBe(200)
    expect(response?.headers()).toMatchObject({
      'cache-control': 'private, no-store',
      'referrer-policy': 'no-referrer',
    })
    expect(await response?.text()).toContain(`<h1>Change guides/shown.md</h1>`)
    await page.getByText('The shown page').waitFor()
    expect(await page.title()).toContain('Change guides/shown.md')
    expect(await page.locator('em').textContent()).toBe('so')
    expect(await page.getByRole('button', { name: /Merge|Close|Comment/ }).count()).toBe(0)
    expect(await page.getByRole('link', { name: 'Sign in' }).first().getAttribute('href')).toBe(
      `/dashboard/sign-in?${new URLSearchParams({ returnTo: new URL(pullRequest.url).pathname })}`,
    )
    expect(page.url()).toBe(pullRequest.url)
  })

  it('shows hostile text as text', async () => {
    const evil = '<script>alert(1)</script><img src=x onerror=alert(2)>'
    const { pullRequest } = await propose('evil', 'guides/evil.md', `${evil}\nab\u202Ecd\n`, {
      body: `# Decision\n\n${evil}\n\n[click](javascript:alert(3)) ![x](https://evil.example/x.png)`,
    })
    await docent.post(`/admin/v1/pull-requests/${pullRequest.id}/comments`, { body: evil }, asAdmin)
    await openPullRequest(docent, { branch: 'evil', title: evil, body: pullRequest.body })
    const { page } = reader

    const response = await page.goto(pullRequest.url)
    await page.getByText('U+202E').waitFor()

    expect(await response?.text()).not.toMatch(/<script>|<img/)

    expect(await page.getByText('<script>alert(1)</script>').count()).toBeGreaterThanOrEqual(4)
    expect(await page.locator('main').locator('img, script, [onerror], a[href^="javascript"]').count()).toBe(0)
  })

  it('takes comments, and merges what was read', async () => {
    const { pullRequest } = await propose('decided', 'guides/decided.md', 'Decided\n')
    const { page } = decider

    await page.goto(pullRequest.url)
    await page.getByRole('textbox', { name: 'Comment', exact: true }).fill('Well *done*.')
    await page.getByRole('button', { name: 'Comment', exact: true }).click()
    await page.locator('em', { hasText: 'done' }).waitFor()
    await page.getByRole('button', { name: /^Edit comment/ }).click()
    const comment = page.getByRole('textbox', { name: 'Comment', exact: true }).first()
    await comment.fill('Well _thought_.')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.locator('em', { hasText: 'thought' }).waitFor()
    await page.getByText(', edited ').waitFor()
    await page.getByRole('button', { name: /^Delete comment/ }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click()
    await page.getByText('No comments yet.').waitFor()
    await page.keyboard.press('Escape')
    await page.locator('summary').first().focus()
    await page.keyboard.press('c')
    await page.getByRole('button', { name: 'Suggest a change' }).click()
    const text = page.getByRole('textbox', { name: 'Comment on line 1' })
    await text.fill((await text.inputValue()).replace('Decided', 'Settled'))
    await page.getByRole('button', { name: 'Comment', exact: true }).first().click()
    await page.getByRole('button', { name: 'Apply' }).click()
    await page.getByText('Committed to the branch.').waitFor()
    const button = page.getByRole('button', { name: 'Merge …' })
    await page.setViewportSize({ width: 1280, height: 300 })
    expect(await isInView(button)).toBe(false)
    await page.getByRole('link', { name: 'Merge or close' }).click()
    await expect.poll(() => isInView(button)).toBe(true)
    await page.setViewportSize(wide)
    await button.click()
    await page.getByRole('dialog').getByRole('button', { name: 'Merge' }).click()
    await page.getByText('merged it into').waitFor()

    expect(await getPullRequest(docent, pullRequest.id)).toMatchObject({ state: 'merged' })
    await button.waitFor({ state: 'detached' })
  })

  it('takes a comment on a removed line, and shows it below that line in German too', async () => {
    const { pullRequest } = await propose('removed', 'index.mdx', 'Nothing is left\n')
    const { page } = decider
    await page.goto(pullRequest.url)

    await page.getByRole('button', { name: 'Comment on line 1', exact: true }).first().click()
    await page.getByRole('textbox', { name: 'Comment on line 1' }).fill('Why is it gone?')
    await page.getByRole('button', { name: 'Comment', exact: true }).first().click()
    await page.getByRole('row').getByText('Why is it gone?').waitFor()
    const german = await openWindow({ storageState: keepSession(owner, docent), locale: 'de-AT' })
    await german.page.goto(pullRequest.url)
    await german.page.getByRole('row').getByText('Why is it gone?').waitFor()

    const { threads } = await viewPullRequest(pullRequest.url, owner)
    expect(threads).toMatchObject([{ side: 'before', lastLine: 1 }])
    await german.context.close()
  })

  it('takes comments on lines on a phone, and none where a page is shown, as high as it is', async () => {
    const { pullRequest } = await propose('small', 'guides/small.md', 'Small\n')
    const { page } = decider
    await page.setViewportSize(narrow)
    await page.goto(pullRequest.url)

    await page.getByRole('button', { name: 'Comment on a line' }).click()
    await page.getByRole('textbox', { name: 'Comment on line 1' }).waitFor()
    await page.getByRole('button', { name: 'Page', exact: true }).click()
    await page.frameLocator('iframe').getByText('Small').first().waitFor()

    expect(await page.getByRole('button', { name: 'Comment on a line' }).count()).toBe(0)
    const frame = page.locator('iframe')
    await expect.poll(async () => (await frame.boundingBox())?.height, patience).toBeLessThan(300)
    await page.setViewportSize(wide)
  })

  it('is decided on by who signs in with a link, without a password', async () => {
    const { pullRequest } = await propose('linked', 'guides/linked.md', 'Linked\n')
    const { url } = ownerLinkSchema.parse(await (await docent.post('/admin/v1/owner-links', {}, asAdmin)).json())
    const { page } = reader

    await page.goto(url)
    await page.getByRole('button', { name: 'Sign in without setting a password' }).click()
    await page.waitForURL('**/dashboard/default')
    await page.goto(pullRequest.url)
    await page.getByRole('button', { name: 'Merge …' }).waitFor()

    expect((await viewPullRequest(pullRequest.url)).state).toBe('open')
  })

  it('tells viewers that they may read alone', async () => {
    const { pullRequest } = await propose('viewed', 'guides/viewed.md', 'Viewed\n')
    const viewer = await openWindow({ storageState: keepSession(viewing, docent) })

    await viewer.page.goto(pullRequest.url)

    await viewer.page.getByText('As a viewer you can').waitFor()
    expect(await viewer.page.getByRole('button', { name: /Merge|Close|Comment/ }).count()).toBe(0)
    await viewer.context.close()
  })

  it('has nothing that keeps people out, light and dark, wide and narrow', async () => {
    const { pullRequest } = await propose('seen', 'guides/seen.md', 'Seen\n', { body: 'One *word*.' })
    const { page } = decider
    await page.goto(pullRequest.url)
    await page.getByRole('button', { name: 'Merge …' }).waitFor()

    const barriers = await findBarriers(page, 'light')
    await page.setViewportSize(narrow)
    barriers.push(...(await findBarriers(page, 'dark')))

    expect(barriers).toEqual([])
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(narrow.width)
    await page.setViewportSize(wide)
  })

  it('says what conflicts, and closes', async () => {
    const first = await propose('clash-one', 'index.mdx', 'One\n')
    const second = await propose('clash-two', 'index.mdx', 'Two\n')
    expect((await merge(first.pullRequest.id)).status).toBe(200)
    const { page } = decider

    await page.goto(second.pullRequest.url)
    await page.getByRole('list', { name: 'Conflicting files' }).getByText('index.mdx').waitFor()
    expect(await page.getByRole('button', { name: 'Merge …' }).count()).toBe(0)
    await page.getByRole('button', { name: 'Close without merging' }).click()
    await page.getByText('closed it without merging').waitFor()

    expect(await getPullRequest(docent, second.pullRequest.id)).toMatchObject({ state: 'closed' })
  })
})
