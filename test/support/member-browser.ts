import { invitationCreatedSchema, sessionSchema, type SessionResource } from '../../src/contract/accounts.ts'
import type { Docent } from './start-docent.ts'

/** Hashes that take a moment. The real cost is tested once. */
export const cheapPasswords = { cost: 16, blockSize: 1, parallelization: 1 }

export const goodPassword = 'kafe-lumen-otter'

/** A browser with a script of ours in it: keeps its cookies, and sends the form token of its session. */
export class MemberBrowser {
  static #made = 0
  /** Another network for each, where the product trusts one proxy, so that failures of one do not count against others. */
  address = `198.51.${++MemberBrowser.#made % 250}.1`
  readonly #url: string
  readonly cookies = new Map<string, string>()
  formToken: string | null = null
  /** What `Set-Cookie` of the last reply said. */
  setCookies: string[] = []

  constructor(url: string) {
    this.#url = url
  }

  /** @param headers Win over those that a browser sends by itself. */
  async send(method: string, path: string, body?: unknown, headers: Record<string, string> = {}): Promise<Response> {
    const cookie = [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const response = await fetch(new URL(path, this.#url), {
      method,
      redirect: 'manual',
      headers: {
        ...(cookie === '' ? {} : { cookie }),
        ...(this.formToken === null ? {} : { 'x-docent-form-token': this.formToken }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        'sec-fetch-site': 'same-origin',
        'x-forwarded-for': this.address,
        ...headers,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    this.setCookies = response.headers.getSetCookie()
    for (const set of this.setCookies) this.#keep(set)
    return response
  }

  get(path: string): Promise<Response> {
    return this.send('GET', path)
  }

  async signIn(email: string, password = goodPassword): Promise<Response> {
    const response = await this.send('POST', '/auth/sign-in', { email, password })
    if (response.ok) this.#read(await response.clone().json())
    return response
  }

  async accept(token: string, person: { name?: string; email?: string; password?: string } = {}): Promise<Response> {
    const response = await this.send('POST', '/auth/accept', { token, password: goodPassword, ...person })
    if (response.ok) this.#read(await response.clone().json())
    return response
  }

  /** Signs in with a link alone, without a password. */
  async followLink(token: string): Promise<Response> {
    const response = await this.send('POST', '/auth/link', { token })
    if (response.ok) this.#read(await response.clone().json())
    return response
  }

  async session(): Promise<SessionResource> {
    return sessionSchema.parse(await (await this.get('/auth/session')).json())
  }

  #read(body: unknown): void {
    this.formToken = sessionSchema.parse(body).formToken
  }

  #keep(set: string): void {
    const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(set) ?? []
    if (value === '') this.cookies.delete(name)
    else this.cookies.set(name, value)
  }
}

/** The owner of the first start's link, with a password. */
export async function makeOwner(docent: Docent, email = 'owner@example.com'): Promise<MemberBrowser> {
  const browser = new MemberBrowser(docent.url)
  const token = new URL(docent.service.firstStart?.ownerLink ?? '').searchParams.get('token') ?? ''
  const accepted = await browser.accept(token, { name: 'Olga Owner', email })
  if (!accepted.ok) throw new Error(await accepted.text())
  return browser
}

/** The token of an invitation. */
export async function makeInvitation(owner: MemberBrowser, role: string, email?: string) {
  const reply = await owner.send('POST', '/admin/v1/invitations', { role, ...(email === undefined ? {} : { email }) })
  const { url, ...invitation } = invitationCreatedSchema.parse(await reply.json())
  return { ...invitation, token: new URL(url).searchParams.get('token') ?? '' }
}

/** Somebody who has accepted an invitation. */
export async function makeMember(docent: Docent, owner: MemberBrowser, role: string): Promise<MemberBrowser> {
  const { token } = await makeInvitation(owner, role)
  const browser = new MemberBrowser(docent.url)
  const accepted = await browser.accept(token, { name: `The ${role}`, email: `${role}@example.com` })
  if (!accepted.ok) throw new Error(await accepted.text())
  return browser
}
