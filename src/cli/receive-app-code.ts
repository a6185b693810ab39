import { randomBytes, timingSafeEqual } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A page on this machine that has GitHub make an App, and is told the code of what it made. */
export interface AppCodeReceiver {
  /** Where the page is opened. */
  url: string
  /** The code; never settles when nobody makes the App. */
  code: Promise<string>
  stop(): Promise<void>
}

export interface AppCodeRequest {
  /** Where the form is posted to, for the word that comes back with the code. */
  formUrl(state: string): string
  /** The description of the App, for the address that GitHub sends the browser to. */
  manifest(redirectUrl: string): object
}

const stateBytes = 24

/**
 * Serves the form that GitHub wants a browser to post, on this machine alone, and takes the code when GitHub sends the browser
 * back. A code that comes without the word of this very form is not taken: somebody else's App would be stored.
 */
export async function receiveAppCode({ formUrl, manifest }: AppCodeRequest): Promise<AppCodeReceiver> {
  const state = randomBytes(stateBytes).toString('base64url')
  const { promise: code, resolve } = Promise.withResolvers<string>()
  const server = createServer((request, response) => answer(request, response))
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}` // It listens on a port.
  const form = renderForm(formUrl(state), manifest(`${url}/made`))

  function answer(request: IncomingMessage, response: ServerResponse): void {
    const asked = new URL(request.url ?? '/', url)
    // A name server may lead another name to this machine; the page is for the address that was printed.
    if (request.headers.host !== new URL(url).host || request.method !== 'GET') return send(response, 403, 'Not here.')
    if (asked.pathname === '/') return send(response, 200, form)
    const given = asked.searchParams.get('code') ?? ''
    if (asked.pathname !== '/made' || given === '') return send(response, 404, 'There is nothing here.')
    if (!isSame(asked.searchParams.get('state') ?? '', state)) {
      return send(response, 403, 'This App was not asked for here. Start again from the page that docent has printed.')
    }
    send(response, 200, 'The App is made. You can close this page and go on in the terminal.')
    resolve(given)
  }

  return {
    url: `${url}/`,
    code,
    stop: () =>
      new Promise((stopped) => {
        server.close(() => stopped())
        server.closeAllConnections()
      }),
  }
}

/** The code out of what somebody pasted: itself, or the whole address that GitHub sent the browser to. */
export function readPastedCode(text: string): string {
  const url = URL.parse(text.trim())
  return url === null ? text.trim() : (url.searchParams.get('code') ?? '')
}

function isSame(one: string, other: string): boolean {
  const [first, second] = [Buffer.from(one), Buffer.from(other)]
  return first.length === second.length && timingSafeEqual(first, second)
}

function send(response: ServerResponse, status: number, body: string): void {
  const headers = {
    'content-type': 'text/html; charset=utf-8',
    'cache-control': 'no-store',
    'referrer-policy': 'no-referrer',
    'x-frame-options': 'DENY',
  }
  response.writeHead(status, headers).end(`<!doctype html><meta charset="utf-8"><title>Docent</title>${body}`)
}

function renderForm(action: string, manifest: object): string {
  return `<h1>Make a GitHub App for Docent</h1>
<p>GitHub asks you for its name and shows what it may do. Then it comes back here.</p>
<form method="post" action="${escapeHtml(action)}">
<input type="hidden" name="manifest" value="${escapeHtml(JSON.stringify(manifest))}">
<button>Go to GitHub</button>
</form>`
}

function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}
