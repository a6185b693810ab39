import type { Root, RootContent } from 'mdast'
import { fromMarkdown } from 'mdast-util-from-markdown'
import { gfmTableFromMarkdown } from 'mdast-util-gfm-table'
import { mdxFromMarkdown } from 'mdast-util-mdx'
import { gfmTable } from 'micromark-extension-gfm-table'
import { mdxjs } from 'micromark-extension-mdxjs'
import { MarkdownSyntaxError } from './markdown-syntax-error.ts'
import { refuseCostlyMarkup } from './refuse-costly-markup.ts'

/** A component or tag: on lines of its own, or in a line of text. */
export type FlowElement = Extract<RootContent, { type: 'mdxJsxFlowElement' }>
export type JsxElement = FlowElement | Extract<RootContent, { type: 'mdxJsxTextElement' }>
/** `{…}` */
export type JsxExpression = Extract<RootContent, { type: 'mdxFlowExpression' | 'mdxTextExpression' }>
export type JsxAttribute = Extract<JsxElement['attributes'][number], { type: 'mdxJsxAttribute' }>

/**
 * Only tables need an extension: task boxes, footnote marks, strike-through and bare addresses come through as the text that they are, and
 * each extension costs time on every character.
 */
const markdownOptions = { extensions: [gfmTable()], mdastExtensions: [gfmTableFromMarkdown()] }
const mdxOptions = { extensions: [gfmTable(), mdxjs()], mdastExtensions: [gfmTableFromMarkdown(), mdxFromMarkdown()] }

/**
 * Parses to a syntax tree and never further: expressions are kept as their tree, and nothing is run.
 *
 * @throws {MarkdownSyntaxError} for MDX that is not valid, and for text so deeply nested or so dense in markers that
 *   parsing it would take the stack or minutes.
 */
export function parseMarkdown(source: string, syntax: 'markdown' | 'mdx'): Root {
  refuseCostlyMarkup(source, syntax)
  try {
    return fromMarkdown(source, syntax === 'mdx' ? mdxOptions : markdownOptions)
  } catch (error) {
    throw toSyntaxError(error)
  }
}

interface ParserMessage {
  reason?: string
  line?: number
}

function toSyntaxError(error: unknown): MarkdownSyntaxError {
  if (error instanceof RangeError) {
    return new MarkdownSyntaxError(
      'The page is nested too deeply to be parsed. Flatten its lists, quotes or components.',
      null,
      error,
    )
  }
  // The parser throws `VFileMessage`, which is an Error with these fields; both are optional here, so nothing is trusted.
  const message = error as ParserMessage
  const reason = message.reason ?? (error instanceof Error ? error.message : String(error))
  return new MarkdownSyntaxError(reason, message.line ?? null, error)
}
