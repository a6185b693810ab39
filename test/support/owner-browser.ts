/** A browser without scripts: keeps the cookie of the session, follows no redirect, and sends the forms of a page. */
export interface OwnerBrowser {
  cookie: string | null
  get(url: string): Promise<{ status: number; text: string; headers: Headers }>
  post(url: string, fields: Record<string, string>): Promise<{ status: number; text: string; headers: Headers }>
  /** Sends the form of a page whose action ends so, with its hidden fields and those given. */
  submit(
    url: string,
    action: string,
    fields?: Record<string, string>,
  ): Promise<{ status: number; text: string; headers: Headers }>
}

export function createOwnerBrowser(): OwnerBrowser {
  const request = async (url: string, init: Omit<RequestInit, 'headers'>) => {
    const headers = { accept: 'text/html', ...(browser.cookie === null ? {} : { cookie: browser.cookie }) }
    const response = await fetch(url, { ...init, headers, redirect: 'manual' })
    const set = response.headers.get('set-cookie')
    if (set !== null) browser.cookie = set.split(';')[0] ?? null
    return { status: response.status, text: await response.text(), headers: response.headers }
  }
  const browser: OwnerBrowser = {
    cookie: null,
    get: (url) => request(url, {}),
    post: (url, fields) => request(url, { method: 'POST', body: new URLSearchParams(fields) }),
    async submit(url, action, fields = {}) {
      const { text } = await browser.get(url)
      const form = [...text.matchAll(/<form[^>]* action="([^"]*)"[\s\S]*?<\/form>/g)].find(([, to]) =>
        to?.endsWith(action),
      )
      if (form === undefined) throw new Error(`The page ${url} has no form for ${action}.`)
      const hidden = form[0].matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)"/g)
      const known = Object.fromEntries([...hidden].map(([, name, value]) => [name, value]))
      return browser.post(new URL(form[1] ?? '', url).href, { ...known, ...fields })
    },
  }
  return browser
}
