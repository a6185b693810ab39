import { randomBytes } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { isSameSecret } from '../base/same-secret.ts'
import { escapeXml } from '../base/escape-xml.ts'

/** A local page that has GitHub create an App and receives the resulting code. */
export interface AppCodeReceiver {
  url: string
  /** The code. Never settles if nobody creates the App. */
  code: Promise<string>
  stop(): Promise<void>
}

export interface AppCodeRequest {
  /** Form target; GitHub returns `state` with the code. */
  formUrl(state: string): string
  /** App manifest, given the redirect URL. */
  manifest(redirectUrl: string): object
}

const stateBytes = 24

/**
 * Serves, on the loopback interface only, the form that the browser must post to GitHub, and receives the code from
 * GitHub's redirect. Rejects codes with a different `state`: they would store someone else's App.
 */
export async function receiveAppCode({ formUrl, manifest }: AppCodeRequest): Promise<AppCodeReceiver> {
  const state = randomBytes(stateBytes).toString('base64url')
  const { promise: code, resolve } = Promise.withResolvers<string>()
  const server = createServer((request, response) => answer(request, response))
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}` // A listening TCP server has an address.
  const form = renderForm(formUrl(state), manifest(`${url}/made`))

  function answer(request: IncomingMessage, response: ServerResponse): void {
    const asked = new URL(request.url ?? '/', url)
    // DNS rebinding can point other host names at this machine; serve only the printed address.
    if (request.headers.host !== new URL(url).host || request.method !== 'GET') return send(response, 403, 'Forbidden.')
    if (asked.pathname === '/') return send(response, 200, form)
    const given = asked.searchParams.get('code') ?? ''
    if (asked.pathname !== '/made' || given === '') return send(response, 404, 'Not found.')
    if (!isSameSecret(asked.searchParams.get('state') ?? '', state)) {
      return send(response, 403, 'This App was not requested here. Start again from the page that docent printed.')
    }
    send(response, 200, 'The App was created. You can close this page and return to the terminal.')
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

/** Extracts the code from pasted text: the code itself, or the whole redirect URL. */
export function readPastedCode(text: string): string {
  const url = URL.parse(text.trim())
  return url === null ? text.trim() : (url.searchParams.get('code') ?? '')
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
  return `<h1>Create a GitHub App for Docent</h1>
<p>GitHub asks for a name, shows the permissions of the App and then returns here.</p>
<form method="post" action="${escapeXml(action)}">
<input type="hidden" name="manifest" value="${escapeXml(JSON.stringify(manifest))}">
<button>Continue to GitHub</button>
</form>`
}
