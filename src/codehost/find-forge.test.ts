import { expect, it } from 'vitest'
import { findForge } from './find-forge.ts'

const live = new AbortController().signal

type Reply = { status: number; body?: unknown; headers?: Record<string, string> }

/** Replies of hosts by address; any other address is a missing page. */
function answering(replies: Record<string, Reply>) {
  const asked: string[] = []
  const fetch: typeof globalThis.fetch = async (input) => {
    const url = input instanceof Request ? input.url : input.toString()
    asked.push(url)
    const { status, body, headers } = replies[url] ?? { status: 404, body: '<html>' }
    return new Response(typeof body === 'string' ? body : JSON.stringify(body ?? null), {
      status,
      ...(headers && { headers }),
    })
  }
  return { asked, find: (address: string) => findForge({ fetch }, address, live) }
}

it.each([
  ['https://github.com/acme/docs', 'github', 'https://github.com', 'acme/docs'],
  ['https://www.github.com/acme/docs.git', 'github', 'https://github.com', 'acme/docs'],
  ['https://gitlab.com/acme/team/docs/', 'gitlab', 'https://gitlab.com', 'acme/team/docs'],
  ['https://codeberg.org/acme/docs', 'gitea', 'https://codeberg.org', 'acme/docs'],
  ['https://gitea.com/acme/docs', 'gitea', 'https://gitea.com', 'acme/docs'],
])('knows %s by its name', async (address, kind, origin, path) => {
  const { find, asked } = answering({})

  expect(await find(address)).toEqual({ kind, origin, path })
  expect(asked).toEqual([])
})

const host = 'https://git.example.com'

it.each<[string, string, Record<string, Reply>]>([
  ['gitlab', host, { [`${host}/api/v4/version`]: { status: 401, body: { message: '401 Unauthorized' } } }],
  ['gitlab', host, { [`${host}/api/v4/version`]: { status: 200, body: { version: '17.1.0', revision: 'abc' } } }],
  ['gitea', host, { [`${host}/api/v1/version`]: { status: 200, body: { version: '1.22.0' } } }],
  [
    'gitea',
    host,
    { [`${host}/api/v1/version`]: { status: 403, body: { message: 'Only signed in user is allowed to call APIs.' } } },
  ],
  ['github', host, { [`${host}/api/v3/meta`]: { status: 200, headers: { 'x-github-enterprise-version': '3.17.0' } } }],
  [
    'gitlab',
    `${host}/group`,
    { [`${host}/group/api/v4/version`]: { status: 401, body: { message: '401 Unauthorized' } } },
  ],
])('finds out by what it answers to strangers that a host is a %s at %s', async (kind, origin, replies) => {
  const address = origin === host && kind !== 'gitlab' ? `${host}/acme/docs` : `${host}/group/acme/docs`

  const found = await answering(replies).find(address)

  expect(found).toMatchObject({ kind, origin })
})

it.each<[string, Record<string, Reply>]>([
  ['answers nothing', {}],
  ['answers pages to everything', { [`${host}/api/v4/version`]: { status: 200, body: '<html>' } }],
  ['refuses everything', { [`${host}/api/v4/version`]: { status: 401 }, [`${host}/api/v1/version`]: { status: 401 } }],
  ['sends elsewhere', { [`${host}/api/v3/meta`]: { status: 302, headers: { location: 'https://github.com' } } }],
])('takes a host that %s for none of them', async (_what, replies) => {
  expect(await answering(replies).find(`${host}/acme/docs`)).toBeNull()
})
