import { type ComponentProps, type ReactNode, useMemo } from 'react'
import Markdown, { type Components, type ExtraProps } from 'react-markdown'
import remarkGfm from 'remark-gfm'
import { CodeSample } from '../../ui/code-sample.tsx'
import { ExternalLink } from '../../ui/external-link.tsx'
import classes from './answer.module.css'
import { findSourceLink } from './find-source-link.ts'
import { readCode } from './read-code.ts'
import type { Source } from './source-list.tsx'

const plugins = [remarkGfm]

/** Markup of a page is for a page: what an answer holds of it is read here, in a part of one. */
const components: Components = {
  // Nothing is fetched from where an answer says.
  img: ({ alt }) => <span className={classes.muted}>{alt === undefined || alt === '' ? 'Picture' : alt}</span>,
  pre: CodeBlock,
  table: ({ children }) => (
    <div className={classes.wide} tabIndex={0} role="group" aria-label="Table">
      <table>{children}</table>
    </div>
  ),
  h1: Heading,
  h2: Heading,
  h3: Heading,
  h4: Heading,
  h5: Heading,
  h6: Heading,
}

/**
 * The Markdown of an answer. HTML in it is shown as text, nothing is loaded, and links lead to websites only; the service
 * has let only links to pages of the site through before.
 */
export function AnswerMarkdown({ text, sources }: { text: string; sources: readonly Source[] }) {
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
    <div className={classes.markdown}>
      <Markdown remarkPlugins={plugins} components={linked}>
        {text}
      </Markdown>
    </div>
  )
}

function Heading({ children }: { children?: ReactNode }) {
  return <p className={classes.heading}>{children}</p>
}

function CodeBlock({ node }: ComponentProps<'pre'> & ExtraProps) {
  const { code, language } = readCode(node)
  return <CodeSample code={code} title={language} what={`${language.toLowerCase()} of the answer`} />
}
