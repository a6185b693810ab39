import type { CodeItem } from './code-item.ts'
import { isDistant, isHarmfulAddress, isScriptAddress } from './harmful-address.ts'

/** Elements that run, fetch, frame or submit something, or change how the rest of the page is read. */
const dangerousElements = new Set(
  (
    'applet base bgsound body button embed form frame frameset foreignobject head html iframe input isindex keygen ' +
    'link listing marquee math meta noembed noframes noscript object optgroup option param plaintext portal script select ' +
    'set slot style teleport template dialog datalist canvas textarea title use xmp animate animatemotion animatetransform fencedframe auto-type-table'
  ).split(' '),
)

/** They do nothing without attributes, so `<Link>` in a sentence is only a name. */
const inertAlone = /^(?:base|embed|link|meta|param)$/i

/** Components of common libraries that run what they are given; others with the name of an element are only alike. */
const activeComponents = new Set(['Script', 'Iframe', 'Style', 'Head', 'Playground', 'MDXRemote', 'RemoteContent'])

/** Attributes that contain code or markup in any front end. */
const dangerousAttribute =
  /^(?:on|dangerouslysetinnerhtml$|srcdoc$|ping$|attributionsrc$|is$|ref$|inner-?html$|set:html$|live$)/i
const addressAttribute =
  /^(?:href|src|srcset|to|url|link|action|formaction|poster|background|cite|data|xlink:?href|manifest)$/i
/** What a style may set, without hyphens: the rest can move, cover or hide text, also in ways that are still to come. */
const plainProperty =
  /^(?:color|background(?:color)?|(?:border|outline)\w*|(?:margin|padding)\w*|text(?:align|decoration|transform)\w*|font(?:family|size|style|variant|weight)?|lineheight|(?:min|max)?(?:width|height)|display|flex\w*|(?:align|justify|place)\w+|(?:row|column)?gap|grid\w*|order|float|clear|verticalalign|whitespace|word(?:break|wrap)|overflow\w*|object(?:fit|position)|aspectratio|liststyle\w*|boxs\w+|opacity|tablelayout|cursor|fill|stroke\w*|tabsize|hyphens|zoom)$/
const fetchingStyle = /url\s*\(|(?:image-set|cross-fade)\s*\(|(?<![a-z-])(?:image|src)\s*\(|expression\s*\(|@import/i
/** Hides text from readers, which may then be for agents that read the page. */
const hidingStyle =
  /display\s*:\s*['"]?\s*none|(?:rgb|hsl)a?\((?:[^),]{0,40},){3}\s?0*\.?0*%?\s?\)|(?:rgb|hsl)a?\([^)/]{0,100}\/\s?0*\.?0*%?\s?\)|(?<![a-z-])color\s*:\s*['"]?\s*(?:transparent|#(?:[\da-f]{3}0|[\da-f]{6}00)(?![\da-f])|var\(--[\w-]{0,60}(?:bg|background))|(?:margin|padding)[\w-]{0,20}\s*:\s*['"]?(?:-?[\d.]{1,9}[a-z%]{0,4}\s){0,3}(?:-\d{3}|-\d{1,2}(?:%|r?em|v[wh])|\d{4})/i
const clipped = /overflow[\w-]{0,3}\s*:\s*['"]?\s*(?:hidden|clip|auto|scroll)/i
const tiny = /(?<![a-z-])(?:(?:max-?)?width|(?:line-?)?height)\s*:\s*['"]?\s*(?:[0-2](?:\.\d+)?px|0(?![\d.]))/i
const measure =
  /(?<![\w-])((?:fill-?)?opacity|zoom|font-?size|font|(?:max-?)?height)\s*[:(]\s*['"]?\s*(?:(?:[a-z]+|[1-9]00)\s+)*(-?(?:\d+\.?\d*|\.\d+))(%|[a-z]*)/gi
const colors = /(?<![a-z-])(color|background(?:-?color)?)\s*:\s*['"]?\s*(#[\da-f]{3,8}|[a-z]+\([^)]{0,100}\)|[a-z]+)/gi

/** They do not say which color it is. */
const inherited = /^(?:inherit|initial|unset|revert|currentcolor)$/

function isHarmfulStyle(style: string): boolean {
  return /\\|\/\*/.test(style) || fetchingStyle.test(style) || hidesText(style)
}

/** Whether a style can move text away, or makes it too small or too faint to read, or as dark as what is behind it. */
function hidesText(written: string): boolean {
  // Patterns look through a run of spaces from each of its places.
  const style = written.replace(/\s+/g, ' ')
  const properties = style.matchAll(/(?<![\w-])([\w-]+) ?:/g)
  if ([...properties].some(([, name = '']) => !plainProperty.test(name.replaceAll('-', '').toLowerCase()))) return true
  if (hidingStyle.test(style) || (clipped.test(style) && tiny.test(style))) return true
  const found = [...style.matchAll(measure)]
  if (found.some(([, name = '', value, unit = '']) => isUnreadable(name.toLowerCase(), Number(value), unit)))
    return true
  const [text, behind] = [/^color$/i, /^background/i].map((name) =>
    [...style.matchAll(colors)].filter(([, key = '']) => name.test(key)).map(([, , color = '']) => readColor(color)),
  )
  return text?.some((color) => !inherited.test(color) && behind?.includes(color)) === true
}

function isUnreadable(name: string, value: number, unit: string): boolean {
  if (name.endsWith('height')) return value <= 0
  if (name.startsWith('font')) return value * (pixels.get(unit.toLowerCase()) ?? 1) < 4
  return (unit === '%' ? value / 100 : value) < 0.2
}

const pixels: ReadonlyMap<string, number> = new Map([
  ['em', 16],
  ['rem', 16],
  ['%', 0.16],
  ['vw', 10],
  ['vh', 10],
])

const readColor = (color: string) =>
  color
    .toLowerCase()
    .replace(/\s/g, '')
    .replace(/^white$/, '#fff')
    .replace(/^black$/, '#000')
    .replace(/^#(.)(.)(.)$/, '#$1$1$2$2$3$3')

/** Of Tailwind, which several formats bring along. */
const coveringClass = /(?:^|[\s:!])(?:fixed|sticky|bg-\[url\([^\s]*)(?=\s|$)/
const hidingClass =
  /(?:^|\s)!?(?:hidden|invisible|collapse|sr-only|(?:visually|is|u)-?hidden|d-none|screen-reader-(?:text|only)|-?translate-[xy]-(?:full|\[-?\d{3,}\w*\])|opacity-(?:[05]|10|\[0?\.[01]\d*\])|scale-0|text-transparent|text-\[[0-3](?:\.\d+)?(?:px)?\]|text-\[0?\.[01]\d*r?em\]|(?:max-)?[hw]-0|size-0|-(?:left|top|indent)-\[\d{3}\w*\])(?=\s|$)/
/** Shown again in another theme, at another width or when pointed at, but not only in print. */
const showingClass =
  /(?<!\bprint):!?(?:block|flex|grid|inline[\w-]*|table[\w-]*|contents|visible|not-sr-only|opacity-\d+)(?=\s|$)/
/** Styles in brackets, and text in the color of what is behind it. */
function hasHarmfulProperty(classes: string): boolean {
  const words = classes.split(/\s+/)
  const written = words.flatMap((word) => /^(?:[\w-]+:)*!?\[([\w-]+:[^\]]*)\]$/.exec(word)?.[1] ?? [])
  const behind = new Set(words.flatMap((word) => /^bg-(.+)/.exec(word)?.[1] ?? []))
  return written.some(isHarmfulStyle) || words.some((word) => word.startsWith('text-') && behind.has(word.slice(5)))
}

/** Names what is read when the site is built. */
const readAttribute = /^(?:document|spec|schema|openapi|asyncapi)(?:-?(?:url|src|file|path))?$/i

/** An element of MDX or HTML; expressions in attributes are judged where attributes are read. */
export interface WrittenElement {
  /** Null for a fragment. */
  name: string | null
  attributes: readonly { name: string; value: string | null }[]
  line: number | null
  /** Of an element whose content is code: see `isRawText`. */
  content?: string | null
}

/** Elements whose content is code, so that another content is another element. */
export const isRawText = (name: string | null): boolean => /^(?:[\w-]+:)?(?:script|style)$/i.test(name ?? '')

/**
 * @returns What about the element itself, without its children, could be harmful, and the name of a component: in lower
 *   case, names are elements of HTML.
 */
export function listElementCode({ name, attributes, line, content }: WrittenElement): CodeItem[] {
  const items: CodeItem[] = []
  if (name !== null && isDangerousElement(name) && !(attributes.length === 0 && inertAlone.test(name))) {
    items.push({ kind: 'element', text: [writeTag(name, attributes), content ?? ''].join(' ').trim(), line })
  } else if (name !== null && !/^[a-z][a-z0-9:-]*$/.test(name)) items.push({ kind: 'element', text: name, line })
  for (const { name: attribute, value } of attributes) {
    // Text that readers do not see may be for agents that read the page.
    const isHidden = /^(?:hidden|popover)$/i.test(attribute) && !/^[A-Z]/.test(name ?? 'A')
    if (!isHidden && !isHarmfulAttribute(attribute, value ?? '')) continue
    items.push({ kind: 'attribute', text: value === null ? attribute : `${attribute}="${value}"`, line })
  }
  return items
}

/** One frame on a page does not allow another one elsewhere, so its attributes count. */
function writeTag(name: string, attributes: WrittenElement['attributes']): string {
  return [name, ...attributes.map(({ name: key, value }) => `${key}=${JSON.stringify(value)}`)].join(' ')
}

/**
 * Whether the element does something by itself, wherever it comes from.
 *
 * @param name As MDX reads it: with a capital, it is a component. Names of HTML come in lower case.
 */
export function isDangerousElement(name: string): boolean {
  if (/^[A-Z]/.test(name)) return activeComponents.has(name)
  // The prefix of a namespace is the author's choice.
  return dangerousElements.has(name.toLowerCase().split(':').at(-1) ?? '')
}

function isHarmfulAttribute(name: string, value: string): boolean {
  if (dangerousAttribute.test(name) || isScriptAddress(value)) return true
  if (/^class(?:name)?$/i.test(name)) {
    return (
      coveringClass.test(value) || hasHarmfulProperty(value) || (hidingClass.test(value) && !showingClass.test(value))
    )
  }
  if (/^style$/i.test(name)) return isHarmfulStyle(value)
  // Mintlify shows what it holds to agents only.
  if (name === 'for' && /^\s*agents\s*$/i.test(value)) return true
  // Some components show their texts as Markdown.
  if ([...value.matchAll(/\]\(\s{0,9}<?([^)]{1,300})/g)].some(([, target = '']) => isHarmfulAddress(target)))
    return true
  if (readAttribute.test(name)) return isDistant(value)
  return addressAttribute.test(name) && isHarmfulAddress(value)
}
