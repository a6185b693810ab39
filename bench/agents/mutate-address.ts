export interface SitePageAddress {
  path: string
  title: string
  headings: readonly string[]
}

export interface WrongAddress {
  kind: string
  path: string
  /** The page that is meant. */
  page: string
}

/** Kinds whose page is certain: a redirect elsewhere does harm. */
export const certainKinds = /^(?:spelling|ending|escape|query|case|separator|prefix|dropped|moved)/

const related: Readonly<Record<string, string>> = {
  configuration: 'config',
  config: 'configuration',
  authentication: 'auth',
  auth: 'authentication',
  'environment-variables': 'env',
  installation: 'install',
  install: 'installation',
  kubernetes: 'k8s',
  quickstart: 'setup',
  'getting-started': 'setup',
  reference: 'api',
  troubleshooting: 'debugging',
}

const slug = (text: string) =>
  text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '-')
    .replace(/^-|-$/g, '')
const camel = (text: string) => text.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase())

/** Wrong addresses of a page, as people and language models write them. */
export function mutateAddress(page: SitePageAddress, place: number): WrongAddress[] {
  const { path, title, headings } = page
  const parts = path.slice(1).split('/')
  const last = parts.at(-1) ?? ''
  const parent = parts.slice(0, -1).join('/')
  const beside = (name: string) => `/${parent === '' ? '' : `${parent}/`}${name}`
  const words = last.split('-')
  const at = 1 + (place % Math.max(1, last.length - 2))
  const swapped = last.slice(0, at) + (last[at + 1] ?? '') + (last[at] ?? '') + last.slice(at + 2)
  const [first = ''] = parts
  const list: [kind: string, path: string | false][] = [
    ['spelling: slash', `${path}/`],
    ['spelling: double slash', `/${path}`],
    ['ending: index', `${path}/index`],
    ['ending: index.html', `${path}/index.html`],
    ['ending: html', `${path}.html`],
    ['ending: mdx', `${path}.mdx`],
    ['ending: md.md', `${path}.md.md`],
    ['ending: txt', `${path}.txt`],
    ['escape: hyphen', path.includes('-') && path.replaceAll('-', '%2D')],
    ['query: campaign', `${path}?utm_source=chatgpt.com`],
    ['case', path.replace(/(?<=[/-])[a-z]/g, (letter) => letter.toUpperCase())],
    ['separator: underscore', last.includes('-') && path.replaceAll('-', '_')],
    ['separator: none', last.includes('-') && beside(last.replaceAll('-', ''))],
    ['separator: camel', last.includes('-') && beside(camel(last))],
    ['separator: blank', last.includes('-') && beside(last.replaceAll('-', '%20'))],
    ['separator: plus', last.includes('-') && beside(last.replaceAll('-', '+'))],
    ...['docs', 'latest', 'en', 'v2', 'stable', 'documentation'].map((prefix): [string, string] => [
      `prefix: ${prefix}`,
      `/${prefix}${path}`,
    ]),
    ['dropped: section', parts.length > 1 && `/${parts.slice(1).join('/')}`],
    ['dropped: middle', parts.length > 2 && `/${first}/${last}`],
    ['dropped: all but last', parts.length > 1 && `/${last}`],
    ...['api', 'reference', 'concepts'].map((section): [string, string | false] => [
      `wrong section: ${section}`,
      parts.length > 1 && first !== section && `/${section}/${last}`,
    ]),
    ['extra section', beside(`api/${last}`)],
    ['plural', last.length > 3 && beside(last.endsWith('s') ? last.slice(0, -1) : `${last}s`)],
    ['typo: swap', last.length > 4 && swapped !== last && beside(swapped)],
    ['typo: drop', last.length > 4 && beside(last.slice(0, at) + last.slice(at + 1))],
    ['typo: double', last.length > 4 && beside(last.slice(0, at) + (last[at] ?? '') + last.slice(at))],
    ['word: last', words.length > 1 && beside(words.at(-1) ?? '')],
    ['word: first', words.length > 1 && beside(words[0] ?? '')],
    ['word: reversed', words.length > 1 && beside(words.toReversed().join('-'))],
    ['title', slug(title) !== last && slug(title) !== '' && beside(slug(title))],
    ['heading', headings.length > 0 && beside(slug(headings[place % headings.length] ?? ''))],
    ['question: how-to', beside(`how-to-${last}`)],
    ['question: what-is', beside(`what-is-${last}`)],
    ['related word', related[last] !== undefined && beside(related[last])],
    ['edition: version', `/v9${path}`],
    ['edition: language', `/fr${path}`],
  ]
  const given = list.flatMap(([kind, wrong]) => (wrong === false ? [] : [{ kind, path: wrong, page: path }]))
  const markdown = given.filter(({ kind }) =>
    /^(?:case|separator: under|prefix: docs|dropped|typo: swap|plural)/.test(kind),
  )
  return [...given, ...markdown.map((wrong) => ({ ...wrong, kind: `${wrong.kind} .md`, path: `${wrong.path}.md` }))]
}

/** Addresses without a page, of which none may lead anywhere. */
export const nonsense: readonly string[] = [
  '/zxqv-wobble-frumious',
  '/-afdocs-nonexistent-8f3a',
  '/guides/-afdocs-nonexistent-8f3a.md',
  `/${'a'.repeat(2_000)}`,
  '/..%2f..%2fetc%2fpasswd',
  '/%00',
  '/wp-login.php',
  '/qwertz/uiop/asdf',
  '/.well-known/ai-plugin.json',
  '/pricing-xyzzy.md',
  '/%F0%9F%92%A9',
  '/{{7*7}}',
]

/** Pages that language models invent on every site. */
export const invented: readonly string[] = [
  '/docs/introduction',
  '/getting-started',
  '/quickstart',
  '/installation',
  '/api-reference',
  '/api/overview',
  '/changelog',
  '/faq',
  '/troubleshooting',
  '/authentication',
  '/sdk',
  '/examples',
  '/pricing',
  '/llms-small.txt',
  '/docs/llms.txt',
  '/sitemap.md',
  '/openapi.yaml',
  '/swagger.json',
  '/AGENTS.md',
]
