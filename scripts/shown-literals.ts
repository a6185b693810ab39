import { Visitor, visitorKeys, type Node } from 'oxc-parser'
import { lineAt, parseSource } from './parse-source.ts'

/** A text that people would read in English, whatever their language. */
export interface ShownLiteral {
  /** `path:line` */
  place: string
  text: string
}

const lookUps: ReadonlySet<string> = new Set(['say', 'sayCount', 'sayParts'])

/** Elements whose text is code, the same in every language. */
const codeElements: ReadonlySet<string> = new Set(['code', 'kbd', 'pre'])

/** Attributes whose text people read, even if it is a single word without a capital. */
const shownAttributes: ReadonlySet<string> = new Set([
  'action',
  'alt',
  'aria-roledescription',
  'aria-description',
  'aria-label',
  'caption',
  'description',
  'empty',
  'hint',
  'label',
  'legend',
  'note',
  'placeholder',
  'said',
  'sentence',
  'summary',
  'title',
  'what',
])

/** Words that are the same in every language: names, units and formats. */
const names = new RegExp(
  `^(?:Docent|de|Docusaurus|VitePress|Starlight|Mintlify|MkDocs|Fumadocs|Nextra|Next|js|Node|PostgreSQL|Git|Content-Security-Policy|GitHub|GitLab|Gitea|Bitbucket|Slack|Discord|JavaScript|TypeScript|Python|React|Markdown|JSON|CSV|API|URL|OpenAI|Anthropic|Ollama|Enter|Escape|Esc|Tab|Shift|Control|Ctrl|Alt|Backspace|Arrow(?:Up|Down|Left|Right)|Page(?:Up|Down)|curl|ms|KB|kB|MB|GB|px|USD)$`,
)

/**
 * Finds texts of a page that no catalogue has: text between tags, strings that read like words or stand where words are
 * shown, and templates around values. What a module throws as an `Error` is for its developers.
 *
 * @param path Only for messages, and to tell TSX from TypeScript.
 */
export function findShownLiterals(path: string, source: string): ShownLiteral[] {
  const { program } = parseSource(path, source)
  const found: ShownLiteral[] = []
  visitLiterals(program, (node, text) => {
    found.push({ place: `${path}:${lineAt(source, node.start)}`, text })
  })
  return found
}

/** The texts that a module looks up, as they are named. */
export function listLookUps(path: string, source: string): string[] {
  const found: string[] = []
  new Visitor({
    CallExpression: ({ callee, arguments: [first, , third] }) => {
      if (callee.type !== 'Identifier' || !lookUps.has(callee.name)) return
      const text = callee.name === 'sayCount' ? third : first
      if (text?.type === 'Literal' && typeof text.value === 'string') found.push(text.value)
    },
  }).visit(parseSource(path, source).program)
  return found
}

/** Where a node stands. */
interface Place {
  /** Text is shown here, whatever it looks like. */
  isShown: boolean
  /** Text is code here. */
  isCode: boolean
}

/** Calls back for each shown literal, with its text; the values of a template are `{}`. */
function visitLiterals(node: Node, report: (node: Node, text: string) => void): void {
  const visit = (node: Node, place: Place): void => {
    const text = readText(node)
    if (text !== null && !place.isCode && isForPeople(text, place, node.type)) report(node, text)
    for (const [child, childPlace] of listChildren(node, place)) visit(child, childPlace)
  }
  visit(node, { isShown: false, isCode: false })
}

function readText(node: Node): string | null {
  if (node.type === 'JSXText') return node.value.trim()
  if (node.type === 'Literal') return typeof node.value === 'string' ? node.value : null
  if (node.type === 'TemplateLiteral') return node.quasis.map(({ value }) => value.cooked ?? '').join('{}')
  return null
}

function isForPeople(text: string, { isShown }: Place, type: string): boolean {
  const words = text.replaceAll('{}', ' ').split(/[\s():,;.…“”–/]+/)
  const own = words.filter((word) => /\p{L}{2}/u.test(word) && !names.test(word))
  if (own.length === 0) return false
  // Addresses and paths.
  if (/^[^ ]*[./@+=][^ ]*\w$/.test(text)) return false
  if (isShown || type === 'JSXText') return true
  // Names of components, and samples of code.
  if (/^(?:\p{Lu}\p{Ll}+){2,}$/u.test(text) || text.includes('\n')) return false
  if (/^\p{Lu}\p{Ll}/u.test(text)) return true
  if (type === 'TemplateLiteral')
    return /(?:^|\{\}|\s)[\p{L}’,]+[.,:]?(?:\s\p{L}|\s\{\}|$)/u.test(text) && /\s/.test(text)
  return /[\p{L}\d]+ \p{L}{2,}/u.test(text) && /^[^\s<#./=-]+ /.test(text)
}

/** Nodes whose children stand where they do. */
const transparent: ReadonlySet<string> = new Set([
  'ArrayExpression',
  'JSXExpressionContainer',
  'LogicalExpression',
  'ParenthesizedExpression',
  'TSAsExpression',
  'TSSatisfiesExpression',
])

function listChildren(node: Node, place: Place): [Node, Place][] {
  if (node.type.startsWith('Import') && node.type !== 'ImportExpression') return []
  if (node.type === 'ImportExpression' || node.type === 'ThrowStatement') return []
  if (/^TS(?!As|Satisfies|NonNull)/.test(node.type)) return []
  const hidden = { isShown: false, isCode: true }
  const plain = { isShown: false, isCode: false }
  const all = (inner: Place) => childrenOf(node).map((child): [Node, Place] => [child, inner])
  if (node.type === 'CallExpression') {
    const isLookUp = node.callee.type === 'Identifier' && lookUps.has(node.callee.name)
    const values = node.arguments.map((child): [Node, Place] => [
      child,
      isLookUp && readText(child) !== null ? hidden : plain,
    ])
    return isLookUp ? values : [...values, [node.callee, plain]]
  }
  if (node.type === 'JSXElement') {
    const { name } = node.openingElement
    const isCode = name.type === 'JSXIdentifier' && codeElements.has(name.name)
    const inner = isCode ? hidden : { isShown: true, isCode: place.isCode }
    return [[node.openingElement, plain], ...node.children.map((child): [Node, Place] => [child, inner])]
  }
  if (node.type === 'JSXFragment')
    return node.children.map((child): [Node, Place] => [child, { isShown: true, isCode: place.isCode }])
  if (node.type === 'JSXAttribute') {
    if (node.value === null) return []
    return [[node.value, placeOf(node.name.type === 'JSXIdentifier' ? node.name.name : '')]]
  }
  if (node.type === 'Property') return [[node.value, placeOf(node.key.type === 'Identifier' ? node.key.name : '')]]
  if (node.type === 'BinaryExpression') return all(node.operator === '+' ? place : hidden)
  if (node.type === 'SwitchCase') return node.consequent.map((child): [Node, Place] => [child, plain])
  if (node.type === 'MemberExpression') return [[node.object, plain]]
  if (node.type === 'ConditionalExpression')
    return [
      [node.test, hidden],
      [node.consequent, place],
      [node.alternate, place],
    ]
  return all(transparent.has(node.type) ? place : plain)
}

function placeOf(name: string): Place {
  if (shownAttributes.has(name)) return { isShown: true, isCode: false }
  const isCode =
    /^(?:className|to|href|src|type|id|role|key|kind|rel|target|guide|code|keys|prompt|queryKey|data-.*|aria-(?!label|description).*)$/.test(
      name,
    )
  return { isShown: false, isCode }
}

function childrenOf(node: Node): Node[] {
  // What `visitorKeys` promises of each kind of node.
  const fields = node as unknown as Record<string, Node | (Node | null)[] | null | undefined>
  return (visitorKeys[node.type] ?? []).flatMap((key) => fields[key] ?? []).filter((child) => child !== null)
}
