import { AddressRefusedError } from '../../base/address-book.ts'
import type { WidgetCheckStep } from '../../contract/widget-launch.ts'
import { readBodyStart } from '../../base/body-start.ts'
import type { CheckedPage } from './check-widget-page.ts'

/** The tag is at the top of a page. */
const bytesMax = 2_000_000
const timeoutMs = 10_000
const redirectsMax = 5

/** No fault of the page: a browser may well reach it. */
const refused: WidgetCheckStep = {
  name: 'page',
  state: 'warning',
  message:
    'This service may not fetch addresses in private networks. Open the page yourself and ask a question: that shows here too.',
}

const failed = (message: string): WidgetCheckStep => ({ name: 'page', state: 'failed', message })

/**
 * Fetches a page as a browser without a session does.
 *
 * @param fetchGuarded Refuses addresses that the service may not reach, and follows no redirects.
 * @returns A step of the check if there is no page.
 */
export async function fetchPublicPage(
  fetchGuarded: typeof fetch,
  address: string,
  signal: AbortSignal,
): Promise<CheckedPage | WidgetCheckStep> {
  const limited = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)])
  try {
    return await follow(fetchGuarded, new URL(address), limited)
  } catch (error) {
    signal.throwIfAborted()
    if (error instanceof AddressRefusedError) return refused
    if (limited.aborted)
      return failed(
        `The page did not arrive within ${timeoutMs / 1_000} seconds. Check that it is public, and try again.`,
      )
    return failed('The page could not be fetched. Check its address, and that it is reachable from this server.')
  }
}

async function follow(
  fetchGuarded: typeof fetch,
  start: URL,
  signal: AbortSignal,
): Promise<CheckedPage | WidgetCheckStep> {
  let url = start
  for (let redirects = 0; redirects <= redirectsMax; redirects++) {
    const response = await fetchGuarded(url, { headers: { accept: 'text/html', 'user-agent': 'Docent' }, signal })
    const location = response.status >= 300 && response.status < 400 ? response.headers.get('location') : null
    const next = location === null ? null : URL.parse(location, url)
    if (next === null) return readPage(response, url)
    await response.body?.cancel()
    url = next
  }
  return failed(`The page redirects more than ${redirectsMax} times. Give the address that it leads to.`)
}

async function readPage(response: Response, url: URL): Promise<CheckedPage | WidgetCheckStep> {
  const { status, headers, body } = response
  if (status !== 200) {
    await body?.cancel()
    return failed(`The page answered with status ${status}. Give the address of a page that everybody can read.`)
  }
  const policy = headers.get('content-security-policy')
  // Several headers are joined by commas, which no source contains.
  const { bytes } = await readBodyStart(body, bytesMax)
  return { url, html: new TextDecoder().decode(bytes), policies: policy?.split(',') ?? [] }
}
