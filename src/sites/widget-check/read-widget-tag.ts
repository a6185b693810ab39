import { Parser } from 'htmlparser2'

/** What a page's HTML says about the widget. */
export interface WidgetMarkup {
  /** The first script tag of a widget. */
  tag: { src: string; site: string | null; key: string | null; nonce: string | undefined } | null
  /** Values of meta elements. */
  policies: string[]
  /** Whether the script's address appears outside of a tag, as where a framework adds the tag in the browser. */
  isMentioned: boolean
}

/** Most tags of a policy that are read; pages have one. */
const policiesMax = 20

/** The parser's stack of open tags costs quadratic time, so reading ends where nesting is excessive. */
const openTagsMax = 3_000
const pieceChars = 32_768

/** Accepts any text. */
export function readWidgetMarkup(html: string): WidgetMarkup {
  const markup: WidgetMarkup = { tag: null, policies: [], isMentioned: html.includes('/widget.js') }
  const open = { count: 0 }
  const parser = new Parser({
    onopentag: (name, attributes) => {
      open.count++
      if (name === 'meta') readPolicy(attributes, markup.policies)
      if (name === 'script') markup.tag ??= readTag(attributes)
    },
    onclosetag: () => void open.count--,
  })
  for (let at = 0; at < html.length && open.count < openTagsMax; at += pieceChars) {
    parser.write(html.slice(at, at + pieceChars))
  }
  parser.end()
  return markup
}

type Attributes = Readonly<Record<string, string>>

function readPolicy({ 'http-equiv': name, content }: Attributes, policies: string[]): void {
  if (name?.toLowerCase() !== 'content-security-policy' || content === undefined) return
  if (policies.length < policiesMax) policies.push(content)
}

/** Site tools may add a query to the address. */
function readTag({ src, nonce, ...others }: Attributes): WidgetMarkup['tag'] {
  if (src === undefined || !/\/widget\.js(?:[?#].*)?$/.test(src)) return null
  return { src, site: others['data-site'] ?? null, key: others['data-key'] ?? null, nonce }
}
