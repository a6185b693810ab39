import type { Root, RootContent } from 'mdast'
import { fromMarkdown } from 'mdast-util-from-markdown'
import { gfmTableFromMarkdown } from 'mdast-util-gfm-table'
import { mdxFromMarkdown } from 'mdast-util-mdx'
import { gfmTable } from 'micromark-extension-gfm-table'
import { mdxjs } from 'micromark-extension-mdxjs'
import { MarkdownSyntaxError } from './markdown-syntax-error.ts'
import { refuseCostlyMarkup } from './refuse-costly-markup.ts'

/** A component or tag: a block, or inline. */
export type FlowElement = Extract<RootContent, { type: 'mdxJsxFlowElement' }>
export type JsxElement = FlowElement | Extract<RootContent, { type: 'mdxJsxTextElement' }>
/** `{…}` */
export type JsxExpression = Extract<RootContent, { type: 'mdxFlowExpression' | 'mdxTextExpression' }>
export type JsxAttribute = Extract<JsxElement['attributes'][number], { type: 'mdxJsxAttribute' }>

/**
 * Only tables need an extension. Task boxes, footnote marks, strikethrough and bare URLs survive as plain text, and
 * each extension costs time per character.
 */
const markdownOptions = { extensions: [gfmTable()], mdastExtensions: [gfmTableFromMarkdown()] }
const mdxOptions = { extensions: [gfmTable(), mdxjs()], mdastExtensions: [gfmTableFromMarkdown(), mdxFromMarkdown()] }

/**
 * Parses to a syntax tree without evaluating it: expressions stay trees.
 *
 * @throws {MarkdownSyntaxError} for invalid MDX, and for text so deeply nested or dense in markers that parsing it
 *   would overflow the stack or take minutes.
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
  source?: string
  place?: { offset?: number; start?: { offset?: number } }
}

function toSyntaxError(error: unknown): MarkdownSyntaxError {
  if (error instanceof RangeError) {
    return new MarkdownSyntaxError(
      'The page is nested too deeply to parse. Flatten its lists, quotes or components.',
      null,
      { cause: error },
    )
  }
  // The parser throws `VFileMessage`, an Error with these fields, which are all optional.
  const message = error as ParserMessage
  const reason = message.reason ?? (error instanceof Error ? error.message : String(error))
  const point = message.place?.start ?? message.place
  const place = point?.offset === undefined ? null : { offset: point.offset, parser: message.source ?? '' }
  return new MarkdownSyntaxError(reason, message.line ?? null, { cause: error, place })
}
