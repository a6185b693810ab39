import type { WidgetCheckStep } from '../../contract/widget-launch.ts'
import { findRefusingDirective, type PolicyRequest } from './content-security-policy.ts'
import { Parser } from 'htmlparser2'

export interface CheckedPage {
  /** After redirects. */
  url: URL
  html: string
  /** Values of its header `Content-Security-Policy`. */
  policies: readonly string[]
}

export interface WidgetExpectation {
  /** Address that the script tag should have. */
  script: string
  /** Whether an address belongs to this service. */
  isOwn(url: URL): boolean
  /** Names that the tag may use for the site; the first is suggested. */
  siteNames: readonly [string, ...string[]]
}

type Tag = NonNullable<WidgetMarkup['tag']>

export interface WidgetPageCheck {
  steps: WidgetCheckStep[]
  /** `data-key` of the tag; null if there is no tag or no key. */
  key: string | null
}

/** Reports why the widget would not work on a page, judging by its HTML and headers. */
export function checkWidgetPage(page: CheckedPage, expected: WidgetExpectation): WidgetPageCheck {
  const { tag, policies, isMentioned } = readWidgetMarkup(page.html)
  if (tag === null) return { steps: [isMentioned ? addedByScript : missingTag(expected)], key: null }
  const script = URL.parse(tag.src, page.url)
  const steps = [
    { name: 'tag', state: 'passed', message: 'The page has the script tag.' } as const,
    checkSite(tag, expected),
    checkScript(script, page.url, expected),
  ]
  if (script !== null) steps.push(checkPolicy(tag, script, page, [...page.policies, ...policies]))
  return { steps, key: tag.key }
}

const addedByScript: WidgetCheckStep = {
  name: 'tag',
  state: 'warning',
  message:
    'The page mentions widget.js, but has no script tag for it in its HTML. If your site adds scripts in the browser, open the page and look for the button.',
}

function missingTag({ script }: WidgetExpectation): WidgetCheckStep {
  const message = `The page has no script tag with ${script}. Add the line from "Put it live", publish your site, and check again. If it is there, a cache may still have the old page.`
  return { name: 'tag', state: 'failed', message }
}

function checkSite({ site }: Tag, { siteNames }: WidgetExpectation): WidgetCheckStep {
  const [wanted] = siteNames
  if (site === null)
    return { name: 'site', state: 'failed', message: `The tag has no data-site. Add data-site="${wanted}".` }
  const isRight = siteNames.includes(site.toLowerCase())
  const found = site.slice(0, 200)
  return isRight
    ? { name: 'site', state: 'passed', message: `The tag names the site ${found}.` }
    : {
        name: 'site',
        state: 'failed',
        message: `The tag names the site ${found}, not this one. Set data-site="${wanted}".`,
      }
}

function checkScript(script: URL | null, page: URL, expected: WidgetExpectation): WidgetCheckStep {
  const step = (state: WidgetCheckStep['state'], message: string) => ({ name: 'script', state, message }) as const
  if (script === null || !/^https?:$/.test(script.protocol))
    return step('failed', `The address of the script is not a web address. Set src="${expected.script}".`)
  if (page.protocol === 'https:' && script.protocol === 'http:')
    return step(
      'failed',
      `Browsers load no http: script on an https: page. Serve Docent over https, and set src to it.`,
    )
  if (!expected.isOwn(script))
    return step('failed', `The script comes from ${script.host}, not from this service. Set src="${expected.script}".`)
  return step('passed', `The script comes from ${script.host}.`)
}

function checkPolicy(tag: Tag, script: URL, page: CheckedPage, policies: readonly string[]): WidgetCheckStep {
  const { origin } = script
  const refused = [
    { directives: ['script-src-elem', 'script-src', 'default-src'], target: script, page: page.url, nonce: tag.nonce },
    { directives: ['connect-src', 'default-src'], target: new URL('/discovery/', script), page: page.url },
  ].flatMap((request: PolicyRequest) => findRefusingDirective(policies, request) ?? [])
  const names = [...new Set(refused)]
  if (names.length === 0) {
    const message =
      policies.length === 0 ? 'The page has no content security policy.' : 'The content security policy allows it.'
    return { name: 'policy', state: 'passed', message }
  }
  const message = `The content security policy of the page refuses it. Add ${origin} to ${names.join(' and ')}.`
  return { name: 'policy', state: 'failed', message }
}

/** What a page's HTML says about the widget. */
interface WidgetMarkup {
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
function readWidgetMarkup(html: string): WidgetMarkup {
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
