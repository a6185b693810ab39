import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { errorBodySchema } from '../../src/contract/error-body.ts'
import { ownerLinkSchema } from '../../src/contract/repositories.ts'
import { searchResponseSchema } from '../../src/contract/search.ts'
import { type GitClient, runGit } from '../support/git-client.ts'
import { createOwnerBrowser, type OwnerBrowser } from '../support/owner-browser.ts'
import { asAdmin, getPullRequest, openPullRequest, pushChange, servedRevision } from '../support/pull-requests.ts'
import { type Docent, startDocent } from '../support/start-docent.ts'

// Each test runs dozens of git commands, and a busy machine must not turn it red.
vi.setConfig({ testTimeout: 240_000, hookTimeout: 240_000 })

let docent: Docent
let owner: OwnerBrowser
const clients: GitClient[] = []
beforeAll(async () => {
  docent = await startDocent()
  owner = await signIn()
}, 60_000)
afterAll(() => docent.remove())
afterEach(async () => {
  for (const client of clients.splice(0)) await client.remove()
})

async function signIn(): Promise<OwnerBrowser> {
  const browser = createOwnerBrowser()
  const { url } = ownerLinkSchema.parse(await (await docent.post('/admin/v1/owner-links', {}, asAdmin)).json())
  const signedIn = await browser.submit(url, '/sign-in')
  expect(signedIn.status).toBe(303)
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
async function repositoryFolder(): Promise<string> {
  const folder = join(docent.folder, 'repositories')
  const name = (await readdir(folder)).find((entry) => entry.endsWith('.git'))
  return join(folder, name ?? '')
}

const git = async (...args: string[]) => runGit('/nonexistent', await repositoryFolder(), args)

describe('merging', () => {
  it('by the button makes the assistant answer from the new text', async () => {
    const { pullRequest } = await propose(
      'numbat',
      'guides/install.mdx',
      '---\ntitle: Install\n---\n\nThe numbat port is 4711.\n',
    )
    expect(await search('numbat port')).toEqual([])

    const merged = await owner.submit(pullRequest.url, '/merge')

    expect(merged.status).toBe(303)
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

    const { text } = await owner.get(pullRequest.url)
    expect(text).toContain('The quoll is gone.')
    expect(text).toContain('merged it')
    expect(text).not.toContain('/merge"')
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

  it('happens once, however many ask for it at the same time', async () => {
    const { pullRequest } = await propose('once', 'guides/once.md', 'Once\n')

    const replies = await Promise.all(Array.from({ length: 5 }, () => merge(pullRequest.id)))

    expect(replies.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409, 409, 409, 409])
    expect((await owner.get(pullRequest.url)).text).toContain('First admin key merged it')
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
    const { text } = await owner.get(second.pullRequest.url)
    expect(text).toMatch(/class="conflicts">\s*<li><code>index\.mdx<\/code>/)
    expect(text).not.toContain('>Merge</button>')
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

describe('opening', () => {
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

describe('the page', () => {
  it('is read by whoever has the address, and by nobody else', async () => {
    const { pullRequest } = await propose('page', 'guides/page.md', 'The page\n')
    const stranger = createOwnerBrowser()

    const { status, headers, text } = await stranger.get(pullRequest.url)

    expect(status).toBe(200)
    expect(text).toContain('The page')
    expect(text).not.toContain('<form')
    expect(headers.get('cache-control')).toBe('private, no-store')
    expect(headers.get('referrer-policy')).toBe('no-referrer')
    expect(headers.get('content-security-policy')).toContain("default-src 'none'")
    const wrong = [
      pullRequest.url.replace(/\d+$/, String(pullRequest.number + 1)),
      pullRequest.url.replace(/pull\/../, 'pull/zz'),
    ]
    for (const url of wrong) expect((await stranger.get(url)).status).toBe(404)
  })

  it('shows hostile text as text', async () => {
    const evil = '<script>alert(1)</script><img src=x onerror=alert(2)>'
    const { pullRequest } = await propose('evil', 'guides/evil.md', `${evil}\nab\u202Ecd\n`, {
      body: `# Decision\n\n${evil}\n\n[click](javascript:alert(3)) ![x](https://evil.example/x.png)`,
    })
    await docent.post(`/admin/v1/pull-requests/${pullRequest.id}/comments`, { body: evil }, asAdmin)

    const { text } = await owner.get(pullRequest.url)

    expect(text).not.toMatch(/<script|<img[^>]*onerror|javascript:/)
    expect(text).toContain('&lt;script&gt;alert(1)&lt;/script&gt;')
    expect(text).toContain('U+202E')
    expect(text.split('id="decision"')).toHaveLength(2)
  })

  it('merges, closes and takes comments only in a session and from its own forms', async () => {
    const { pullRequest } = await propose('guarded', 'guides/guarded.md', 'Guarded\n')
    const { url } = pullRequest
    const stranger = createOwnerBrowser()
    const other = await signIn()
    const foreign = /name="token" value="([^"]+)"/.exec((await other.get(url)).text)?.[1] ?? ''
    const fields = { head: pullRequest.head.commit, body: 'Hello' }

    for (const action of ['merge', 'close', 'comments']) {
      expect((await stranger.post(`${url}/${action}`, { ...fields, token: foreign })).status).toBe(401)
      expect((await owner.post(`${url}/${action}`, fields)).status).toBe(403)
      expect((await owner.post(`${url}/${action}`, { ...fields, token: foreign })).status).toBe(403)
    }

    expect(await getPullRequest(docent, pullRequest.id)).toMatchObject({ state: 'open' })
    // The page that a refusal is shown on has forms too.
    const refused = await owner.submit(url, '/merge', { head: 'f'.repeat(40) })
    expect(refused.status).toBe(409)
    expect(refused.text).toContain(`action="${new URL(url).pathname}/merge"`)
    expect((await owner.submit(url, '/comments', { body: 'Well *done*.' })).status).toBe(303)
    expect((await owner.get(url)).text).toContain('Well <em>done</em>.')
    expect((await owner.submit(url, '/close')).status).toBe(303)
    expect(await getPullRequest(docent, pullRequest.id)).toMatchObject({ state: 'closed' })
  })
})
