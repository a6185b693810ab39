const removed = /<!--[\s\S]*?(?:-->|$)|<(script|style|template)\b[\s\S]*?(?:<\/\1\s*>|$)/gi
const tag =
  /<(\/?)([A-Za-z][\w.:-]{0,100})((?:"[^"]{0,2000}"|'[^']{0,2000}'|[^"'<>]){0,2000})>|<![A-Za-z][^>]{0,1000}>/g
const attribute = /([A-Za-z][\w:-]{0,50})\s*=\s*(?:"([^"]*)"|'([^']*)'|\{\s*["'`]([^"'`]*)["'`]\s*\})/g

/** Tags that end a line of text. */
const lineTags = new Set(
  'address article br dd details div dl dt footer form h1 h2 h3 h4 h5 h6 header hr li main nav ol p pre section summary table tbody thead tr ul video'.split(
    ' ',
  ),
)
export const inlineTags: ReadonlySet<string> = new Set(
  'a abbr b bdi bdo big button center cite code col colgroup data del dfn em font i img input ins kbd label mark picture q rp rt ruby s samp small source span strike strong sub sup svg path time tt u var wbr'.split(
    ' ',
  ),
)
export const titleAttributes = ['title', 'label', 'name', 'text', 'caption', 'description', 'tip', 'alt']

/**
 * Extracts the text of HTML or unparsable markup, without tags, comments and scripts. Images become their alternative
 * text or what is written for them, components their titles. Accepts any text; linear time. Pure.
 */
export function stripTags(
  markup: string,
  writeImage: (url: string, alternative: string) => string = (_url, alternative) => alternative,
): string {
  if (!markup.includes('<')) return markup
  return markup
    .replace(removed, '')
    .replace(tag, (_written, slash: string, name: string | undefined, attributes: string) => {
      if (name === undefined) return ''
      if (lineTags.has(name.toLowerCase())) return '\n'
      if (isPlaceholder(name, attributes)) return `\\<${slash}${name}>`
      if (slash !== '' || attributes === '') return ''
      if (name.toLowerCase() === 'img') {
        const read = readAttributes(attributes)
        return writeImage(read.get('src') ?? '', read.get('alt') ?? '')
      }
      return /^[A-Z]/.test(name) ? describeComponent(attributes) : ''
    })
}

/** `<slug>` in prose is a placeholder for the reader to replace, not a tag. */
export function isPlaceholder(name: string, attributes: string): boolean {
  return attributes === '' && /^[a-z]/.test(name) && !inlineTags.has(name) && !lineTags.has(name)
}

function describeComponent(text: string): string {
  const attributes = readAttributes(text)
  const words = titleAttributes.flatMap((name) => attributes.get(name) ?? [])
  return words.length === 0 ? '' : `${words.join(' · ')}\n`
}

function readAttributes(text: string): Map<string, string> {
  const found = new Map<string, string>()
  for (const [, name = '', double, single, expression] of text.matchAll(attribute)) {
    found.set(name.toLowerCase(), double ?? single ?? expression ?? '')
  }
  return found
}

const entities = new Map([
  ['amp', '&'],
  ['apos', "'"],
  ['copy', '©'],
  ['gt', '>'],
  ['hellip', '…'],
  ['larr', '←'],
  ['lbrace', '{'],
  ['lcub', '{'],
  ['mdash', '—'],
  ['nbsp', ' '],
  ['ndash', '–'],
  ['quot', '"'],
  ['rarr', '→'],
  ['rbrace', '}'],
  ['rcub', '}'],
  ['reg', '®'],
  ['shy', ''],
  ['times', '×'],
  ['trade', '™'],
])

/** Decodes common character references. `<` comes out escaped, so that no tag can arise; unknown references stay. */
export function decodeEntities(text: string): string {
  return text.replace(
    /&(?:#(\d{1,7})|#x([\da-f]{1,6})|([a-z]{2,8}));/gi,
    (written, decimal?: string, hex?: string, name?: string) => {
      if (name === 'lt') return String.raw`\<`
      if (name !== undefined) return entities.get(name) ?? written
      const code = decimal === undefined ? Number.parseInt(hex ?? '', 16) : Number(decimal)
      if (code === 60) return String.raw`\<`
      return code >= 32 && code <= 0x10ffff && !(code >= 0xd800 && code <= 0xdfff)
        ? String.fromCodePoint(code)
        : written
    },
  )
}
