import { dropImageMarks } from '../images/image-marks.ts'
import type { ComponentRule } from './element-view.ts'
import { calloutLabel } from '../markdown/callout-label.ts'
import { splitBlocks } from '../markdown/markdown-blocks.ts'
import { fenceCode, indentLines, joinBlocks, toLine } from '../markdown/markdown-writing.ts'
import { iconSymbol } from './icon-symbol.ts'
import type { ComponentLibrary } from './page-dialect.ts'
import { markType, trimLines } from './write-literal.ts'

const content: ComponentRule = (element) => element.blocks()
const nothing: ComponentRule = () => ''
/** The properties are read, so that they do not become text. */
const apiPage: ComponentRule = (element) => {
  for (const name of ['document', 'operations', 'webhooks']) element.literal(name)
  return ''
}

function bold(text: string | null): string {
  const words = text?.replace(/\s+/g, ' ').trim() ?? ''
  return words === '' ? '' : `**${words}**`
}

/** A bold title above the content. */
const titled: ComponentRule = (element) => {
  return joinBlocks([bold(element.attribute('title')), element.attribute('description') ?? '', element.blocks()])
}

/** The title comes from the tab's own attribute, or from the list of the surrounding tabs. */
const tab: ComponentRule = (element) => {
  const own = ['title', 'label', 'tab']
    .map((name) => element.attribute(name))
    .find((name) => name !== null && name !== '')
  const value = element.attribute('value')
  const title = own ?? (element.listedTitle(value) || value)
  return joinBlocks([bold(title), element.attribute('description') ?? '', element.blocks()])
}

const tabs: ComponentRule = (element) => {
  const body = element.blocks()
  // With content, the list only has the titles that the tabs show.
  if (body !== '') for (const name of ['items', 'values']) element.literal(name)
  return body
}

function callout(label: string): ComponentRule {
  return (element) => {
    const title = element.attribute('title')
    const name = title === null || title === '' ? label : label === '' ? title : `${label}: ${title}`
    const body = element.blocks()
    // Without content, a component of that name is an icon.
    if (body === '' && title === null) return iconSymbol(element.name)
    if (name === '') return body
    if (element.isInline) return `(${name}: ${body})`
    // Only plain text can follow the label on its line; lists, fences and headings cannot.
    const isText = !/^(?:[-+#>|~]|\*(?!\*)|\d+[.)]|`{3})/.test(body)
    return isText && title === null ? `**${name}:** ${body}` : joinBlocks([`**${name}**`, body])
  }
}

/** A callout whose kind is given by an attribute. */
function typedCallout(fallback: string): ComponentRule {
  return (element) => {
    const type = element.attribute('type') ?? ''
    return callout(calloutLabel(type) || fallback)(element)
  }
}

/** Code given as an attribute instead of a fence. */
const codeElement: ComponentRule = (element) => {
  const code = element.attribute('code')
  const title = ['title', 'filename', 'file'].map((name) => element.attribute(name)).find((name) => name !== null) ?? ''
  const written = element.attribute('lang') ?? element.attribute('language')
  const info = `${written ?? /\.(\w{1,10})$/.exec(title)?.[1] ?? ''} ${title}`.trim()
  if (code !== null) return fenceCode(trimLines(code), info)
  const body = element.blocks()
  return body === '' || body.startsWith('```') ? joinBlocks([bold(title), body]) : fenceCode(body, info)
}

const card: ComponentRule = (element) => {
  const title = element.attribute('title')?.trim() ?? ''
  const href = element.link('href')
  const head = href === null ? title : `[${title === '' ? href : title}](${href})`
  const more = [element.attribute('description') ?? '', element.blocks(), element.attribute('cta') ?? '']
  return joinBlocks([bold(head), ...more])
}

const parameterPlaces = ['path', 'query', 'body', 'header', 'cookie']

/** `**limit** (query, integer, required, default: 10)`, then the description. */
const field: ComponentRule = (element) => {
  const place = parameterPlaces.find((name) => element.attribute(name) !== null)
  const name = place === undefined ? element.attribute('name') : element.attribute(place)
  const defaultValue = element.attribute('default') ?? ''
  const traits = [
    place ?? '',
    markType(element.attribute('type') ?? ''),
    element.isOn('required') ? 'required' : '',
    element.isOn('deprecated') ? 'deprecated' : '',
    defaultValue === '' ? '' : `default: \`${defaultValue}\``,
  ].filter((trait) => trait !== '')
  const head = name === null || name === '' ? '' : `**\`${name}\`**`
  return joinBlocks([traits.length === 0 ? head : `${head} (${traits.join(', ')})`.trim(), element.blocks()])
}

const step: ComponentRule = (element) => {
  return joinBlocks([bold(`${element.ordinal}. ${element.attribute('title') ?? ''}`), element.blocks()])
}

const frame: ComponentRule = (element) => {
  return joinBlocks([element.attribute('hint') ?? '', element.blocks(), element.attribute('caption') ?? ''])
}

const tooltip: ComponentRule = (element) => {
  const text = element.inline()
  const tip = [element.attribute('headline'), element.attribute('tip')].filter((part) => part !== null && part !== '')
  return tip.length === 0 ? text : `${text} (${tip.join(': ')})`
}

/** A changelog entry: its label becomes a heading above those in its content. */
const update: ComponentRule = (element) => {
  const label = element.attribute('label')
  const body = element.blocks()
  const depths = splitBlocks(body).flatMap((block) => (block.kind === 'heading' ? [block.depth] : []))
  const depth = Math.min(2, Math.max(1, Math.min(...depths) - 1))
  const head = label === null || label === '' ? '' : `${'#'.repeat(depth)} ${label}`
  return joinBlocks([head, element.attribute('description') ?? '', element.attribute('tags') ?? '', body])
}

const treeItem = (suffix: string): ComponentRule => {
  return (element) => {
    const children = element.blocks('\n')
    const line = `- ${element.attribute('name') ?? ''}${suffix}`
    return children === '' ? line : `${line}\n${indentLines(children, '  ')}`
  }
}

const colorItem: ComponentRule = (element) => {
  const name = element.attribute('name')
  const value = element.attribute('value') ?? ''
  return name === null || name === '' ? `- ${value}` : `- ${name}: ${value}`
}

/** Content for agents is kept; content for humans only is not part of a page's Markdown. */
const visibility: ComponentRule = (element) => (element.attribute('for') === 'humans' ? '' : element.blocks())

const repository: ComponentRule = (element) => {
  const repo = element.attribute('repo')?.replace(/^https:\/\/github\.com\//, '') ?? ''
  return /^[\w.-]+\/[\w.-]+$/.test(repo) ? `[${repo}](https://github.com/${repo})` : ''
}

const image: ComponentRule = (element) => element.writeImage(element.attribute('src'), element.attribute('alt'))

function headingRule(depth: number | null): ComponentRule {
  return (element) => {
    const level = depth ?? (Number(element.attribute('level') ?? 2) || 2)
    const text = (dropImageMarks(element.inline()).trim() || (element.attribute('title') ?? '')).replace(/\s+/g, ' ')
    const id = element.attribute('id')
    if (text === '') return ''
    return `${'#'.repeat(Math.min(6, Math.max(1, level)))} ${text}${id === null || !/^[^\s{}]+$/.test(id) ? '' : ` {#${id}}`}`
  }
}

const anchorTag: ComponentRule = (element) => {
  const text = element.inline().trim()
  const href = element.link('href') ?? element.link('to')
  return dropImageMarks(text) === '' || href === null ? text : `[${text}](${href})`
}

const abbreviation: ComponentRule = (element) => {
  const title = element.attribute('title') ?? ''
  return title === '' ? element.inline() : `${element.inline()} (${title})`
}

/** Within code, nothing needs escaping. */
function unescapeCode(text: string): string {
  return text.replace(/\\([<{}])/g, '$1')
}

function wrapped(mark: string): ComponentRule {
  return (element) => {
    const text = element.inline().trim()
    if (text === '') return ''
    return `${mark}${mark === '`' ? unescapeCode(text) : text}${mark}`
  }
}

const listItem: ComponentRule = (element) => `- ${indentLines(element.blocks(), '  ').trimStart()}`
const lines: ComponentRule = (element) => element.blocks('\n')
const cell: ComponentRule = (element) => `${toLine(element.blocks(' '))} | `
const row: ComponentRule = (element) => `| ${toLine(element.blocks(' '))}`
const tableHead: ComponentRule = (element) => {
  const rows = element.blocks('\n')
  const cells = rows.split(' |').length - 1
  return cells === 0 ? rows : `${rows}\n|${' --- |'.repeat(cells)}`
}
const figure: ComponentRule = (element) => joinBlocks([element.attribute('title') ?? '', element.blocks()])

/**
 * Tags, and components that mean the same in every library that has them. Unlisted tags render as their content,
 * unlisted components by what their properties say.
 */
const rules: ReadonlyMap<string, ComponentRule> = new Map<string, ComponentRule>([
  ...['Accordion', 'AccordionItem'].map((name) => [name, titled] as const),
  ...['Tab', 'Tabs.Tab', 'TabItem', 'CodeBlockTab'].map((name) => [name, tab] as const),
  ...['Note', 'Tip', 'Info', 'Warning', 'Danger'].map((name) => [name, callout(name)] as const),
  ['Tabs', tabs],
  ['Callout', typedCallout('')],
  ['Aside', typedCallout('Note')],
  ['Admonition', typedCallout('Note')],
  ['Card', card],
  ['Cards.Card', card],
  ['LinkCard', card],
  ['Code', codeElement],
  ['CodeBlock', codeElement],
  ['Step', step],
  ['Icon', (element) => iconSymbol(element.attribute('icon') ?? element.attribute('name') ?? '')],
  // Their operations are written by the format.
  ...['APIPage', 'OpenAPIPage'].map((name) => [name, apiPage] as const),
  ['Badge', (element) => element.inline() || (element.attribute('text') ?? '')],
  ['Tooltip', tooltip],
  ...['FileTree.Folder', 'Folder'].map((name) => [name, treeItem('/')] as const),
  ...['FileTree.File', 'File'].map((name) => [name, treeItem('')] as const),
  ['FileTree', lines],
  ['Heading', headingRule(null)],
  ...[1, 2, 3, 4, 5, 6].map((depth) => [`h${depth}`, headingRule(depth)] as const),
  ...['script', 'style', 'svg', 'template', 'noscript', 'head', 'input', 'canvas'].map(
    (name) => [name, nothing] as const,
  ),
  ['abbr', abbreviation],
  ['a', anchorTag],
  ['Link', anchorTag],
  ['LinkButton', anchorTag],
  ['img', image],
  ['Image', image],
  ['video', figure],
  ['audio', figure],
  ['iframe', figure],
  ['br', () => '\n'],
  ['hr', () => '---'],
  ['code', wrapped('`')],
  ['kbd', wrapped('`')],
  ['strong', wrapped('**')],
  ['b', wrapped('**')],
  ['em', wrapped('*')],
  ['i', wrapped('*')],
  ['del', wrapped('~~')],
  ['pre', (element) => fenceCode(unescapeCode(element.blocks().replace(/^`([^`]*)`$/, '$1')), '')],
  ['ul', lines],
  ['ol', lines],
  ['li', listItem],
  ['table', lines],
  ['tbody', lines],
  ['thead', tableHead],
  ['tr', row],
  ['td', cell],
  ['th', cell],
  ['summary', (element) => bold(element.inline())],
  ['dt', (element) => bold(element.inline())],
])

/** Components that only group their content. */
const groups = new Set(
  'AccordionGroup Accordions CardGroup CardGrid Cards Columns Column CodeGroup Files Steps'.split(' '),
)

/** Built-in components of formats, whose names mean something else, or nothing, in others. */
const builtIns: Readonly<Record<ComponentLibrary, ReadonlyMap<string, ComponentRule>>> = {
  'docs-json': new Map<string, ComponentRule>([
    ...['Expandable', 'View'].map((name) => [name, titled] as const),
    ...['RequestExample', 'ResponseExample', 'Panel', 'Banner'].map((name) => [name, content] as const),
    ['Check', callout('Check')],
    ['Tile', card],
    ['ParamField', field],
    ['ResponseField', field],
    ['Frame', frame],
    ['Update', update],
    ['Tree', lines],
    ['Tree.Folder', treeItem('/')],
    ['Tree.File', treeItem('')],
    ['Color.Item', colorItem],
    ['Color.Row', (element) => joinBlocks([bold(element.attribute('title')), element.blocks('\n')])],
    ['Color', (element) => element.blocks(element.attribute('variant') === 'table' ? '\n\n' : '\n')],
    ['Prompt', (element) => joinBlocks([bold(element.attribute('description')), element.blocks()])],
    ['Visibility', visibility],
    ['GitHub.Repo', repository],
  ]),
}

/** @returns Undefined for a component of the site's own. */
export function findComponentRule(name: string, library: ComponentLibrary | undefined): ComponentRule | undefined {
  const rule = (library === undefined ? undefined : builtIns[library].get(name)) ?? rules.get(name)
  return rule ?? (groups.has(name) || !/^[A-Z]/.test(name) ? content : undefined)
}
