import type { Citation } from '../../../packages/docent-client/src/generated/wire-types.ts'
import { lightQuote } from '../../../packages/docent-client/src/light-quote.ts'
import type { PanelContext } from './panel-context.ts'

/** Below this width the panel covers the page. */
const sheetMaxPx = 640

/**
 * Where a link leads. Pages of other origins always open in a tab of their own, which the panel would not follow to.
 *
 * @param link Null once it is gone.
 */
export function setAddress(link: HTMLAnchorElement | null, address: string, context: PanelContext): void {
  if (link === null) return
  link.href = address
  if (link.origin === location.origin && context.settings.links === 'same-tab') return
  link.target = '_blank'
  link.rel = 'noopener'
}

/**
 * Follows the link of a citation. On the page that is shown already, lights the passage: routers of sites would lose the
 * text fragment.
 */
export function followCitation(event: Event, { url, quote, source }: Citation, context: PanelContext): void {
  if (!isThisPage(url) || lightQuote(quote, { anchor: source.anchor }) === null) return
  event.preventDefault()
  if (context.settings.mode !== 'panel' || innerWidth <= sheetMaxPx) context.close()
}

function isThisPage(address: string): boolean {
  const { origin, pathname } = new URL(address, location.href)
  const plain = (path: string) => path.replace(/(?:\/|\/?index\.html|\.html)$/, '')
  return origin === location.origin && plain(pathname) === plain(location.pathname)
}
