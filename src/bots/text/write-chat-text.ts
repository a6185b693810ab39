import type { BlockContent, DefinitionContent, List, Nodes, PhrasingContent, Root, RootContent, Table } from 'mdast'
import { MarkdownSyntaxError } from '../../content/markdown/markdown-syntax-error.ts'
import { parseMarkdown } from '../../content/markdown/parse-markdown.ts'
import type { ChatDialect } from './chat-dialect.ts'

/** A piece of a text that is best kept whole. */
export interface ChatBlock {
  text: string
  /** Lines of a code block, without its fences; then `text` is empty. */
  code: readonly string[] | null
  /** Follows the block before it without an empty line. */
  isTight: boolean
}

const linkCharsMax = 900

/** Writes Markdown in a platform's dialect. Tables become lists. Never throws: text that cannot be parsed stays plain. */
export function writeChatText(markdown: string, dialect: ChatDialect): ChatBlock[] {
  return parse(markdown).children.flatMap((node) => writeBlock(node, dialect))
}

function parse(markdown: string): Root {
  try {
    return parseMarkdown(markdown, 'markdown')
  } catch (error) {
    if (!(error instanceof MarkdownSyntaxError)) throw error
    const children = markdown.split('\n\n').map((value) => ({ type: 'paragraph', children: [{ type: 'text', value }] }))
    return { type: 'root', children: children as Root['children'] } // Built above.
  }
}

function block(text: string, isTight = false): ChatBlock {
  return { text, code: null, isTight }
}

function writeBlock(node: RootContent, dialect: ChatDialect): ChatBlock[] {
  if (node.type === 'paragraph') return [block(writeInline(node.children, dialect))]
  if (node.type === 'heading') return [block(dialect.bold(writeInline(node.children, dialect)))]
  if (node.type === 'code') return [codeBlock(node.value, dialect)]
  if (node.type === 'list') return writeList(node, dialect)
  if (node.type === 'table') return writeTable(node, dialect)
  if (node.type === 'blockquote') return [block(flatten(node.children, dialect).replace(/^/gm, '> '))]
  if (node.type === 'thematicBreak') return [block('———')]
  return node.type === 'html' ? [block(dialect.escape(node.value))] : []
}

function codeBlock(value: string, dialect: ChatDialect): ChatBlock {
  return { text: '', code: value.split('\n').map((line) => dialect.codeLine(line)), isTight: false }
}

/** Keeps the blocks of an item apart, so that a long list is split between blocks and code stays code. */
function writeList({ ordered, start, children }: List, dialect: ChatDialect): ChatBlock[] {
  return children.flatMap((item, index) => {
    const bullet = ordered === true ? `${(start ?? 1) + index}. ` : '• '
    const blocks = item.children.flatMap((child) => writeBlock(child, dialect))
    return blocks.map(({ text, code }, place) => ({
      text: (place === 0 ? bullet : indent) + text.replaceAll('\n', `\n${indent}`),
      code,
      isTight: index > 0 || place > 0,
    }))
  })
}

const indent = '    '

function flatten(nodes: readonly (BlockContent | DefinitionContent)[], dialect: ChatDialect): string {
  return nodes
    .flatMap((node) => writeBlock(node, dialect))
    .map(({ text, code }) => (code === null ? text : ['```', ...code, '```'].join('\n')))
    .join('\n')
}

function writeTable({ children: [head, ...rows] }: Table, dialect: ChatDialect): ChatBlock[] {
  const names = (head?.children ?? []).map((cell) => writeInline(cell.children, dialect))
  return rows.map((row, index) => {
    const [first = '', ...others] = row.children.map((cell) => writeInline(cell.children, dialect))
    const facts = others.map((value, column) => nameCell(names[column + 1], value)).filter((fact) => fact !== '')
    const label = first === '' ? '' : dialect.bold(first)
    return block(`• ${[label, facts.join('; ')].filter((part) => part !== '').join(': ')}`, index > 0)
  })
}

function nameCell(name: string | undefined, value: string): string {
  return value === '' || name === undefined || name === '' ? value : `${name}: ${value}`
}

function writeInline(nodes: readonly PhrasingContent[], dialect: ChatDialect): string {
  return nodes.map((node) => writePhrase(node, dialect)).join('')
}

function writePhrase(node: PhrasingContent, dialect: ChatDialect): string {
  if (node.type === 'strong') return dialect.bold(writeInline(node.children, dialect))
  if (node.type === 'emphasis') return dialect.italic(writeInline(node.children, dialect))
  if (node.type === 'inlineCode') return dialect.code(node.value)
  if (node.type === 'break') return '\n'
  if (node.type === 'link') return writeChatLink({ label: plainText(node), url: node.url }, dialect)
  return dialect.escape(plainText(node))
}

function plainText(node: Nodes): string {
  if (node.type === 'image') return node.alt ?? ''
  if ('value' in node) return node.value
  return 'children' in node ? node.children.map((child) => plainText(child)).join('') : ''
}

/** A link, or only its label if the address is not one of the web or is too long to be sent. */
export function writeChatLink({ label, url }: { label: string; url: string }, dialect: ChatDialect): string {
  const text = label === '' ? url : label
  const address = URL.canParse(url) ? new URL(url) : null
  if (address?.protocol !== 'https:' && address?.protocol !== 'http:') return dialect.escape(text)
  const whole = dialect.link(text, address.href)
  if (whole.length <= linkCharsMax) return whole
  // Without its text fragment, it leads to the heading.
  const short = dialect.link(text.slice(0, 200), address.href.replace(/:~:.*$/s, ''))
  return short.length <= linkCharsMax ? short : dialect.escape(text)
}
