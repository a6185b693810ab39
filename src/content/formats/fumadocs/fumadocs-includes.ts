import type { IncludeDirective, IncludeSyntax } from '../../flatten/expand-includes.ts'
import { inFolder } from '../../routes/site-roots.ts'
import { isPageFile, resolveSourcePath } from '../../trees/source-path.ts'

const tag =
  /^([ \t]*)<include((?:[ \t]+[\w-]+(?:=(?:"[^"\n]*"|'[^'\n]*'))?)*)[ \t]*>[ \t]*([^<>\n]{1,300}?)[ \t]*<\/include>[ \t]*$/

/**
 * `<include>./part.mdx#section</include>` includes text, or code for other kinds of files. With `cwd`, paths start at
 * the project's folder.
 */
export function fumadocsIncludes(root: string): IncludeSyntax {
  return {
    prepare: joinIncludeLines,
    read: readTag,
    resolve: (fromFile, { reference, isFromProject }) =>
      isFromProject ? resolveSourcePath('', inFolder(root, reference)) : resolveSourcePath(fromFile, reference),
  }
}

/** Joins a tag that spans several lines into one line. Pure. */
function joinIncludeLines(body: string): string {
  if (!body.includes('<include')) return body
  return body.replace(
    /<include\b([^<>]{0,500})>\s*([^<>\s][^<>\n]{0,300}?)\s*<\/include>/g,
    (_written, attributes: string, path: string) => {
      return `<include${attributes.replace(/\s+/g, ' ').trimEnd()}>${path}</include>`
    },
  )
}

function readTag(line: string): IncludeDirective | null {
  const [match, indent = '', attributes = '', written = ''] = tag.exec(line) ?? []
  if (match === undefined) return null
  const [path = '', region = ''] = written.split('#')
  const meta = /\bmeta=(?:"([^"]*)"|'([^']*)')/.exec(attributes)
  const language = /\blang=["']([\w-]+)["']/.exec(attributes)?.[1] ?? /\.(\w+)$/.exec(path)?.[1] ?? ''
  const title = /\btitle="([^"]*)"/.exec(meta?.[1] ?? meta?.[2] ?? '')?.[1] ?? ''
  const isText = isPageFile(path) && !/\blang=/.test(attributes)
  return {
    reference: path,
    isFromProject: /(?:^|\s)cwd(?:[\s=]|$)/.test(attributes),
    region,
    lines: [],
    fence: isText ? null : `${language} ${title}`.trim(),
    indent,
  }
}
