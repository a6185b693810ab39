import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { type Role, roles } from '../../src/contract/accounts.ts'
import { allOperations } from '../../src/contract/operations/all-operations.ts'
import type { Access, Operations } from '../../src/contract/operations/operation.ts'
import { cheapPasswords, makeMember, makeOwner, type MemberBrowser } from '../support/member-browser.ts'
import { type Docent, startDocent } from '../support/start-docent.ts'

vi.setConfig({ testTimeout: 120_000, hookTimeout: 60_000 })

let docent: Docent
const browsers = new Map<Role, MemberBrowser>()
beforeAll(async () => {
  docent = await startDocent({ passwordCost: cheapPasswords })
  const owner = await makeOwner(docent)
  browsers.set('owner', owner)
  for (const role of ['editor', 'viewer'] as const) browsers.set(role, await makeMember(docent, owner, role))
})
afterAll(() => docent.remove())

/** Every route that sessions open, as `METHOD /path/{part}`. */
function listRoutes(): string[] {
  const open = docent.service.server.routes.filter(
    ({ method, path }) => method !== 'ALL' && /^\/(?:admin\/v1|v2\/agent)\//.test(path),
  )
  return [...new Set(open.map(({ method, path }) => `${method} ${path.replace(/:(\w+)/g, '{$1}')}`))]
}

const operations: Operations = allOperations
const access = new Map<string, Access>(
  Object.values(operations).map(({ method, path, access }) => [`${method.toUpperCase()} ${path}`, access]),
)

/** The role that a route needs by its definition. */
function roleOf(route: string): Role {
  const role = roles.find((each) => each === access.get(route))
  if (role === undefined) throw new Error(`${route} needs a role: define it in src/contract/operations.`)
  return role
}

/**
 * What is an owner's alone, whatever the table says: who may come in, what opens what, and what is gone for good. Of
 * comments, editors may delete their own.
 */
const ownerPowers =
  /^(?:DELETE (?!\S+\/comments\/)\S+|(?:POST|PUT|PATCH) \/admin\/v1\/(?:keys|members|invitations|settings|owner-links|repositories|code-host-apps|webhooks)\b.*|POST \/admin\/v1\/sites|POST \S+\/identity-secret|GET \/admin\/v1\/(?:invitations|audit-log))$/

describe('the table of operations', () => {
  it('defines every route that sessions open, with a role', () => {
    expect(() => listRoutes().map(roleOf)).not.toThrow()
  })

  it('gives nobody but owners keys, members, settings and deletions', () => {
    const routes = listRoutes().filter((route) => ownerPowers.test(route))
    const given = routes.filter((route) => roleOf(route) !== 'owner')

    expect(given).toEqual([])
    expect(routes.length).toBeGreaterThan(15)
  })

  it('lets viewers only read', () => {
    const routes = listRoutes().filter((route) => !route.startsWith('GET '))

    expect(routes.filter((route) => roleOf(route) === 'viewer')).toEqual([])
  })

  it('holds for HEAD as for GET, and leaves what it does not define to owners, unless it only reads', async () => {
    expect(await outcomeOf('viewer', 'HEAD', '/admin/v1/audit-log')).toBe('refused')
    expect(await outcomeOf('editor', 'POST', '/admin/v1/a-new-resource')).toBe('refused')
    expect(await outcomeOf('viewer', 'GET', '/admin/v1/a-new-resource')).toBe('let on')
  })
})

it('is held by every route for every role', async () => {
  const outcomes: string[] = []
  const expected: string[] = []
  for (const route of listRoutes()) {
    const [method, path] = splitRoute(route)
    for (const role of ['viewer', 'editor'] as const) {
      const isAllowed = roles.indexOf(role) >= roles.indexOf(roleOf(route))
      expected.push(`${role} ${route}: ${isAllowed ? 'let on' : 'refused'}`)
      outcomes.push(`${role} ${route}: ${await outcomeOf(role, method, path)}`)
    }
  }

  expect(outcomes).toEqual(expected)
  expect(outcomes.length).toBeGreaterThan(60)
})

it('is held for a path that is written in another way', async () => {
  const viewer = browsers.get('viewer')
  for (const path of [
    '/admin/v1/audit%2Dlog',
    '/admin/v1/%61udit-log',
    '/admin/v1/audit-log?x=/',
    '//admin/v1/audit-log',
  ]) {
    const response = await viewer?.get(docent.url + path)

    expect([path, response?.ok]).toEqual([path, false])
  }
})

it('lets nobody on without a session, and no session without its form token change anything', async () => {
  const owner = browsers.get('owner')
  for (const route of listRoutes()) {
    const [method, path] = splitRoute(route)
    const address = path.replace(/\{\w+\}/g, 'none')
    const anonymous = await fetch(docent.url + address, { method, redirect: 'manual' })
    await anonymous.body?.cancel()

    expect(`${route}: ${anonymous.status}`).toBe(`${route}: 401`)
    if (method === 'GET') continue
    const forged = await owner?.send(method, address, undefined, { 'x-docent-form-token': 'forged' })
    expect(`${route}: ${await codeOf(forged)}`).toBe(`${route}: form_expired`)
  }
})

function splitRoute(route: string): [method: string, path: string] {
  const [method = '', path = ''] = route.split(' ')
  return [method, path]
}

/** Whether the role was what stopped the request, if anything. Names nothing that there is, so that nothing is changed. */
async function outcomeOf(role: Role, method: string, path: string): Promise<string> {
  const address = path.replace(/\{\w+\}/g, 'none')
  const isLook = method === 'GET' || method === 'HEAD'
  const response = await browsers.get(role)?.send(method, address, isLook ? undefined : {})
  // A reply to HEAD has no body to tell the code.
  const code = method === 'HEAD' && response?.status === 403 ? 'role_forbidden' : await codeOf(response)
  return code === 'role_forbidden' ? 'refused' : 'let on'
}

/** The code of a refusal; of anything else, a stream among them, nothing is read. */
async function codeOf(response: Response | undefined): Promise<string | undefined> {
  if (response === undefined || response.ok) {
    await response?.body?.cancel()
    return undefined
  }
  return ((await response.json()) as { code?: string }).code
}
