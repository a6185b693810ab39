import { type ComponentProps, type ReactNode, useMemo } from 'react'
import Markdown, { type Components, type ExtraProps } from 'react-markdown'
import remarkGfm from 'remark-gfm'
import type { Citation } from '../../../src/contract/citations.ts'
import { CitationNumbers } from '../../citations/citation-numbers.tsx'
import { CodeSample } from '../../ui/code-sample.tsx'
import { ExternalLink } from '../../ui/external-link.tsx'
import classes from './answer.module.css'
import { findSourceLink } from './find-source-link.ts'
import type { MarkdownNode } from './markdown-node.ts'
import { citationsOf, citedTag, placeCitations } from './place-citations.ts'
import { readCode } from './read-code.ts'
import type { Source } from './source-list.tsx'
import { say } from '../../words/say.ts'

const noCitations: readonly Citation[] = []
const plugins = [remarkGfm]

/** Answers appear within a page: headings become paragraphs, and images become text. */
const components: Components = {
  // Load nothing from addresses in an answer.
  img: ({ alt }) => <span className={classes.muted}>{alt === undefined || alt === '' ? say('Picture') : alt}</span>,
  pre: CodeBlock,
  table: ({ children }) => (
    <div className={classes.wide} tabIndex={0} role="group" aria-label={say('Table')}>
      <table>{children}</table>
    </div>
  ),
  [citedTag]: CitedSentence,
  h1: Heading,
  h2: Heading,
  h3: Heading,
  h4: Heading,
  h5: Heading,
  h6: Heading,
}

export interface AnswerMarkdownProps {
  text: string
  sources: readonly Source[]
  /** Their offsets count in `text`. */
  citations?: readonly Citation[]
}

/**
 * Renders the Markdown of an answer. HTML is shown as text, nothing is loaded, and links lead to websites only; the
 * service has already removed links that are not to pages of the site.
 */
export function AnswerMarkdown({ text, sources, citations = noCitations }: AnswerMarkdownProps) {
  const linked = useMemo<Components>(
    () => ({
      ...components,
      a: ({ href = '', children }) => (
        <ExternalLink href={findSourceLink(href, sources) ?? ''}>{children}</ExternalLink>
      ),
    }),
    [sources],
  )
  return (
    <div className={classes.markdown} dir="auto">
      <Markdown remarkPlugins={plugins} rehypePlugins={[[placeCitations, { citations }]]} components={linked}>
        {text}
      </Markdown>
    </div>
  )
}

function Heading({ children }: { children?: ReactNode }) {
  return <p className={classes.heading}>{children}</p>
}

/** Also of footnotes, which the answers of models may have. */
function CitedSentence({ node, children }: ComponentProps<'sup'> & { node?: MarkdownNode | undefined }) {
  const citations = citationsOf(node)
  return citations === undefined ? <sup>{children}</sup> : <CitationNumbers citations={citations} />
}

function CodeBlock({ node }: ComponentProps<'pre'> & ExtraProps) {
  const { code, language } = readCode(node)
  return (
    <CodeSample
      code={code}
      title={language}
      what={say('{language} from the answer', { language: language.toLowerCase() })}
    />
  )
}
